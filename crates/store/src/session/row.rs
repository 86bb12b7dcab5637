//! A conversation's row.

use crate::{
    database::{
        column::{document, time},
        entity::session,
    },
    error::StoreError,
};
use wiiiv_domain::{ProjectId, RiskHistory, Salt, SessionId, Timestamp, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    pub id: SessionId,
    pub project: ProjectId,
    pub owner: UserId,
    pub title: String,
    /// Of its specs: their digests cannot be guessed.
    pub salt: Salt,
    pub created_at: Timestamp,
    /// When a turn last opened or ended in it.
    pub updated_at: Timestamp,
    /// Its owner keeps it at the top of the list.
    pub pinned: bool,
    /// Its owner has removed it: to nobody it is there any more.
    pub removed: bool,
    /// As it was when the row was read; [`crate::Store::session_risk`] says how it is.
    pub risk: RiskHistory,
}

impl SessionRow {
    pub(crate) fn read(row: session::Model) -> Result<Self, StoreError> {
        let salt = row.salt.try_into().map_err(|_| StoreError::corrupt("a session's salt"))?;
        Ok(Self {
            id: row.id.into(),
            project: row.project.into(),
            owner: row.owner.into(),
            title: row.title,
            salt: Salt::from_bytes(salt),
            created_at: time(row.created_at),
            updated_at: time(row.updated_at),
            pinned: row.pinned_at.is_some(),
            removed: row.removed_at.is_some(),
            risk: history_of(row.risk_history.as_deref())?,
        })
    }
}

pub(super) fn history_of(text: Option<&str>) -> Result<RiskHistory, StoreError> {
    text.map_or_else(|| Ok(RiskHistory::default()), |text| document(text, "a session's risk"))
}
