//! Ids as people write them: whole, or the digits at either end, as lists show them.

use crate::connection::{Connection, text};
use crate::document_scopes::DocumentScopes;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::{collections::BTreeSet, str::FromStr};
use wiiiv_domain::ProjectId;

/// Digits of a short id. Those at the end are random; the first ones are the time.
pub const SHORT_DIGITS: usize = 8;
/// Fewer could mean too many.
pub const DIGITS_MIN: usize = 4;

/// The end of an id: what a list shows, and what every command takes.
pub fn short(id: &str) -> &str {
    id.len().checked_sub(SHORT_DIGITS).and_then(|from| id.get(from..)).unwrap_or(id)
}

/// As it was given; what it names is looked up where it is not whole.
#[derive(Debug, Clone)]
pub struct IdArg(String);

#[derive(Debug, thiserror::Error)]
#[error("not an id: give at least {DIGITS_MIN} of its hexadecimal digits")]
pub struct NoId;

impl FromStr for IdArg {
    type Err = NoId;
    fn from_str(given: &str) -> Result<Self, NoId> {
        let given = given.trim().to_lowercase();
        let digits = given.chars().filter(char::is_ascii_hexdigit).count();
        let others = given.chars().any(|c| c != '-' && !c.is_ascii_hexdigit());
        if others || digits < DIGITS_MIN { Err(NoId) } else { Ok(Self(given)) }
    }
}

impl IdArg {
    /// The one id of these lists that it names. A whole id is taken as it is.
    pub async fn of<T: FromStr>(
        &self,
        connection: &Connection,
        lists: Lists,
    ) -> Result<T, Failure> {
        if let Ok(id) = self.0.parse() {
            return Ok(id);
        }
        let digits = self.0.replace('-', "");
        let rows = lists.rows(connection).await?;
        let ids = rows.iter().map(|row| text(row, "id"));
        let found: BTreeSet<&str> = ids.filter(|id| names(&digits, id)).collect();
        let found: Vec<&str> = found.into_iter().collect();
        match found.as_slice() {
            [id] => id.parse().map_err(|_| Failure::Answer { field: "id" }),
            [] => Err(Failure::NoSuchId { given: self.0.clone() }),
            [..] => Err(Failure::SeveralIds { given: self.0.clone(), known: found.join("`, `") }),
        }
    }
}

fn names(digits: &str, id: &str) -> bool {
    let id = id.replace('-', "");
    id.ends_with(digits) || id.starts_with(digits)
}

/// Where an id that is not whole is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lists {
    Approvals,
    /// Of each of the user's projects.
    Executions,
    /// Executions of each project, and approvals.
    Decided,
    /// Yeses said beforehand, of the same.
    Grants,
    Sessions,
    /// The user's own conversations, and those on hold that concern the user.
    Holds,
    /// The user's own.
    Tokens,
    /// Of that project's policy.
    Overrides(ProjectId),
    /// Of that project, as far as the user sees them.
    Delegations(ProjectId),
    /// Those that the user finds.
    Documents,
    /// Of files, in scopes that the user changes.
    Ingests,
}

impl Lists {
    async fn rows(self, connection: &Connection) -> Result<Vec<Value>, Failure> {
        let of_project = match self {
            Self::Approvals => return connection.rows("/approvals").await,
            Self::Tokens => return connection.rows("/auth/tokens").await,
            Self::Overrides(project) => {
                return connection.all(&format!("/projects/{project}/overrides")).await;
            }
            Self::Delegations(project) => {
                return connection.all(&format!("/projects/{project}/approval-delegations")).await;
            }
            Self::Documents => return DocumentScopes::rows(connection, "/rag/documents").await,
            Self::Ingests => return DocumentScopes::rows(connection, "/rag/jobs").await,
            Self::Executions | Self::Decided => "executions",
            Self::Grants => "approval-grants",
            Self::Sessions | Self::Holds => "sessions",
        };
        let mut rows = Vec::new();
        if self == Self::Holds {
            let holds = connection.all("/holds").await?;
            rows.extend(holds.iter().map(|hold| json!({ "id": text(hold, "session") })));
        }
        if self == Self::Decided {
            rows.extend(connection.rows("/approvals").await?);
        }
        for project in connection.rows("/projects").await? {
            let project = text(&project, "id");
            rows.extend(connection.rows(&format!("/projects/{project}/{of_project}")).await?);
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::{IdArg, names, short};

    #[test]
    fn an_id_is_named_by_its_end_or_its_beginning() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        assert_eq!(short(id), "86db82bd");
        assert!(names("86db82bd", id) && names("01a1fdca4b1e", id));
        assert!(!names("75ab899e", id));
        assert_eq!(short("abc"), "abc");
        for (given, good) in [("86db82bd", true), ("86db", true), ("86d", false), ("zzzz", false)] {
            assert_eq!(given.parse::<IdArg>().is_ok(), good, "{given}");
        }
    }
}
