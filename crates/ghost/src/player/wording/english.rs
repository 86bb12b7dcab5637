//! How English differs from person to person.

use super::word::{Change, Word, Words};
use crate::seeded_random::SeededRandom;

pub(super) const CHANGES: [Change; 4] = [mistype, article, polite, filler];

const LETTERS_MIN: usize = 6;
const NAMES: [&str; 2] = ["skymall", "skystock"];
const ARTICLES: [&str; 3] = ["the", "a", "an"];
const BEFORE: [&str; 5] = ["um,", "hey,", "so", "well,", "ok so"];
const BEHIND: [&str; 4] = ["please", "thanks", "would you", "if you can"];

/// Two letters inside of a long word change places.
fn mistype(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let long = |word: &Word| {
        let letters = word.core.chars().all(|c| c.is_ascii_lowercase());
        !word.fixed
            && letters
            && word.syllables() >= LETTERS_MIN
            && !NAMES.contains(&word.core.as_str())
    };
    let all = words.iter().enumerate().filter(|(_, word)| long(word)).map(|(at, _)| at);
    let at = random.pick(&all.collect::<Vec<_>>());
    let Some(word) = at.and_then(|at| words.get_mut(at)) else { return false };
    let mut letters: Vec<char> = word.core.chars().collect();
    let inner: Vec<usize> = (1..letters.len().saturating_sub(2)).collect();
    let Some(at) = random.pick(&inner) else { return false };
    letters.swap(at, at + 1);
    word.core = letters.into_iter().collect();
    true
}

fn article(Words(words): &mut Words, _: &mut SeededRandom) -> bool {
    let is_article = |word: &Word| ARTICLES.contains(&word.core.as_str()) && word.trail.is_empty();
    match words.iter().position(is_article) {
        Some(at) if words.len() > 2 => {
            words.remove(at);
            true
        }
        Some(_) | None => false,
    }
}

fn polite(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let Some(last) = words.last_mut() else { return false };
    let trail = std::mem::take(&mut last.trail);
    let mut behind = Word::plain(random.pick(&BEHIND).unwrap_or_default());
    behind.trail = trail;
    words.push(behind);
    true
}

fn filler(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    words.insert(0, Word::plain(random.pick(&BEFORE).unwrap_or_default()));
    true
}
