//! Where the replay of a session's flow begins, and what it is given there.

use crate::{
    database::{
        number::from_db,
        statement::{Reads, Writes, execute, query},
    },
    error::StoreError,
};
use wiiiv_domain::{RefusedSpecs, ReplaySeed, SessionId, canonical};

/// Whoever replays compares the state that it gives with the hash in the journal before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayStart {
    /// Number of the first event.
    pub from: u64,
    /// What was refused before it. `None`: what is kept of that cannot be read.
    pub refused: Option<RefusedSpecs>,
}

pub(crate) async fn start<C: Reads>(db: &C, session: SessionId) -> Result<ReplayStart, StoreError> {
    let sql = "SELECT session.replay_from, replay_seed.body FROM session \
               LEFT JOIN replay_seed ON replay_seed.session = session.id \
               WHERE session.id = $1";
    let row = query(db, sql, vec![session.uuid().into()]).await?;
    let row = row.ok_or(StoreError::NotFound { what: "session" })?;
    let refused = match row.get::<Option<String>>(1) {
        Ok(Some(body)) => ReplaySeed::read(&body),
        Ok(None) => Some(RefusedSpecs::default()),
        Err(_) => None,
    };
    Ok(ReplayStart { from: from_db(row.get(0)?), refused })
}

/// In the transaction that moves the beginning.
pub(crate) async fn keep<C: Writes>(
    db: &C,
    session: SessionId,
    refused: &RefusedSpecs,
) -> Result<(), StoreError> {
    let body = canonical(&ReplaySeed::new(refused.clone()))?;
    let body = String::from_utf8(body).map_err(|_| StoreError::corrupt("a replay's seed"))?;
    let keep = "INSERT INTO replay_seed (session, body) VALUES ($1, $2) \
                ON CONFLICT (session) DO UPDATE SET body = excluded.body";
    execute(db, keep, vec![session.uuid().into(), body.into()]).await.map(drop)
}
