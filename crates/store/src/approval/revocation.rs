//! What a yes that was taken back while its run went on leaves in the question's row.

use crate::database::{column::time, entity::approval};
use wiiiv_domain::{Timestamp, UserId};

/// The record of a yes that was taken back; it names the run where there is one.
pub(crate) const REVOKED: &str = "approval.revoked";

/// Who took back a yes while the run that rests on it went on, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revocation {
    pub by: UserId,
    pub at: Timestamp,
}

impl Revocation {
    /// Both, or neither.
    pub(super) fn read(row: &approval::Model) -> Option<Self> {
        let (by, at) = row.revoked_by.zip(row.revoked_at)?;
        Some(Self { by: by.into(), at: time(at) })
    }
}
