//! The risk of sessions, as people look at it.

use crate::{
    database::{
        number::{from_db, to_db},
        statement::{Row, query, query_all},
    },
    error::StoreError,
    session::row::history_of,
    store::Store,
};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, RiskHistory, SessionId, UserId};
use wiiiv_gate::StandingSeq;

/// Sessions on hold that a person is shown at once.
pub const HELD_SESSIONS_MAX: u64 = 100;

/// A session's score, and what raised it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRisk {
    pub session: SessionId,
    pub project: ProjectId,
    pub owner: UserId,
    /// Rises with each change.
    pub seq: StandingSeq,
    /// As rulings see it.
    pub score: u32,
    pub history: RiskHistory,
}

const COLUMNS: &str = "session.id, session.project, session.owner, session.standing_seq, \
    session.risk_score, session.risk_history";

impl Store {
    /// `None`: there is no such session.
    pub async fn session_risk(
        &self,
        session: SessionId,
    ) -> Result<Option<SessionRisk>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM session WHERE id = $1");
        let row = query(self.direct(), &sql, vec![session.uuid().into()]).await?;
        row.as_ref().map(SessionRisk::read).transpose()
    }

    /// Those from that score on that are this person's, or in projects that they own or approve for; an
    /// administrator is shown all. The newest activity first, at most [`HELD_SESSIONS_MAX`].
    pub async fn held_sessions(
        &self,
        user: UserId,
        administrates: bool,
        hold_from: u32,
    ) -> Result<Vec<SessionRisk>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM session WHERE session.risk_score >= $3 AND session.risk_score > 0 \
             AND session.removed_at IS NULL AND ($2 OR EXISTS (SELECT 1 FROM member \
             WHERE member.account = $1 AND member.project = session.project \
             AND (session.owner = $1 OR member.role IN ('owner', 'approver')))) \
             ORDER BY session.updated_at DESC LIMIT $4"
        );
        let values = vec![
            user.uuid().into(),
            administrates.into(),
            i64::from(hold_from).into(),
            to_db(HELD_SESSIONS_MAX)?.into(),
        ];
        let rows = query_all(self.direct(), &sql, values).await?;
        rows.iter().map(SessionRisk::read).collect()
    }
}

impl SessionRisk {
    fn read(row: &Row) -> Result<Self, StoreError> {
        let score: i64 = row.get(4)?;
        let history: Option<String> = row.get(5)?;
        Ok(Self {
            session: row.get::<Uuid>(0)?.into(),
            project: row.get::<Uuid>(1)?.into(),
            owner: row.get::<Uuid>(2)?.into(),
            seq: StandingSeq::new(from_db(row.get(3)?)),
            score: u32::try_from(score).unwrap_or(u32::MAX),
            history: history_of(history.as_deref())?,
        })
    }
}
