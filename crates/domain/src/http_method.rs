//! Methods of HTTP that a step may use.

use serde::{Deserialize, Serialize};

/// A request method; the only ones that a plan may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum HttpMethod {
    /// Reads.
    Get,
    /// Reads the headers alone.
    Head,
    /// Sends a body to be processed.
    Post,
    /// Replaces what is at the address.
    Put,
    /// Changes a part of it.
    Patch,
    /// Removes it.
    Delete,
}

impl HttpMethod {
    /// From its name, in any letter case; surrounding blanks are ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Get, Self::Head, Self::Post, Self::Put, Self::Patch, Self::Delete];
        all.into_iter().find(|m| m.as_str().eq_ignore_ascii_case(text.trim()))
    }
    /// The name in upper case, as HTTP writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
    /// RFC 9110 9.2.1, of those that we send.
    #[must_use]
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}
