//! How Korean differs from person to person.

use super::{
    slip::slipped,
    word::{Change, Word, Words},
};
use crate::seeded_random::SeededRandom;

pub(super) const CHANGES: [Change; 7] =
    [mistype, particle, polite, filler, joined, reordered, trailing];

/// A shorter word leaves too little of it where one letter is wrong.
const SYLLABLES_MIN: usize = 3;
const OBJECT: [&str; 2] = ["을", "를"];
/// No particle, though they end so.
const NOT_OBJECTS: [&str; 4] = ["마을", "가을", "겨울", "노을"];
/// Behind a name or a path, one for the other.
const TOWARDS: [&str; 3] = ["에", "으로", "에다"];
const BEFORE: [&str; 7] = ["음", "저기..", "어", "그..", "아", "저기요", "흠.."];
const BEHIND: [&str; 6] = ["ㅎㅎ", "ㅋㅋ", "~", "!", "..", "ㅠ"];
/// Endings of one request, from blunt to polite.
const REQUESTS: [&str; 8] =
    ["주시겠어요", "주실래요", "주십시오", "주세요", "줄래요", "줘요", "줘라", "줘"];
const PLANS: [&str; 4] = ["합시다", "할까요", "하죠", "하자"];
const YES: [&str; 6] = ["네", "넵", "예", "응", "넹", "ㅇㅇ"];
const NO: [&str; 4] = ["아니요", "아뇨", "아니오", "아니"];
/// What makes a place of a name.
const PLACES: [&str; 5] = ["에서", "에", "으로", "로", "에다"];
const CLAUSE_ENDS: [&str; 7] = ["고", "며", "면", "데", "지만", "니까", "서"];

/// One of the words that this can be done to.
fn candidate(
    words: &[Word],
    random: &mut SeededRandom,
    fits: impl Fn(&Word) -> bool,
) -> Option<usize> {
    let all = words.iter().enumerate().filter(|(_, word)| fits(word));
    random.pick(&all.map(|(at, _)| at).collect::<Vec<_>>())
}

fn mistype(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let long = |word: &Word| word.is_plain_hangul() && word.syllables() >= SYLLABLES_MIN;
    let at = candidate(words, random, long);
    let Some(word) = at.and_then(|at| words.get_mut(at)) else { return false };
    match slipped(&word.core, random) {
        Some(slip) => {
            word.core = slip;
            true
        }
        None => false,
    }
}

/// Dropped, or another one.
fn particle(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let object = |word: &Word| {
        let ends = OBJECT.iter().any(|end| word.core.ends_with(end));
        word.is_plain_hangul()
            && word.syllables() >= SYLLABLES_MIN
            && ends
            && !NOT_OBJECTS.iter().any(|end| word.core.ends_with(end))
    };
    let towards = |word: &Word| {
        let particle = if word.fixed { &word.particle } else { &word.core };
        TOWARDS.contains(&particle.as_str())
    };
    let at = candidate(words, random, |word| object(word) || towards(word));
    let Some(word) = at.and_then(|at| words.get_mut(at)) else { return false };
    if object(word) {
        word.core.pop();
        if random.number().is_multiple_of(2) {
            word.core.push_str(random.pick(&OBJECT).unwrap_or_default());
        }
        return true;
    }
    let other = random.pick(&TOWARDS).unwrap_or_default().to_owned();
    if word.fixed {
        word.particle = other;
    } else {
        word.core = other;
    }
    true
}

/// Another politeness of the last word.
fn polite(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let Some(last) = words.iter_mut().rev().find(|word| !word.fixed) else { return false };
    for whole in [&YES[..], &NO[..]] {
        if whole.contains(&last.core.as_str()) {
            random.pick(whole).unwrap_or_default().clone_into(&mut last.core);
            return true;
        }
    }
    for family in [&REQUESTS[..], &PLANS[..]] {
        if let Some(stem) = family.iter().find_map(|end| last.core.strip_suffix(end)) {
            let end = random.pick(family).unwrap_or_default();
            last.core = format!("{stem}{end}");
            return true;
        }
    }
    false
}

fn filler(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let asks = words.last().is_some_and(|last| REQUESTS.iter().any(|end| last.core.ends_with(end)));
    if asks && words.len() > 2 && random.number().is_multiple_of(2) {
        words.insert(words.len() - 1, Word::plain("좀"));
    } else {
        // Nobody runs it into the next word.
        let first = random.pick(&BEFORE).unwrap_or_default();
        let first = Word { fixed: true, ..Word::plain(first) };
        words.insert(0, first);
    }
    true
}

/// Two words without the space between them.
fn joined(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let pairs = words.windows(2).enumerate().filter_map(|(at, pair)| match pair {
        [one, other] => {
            let plain = one.is_plain_hangul() && other.is_plain_hangul();
            (plain && one.trail.is_empty()).then_some(at)
        }
        _ => None,
    });
    let Some(at) = random.pick(&pairs.collect::<Vec<_>>()) else { return false };
    let other = words.remove(at + 1);
    if let Some(one) = words.get_mut(at) {
        one.core.push_str(&other.core);
        one.trail = other.trail;
    }
    true
}

/// A named place (`skymall에서`, `a.json 으로`) goes to the front or right before the verb. Only where
/// nothing else is said in the sentence.
fn reordered(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let parts = |word: &Word| {
        !word.trail.is_empty() || CLAUSE_ENDS.iter().any(|end| word.core.ends_with(end))
    };
    let body = words.len().saturating_sub(1);
    if body < 3 || words.iter().take(body).any(parts) {
        return false;
    }
    let place = |at: usize| {
        let (word, next) = (words.get(at)?, words.get(at + 1)?);
        let own = word.fixed && PLACES.contains(&word.particle.as_str());
        let apart = word.fixed && word.particle.is_empty() && PLACES.contains(&next.core.as_str());
        let length = if own { 1 } else { 2 };
        (own || (apart && at + 1 < body)).then_some((at, length))
    };
    let Some((at, length)) = (0..body).find_map(place) else { return false };
    let moved: Vec<Word> = words.drain(at..at + length).collect();
    let to = if random.number().is_multiple_of(2) { 0 } else { body - length };
    words.splice(to..to, moved);
    to != at
}

fn trailing(Words(words): &mut Words, random: &mut SeededRandom) -> bool {
    let Some(last) = words.last_mut() else { return false };
    last.trail.push_str(random.pick(&BEHIND).unwrap_or_default());
    true
}
