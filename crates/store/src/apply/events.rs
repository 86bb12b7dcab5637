//! The session journal's new lines, and which turns are open.

use crate::{
    boundary::Boundary,
    error::StoreError,
    statement::{execute, query, rows},
};
use sea_orm::{ConnectionTrait, Value};
use wiiiv_domain::{EventBody, SessionEvent, SessionId};

const COLUMNS: usize = 3;

pub(super) async fn journal<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    boundary: &Boundary,
) -> Result<(), StoreError> {
    if boundary.events.is_empty() && !boundary.replay_from_here {
        return Ok(());
    }
    let first = reserve(db, session, boundary).await?;
    insert(db, session, first, &boundary.events).await?;
    for event in &boundary.events {
        mark_turn(db, session, event).await?;
    }
    Ok(())
}

/// The number of the first event.
async fn reserve<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    boundary: &Boundary,
) -> Result<i64, StoreError> {
    let count = i64::try_from(boundary.events.len())
        .map_err(|_| StoreError::TooLarge { what: "a boundary", max: i64::MAX as u64 })?;
    let update = "UPDATE session SET next_seq = next_seq + $2, \
                  replay_from = CASE WHEN $3 THEN next_seq ELSE replay_from END \
                  WHERE id = $1 RETURNING next_seq";
    let values = vec![session.uuid().into(), count.into(), boundary.replay_from_here.into()];
    let row = query(db, update, values).await?.ok_or(StoreError::NotFound { what: "session" })?;
    let next: i64 = row.try_get_by_index(0)?;
    Ok(next - count)
}

async fn insert<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    first: i64,
    events: &[SessionEvent],
) -> Result<(), StoreError> {
    if events.is_empty() {
        return Ok(());
    }
    let mut values: Vec<Value> = Vec::with_capacity(events.len() * COLUMNS);
    for (seq, event) in (first..).zip(events) {
        values.push(session.uuid().into());
        values.push(seq.into());
        values.push(serde_json::to_string(event)?.into());
    }
    let rows = rows(events.len(), COLUMNS);
    let sql = format!("INSERT INTO session_event (session, seq, body) VALUES {rows}");
    execute(db, &sql, values).await.map(drop)
}

async fn mark_turn<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    event: &SessionEvent,
) -> Result<(), StoreError> {
    let sql = match &event.body {
        EventBody::TurnAccepted { .. } => {
            "INSERT INTO open_turn (session, turn) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        }
        EventBody::TurnEnded { .. } => "DELETE FROM open_turn WHERE session = $1 AND turn = $2",
        EventBody::Input { .. }
        | EventBody::Replied { .. }
        | EventBody::Asked { .. }
        | EventBody::Previewed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. } => return Ok(()),
    };
    execute(db, sql, vec![session.uuid().into(), event.turn.uuid().into()]).await.map(drop)
}
