//! Texts and vectors that are drawn: the same for the same seed.

pub const DIMENSIONS: usize = 384;
const VOCABULARY: usize = 40_000;
const PARTICLES: [&str; 8] = ["", "", "을", "를", "에서", "으로", "은", "의"];

pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// The nth as often as 1/n.
    fn by_zipf<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = (items.len() as f64).powf(self.share()) as usize - 1;
        &items[at.min(items.len() - 1)]
    }

    /// Of length 1, in one of a thousand clusters.
    pub fn vector(&mut self) -> Vec<f32> {
        let mut centre = Draw(self.below(1_000) as u64);
        let numbers: Vec<f64> =
            (0..DIMENSIONS).map(|_| 0.5 + centre.share() + 0.3 * self.share()).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
        numbers.into_iter().map(|number| (number / length) as f32).collect()
    }
}

/// A vocabulary of two languages.
pub struct Words {
    korean: Vec<String>,
    english: Vec<String>,
}

impl Words {
    pub fn new(draw: &mut Draw) -> Self {
        // As in Korean, some syllables stand in most words.
        let syllables: Vec<char> =
            (0..1_200).filter_map(|_| char::from_u32(0xac00 + draw.below(11_172) as u32)).collect();
        let korean =
            |draw: &mut Draw| (0..2 + draw.below(3)).map(|_| *draw.by_zipf(&syllables)).collect();
        let letter = |draw: &mut Draw| char::from(b'a' + draw.below(26) as u8);
        let english = |draw: &mut Draw| (0..3 + draw.below(7)).map(|_| letter(draw)).collect();
        Self {
            korean: (0..VOCABULARY).map(|_| korean(draw)).collect(),
            english: (0..VOCABULARY).map(|_| english(draw)).collect(),
        }
    }

    /// About 250 tokens.
    pub fn chunk(&self, draw: &mut Draw, is_korean: bool) -> String {
        self.text(draw, is_korean, if is_korean { 90 } else { 180 })
    }

    /// Three to seven words.
    pub fn query(&self, draw: &mut Draw) -> String {
        let is_korean = draw.below(2) == 0;
        let words = 3 + draw.below(5);
        self.text(draw, is_korean, words)
    }

    fn text(&self, draw: &mut Draw, is_korean: bool, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            let vocabulary = if is_korean { &self.korean } else { &self.english };
            let word: &String = draw.by_zipf(vocabulary);
            let particle: &&str = draw.of(&PARTICLES);
            text.push_str(word);
            text.push_str(if is_korean { particle } else { "" });
            text.push(' ');
        }
        text
    }
}
