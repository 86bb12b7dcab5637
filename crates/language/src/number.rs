//! Numbers as people write them: `10,000`, `3만 5천원`, `만원`, `삼만원`, `20k`, `2 million`.

use crate::{character::is_hangul, concept::Concept, lexicon::Lexicon, token::Token};
use std::ops::Range;

/// Written tokens of one number.
const TOKENS_MAX: usize = 6;
/// From here on a multiplier closes what stands before it: `3천만` is 3,000 times 10,000.
const SECTION: u64 = 10_000;
/// Longer numbers are names.
const NUMBER_BYTES_MAX: usize = 18;

pub(crate) struct Number {
    /// As JSON has it.
    pub(crate) value: String,
    /// Its tokens, with the unit that is written into one with it.
    pub(crate) said: Range<usize>,
}

/// The number that begins at this token.
pub(crate) fn at(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<Number> {
    let begun = (at.saturating_sub(TOKENS_MAX)..at)
        .filter_map(|from| from_here(lexicon, tokens, from))
        .any(|before| before.said.contains(&at));
    if begun { None } else { from_here(lexicon, tokens, at) }
}

fn from_here(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<Number> {
    let first = tokens.get(at).filter(|token| token.is_word())?;
    // `-2`
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|_| first.attached);
    if before.is_some_and(|before| before.is_mark("-") && !before.attached) {
        return None;
    }
    if first.text.starts_with(is_digit) {
        return digits(lexicon, tokens, at);
    }
    let written = first.is_korean() && !first.attached;
    let (value, rest) = sum(lexicon, first.text).filter(|_| written)?;
    // `이상`, `만`: only what is counted makes a number of syllables.
    let counts = |concept| {
        let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).skip(1);
        ends.any(|end| {
            let form = rest.get(..end).and_then(|unit| lexicon.form(unit));
            form.is_some_and(|form| form.contains(&concept))
        })
    };
    let unit = counts(Concept::Currency) || counts(Concept::Pieces);
    unit.then(|| Number { value: value.to_string(), said: at..at + 1 })
}

/// `3만5천원`, `3만 5천원`, `2.5`, `20k`.
fn digits(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<Number> {
    let mut written = String::new();
    let mut end = at;
    while let Some(token) = tokens.get(end).filter(|t| t.is_word() && end < at + TOKENS_MAX) {
        // `3만 5천`: what ends in a multiplier goes on behind a space.
        let goes_on = || {
            let whole = sum(lexicon, &written).is_some_and(|(_, rest)| rest.is_empty());
            let open = written.ends_with(is_hangul) && whole;
            open && token.text.starts_with(is_digit)
        };
        // `5만원이상10만원이하`: behind the word for what is counted another number begins.
        let another = written.ends_with(is_hangul) && token.text.starts_with(is_digit);
        if end > at && (!token.attached || another) && !goes_on() {
            break;
        }
        written.extend(token.text.chars().filter(|c| *c != ','));
        end += 1;
    }
    let plain = written.trim_end_matches(|c: char| !c.is_ascii_digit());
    let fits = plain.len() <= NUMBER_BYTES_MAX && plain.parse::<f64>().is_ok();
    if fits && written.len() == plain.len() {
        return Some(worded(lexicon, tokens, Number { value: plain.to_owned(), said: at..end }));
    }
    if let Some((value, _)) = sum(lexicon, &written) {
        return Some(Number { value: value.to_string(), said: at..end });
    }
    // A fraction takes no multiplier: `2.5개`, `2.5kg`.
    let (number, unit) = written.split_at_checked(written.find(|c: char| c.is_alphabetic())?)?;
    let times = longest(&lexicon.multipliers, unit).is_some();
    let whole = number.parse::<f64>().is_ok() && !times && number.len() <= NUMBER_BYTES_MAX;
    whole.then(|| Number { value: number.to_owned(), said: at..end })
}

/// `2 million`
fn worded(lexicon: &Lexicon, tokens: &[Token<'_>], number: Number) -> Number {
    let next = tokens.get(number.said.end).filter(|next| next.is_word() && next.text.is_ascii());
    let times = next.and_then(|next| lexicon.multipliers.get(&next.text.to_lowercase()));
    let value = number.value.parse::<u64>().ok();
    match times.zip(value).and_then(|(times, value)| value.checked_mul(*times)) {
        Some(value) => {
            Number { value: value.to_string(), said: number.said.start..number.said.end + 1 }
        }
        None => number,
    }
}

/// What digits, their names and multipliers come to, and what is written behind them; at least a
/// digit or a multiplier is there.
fn sum<'t>(lexicon: &Lexicon, text: &'t str) -> Option<(u64, &'t str)> {
    let (mut total, mut section, mut digit) = (0_u64, 0_u64, None);
    let (mut rest, mut said) = (text, false);
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if let Some((number, behind)) = rest.split_at_checked(end).filter(|(n, _)| !n.is_empty()) {
            // `2.5만`: no whole number.
            let whole = !behind.starts_with('.') && digit.is_none();
            digit = Some(number.parse().ok().filter(|_| whole)?);
            (rest, said) = (behind, true);
        } else if let Some((times, behind)) = longest(&lexicon.multipliers, rest) {
            if times < SECTION {
                section = digit.unwrap_or(1_u64).checked_mul(times)?.checked_add(section)?;
            } else {
                let before = section.checked_add(digit.unwrap_or(0))?.max(1);
                (total, section) = (before.checked_mul(times)?.checked_add(total)?, 0);
            }
            (rest, digit, said) = (behind, None, true);
        } else if let Some((named, behind)) =
            longest(&lexicon.digits, rest).filter(|_| digit.is_none())
            && longest(&lexicon.multipliers, behind).is_some()
        {
            (rest, digit) = (behind, Some(named));
        } else {
            break;
        }
    }
    let value = total.checked_add(section)?.checked_add(digit.unwrap_or(0))?;
    said.then_some((value, rest))
}

fn longest<'t>(
    words: &std::collections::BTreeMap<String, u64>,
    text: &'t str,
) -> Option<(u64, &'t str)> {
    // `20k`, `20K`, and not `20kg`.
    let fits = |word: &str| {
        let (head, rest) = text.split_at_checked(word.len())?;
        let ends = !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphabetic());
        (head.eq_ignore_ascii_case(word) && ends).then_some(rest)
    };
    let found = words.iter().filter_map(|(word, value)| Some((word.len(), *value, fits(word)?)));
    found.max_by_key(|(length, ..)| *length).map(|(_, value, rest)| (value, rest))
}

const fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

#[cfg(test)]
mod tests;
