//! Keys of model providers: owners, sources and the results of checks.

use crate::id::{IdError, ProjectId, UserId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The owner of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyHolder {
    /// The server; its key may serve every project that allows it.
    Server,
    /// One project; its key pays for that project's turns.
    Project(ProjectId),
    /// Pays for that person's own turns only.
    User(UserId),
}

impl fmt::Display for KeyHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("server"),
            Self::Project(id) => write!(f, "project:{id}"),
            Self::User(id) => write!(f, "user:{id}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseKeyHolderError {
    #[error("not a holder of keys: `{0}`; expected `server`, `project:<id>` or `user:<id>`")]
    Form(String),
    #[error(transparent)]
    Id(#[from] IdError),
}

impl FromStr for KeyHolder {
    type Err = ParseKeyHolderError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "server" => Ok(Self::Server),
            Some(("project", id)) => Ok(Self::Project(id.parse()?)),
            Some(("user", id)) => Ok(Self::User(id.parse()?)),
            None | Some(_) => Err(ParseKeyHolderError::Form(text.chars().take(64).collect())),
        }
    }
}

named! {
    /// A source of keys, in the order of search.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum KeySource {
        /// The person whose turn it is.
        User = "USER",
        /// The project of the turn.
        Project = "PROJECT",
        /// Of the whole server.
        Server = "SERVER",
        /// `OPENAI_API_KEY` and its like, as the server was started.
        Environment = "ENVIRONMENT",
    }
}

impl KeySource {
    /// Whether everybody on the server would spend this key; a policy must then name the source.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        match self {
            Self::User | Self::Project => false,
            Self::Server | Self::Environment => true,
        }
    }
}

named! {
    /// The result of checking a key with its provider.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum KeyVerdict {
        /// The provider accepted the key.
        Accepted = "ACCEPTED",
        /// The provider rejected the key, or does not allow this use of it.
        Refused = "REFUSED",
        /// The provider gave no answer, or none that decides.
        Unreachable = "UNREACHABLE",
        /// No administrator approved the key's origin: nothing was sent.
        NotApproved = "NOT_APPROVED",
    }
}

impl KeyVerdict {
    /// From the stored name; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_holder_reads_back_as_itself() {
        let id = Uuid::from_u128(7);
        for holder in [KeyHolder::Server, KeyHolder::Project(id.into()), KeyHolder::User(id.into())]
        {
            assert_eq!(holder.to_string().parse(), Ok(holder));
        }
        for text in ["", "Server", "user", "user:", "user:7", "group:7"] {
            assert!(text.parse::<KeyHolder>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_those_of_the_documents() {
        for source in KeySource::ALL {
            assert_eq!(serde_json::to_string(&source).unwrap(), format!("\"{source}\""));
        }
        for verdict in KeyVerdict::ALL {
            assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{verdict}\""));
            assert_eq!(KeyVerdict::parse(verdict.as_str()), Some(verdict));
        }
        assert_eq!(KeyVerdict::parse("accepted"), None);
    }
}
