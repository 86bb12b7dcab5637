//! How characters are spelled before a text is cut into pieces.

use crate::{
    bytes::{Bytes, Damaged},
    unigram::BLANK,
};
use std::collections::HashMap;

/// Replacements by character; each other stays as it is.
#[derive(Debug)]
pub(super) struct Spelling(HashMap<char, Box<str>>);

impl Spelling {
    pub(super) fn read(rest: &mut Bytes<'_>) -> Result<Self, Damaged> {
        let count = rest.count()?;
        let length = rest.count()?;
        let mut rest = Bytes(rest.take(length)?);
        let character = |rest: &mut Bytes<'_>| {
            char::from_u32(rest.u32()?).ok_or(Damaged("a character of it is none"))
        };
        let one = |_| {
            let written = character(&mut rest)?;
            let spelled: String =
                (0..rest.u8()?).map(|_| character(&mut rest)).collect::<Result<_, _>>()?;
            Ok((written, spelled.into_boxed_str()))
        };
        (0..count).map(one).collect::<Result<_, _>>().map(Self)
    }

    /// With one blank for several, and one before the text.
    pub(super) fn of(&self, text: &str) -> String {
        let mut spelled = String::with_capacity(text.len() + BLANK.len_utf8());
        for character in text.chars() {
            match self.0.get(&character) {
                Some(others) => others.chars().for_each(|one| push(&mut spelled, one)),
                None => push(&mut spelled, character),
            }
        }
        if !spelled.starts_with(BLANK) {
            spelled.insert(0, BLANK);
        }
        spelled
    }
}

fn push(spelled: &mut String, character: char) {
    match character {
        ' ' if spelled.ends_with(BLANK) => {}
        ' ' => spelled.push(BLANK),
        other => spelled.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_and_characters_are_spelled() {
        let written = [(2u8, 'ﬁ', "fi"), (1, '\t', " "), (0, '\u{ad}', "")];
        let mut bytes = vec![3, 0, 0, 0];
        let mut rows = Vec::new();
        for (length, character, spelled) in written {
            rows.extend(u32::from(character).to_le_bytes());
            rows.push(length);
            rows.extend(spelled.chars().flat_map(|one| u32::from(one).to_le_bytes()));
        }
        bytes.extend(u32::try_from(rows.len()).unwrap().to_le_bytes());
        bytes.extend(&rows);
        let spelling = Spelling::read(&mut Bytes(&bytes)).unwrap();
        for (text, expected) in
            [("", "▁"), ("ﬁn  e", "▁fin▁e"), ("  a\t \tb ", "▁a▁b▁"), ("so\u{ad}ft", "▁soft")]
        {
            assert_eq!(spelling.of(text), expected, "{text}");
        }
        let (_, short) = bytes.split_last().unwrap();
        assert!(Spelling::read(&mut Bytes(short)).is_err());
        bytes[8..12].copy_from_slice(&0xd800u32.to_le_bytes());
        assert!(Spelling::read(&mut Bytes(&bytes)).is_err());
    }
}
