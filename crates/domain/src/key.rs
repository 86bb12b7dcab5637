//! Keys of model providers: who holds one, where one may be taken from, what a check found.

use crate::id::{IdError, ProjectId, UserId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Whose key it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyHolder {
    Server,
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

/// Where a key may be taken from, in the order in which it is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum KeySource {
    /// The person whose turn it is.
    User,
    Project,
    /// Of the whole server.
    Server,
    /// `OPENAI_API_KEY` and its like, as the server was started.
    Environment,
}

impl KeySource {
    pub const ALL: [Self; 4] = [Self::User, Self::Project, Self::Server, Self::Environment];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "USER",
            Self::Project => "PROJECT",
            Self::Server => "SERVER",
            Self::Environment => "ENVIRONMENT",
        }
    }
    /// What everybody on the server would spend: a project's policy has to name it.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        match self {
            Self::User | Self::Project => false,
            Self::Server | Self::Environment => true,
        }
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What came of asking the provider about a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum KeyVerdict {
    Accepted,
    /// The provider does not know it, or not for this.
    Refused,
    /// Nobody can say: it did not answer, or with something else.
    Unreachable,
    /// Its origin is not one that an administrator approved: nothing was sent.
    NotApproved,
}

impl KeyVerdict {
    pub const ALL: [Self; 4] =
        [Self::Accepted, Self::Refused, Self::Unreachable, Self::NotApproved];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "ACCEPTED",
            Self::Refused => "REFUSED",
            Self::Unreachable => "UNREACHABLE",
            Self::NotApproved => "NOT_APPROVED",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == text)
    }
}

impl fmt::Display for KeyVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
