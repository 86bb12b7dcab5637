//! Numbers as they stand in a text, with what is written into one with them: `7시`, `10:30pm`, `500`,
//! `2026-11-30`.

use crate::{character::is_hangul, lexicon::Lexicon, morph, part::Part};
use std::ops::Range;

/// May stand between two digits.
const JOINS: &str = ":.,-/";
/// A longer number without a mark counts nothing: it is that of a telephone or an account.
const COUNT_DIGITS_MAX: usize = 4;
/// Of a day.
const HOURS_MAX: u8 = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value<'t> {
    start: usize,
    /// `10:30`
    number: &'t str,
    /// `pm`, `시부터`
    letters: &'t str,
    /// Said as a word: `일곱시`.
    pub(super) worded: bool,
}

impl Value<'_> {
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.start + self.number.len() + self.letters.len()
    }

    /// What joins its digits; that of `1,000` and of `2.5` says nothing.
    fn shape(&self) -> String {
        let joins: String = self.number.chars().filter(|c| JOINS.contains(*c)).collect();
        if joins == "." { String::new() } else { joins.replace(',', "") }
    }

    /// `7`, `7:30`
    fn is_clock(&self) -> bool {
        matches!(self.shape().as_str(), "" | ":")
    }

    fn fits(&self, other: &Self) -> bool {
        self.shape() == other.shape() || self.is_clock() && other.is_clock()
    }

    /// What it may count, the longest first: `시부터`, `시`.
    fn units(&self, lexicon: &Lexicon) -> Vec<&str> {
        let cut = |at: &usize| {
            let rest = self.letters.get(*at..).unwrap_or_default();
            let particle = lexicon.particles.iter().any(|particle| particle == rest);
            particle || *at > 0 && morph::is_endings(lexicon, rest)
        };
        let places: Vec<usize> =
            self.letters.char_indices().map(|(at, _)| at).filter(cut).collect();
        let cuts = places.into_iter().rev().filter_map(|at| self.letters.get(..at));
        let korean = self.letters.ends_with(is_hangul);
        std::iter::once(self.letters).chain(cuts.filter(|_| korean)).collect()
    }
}

/// All of them, in their order; with a lexicon also those that are said as a word.
pub(super) fn values<'t>(lexicon: Option<&Lexicon>, text: &'t str) -> Vec<Value<'t>> {
    let (mut values, mut from) = (Vec::new(), 0);
    for (at, c) in text.char_indices() {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        // `report2.txt`
        let inner = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let opens = c.is_ascii_digit() && !inner;
        let word = || !opens && !before.is_some_and(char::is_alphanumeric) && is_hangul(c);
        let rest = text.get(at..).unwrap_or_default();
        let found = if at < from {
            None
        } else if opens {
            Some((digits(rest), false))
        } else {
            lexicon.filter(|_| word()).and_then(|lexicon| numeral(lexicon, rest)).map(|n| (n, true))
        };
        let Some((number, worded)) = found else { continue };
        let tail = rest.get(number.len()..).unwrap_or_default();
        let letters = tail.find(|c: char| !c.is_alphabetic()).and_then(|end| tail.get(..end));
        let value = Value { start: at, number, letters: letters.unwrap_or(tail), worded };
        from = value.range().end;
        values.push(value);
    }
    values
}

/// `10:30`, `2026-11-30`; not the mark at the end of `at 10.`
fn digits(text: &str) -> &str {
    let goes_on = |at: usize, c: char| {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        c.is_ascii_digit() || JOINS.contains(c) && next.is_some_and(|c| c.is_ascii_digit())
    };
    let end = text.char_indices().find(|(at, c)| !goes_on(*at, *c)).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// `일곱` of `일곱시`: a number that counts something.
fn numeral<'t>(lexicon: &Lexicon, text: &'t str) -> Option<&'t str> {
    let fits = |number: &&String| {
        let rest = text.strip_prefix(number.as_str());
        rest.is_some_and(|rest| rest.starts_with(is_hangul))
    };
    let longest = lexicon.numbers.keys().filter(fits).map(String::len).max()?;
    text.get(..longest)
}

/// The only one of what is known that the new one can stand for: where, and what then stands there.
pub(super) fn counterpart(
    lexicon: &Lexicon,
    known: &str,
    olds: &[Value<'_>],
    new: &Value<'_>,
) -> Option<(Range<usize>, String)> {
    let units = new.units(lexicon);
    let shared = |old: &Value<'_>| {
        let other = old.units(lexicon);
        let same = |unit: &&&str| {
            let unit = unit.to_lowercase();
            !unit.is_empty() && other.iter().any(|other| other.to_lowercase() == unit)
        };
        units.iter().find(same).map(|unit| unit.len()).filter(|_| old.fits(new))
    };
    let mut same = olds.iter().filter_map(|old| Some((old, shared(old)?)));
    match (same.next(), same.next()) {
        (Some((old, unit)), None) => {
            let end = old.start + old.number.len() + unit;
            let by = format!("{}{}", new.number, new.letters.get(..unit)?);
            return Some((old.start..end, by));
        }
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    // `10:15` for the only time of `9:40 platform 3`.
    let shaped = |old: &&Value<'_>| new.shape().is_empty() || old.shape() == new.shape();
    let only = olds.iter().filter(shaped).count() == 1;
    let mut plain = olds.iter().filter(|old| !old.worded && (!only || shaped(old)));
    let old = plain.next().filter(|old| plain.next().is_none() && old.fits(new) && !new.worded)?;
    let end = old.start + old.number.len();
    // `8`, `8로`: what it counts stays.
    if units.contains(&"") {
        let kept = old.letters.is_empty() || old.letters.is_ascii() || !new.number.contains(':');
        let kept = kept && is_alike(lexicon, known, old, new);
        return kept.then(|| (old.start..end, new.number.to_owned()));
    }
    // `8pm` for the last word of `dinner at 7`.
    let unit = units.last()?;
    let closes = known.get(end..)?.trim().chars().next().is_none_or(|c| c.is_ascii_punctuation());
    let hour = closes && is_hour(lexicon, known, old);
    (old.letters.is_empty() && hour).then(|| (old.start..end, format!("{}{unit}", new.number)))
}

/// `8` for an hour or for how many; not for the number of a telephone, `900` for no hour.
fn is_alike(lexicon: &Lexicon, known: &str, old: &Value<'_>, new: &Value<'_>) -> bool {
    let digits = |value: &Value<'_>| value.number.bytes().filter(u8::is_ascii_digit).count();
    let (was, is) = (digits(old), digits(new));
    if !(old.shape().is_empty() && new.shape().is_empty()) {
        return true;
    }
    let called = was > COUNT_DIGITS_MAX && old.letters.is_empty() || old.number.starts_with('0');
    let of_day = old.units(lexicon).iter().any(|unit| lexicon.parts.is(Part::Hour, unit));
    let hour = !(of_day || is_hour(lexicon, known, old)) || is_hour_number(new);
    hour && if called { was == is } else { was.abs_diff(is) < 2 }
}

/// `7` of `dinner at 7`; not that of `table 4`, nor the number of a telephone.
fn is_hour(lexicon: &Lexicon, known: &str, value: &Value<'_>) -> bool {
    let before = known.get(..value.start).unwrap_or_default();
    let word = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let at =
        [Part::At, Part::By, Part::From, Part::Until].map(|part| lexicon.parts.is(part, &word));
    at.contains(&true) && is_hour_number(value)
}

fn is_hour_number(value: &Value<'_>) -> bool {
    let hour = value.number.split(':').next().and_then(|hour| hour.parse::<u8>().ok());
    hour.is_some_and(|hour| hour <= HOURS_MAX)
}
