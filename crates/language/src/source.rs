//! An utterance as it is read: composed (NFC), with full-width ASCII narrowed and without invisible
//! characters, and where each piece of it stands in what was typed.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// What full-width forms are above ASCII.
const FULL_WIDTH: u32 = 0xFEE0;

pub(crate) struct Source<'t> {
    written: &'t str,
    pub(crate) text: Cow<'t, str>,
    /// Byte places where a piece begins: as read, as written. Empty where both are the same.
    places: Vec<(usize, usize)>,
}

impl<'t> Source<'t> {
    pub(crate) fn new(written: &'t str) -> Self {
        let plain = !written.chars().any(is_changed);
        if plain && is_nfc_quick(written.chars()) == IsNormalized::Yes {
            return Self { written, text: Cow::Borrowed(written), places: Vec::new() };
        }
        let (mut text, mut places) = (String::with_capacity(written.len()), Vec::new());
        let mut rest = written;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(cluster(rest));
            places.push((text.len(), written.len() - rest.len()));
            let seen = piece.chars().filter(|c| !is_invisible(*c)).map(narrow);
            text.extend(seen.nfc());
            rest = after;
        }
        places.push((text.len(), written.len()));
        Self { written, text: Cow::Owned(text), places }
    }

    /// A piece of the text as it was typed.
    pub(crate) fn as_written<'s>(&'s self, piece: &'s str) -> &'s str {
        if self.places.is_empty() {
            return piece;
        }
        // INVARIANT: a piece is a slice of the text, so that its address is its place.
        let start = piece.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let place = |at: usize| self.places.binary_search_by_key(&at, |(read, _)| *read);
        let (from, to) = (place(start), place(start + piece.len()));
        let written = |found: usize| self.places.get(found).map(|(_, written)| *written);
        let range = from.ok().and_then(written).zip(to.ok().and_then(written));
        range.and_then(|(from, to)| self.written.get(from..to)).unwrap_or(piece)
    }
}

/// Bytes of the first character and of what joins itself to it.
fn cluster(text: &str) -> usize {
    let joins = |c: char| {
        unicode_normalization::char::is_combining_mark(c)
            || matches!(c, '\u{1160}'..='\u{11ff}')
            || is_invisible(c)
    };
    text.char_indices().skip(1).find(|(_, c)| !joins(*c)).map_or(text.len(), |(at, _)| at)
}

fn is_changed(c: char) -> bool {
    is_invisible(c) || narrow(c) != c
}

/// Marks of direction, joiners and control characters: they change how a text looks, not what it
/// says.
fn is_invisible(c: char) -> bool {
    let mark = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{00ad}');
    mark || (c.is_control() && !c.is_whitespace())
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - FULL_WIDTH).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests;
