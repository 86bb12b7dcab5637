//! What a model says that a message tells of its author. Untrusted: a value that does not stand in the message is none.

use super::{
    change::{ProfileChange, ProfileEdit},
    schema::ProfileSchema,
    text::{ProfileFault, ProfileName, ProfileText},
};
use crate::{
    memory::{composed, is_hangul},
    unquoted::unquoted,
};
use serde::Deserialize;
use std::fmt;

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
            ProfileNoteOp::Remove => ProfileEdit::Remove { text, from: None },
        };
        Ok(ProfileChange { slot: name, edit })
    }
}

/// As words of their own: `now` does not stand in `knowledge`, nor `72` in `72.5` or `콩` in `땅콩`. A Korean word may
/// go on behind it.
fn stands_in(value: &str, message: &str) -> bool {
    let message = composed(message);
    let own = unquoted(&message);
    own.match_indices(value).any(|(at, _)| {
        let (before, behind) = own.split_at(at);
        let behind = behind.get(value.len()..).unwrap_or_default();
        // The marks in place of a quotation are nobody's words.
        let is_said = message.get(at..).is_some_and(|said| said.starts_with(value));
        let is_end = before.ends_with(is_hangul) && value.starts_with(is_hangul);
        let began = goes_on(value.chars().next(), before.chars().rev());
        is_said && !is_end && !began && !goes_on(value.chars().next_back(), behind.chars())
    })
}

/// Whether a word or a number goes on beyond this letter at its edge.
fn goes_on(edge: Option<char>, mut beyond: impl Iterator<Item = char>) -> bool {
    let (Some(edge), Some(next)) = (edge, beyond.next()) else { return false };
    let is_digit = |c: char| c.is_ascii_digit();
    let parts = is_digit(edge) && matches!(next, '.' | ',' | '/');
    edge.is_ascii_alphanumeric() && next.is_ascii_alphanumeric()
        || parts && beyond.next().is_some_and(is_digit)
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
            ("72.5", "I weigh 72.5, or so"),
            ("72", "I weigh 72."),
            ("72", "I'm 5'11\" and weigh 72"),
            ("콩", "땅콩은 괜찮은데 콩은 못 먹어요"),
            ("땅콩", "저는 땅\u{200b}콩을 못 먹어요"),
            ("asthma", "```\nwhat is it?\n```\nI have asthma"),
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
            ("\"\"\"", "he said \"I\" once"),
            ("72", "I weigh 72.5 kg"),
            ("5", "72.5 킬로예요"),
            ("6", "HbA1c 6.5"),
            ("200", "1,200 mg"),
            ("80", "혈압은 120/80이에요"),
            ("콩", "저는 땅콩을 못 먹어요"),
            ("염", "비염이 있어요"),
            ("penicillin", "he says 'I am allergic to penicillin' a lot"),
            ("penicillin", "the page says \"I am\nallergic to penicillin\""),
            ("asthma", "what is this?\n```\nI have asthma\n```"),
            ("asthma", "what is this?\n```\n`x`\nI have asthma"),
        ] {
            assert!(!stands_in(value, message), "{value}: {message}");
        }
    }
}
