//! Reads encoded digits through their layout: wrapped lines and listings of bytes put something between
//! the digits, and mix the case of hexadecimal ones. A dump with an offset or a column of text in each
//! row is not read.

use aho_corasick::AhoCorasick;
use std::ops::Range;

/// What stands between the digits of one encoding.
#[derive(Debug, Clone, Copy)]
pub(super) enum Layout {
    /// Base64 in lines.
    Wrapped,
    /// Bytes in hexadecimal, in any case, in a row: `73 6b`, `73:6B`, `\x73\x6b`, `0x73, 0x6b`.
    Listed,
}

impl Layout {
    pub(super) const ALL: [Self; 2] = [Self::Wrapped, Self::Listed];

    /// Bytes at the beginning of `text` that are no digits.
    fn between(self, text: &[u8]) -> usize {
        match (self, text) {
            (_, [byte, ..]) if byte.is_ascii_whitespace() => 1,
            (Self::Listed, [b':' | b',' | b'-', ..]) => 1,
            (Self::Listed, [b'\\' | b'0', b'x' | b'X', ..]) => 2,
            (Self::Wrapped | Self::Listed, _) => 0,
        }
    }

    const fn read(self, digit: u8) -> u8 {
        match self {
            Self::Wrapped => digit,
            Self::Listed => digit.to_ascii_lowercase(),
        }
    }

    /// Where in `text` that stands which the finder finds among its digits.
    pub(super) fn places(self, finder: &AhoCorasick, text: &[u8]) -> Vec<Range<usize>> {
        if finder.patterns_len() == 0 {
            return Vec::new();
        }
        let mut digits = Vec::with_capacity(text.len());
        self.each(text, |_, digit| digits.push(digit));
        let found: Vec<Range<usize>> = finder.find_iter(&digits).map(|hit| hit.range()).collect();
        if found.is_empty() {
            return found;
        }
        let (mut places, mut next, mut nth) = (Vec::with_capacity(found.len()), 0, 0);
        let mut start = 0;
        self.each(text, |at, _| {
            if let Some(hit) = found.get(next) {
                if nth == hit.start {
                    start = at;
                }
                if nth + 1 == hit.end {
                    places.push(start..at + 1);
                    next += 1;
                }
            }
            nth += 1;
        });
        places
    }

    /// Each digit with its place.
    fn each(self, text: &[u8], mut take: impl FnMut(usize, u8)) {
        let mut at = 0;
        while let Some(rest @ [digit, ..]) = text.get(at..) {
            let between = self.between(rest);
            if between == 0 {
                take(at, self.read(*digit));
            }
            at += between.max(1);
        }
    }
}
