//! The interfaces that a fake provider has.

use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    OpenAi,
    /// OpenAI's second interface, at the same base address.
    Responses,
    /// A compatible server that wants no key.
    Local,
    Anthropic,
    Google,
}

impl Dialect {
    pub const ALL: [(&'static str, Self); 4] = [
        ("openai", Self::OpenAi),
        ("local", Self::Local),
        ("anthropic", Self::Anthropic),
        ("google", Self::Google),
    ];
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Responses => "openai",
            Self::Local => "local",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
        }
    }

    /// OpenAI's interface at this path: one base address has two.
    pub(super) fn for_path(self, path: &str) -> Self {
        if self == Self::OpenAi && path == "v1/responses" { Self::Responses } else { self }
    }
}

impl FromStr for Dialect {
    type Err = ();
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, one)| *one).ok_or(())
    }
}
