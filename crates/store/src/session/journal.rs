//! Reads a session's journal.

use crate::{
    audit::previews_told,
    database::{
        column::document,
        entity::session_event,
        number::{from_db, to_db},
        statement::{Row, only, query, query_all},
    },
    error::StoreError,
    session::replay::{self, ReplayStart},
    store::Store,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
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

    /// At most `limit` events, and at most `JOURNAL_PAGE_MAX`. Refused where a preview among them is
    /// not the one on record.
    pub async fn journal_page(
        &self,
        session: SessionId,
        from_seq: u64,
        limit: u64,
    ) -> Result<Vec<(u64, SessionEvent)>, StoreError> {
        // On a turn's path: the limit is part of the text (see `only`).
        let limit = limit.min(JOURNAL_PAGE_MAX);
        let select = format!(
            "SELECT seq, body FROM session_event WHERE session = $1 AND seq >= $2 \
             ORDER BY seq LIMIT {limit}"
        );
        let values = vec![session.uuid().into(), to_db(from_seq)?.into()];
        let rows = query_all(self.direct(), &select, values).await?;
        let read = |row: &Row| {
            let (seq, body): (i64, String) = (row.get(0)?, row.get(1)?);
            Ok((from_db(seq), document(&body, "a session event")?))
        };
        let events = rows.iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        previews_told(self.direct(), session, &events).await?;
        Ok(events)
    }

    /// The number of the event that a turn begins with. `None` also of turns that were accepted
    /// before journals named them.
    pub async fn turn_begins(
        &self,
        session: SessionId,
        turn: TurnId,
    ) -> Result<Option<u64>, StoreError> {
        use session_event::Column;
        let of = session_event::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::Opens.eq(turn.uuid()));
        let row = only(of, self.direct()).await?;
        Ok(row.map(|row| from_db(row.seq)))
    }

    /// Where a replay of the flow begins.
    pub async fn replay_start(&self, session: SessionId) -> Result<ReplayStart, StoreError> {
        replay::start(self.direct(), session).await
    }

    /// The number that the session's next event will carry.
    pub async fn next_seq(&self, session: SessionId) -> Result<u64, StoreError> {
        let next = "SELECT COALESCE(MAX(seq), 0) + 1 FROM session_event WHERE session = $1";
        let row = query(self.direct(), next, vec![session.uuid().into()]).await?;
        Ok(from_db(row.ok_or_else(StoreError::given_up)?.get(0)?))
    }
}
