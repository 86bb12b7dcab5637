//! The kinds of boundary.

use std::{fmt, str::FromStr};

/// Which boundary of a turn this is (architecture: one turn, as data sees it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// Turn accepted, model spend held.
    T0,
    /// Evidence recorded: an answer to a question, with the turn that it begins.
    E,
    /// Decided.
    T1,
    /// Step attempt started, with the end of the step before it where it follows at once.
    S1,
    /// Step finished.
    S2,
    /// Turn ended.
    T2,
    /// A write of a project or of the server.
    P,
}

impl Point {
    pub const ALL: [Self; 7] = [Self::T0, Self::E, Self::T1, Self::S1, Self::S2, Self::T2, Self::P];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::T0 => "T0",
            Self::E => "E",
            Self::T1 => "T1",
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::T2 => "T2",
            Self::P => "P",
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a boundary: `{0}`; one of `T0`, `E`, `T1`, `S1`, `S2`, `T2`, `P`")]
pub struct ParsePointError(String);

impl FromStr for Point {
    type Err = ParsePointError;
    fn from_str(text: &str) -> Result<Self, ParsePointError> {
        let named = Self::ALL.into_iter().find(|point| point.as_str() == text);
        named.ok_or_else(|| ParsePointError(text.chars().take(16).collect()))
    }
}
