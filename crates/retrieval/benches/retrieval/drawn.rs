//! Texts and vectors that are drawn: the same for the same seed.

use wiiiv_retrieval::Vector;

const DIMENSIONS: usize = 384;
const VOCABULARY: usize = 40_000;
const PARTICLES: [&str; 8] = ["", "", "을", "를", "에서", "으로", "은", "의"];

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
        let words = if is_korean { 90 } else { 180 };
        let word =
            |_| if is_korean { self.korean(draw) } else { draw.by_zipf(&self.english).clone() };
        (0..words).map(word).collect::<Vec<_>>().join(" ")
    }

    fn korean(&self, draw: &mut Draw) -> String {
        format!("{}{}", draw.by_zipf(&self.korean), draw.of(&PARTICLES))
    }

    /// Three to seven words of one language.
    pub fn query(&self, draw: &mut Draw) -> String {
        let is_korean = draw.below(2) == 0;
        let count = 3 + draw.below(5);
        let word =
            |_| if is_korean { self.korean(draw) } else { draw.by_zipf(&self.english).clone() };
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    }
}

/// Drawn numbers, the same for the same seed.
pub struct Draw(pub u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len());
        items.get(at).expect("below the end")
    }

    /// The nth as often as 1/n.
    fn by_zipf<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = (items.len() as f64).powf(self.share()) as usize - 1;
        items.get(at.min(items.len() - 1)).expect("below the end")
    }

    pub fn vector(&mut self) -> Vector {
        Vector::new(self.numbers()).expect("a vector")
    }

    /// In one of a thousand clusters.
    pub fn numbers(&mut self) -> Vec<f32> {
        let mut centre = Draw(self.below(1_000) as u64);
        let number = |_| 0.5 + centre.share() + 0.3 * self.share();
        (0..DIMENSIONS).map(number).map(|x| x as f32).collect()
    }
}
