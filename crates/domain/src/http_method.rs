//! Methods of HTTP that a step may use.

use serde::{Deserialize, Serialize};

named! {
    /// A request method; the only ones that a plan may name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum HttpMethod {
        /// Reads.
        Get = "GET",
        /// Reads the headers alone.
        Head = "HEAD",
        /// Sends a body to be processed.
        Post = "POST",
        /// Replaces what is at the address.
        Put = "PUT",
        /// Changes a part of it.
        Patch = "PATCH",
        /// Removes it.
        Delete = "DELETE",
    }
}

impl HttpMethod {
    /// From its name, in any letter case; surrounding blanks are ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.as_str().eq_ignore_ascii_case(text.trim()))
    }
    /// RFC 9110 9.2.1, of those that we send.
    #[must_use]
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}
