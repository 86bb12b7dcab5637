//! When a question is shown to more people, as its row has it.

use crate::{
    database::{
        column::{from_word, time},
        entity::approval,
    },
    error::StoreError,
};
use wiiiv_domain::{EscalateTo, Timestamp};

pub(crate) const ESCALATED: &str = "approval.escalated";

/// When a question is shown to whom, as it was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Escalates {
    pub at: Timestamp,
    pub to: EscalateTo,
}

/// The same, with when that was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EscalationRow {
    pub due: Escalates,
    pub done_at: Option<Timestamp>,
}

impl EscalationRow {
    pub(crate) fn read(row: &approval::Model) -> Result<Option<Self>, StoreError> {
        let (Some(at), Some(to)) = (row.escalates_at, row.escalates_to.as_deref()) else {
            return Ok(None);
        };
        let due = Escalates { at: time(at), to: from_word(to, "an approval's escalation")? };
        Ok(Some(Self { due, done_at: row.escalated_at.map(time) }))
    }
}
