//! Who may see a row. A row without a scope is refused; it never becomes global.

use crate::id::{ProjectId, UserId};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

const GLOBAL: &str = "global";
const USER: &str = "user";
const PROJECT: &str = "project";

/// The readers of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "id")]
pub enum Scope {
    /// Everybody on the server.
    Global,
    /// One person.
    User(UserId),
    /// The members of one project.
    Project(ProjectId),
}

/// A text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a scope: `{0}`; one of `global`, `user:ID` and `project:ID`")]
pub struct ScopeError(String);

impl Scope {
    /// Which of the three it is, in a word.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Global => GLOBAL,
            Self::User(_) => USER,
            Self::Project(_) => PROJECT,
        }
    }

    /// The project whose members they are.
    #[must_use]
    pub const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Global | Self::User(_) => None,
            Self::Project(project) => Some(project),
        }
    }
}

/// `global`, `user:ID` or `project:ID`, as rows have it.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global => f.write_str(GLOBAL),
            Self::User(user) => write!(f, "{USER}:{user}"),
            Self::Project(project) => write!(f, "{PROJECT}:{project}"),
        }
    }
}

impl FromStr for Scope {
    type Err = ScopeError;
    fn from_str(text: &str) -> Result<Self, ScopeError> {
        let scope = match text.split_once(':') {
            None => (text == GLOBAL).then_some(Self::Global),
            Some((USER, id)) => id.parse().ok().map(Self::User),
            Some((PROJECT, id)) => id.parse().ok().map(Self::Project),
            Some(_) => None,
        };
        scope.ok_or_else(|| ScopeError(text.chars().take(64).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written_and_nothing_else_is_one() {
        let id = "0190b2c4-0000-7000-8000-000000000001";
        let (user, project) = (format!("user:{id}"), format!("project:{id}"));
        for text in [GLOBAL, &user, &project] {
            let scope: Scope = text.parse().unwrap();
            assert_eq!(
                (scope.to_string().as_str(), scope.kind()),
                (text, &text[..scope.kind().len()])
            );
        }
        for text in ["", "Global", "global:", "user", "user:", "user:1", "session:1", &user[1..]] {
            assert!(text.parse::<Scope>().is_err(), "{text}");
        }
    }
}
