//! Errors of the store, with texts that name the remedy.

use crate::approval::state::ApprovalState;
use sea_orm::{DbErr, RuntimeErr, SqlxError};
use std::{fmt, path::PathBuf};
use wiiiv_domain::SessionId;

/// Of what the driver says about a value that it cannot read: a word in a column of words may be long.
const UNREADABLE_CHARS_MAX: usize = 200;

#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// 503: nothing was written.
    #[error(
        "the database is unavailable, nothing was written: {reason}; check the disk, then try again"
    )]
    Unavailable { reason: String },
    /// 503: another owner has taken the session over.
    #[error("the lease of session `{session}` is lost: another owner has taken it over")]
    LeaseLost { session: SessionId },
    /// 403: nothing was written.
    #[error("the log-in was ended, or the right was taken away, before this was done")]
    AuthorityGone,
    /// 409: nothing was written.
    #[error("the delegation that this was answered by does not stand any more")]
    DelegationOver,
    #[error("there is no such {what}")]
    NotFound { what: &'static str },
    #[error("the approval is `{}`, no longer pending", state.as_str())]
    NotPending { state: ApprovalState },
    #[error("{what} is over the limit of `{max}`")]
    TooLarge { what: &'static str, max: u64 },
    /// 409: one person has as many as one may.
    #[error("one person has at most `{max}` {what}")]
    TooMany { what: Share, max: u64 },
    #[error("a write of {what} needs the session's lease")]
    NeedsSession { what: &'static str },
    #[error("{what} cannot be read back: restore the database from a backup")]
    Corrupt { what: String },
    /// 503: reads go on.
    #[error(
        "the audit is not as this server left it, so nothing is written: {what}; keep a copy of the data folder \
         as evidence, then restore it from a backup"
    )]
    Tampered { what: String },
    #[error(
        "`store.checkpoints_file` names `{}`, which is not there: mount its disk, or, where it is named for \
         the first time, make it empty with `touch`",
        path.display()
    )]
    NoCheckpoints { path: PathBuf },
    #[error("{0}")]
    Key(String),
    #[error("the claim was made by another opening of the gate: nothing was written")]
    ForeignClaim,
    #[error("{what} is of another opening of the gate: nothing was written")]
    Foreign { what: &'static str },
}

/// What one person has a bounded number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    Conversations,
    Tokens,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conversations => "conversations",
            Self::Tokens => "access tokens",
        })
    }
}

impl StoreError {
    pub(crate) fn closed() -> Self {
        Self::Unavailable { reason: "the store is closed".to_owned() }
    }
    pub(crate) fn given_up() -> Self {
        Self::Unavailable { reason: "the write was given up with its transaction".to_owned() }
    }
    pub(crate) fn tampered(what: impl Into<String>) -> Self {
        Self::Tampered { what: what.into() }
    }
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt { what: what.into() }
    }
    /// Of what cannot be read back: where it lies.
    pub(crate) fn within(self, place: impl FnOnce() -> String) -> Self {
        match self {
            Self::Corrupt { what } => Self::Corrupt { what: format!("{}: {what}", place()) },
            other => other,
        }
    }
    /// What makes the whole store read-only is one kind of error, whatever found it. `Err`: it does not.
    pub(crate) fn into_fault(self) -> Result<Self, Self> {
        match self {
            Self::Tampered { what } | Self::Corrupt { what } => Ok(Self::Tampered { what }),
            other => Err(other),
        }
    }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        match unreadable(&error) {
            Some(why) => {
                let why: String = why.chars().take(UNREADABLE_CHARS_MAX).collect();
                Self::corrupt(format!("an unreadable value ({why})"))
            }
            None => Self::Unavailable { reason: error.to_string() },
        }
    }
}

/// Why a value that the database did give cannot be read, in the driver's words. They name columns and types,
/// and values of columns of words alone.
fn unreadable(error: &DbErr) -> Option<String> {
    match error {
        DbErr::Type(why) => Some(why.clone()),
        // Its text may quote the document.
        DbErr::Json(_) => Some("not the JSON that belongs there".to_owned()),
        DbErr::TryIntoErr { .. } | DbErr::ConvertFromU64(_) => Some(error.to_string()),
        DbErr::Query(RuntimeErr::SqlxError(error)) => match error.as_ref() {
            SqlxError::ColumnDecode { .. } | SqlxError::Decode(_) => Some(error.to_string()),
            _ => None,
        },
        _ => None,
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                Self::corrupt("an unreadable value (not of its column's type)")
            }
            error => Self::Unavailable { reason: error.to_string() },
        }
    }
}

impl From<wiiiv_gate::Corrupt> for StoreError {
    fn from(error: wiiiv_gate::Corrupt) -> Self {
        Self::corrupt(error.to_string())
    }
}

impl From<wiiiv_gate::ForeignEvidence> for StoreError {
    fn from(_: wiiiv_gate::ForeignEvidence) -> Self {
        Self::Foreign { what: "evidence" }
    }
}

impl From<wiiiv_vault::VaultError> for StoreError {
    fn from(error: wiiiv_vault::VaultError) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::SealedFormat> for StoreError {
    fn from(error: wiiiv_vault::SealedFormat) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::WrongMasterKey> for StoreError {
    fn from(error: wiiiv_vault::WrongMasterKey) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::RandomnessUnavailable> for StoreError {
    fn from(error: wiiiv_vault::RandomnessUnavailable) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_domain::CanonicalError> for StoreError {
    fn from(error: wiiiv_domain::CanonicalError) -> Self {
        Self::corrupt(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        // Its text may quote the document.
        Self::corrupt(format!("a document ({:?} error)", error.classify()))
    }
}

#[cfg(test)]
mod tests {
    use super::{DbErr, RuntimeErr, SqlxError, StoreError};
    use std::sync::Arc;

    fn query(error: SqlxError) -> StoreError {
        DbErr::Query(RuntimeErr::SqlxError(Arc::new(error))).into()
    }

    #[test]
    fn a_value_that_cannot_be_read_is_not_a_database_that_is_away() {
        let decode =
            SqlxError::ColumnDecode { index: "at".to_owned(), source: "not a number".into() };
        for (error, told) in [
            (DbErr::Type("unexpected value for Kind enum: xa".to_owned()).into(), "Kind enum: xa"),
            (DbErr::ConvertFromU64("i8").into(), "i8"),
            (query(decode), "column at: not a number"),
            (DbErr::Json("invalid type: string \"hidden\"".to_owned()).into(), "JSON"),
        ] {
            let StoreError::Corrupt { what } = &error else { panic!("{error:?}") };
            assert!(what.contains(told) && !what.contains("hidden"), "{what}");
        }
        assert!(matches!(query(SqlxError::PoolTimedOut), StoreError::Unavailable { .. }));
        let long: StoreError = DbErr::Type("가".repeat(9_000)).into();
        assert!(long.to_string().chars().count() < 400);
    }
}
