//! The words of Korean and English text, lower case and composed (NFC), in linear time.
//!
//! A Korean word comes with itself without its particle, and with its pairs of syllables: spacing and endings
//! vary, pairs do not. An English word comes as its stem, an identifier with its parts.

mod english;
mod identifier;
mod korean;
mod piece;

use crate::script::{is_han, is_hangul};
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

pub(crate) use english::is_function_word as is_english_function_word;
pub(crate) use korean::is_function_word as is_korean_function_word;
pub(crate) use piece::{Piece, WORD_CHARS_MAX};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Hangul,
    Han,
    Letter,
    Break,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            _ if c.is_ascii_alphanumeric() => Self::Letter,
            _ if c.is_ascii() => Self::Break,
            _ if is_hangul(c) => Self::Hangul,
            _ if is_han(c) => Self::Han,
            // Marks that no letter was composed with.
            '\u{300}'..='\u{36f}' => Self::Letter,
            _ if c.is_alphanumeric() => Self::Letter,
            _ => Self::Break,
        }
    }
}

/// Reads the words of a text.
pub(crate) fn read(text: &str, take: &mut impl FnMut(Piece<'_>)) {
    let text = composed(text);
    let mut rest: &str = &text;
    let mut touches_letter = false;
    while let Some(first) = rest.chars().next() {
        let class = Class::of(first);
        let end = match class {
            Class::Letter => identifier::end(rest, |c| Class::of(c) == Class::Letter),
            Class::Hangul | Class::Han | Class::Break => {
                rest.find(|c| Class::of(c) != class).unwrap_or(rest.len())
            }
        };
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        match class {
            Class::Letter => identifier::read(run, take),
            // `USB를`: what follows is a particle and no word.
            Class::Hangul if touches_letter && korean::is_particle(run) => {}
            Class::Hangul => hangul(run, take),
            Class::Han => whole_and_pairs(run, None, take),
            Class::Break => {}
        }
        touches_letter = class == Class::Letter;
        rest = after;
    }
}

fn hangul(run: &str, take: &mut impl FnMut(Piece<'_>)) {
    whole_and_pairs(run, korean::without_particle(run), take);
}

fn whole_and_pairs(run: &str, stem: Option<&str>, take: &mut impl FnMut(Piece<'_>)) {
    if run.chars().nth(WORD_CHARS_MAX).is_none() {
        take(Piece::Surface { text: run, written: run, is_identifier: false });
        if let Some(stem) = stem {
            take(Piece::Form(stem));
        }
    } else {
        take(Piece::Long);
    }
    let mut before = None;
    for (at, c) in run.char_indices() {
        let pair = before.replace(at).and_then(|start| run.get(start..at + c.len_utf8()));
        pair.into_iter().for_each(|pair| take(Piece::Pair(pair)));
    }
}

/// NFC; most text is already.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

#[cfg(test)]
mod tests;
