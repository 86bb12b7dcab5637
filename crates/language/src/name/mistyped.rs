//! Names that were typed with a slip of the finger: `skymal`, `스카이물`, `재고 현횡`.

use super::{Name, Words};
use crate::{hangul::jamo, morph, slip};

/// A longer word carries no name.
const WORD_BYTES_MAX: usize = 72;
/// A shorter name is too near to other words.
const SYLLABLES_MIN: usize = 3;
const LETTERS_MIN: usize = 6;
/// In a name of so many letters two may be wrong; of fewer one in each of two words: `주문상태` is no
/// `주문 상세`.
const LONG_LETTERS: usize = 12;
const WORDS_LETTERS: usize = 10;

/// What carries such a name: of the most tokens, by the fewest slips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seems {
    pub(super) tokens: usize,
    slips: std::cmp::Reverse<usize>,
    bytes: usize,
}

impl Name {
    fn slips_max(&self) -> usize {
        let letters = jamo(&self.text).len();
        match (self.text.chars().count() >= SYLLABLES_MIN && !self.in_one, letters) {
            (true, LONG_LETTERS..) => 2,
            (true, WORDS_LETTERS..) if self.ends.len() > 1 => 2,
            (true, LETTERS_MIN..) => 1,
            (true | false, _) => 0,
        }
    }

    /// What seems to carry the name from here on.
    pub(super) fn seems(&self, said: &Words<'_, '_>, at: usize) -> Option<Seems> {
        let first = |text: &str| text.chars().next().map(|c| jamo(c.encode_utf8(&mut [0; 4])));
        let letter = |text: &str| first(text).and_then(|letters| letters.first().copied());
        if letter(&said.spelt.get(at)?.lower) != letter(&self.text) {
            return None;
        }
        let most = self.slips_max();
        let each = if jamo(&self.text).len() < LONG_LETTERS { 1 } else { most };
        let (mut read, mut next, mut slips) = (0, at, 0);
        while read < self.text.len() {
            let left = most.checked_sub(slips)?.min(each);
            let (further, more) = self.word(said, next, read, left)?;
            (read, next, slips) = (further, next + 1, slips + more);
        }
        let (tokens, bytes) = (next - at, self.text.len());
        let seems = Seems { tokens, slips: std::cmp::Reverse(slips), bytes };
        (slips > 0 && said.stands_alone(at, next)).then_some(seems)
    }

    /// How far the name is read after this word, and with how many slips. A word that means
    /// something is none.
    fn word(
        &self,
        said: &Words<'_, '_>,
        at: usize,
        from: usize,
        most: usize,
    ) -> Option<(usize, usize)> {
        let token = said.token(at).filter(|token| token.is_word())?;
        let word = said.spelt.get(at)?.lower.as_str();
        if word.len() > WORD_BYTES_MAX || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        let unknown = token.is_nameless() || token.mended;
        let unknown = unknown && !said.fields.contains(word);
        let most = if unknown && !said.lexicon.is_known(word) { most } else { 0 };
        let cuts = word.char_indices().skip(2).map(|(at, _)| at).chain([word.len()]);
        let stems = cuts.filter_map(|cut| word.split_at_checked(cut));
        let stems = stems.filter(|(_, tail)| morph::is_after_name(said.lexicon, tail));
        let stems: Vec<Vec<char>> = stems.map(|(stem, _)| jamo(stem)).collect();
        let mut ends = self.ends.iter().rev().copied().filter(|end| *end > from);
        ends.find_map(|end| {
            let piece = jamo(self.text.get(from..end)?);
            // `skymallx` is another name.
            let longer = |stem: &Vec<char>| stem.len() > piece.len() && stem.starts_with(&piece);
            let stems = stems.iter().filter(|stem| !longer(stem));
            let slips = stems.filter_map(|stem| slip::distance(stem, &piece, most)).min();
            slips.map(|slips| (end, slips))
        })
    }
}
