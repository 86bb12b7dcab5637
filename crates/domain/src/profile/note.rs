//! What a model says that a message tells of its author. Untrusted: a value that does not stand in the message is none.

use super::{
    change::{ProfileChange, ProfileEdit},
    schema::ProfileSchema,
    text::{ProfileFault, ProfileName, ProfileText},
};
use serde::Deserialize;
use std::fmt;
use unicode_normalization::UnicodeNormalization as _;

/// What is to be done with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileNoteOp {
    /// It holds.
    Set,
    /// It is over.
    End,
    /// It never held.
    Remove,
}

/// One of them, as it was written.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileNote {
    /// Perhaps a slot of the schema.
    pub slot: String,
    /// What is to be done with the value.
    pub op: ProfileNoteOp,
    /// Perhaps words of the message.
    #[serde(default)]
    pub value: String,
}

/// Hides the value.
impl fmt::Debug for ProfileNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProfileNote").field("op", &self.op).finish_non_exhaustive()
    }
}

/// Why nothing comes of a note.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteRefused {
    /// The value does not stand in the message, or only within quotation marks.
    #[error("the value does not stand in the message")]
    NotSaid,
    /// It fits no slot.
    #[error(transparent)]
    Fault(#[from] ProfileFault),
}

/// What opens and closes somebody else's words.
const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('«', '»'), ('`', '`')];
/// Begins a line that is quoted.
const QUOTED_LINE: char = '>';

impl ProfileNote {
    /// As a change, where its value stands in this message of the person, in their own words.
    pub fn of_message(
        &self,
        schema: &ProfileSchema,
        message: &str,
    ) -> Result<ProfileChange, NoteRefused> {
        let name = ProfileName::parse(&self.slot)?;
        let slot = schema.slot(&name)?;
        let text = ProfileText::parse(&self.value)?;
        slot.check(&text)?;
        if !stands_in(text.as_str(), message) {
            return Err(NoteRefused::NotSaid);
        }
        let edit = match self.op {
            ProfileNoteOp::Set => ProfileEdit::Set { text, from: None },
            ProfileNoteOp::End => ProfileEdit::End { text, until: None },
            ProfileNoteOp::Remove => ProfileEdit::Remove { text },
        };
        Ok(ProfileChange { slot: name, edit })
    }
}

/// As words of their own: `now` does not stand in `knowledge`. A Korean word may go on behind it.
fn stands_in(value: &str, message: &str) -> bool {
    let own = unquoted(&message.nfc().collect::<String>());
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let (begins, ends) = (value.starts_with(is_letter), value.ends_with(is_letter));
    own.match_indices(value).any(|(at, found)| {
        let before = own.get(..at).unwrap_or_default();
        let behind = own.get(at + found.len()..).unwrap_or_default();
        !(begins && before.ends_with(is_letter)) && !(ends && behind.starts_with(is_letter))
    })
}

/// Each quotation as one line end, so that no value runs across it. One that is not closed goes on to the end.
fn unquoted(message: &str) -> String {
    let mut own = String::new();
    for line in message.lines().filter(|line| !line.trim_start().starts_with(QUOTED_LINE)) {
        let mut closes = None;
        for c in line.chars() {
            match closes {
                Some(close) if c == close => closes = None,
                Some(_) => {}
                None => match QUOTES.iter().find(|(open, _)| *open == c) {
                    Some((_, close)) => {
                        closes = Some(*close);
                        own.push('\n');
                    }
                    None => own.push(c),
                },
            }
        }
        own.push('\n');
    }
    own
}

#[cfg(test)]
mod tests {
    use super::stands_in;

    #[test]
    fn a_value_stands_in_the_persons_own_words() {
        for (value, message) in [
            ("penicillin", "I'm allergic to penicillin."),
            ("페니실린", "저는 페니실린에 알레르기가 있어요"),
            ("120/80", "혈압은 120/80이에요"),
            ("72", "몸무게 72kg이 아니라 72 킬로"),
            ("땅콩", "\u{1104}\u{1161}\u{11bc}콩 못 먹어요"),
        ] {
            assert!(stands_in(value, message), "{value}: {message}");
        }
        for (value, message) in [
            ("nut", "I like donuts"),
            ("7", "I am 70"),
            ("penicillin", "the page says \"allergic to penicillin\""),
            ("penicillin", "> allergic to penicillin\nwhat is this?"),
            ("페니실린", "“저는 페니실린 알레르기예요”라고 적혀 있어"),
            ("aspirin", "no drug"),
            ("a b", "a\"x\"b"),
        ] {
            assert!(!stands_in(value, message), "{value}: {message}");
        }
    }
}
