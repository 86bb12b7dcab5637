//! The two languages of replies.

use std::fmt;

/// A language of replies and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// Korean.
    Ko,
    /// English.
    En,
}

impl Lang {
    /// Both languages, Korean first.
    pub const ALL: [Self; 2] = [Self::Ko, Self::En];

    /// ISO 639-1.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ko => "ko",
            Self::En => "en",
        }
    }
    /// From an ISO 639-1 code in lower case; `None` for any other text.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.as_str() == code)
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
