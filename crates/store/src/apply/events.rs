//! The session journal's new lines, and which turns are open.

use crate::{
    boundary::{Boundary, Writer},
    error::StoreError,
    statement::execute,
};
use sea_orm::{ConnectionTrait, Value};
use wiiiv_domain::{EventBody, SessionEvent, SessionId};

pub(super) async fn journal<C: ConnectionTrait>(
    db: &C,
    writer: &Writer,
    boundary: &Boundary,
) -> Result<(), StoreError> {
    if boundary.events.is_empty() && !boundary.replay_from_here {
        return Ok(());
    }
    let session = writer.lease("a session event")?.session;
    if boundary.replay_from_here {
        let update = "UPDATE session SET replay_from = 1 + \
            (SELECT COALESCE(MAX(seq), 0) FROM session_event WHERE session = $1) WHERE id = $1";
        execute(db, update, vec![session.uuid().into()]).await?;
    }
    if !boundary.events.is_empty() {
        insert(db, session, &boundary.events).await?;
    }
    for event in &boundary.events {
        mark_turn(db, session, event).await?;
    }
    Ok(())
}

/// Numbered on from the last one there.
async fn insert<C: ConnectionTrait>(
    db: &C,
    session: SessionId,
    events: &[SessionEvent],
) -> Result<(), StoreError> {
    let mut values: Vec<Value> = vec![session.uuid().into()];
    let mut rows = Vec::with_capacity(events.len());
    for (nth, event) in (1..).zip(events) {
        values.push(serde_json::to_string(event)?.into());
        rows.push(format!("SELECT {nth} AS nth, ${} AS body", values.len()));
    }
    let rows = rows.join(" UNION ALL ");
    let sql = format!(
        "INSERT INTO session_event (session, seq, body) \
         SELECT $1, last.seq + added.nth, added.body FROM \
         (SELECT COALESCE(MAX(seq), 0) AS seq FROM session_event WHERE session = $1) AS last, \
         ({rows}) AS added"
    );
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
