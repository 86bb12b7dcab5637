//! The texts that profiles are made of: names, values and days.

use super::PROFILE_VALUE_CHARS_MAX;
use crate::{clock::Timestamp, memory::composed};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Why a name, a value or a change is none. No message has the words of a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileFault {
    /// Of a schema or a slot.
    #[error(
        "a name of a profile is 1 to `64` of `a` to `z`, `0` to `9` and `_`, and begins with a letter"
    )]
    Name,
    /// There is no such slot in the schema.
    #[error("the profile has no slot `{0}`")]
    NoSlot(ProfileName),
    /// Nothing but white space.
    #[error("a value is empty: to take values away, remove or clear")]
    Empty,
    /// Over the limit of its slot.
    #[error("the value has `{chars}` characters, and this slot takes at most `{max}`")]
    TooLong {
        /// What it has.
        chars: usize,
        /// What it may have.
        max: usize,
    },
    /// It would not be seen where the value is shown.
    #[error("a value is one line without control characters")]
    ControlCharacter,
    /// The slot takes numbers only.
    #[error("this slot takes a number, such as `72` or `36.5`")]
    NotANumber,
    /// The slot takes other numbers.
    #[error("this slot takes numbers from `{min}` to `{max}`")]
    OutOfRange {
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
    /// The slot takes no day that is still to come.
    #[error("this slot takes no day after today")]
    TooLate,
    /// The slot takes days only, or a day is none.
    #[error("a day is written `2026-11-21`")]
    NotADay,
    /// The slot's policy knows no days.
    #[error("a day goes with a slot of the policy `time_based`, `latest_with_series` or `decay`")]
    NoTime,
    /// The slot's policy knows no end.
    #[error("only a slot of the policy `time_based` has an end")]
    NoEnd,
    /// It would be over before it began.
    #[error("the end is before the beginning")]
    EndsEarly,
    /// There is no such value.
    #[error("the slot has no such value")]
    NoValue,
    /// More values than the slot takes; nothing is left out for the newest.
    #[error("the slot has `{0}` values, which is as many as it takes: remove one first")]
    TooMany(u8),
    /// Too many changes at once, or too many that wait.
    #[error("at most `{0}` changes at once, and as many that wait")]
    TooManyChanges(usize),
    /// No change with this number waits.
    #[error("no such change waits: it was answered or replaced")]
    NotPending,
    /// No slot is named.
    #[error("nothing is to be changed")]
    NoChange,
}

/// The name of a schema or of one of its slots: `a-z`, `0-9` and `_`, beginning with a letter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProfileName(String);

impl ProfileName {
    const CHARS_MAX: usize = 64;

    /// From a text that is a name as it stands.
    pub fn parse(text: &str) -> Result<Self, ProfileFault> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
        let is_name = begins && text.len() <= Self::CHARS_MAX && text.chars().all(fits);
        if is_name { Ok(Self(text.to_owned())) } else { Err(ProfileFault::Name) }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ProfileName {
    type Err = ProfileFault;
    fn from_str(text: &str) -> Result<Self, ProfileFault> {
        Self::parse(text)
    }
}

impl TryFrom<String> for ProfileName {
    type Error = ProfileFault;
    fn try_from(text: String) -> Result<Self, ProfileFault> {
        Self::parse(&text)
    }
}

impl From<ProfileName> for String {
    fn from(name: ProfileName) -> Self {
        name.0
    }
}

/// One value, [`composed`]: one line without control characters, without white space around it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProfileText(String);

impl ProfileText {
    /// From any text of one line.
    pub fn parse(text: &str) -> Result<Self, ProfileFault> {
        let composed = composed(text);
        let text = composed.trim();
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if text.chars().any(breaks) {
            return Err(ProfileFault::ControlCharacter);
        }
        let (chars, max) = (text.chars().count(), PROFILE_VALUE_CHARS_MAX);
        match chars {
            0 => Err(ProfileFault::Empty),
            chars if chars > max => Err(ProfileFault::TooLong { chars, max }),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// The value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its length, in Unicode scalar values.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Whether both say the same, whatever the case of their letters.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.folded() == other.folded()
    }

    pub(super) fn folded(&self) -> String {
        self.0.to_lowercase()
    }
}

/// Shows its length alone: no log has the words of a person.
impl fmt::Debug for ProfileText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProfileText({} chars)", self.chars())
    }
}

impl TryFrom<String> for ProfileText {
    type Error = ProfileFault;
    fn try_from(text: String) -> Result<Self, ProfileFault> {
        Self::parse(&text)
    }
}

impl From<ProfileText> for String {
    fn from(text: ProfileText) -> Self {
        text.0
    }
}

/// A UTC day, written `2026-11-21`. Its order is that of time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProfileDay(String);

impl ProfileDay {
    /// From a day as it is written.
    pub fn parse(text: &str) -> Result<Self, ProfileFault> {
        let parsed = Timestamp::of_utc_day(text);
        parsed.map(|_| Self(text.to_owned())).map_err(|_| ProfileFault::NotADay)
    }

    /// The day of that moment.
    #[must_use]
    pub fn of(at: Timestamp) -> Self {
        Self(at.utc_day())
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its beginning.
    #[must_use]
    pub fn begins(&self) -> Timestamp {
        Timestamp::of_utc_day(&self.0).unwrap_or(Timestamp::from_unix_ms(0))
    }
}

/// When somebody fell ill is theirs to tell, too.
impl fmt::Debug for ProfileDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProfileDay(..)")
    }
}

impl TryFrom<String> for ProfileDay {
    type Error = ProfileFault;
    fn try_from(text: String) -> Result<Self, ProfileFault> {
        Self::parse(&text)
    }
}

impl From<ProfileDay> for String {
    fn from(day: ProfileDay) -> Self {
        day.0
    }
}
