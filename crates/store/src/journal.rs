//! Reading a session's journal back.

use crate::{
    column::document,
    entity::{session, session_event},
    error::StoreError,
    number::{from_db, to_db},
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use wiiiv_domain::{SessionEvent, SessionId, TurnId};

/// Events of one page.
pub const JOURNAL_PAGE_MAX: u64 = 1000;

impl Store {
    /// Every event from this number on, the first of which is 1. For a whole history take
    /// `journal_page`.
    pub async fn journal(
        &self,
        session: SessionId,
        from_seq: u64,
    ) -> Result<Vec<(u64, SessionEvent)>, StoreError> {
        let mut events: Vec<(u64, SessionEvent)> = Vec::new();
        let mut from = from_seq;
        loop {
            let page = self.journal_page(session, from, JOURNAL_PAGE_MAX).await?;
            let full = page.len() as u64 == JOURNAL_PAGE_MAX;
            from = page.last().map_or(from, |(seq, _)| seq + 1);
            events.extend(page);
            if !full {
                return Ok(events);
            }
        }
    }

    /// At most `limit` events, and at most `JOURNAL_PAGE_MAX`.
    pub async fn journal_page(
        &self,
        session: SessionId,
        from_seq: u64,
        limit: u64,
    ) -> Result<Vec<(u64, SessionEvent)>, StoreError> {
        use session_event::Column;
        let rows = session_event::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::Seq.gte(to_db(from_seq)?))
            .order_by_asc(Column::Seq)
            .limit(limit.min(JOURNAL_PAGE_MAX))
            .all(self.reader())
            .await?;
        let read = |row: session_event::Model| {
            Ok((from_db(row.seq), document(&row.body, "a session event")?))
        };
        rows.into_iter().map(read).collect()
    }

    /// The number of the event that a turn begins with. `None` also of turns that were accepted
    /// before journals named them.
    pub async fn turn_begins(
        &self,
        session: SessionId,
        turn: TurnId,
    ) -> Result<Option<u64>, StoreError> {
        use session_event::Column;
        let row = session_event::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::Opens.eq(turn.uuid()))
            .one(self.reader())
            .await?;
        Ok(row.map(|row| from_db(row.seq)))
    }

    /// Where a replay of the flow begins.
    pub async fn replay_from(&self, session: SessionId) -> Result<u64, StoreError> {
        let row = session::Entity::find_by_id(session.uuid()).one(self.reader()).await?;
        Ok(from_db(row.ok_or(StoreError::NotFound { what: "session" })?.replay_from))
    }

    /// The number that the session's next event will carry.
    pub async fn next_seq(&self, session: SessionId) -> Result<u64, StoreError> {
        let last = session_event::Entity::find()
            .filter(session_event::Column::Session.eq(session.uuid()))
            .order_by_desc(session_event::Column::Seq)
            .one(self.reader())
            .await?;
        Ok(last.map_or(1, |row| from_db(row.seq) + 1))
    }
}
