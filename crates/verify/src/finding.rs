//! What is wrong, and where.

use std::fmt;

use crate::canonical::NotCanonical;

/// Where the first fault lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultPosition {
    Header,
    Record {
        seq: u64,
    },
    /// The checkpoint that stands directly after this many records.
    Checkpoint {
        after: u64,
    },
    /// The checkpoint that was given apart from the file.
    Anchor,
    Receipt,
}

impl fmt::Display for FaultPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Record { seq } => write!(f, "record `{seq}`"),
            Self::Checkpoint { after } => write!(f, "checkpoint after record `{after}`"),
            Self::Anchor => f.write_str("given checkpoint"),
            Self::Receipt => f.write_str("receipt"),
        }
    }
}

/// The first fault of a file. Nothing behind it was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct Finding {
    pub place: FaultPosition,
    pub fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("cannot be read: {reason}")]
    Unreadable { reason: String },
    #[error("is missing: the file ends before it")]
    Missing,
    #[error("is longer than `{max}` bytes")]
    TooLong { max: usize },
    #[error("does not end with a newline")]
    NoNewline,
    #[error("is not JSON: {reason}")]
    NotJson { reason: String },
    #[error(transparent)]
    Number(#[from] NotCanonical),
    #[error("is not in canonical form")]
    NotCanonical,
    #[error("is not an object")]
    NotAnObject,
    #[error("has no member `{name}`")]
    MissingMember { name: &'static str },
    #[error("has the unknown member `{name}`")]
    UnknownMember { name: String },
    #[error("the member `{name}` is not {expected}")]
    BadMember { name: &'static str, expected: &'static str },
    #[error("`{name}` is `{found}`, expected `{expected}`")]
    Mismatch { name: &'static str, expected: String, found: String },
    #[error("the signature does not fit the key and the content")]
    BadSignature,
    #[error("was signed with key `{found}`, the key given is `{given}`")]
    OtherKey { given: String, found: String },
    #[error("stands behind the `{records}` records that the header counts")]
    NotCounted { records: u64 },
    #[error("the inclusion proof does not lead to the checkpoint's Merkle root")]
    BadProof,
}

impl Fault {
    pub(crate) fn at(self, place: FaultPosition) -> Finding {
        Finding { place, fault: self }
    }

    /// `Ok` if the two are equal.
    pub(crate) fn unless_equal(
        name: &'static str,
        expected: &str,
        found: &str,
    ) -> Result<(), Self> {
        if expected == found {
            return Ok(());
        }
        Err(Self::Mismatch { name, expected: expected.to_owned(), found: found.to_owned() })
    }
}
