//! Forms one slip of the finger away: found by what is left when one letter is taken out of either
//! (symmetric deletion), so that a look-up costs no walk over the lexicon.

use crate::{hangul::jamo, slip::is_swap};
use std::collections::{BTreeSet, HashMap};

/// Letters of a form that may be mistyped.
const LATIN_LETTERS_MIN: usize = 5;
/// A shorter one only by letters that have changed places: `lsit`.
const LATIN_SWAPPED_MIN: usize = 4;
const JAMO_MIN: usize = 5;
/// A form is not looked for under more letters than this.
const LETTERS_MAX: usize = 40;

#[derive(Debug, Clone, Default)]
pub(crate) struct Typos {
    near: HashMap<Vec<char>, BTreeSet<String>>,
}

impl Typos {
    pub(crate) fn add(&mut self, form: &str) {
        let letters = jamo(form);
        let least = if form.is_ascii() { LATIN_LETTERS_MIN } else { JAMO_MIN };
        let least = if form.is_ascii() { LATIN_SWAPPED_MIN } else { least };
        if form.chars().all(char::is_alphabetic) && (least..=LETTERS_MAX).contains(&letters.len()) {
            for key in keys(&letters) {
                self.near.entry(key).or_default().insert(form.to_owned());
            }
        }
    }

    /// The only form that this may be a slip of; `None` where several may be meant.
    pub(crate) fn meant(&self, word: &str) -> Option<&str> {
        let letters = jamo(word);
        let least = if word.is_ascii() { LATIN_LETTERS_MIN } else { JAMO_MIN };
        // A letter that is left out makes the word shorter than its form.
        if letters.len() + 1 < least || letters.len() > LETTERS_MAX {
            return None;
        }
        let forms = keys(&letters).filter_map(|key| self.near.get(&key)).flatten();
        let forms: BTreeSet<&str> = forms.map(String::as_str).collect();
        let near = |form: &&str| {
            let other = jamo(form);
            let short = form.is_ascii() && other.len() < LATIN_LETTERS_MIN;
            is_slip(&letters, &other) && (!short || is_swap(&letters, &other))
        };
        let mut found = forms.into_iter().filter(near);
        found.next().filter(|_| found.next().is_none())
    }
}

/// The letters, and the letters without each one of them.
fn keys(letters: &[char]) -> impl Iterator<Item = Vec<char>> {
    let without = |at: usize| {
        let others = letters.iter().enumerate().filter(move |(other, _)| *other != at);
        others.map(|(_, letter)| *letter).collect()
    };
    std::iter::once(letters.to_vec()).chain((0..letters.len()).map(without))
}

/// One letter is missing, too many, another, or two have changed places; never the first, which
/// people hit.
fn is_slip(one: &[char], other: &[char]) -> bool {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (Some(one), Some(other)) = (one.get(same..), other.get(same..)) else { return false };
    if same == 0 {
        return false;
    }
    match (one, other) {
        ([], []) => false,
        ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([_, rest @ ..], other) if rest == other => true,
        (one, [_, rest @ ..]) => one == rest,
        ([_, ..], []) => false,
    }
}

#[cfg(test)]
mod tests;
