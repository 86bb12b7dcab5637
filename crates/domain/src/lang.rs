//! The two languages of replies.

named! {
    /// A language of replies and messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Lang {
        /// Korean.
        Ko = "ko",
        /// English.
        En = "en",
    }
}

impl Lang {
    /// From an ISO 639-1 code in lower case; `None` for any other text.
    #[must_use]
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.as_str() == code)
    }
}
