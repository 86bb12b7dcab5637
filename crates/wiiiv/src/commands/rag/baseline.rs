//! What a search has to beat: BM25 over whole documents, by words as they stand or by pairs of Korean syllables.

use std::collections::{BTreeMap, HashMap};

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// A shorter English word keeps its last letter.
const PLURAL_CHARS_MIN: usize = 4;

/// How a text becomes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// Runs of letters and digits.
    Spaces,
    /// The same, of Korean ones each pair of syllables, of English ones without a last `s`.
    Pairs,
}

/// An index over whole documents.
pub struct Baseline {
    words: Words,
    /// A word's documents, each with how often it has it.
    postings: HashMap<String, BTreeMap<usize, u32>>,
    /// In words, by document.
    lengths: BTreeMap<usize, f64>,
    average: f64,
}

impl Baseline {
    /// Over texts, each with the number that its document is known by.
    pub fn of<'a>(words: Words, texts: impl Iterator<Item = (usize, &'a str)>) -> Self {
        let mut postings: HashMap<String, BTreeMap<usize, u32>> = HashMap::new();
        let mut lengths = BTreeMap::new();
        for (document, text) in texts {
            let found = words.of(text);
            lengths.insert(document, found.len() as f64);
            for word in found {
                *postings.entry(word).or_default().entry(document).or_default() += 1;
            }
        }
        let average = lengths.values().sum::<f64>() / (lengths.len() as f64).max(1.0);
        Self { words, postings, lengths, average: average.max(1.0) }
    }

    /// Documents that have a word of the query, the best first.
    pub fn ranked(&self, query: &str) -> Vec<usize> {
        let mut words = self.words.of(query);
        words.sort();
        words.dedup();
        let all = self.lengths.len() as f64;
        let mut scores: BTreeMap<usize, f64> = BTreeMap::new();
        for documents in words.iter().filter_map(|word| self.postings.get(word)) {
            let with = documents.len() as f64;
            let rarity = ((all - with + 0.5) / (with + 0.5)).ln_1p();
            for (document, count) in documents {
                let length = self.lengths.get(document).copied().unwrap_or_default();
                let count = f64::from(*count);
                let damped = count + K1 * (1.0 - B + B * length / self.average);
                *scores.entry(*document).or_default() += rarity * count * (K1 + 1.0) / damped;
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        ranked.into_iter().map(|(document, _)| document).collect()
    }
}

impl Words {
    fn of(self, text: &str) -> Vec<String> {
        let text = text.to_lowercase();
        let runs = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let runs = runs.filter(|run| !run.is_empty());
        match self {
            Self::Spaces => runs.map(str::to_owned).collect(),
            Self::Pairs => runs.flat_map(of_one_script).flat_map(pairs).collect(),
        }
    }
}

/// Cut where Korean begins or ends.
fn of_one_script(run: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_syllable(c) != is_syllable(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

fn pairs(piece: &str) -> Vec<String> {
    let syllables: Vec<char> = piece.chars().collect();
    match piece.strip_suffix('s').filter(|_| syllables.len() >= PLURAL_CHARS_MIN) {
        Some(singular) if piece.is_ascii() => vec![singular.to_owned()],
        _ if piece.starts_with(is_syllable) && syllables.len() > 1 => {
            syllables.windows(2).map(|pair| pair.iter().collect()).collect()
        }
        _ => vec![piece.to_owned()],
    }
}

const fn is_syllable(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 4] =
        ["서울에서 회의", "부산까지 기차", "Two trains, one bus", "서울까지의 기차표"];

    fn ranked(words: Words, query: &str) -> Vec<usize> {
        Baseline::of(words, (0..).zip(TEXTS)).ranked(query)
    }

    #[test]
    fn pairs_find_a_noun_whatever_stands_behind_it() {
        assert_eq!(ranked(Words::Spaces, "서울"), [0; 0]);
        assert_eq!(ranked(Words::Pairs, "서울"), [0, 3]);
        assert_eq!(ranked(Words::Spaces, "기차"), [1]);
        assert_eq!(ranked(Words::Pairs, "기차"), [1, 3]);
    }

    #[test]
    fn an_english_plural_is_found_by_its_singular() {
        assert_eq!(ranked(Words::Spaces, "train"), [0; 0]);
        assert_eq!(ranked(Words::Pairs, "TRAIN"), [2]);
        assert_eq!(Words::Pairs.of("bus USB를 s3"), ["bus", "usb", "를", "s3"]);
    }
}
