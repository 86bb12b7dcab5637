//! What is wrong in a file, and where.

use std::fmt;

use crate::canonical::NotCanonical;

/// Position of the first fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultPosition {
    /// The first line.
    Header,
    /// One record.
    Record {
        /// Its number in the chain.
        seq: u64,
    },
    /// The checkpoint after this many records.
    Checkpoint {
        /// How many records come before it.
        after: u64,
    },
    /// The checkpoint that was given separately.
    Anchor,
    /// The receipt, which is one document.
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

/// The first fault of a file. Nothing after it was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct Finding {
    /// Where the fault is.
    pub place: FaultPosition,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong, by kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file could not be read.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the operating system says.
        reason: String,
    },
    /// The file ends before it.
    #[error("is missing: the file ends before it")]
    Missing,
    /// The line is too long.
    #[error("is longer than `{max}` bytes")]
    TooLong {
        /// The most bytes that are allowed.
        max: usize,
    },
    /// The last line has no newline.
    #[error("does not end with a newline")]
    NoNewline,
    /// The line is not JSON.
    #[error("is not JSON: {reason}")]
    NotJson {
        /// What the parser says.
        reason: String,
    },
    /// A number is not an exact integer.
    #[error(transparent)]
    Number(#[from] NotCanonical),
    /// The bytes are not in canonical form.
    #[error("is not in canonical form")]
    NotCanonical,
    /// The line is JSON, and not an object.
    #[error("is not an object")]
    NotAnObject,
    /// A member is missing.
    #[error("has no member `{name}`")]
    MissingMember {
        /// The member.
        name: &'static str,
    },
    /// A member is there that the format does not have.
    #[error("has the unknown member `{name}`")]
    UnknownMember {
        /// The member.
        name: String,
    },
    /// A member has the wrong form.
    #[error("the member `{name}` is not {expected}")]
    BadMember {
        /// The member.
        name: &'static str,
        /// The form that it must have.
        expected: &'static str,
    },
    /// A member has the right form and the wrong value.
    #[error("`{name}` is `{found}`, expected `{expected}`")]
    Mismatch {
        /// The member.
        name: &'static str,
        /// The value that follows from what was read before.
        expected: String,
        /// The value in the file.
        found: String,
    },
    /// The signature does not fit the key.
    #[error("the signature does not fit the key and the content")]
    BadSignature,
    /// The file was signed with another key.
    #[error("was signed with key `{found}`, the key given is `{given}`")]
    OtherKey {
        /// Id of the key that was given.
        given: String,
        /// Id of the key that the file names.
        found: String,
    },
    /// A record follows after as many as the header counts.
    #[error("stands behind the `{records}` records that the header counts")]
    NotCounted {
        /// How many records the header counts.
        records: u64,
    },
    /// The inclusion proof does not lead to the signed root.
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
