//! Collects the journal rows of one transaction, to write them in as few statements as possible.
//!
//! The number of a session's last event stays in memory between transactions, because there is only
//! one writer.

use crate::{
    database::{
        number::from_db,
        statement::{INSERT_ROWS_MAX, Reads, Writes, execute, query, rows},
    },
    error::StoreError,
};
use sea_orm::Value;
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{EventBody, SessionEvent, SessionId};

/// Sessions whose last number stays in memory.
const SESSIONS_MAX: usize = 10_000;

/// Of a session's row.
#[derive(Debug)]
struct Change {
    session: Uuid,
    /// When a turn opened or ended.
    active: Option<i64>,
    opened: Option<Uuid>,
    ended: Option<Uuid>,
    /// Where a replay begins.
    replay: Option<i64>,
}

/// One row.
#[derive(Debug)]
struct Line {
    session: Uuid,
    seq: i64,
    body: String,
    /// The turn that begins with it.
    opens: Option<Uuid>,
}

#[derive(Debug, Default)]
struct Mark {
    last: Vec<(SessionId, i64)>,
    lines: usize,
    changes: usize,
}

#[derive(Debug, Default)]
pub(crate) struct PendingJournal {
    last: BTreeMap<SessionId, i64>,
    lines: Vec<Line>,
    changes: Vec<Change>,
    mark: Mark,
}

impl PendingJournal {
    /// Numbered on from the session's last one; the number of the last of them comes back. `replay`: one
    /// may begin behind them.
    pub(crate) async fn add<C: Reads>(
        &mut self,
        db: &C,
        session: SessionId,
        events: &[SessionEvent],
        replay: bool,
    ) -> Result<u64, StoreError> {
        let mut last = self.open(db, session).await?;
        let mut changes: Vec<Change> = Vec::new();
        // A turn that ends with the events that begin it is never open: another one may be.
        let ends = |event: &SessionEvent| {
            let end = |of: &EventBody| matches!(of, EventBody::TurnEnded { .. });
            events.iter().any(|of| of.turn == event.turn && end(&of.body))
        };
        for event in events {
            last += 1;
            let mut change = turn(session, event);
            let opens = change.as_ref().and_then(|change| change.opened);
            if opens.is_some()
                && ends(event)
                && let Some(change) = &mut change
            {
                change.opened = None;
            }
            let body = serde_json::to_string(event)?;
            self.lines.push(Line { session: session.uuid(), seq: last, body, opens });
            changes.extend(change);
        }
        if replay {
            let mut change = changes.pop().unwrap_or_else(|| Change::of(session));
            change.replay = Some(last + 1);
            changes.push(change);
        }
        self.changes.append(&mut changes);
        self.last.insert(session, last);
        Ok(from_db(last))
    }

    async fn open<C: Reads>(&mut self, db: &C, session: SessionId) -> Result<i64, StoreError> {
        let last = match self.last.get(&session) {
            Some(last) => *last,
            None => load(db, session).await?,
        };
        if !self.mark.last.iter().any(|(marked, _)| *marked == session) {
            self.mark.last.push((session, last));
        }
        Ok(last)
    }

    /// Before each job.
    pub(crate) fn mark(&mut self) {
        let (lines, changes) = (self.lines.len(), self.changes.len());
        self.mark = Mark { last: Vec::new(), lines, changes };
    }

    /// What the job at hand added goes with its savepoint.
    pub(crate) fn undo(&mut self) {
        self.last.extend(std::mem::take(&mut self.mark.last));
        self.lines.truncate(self.mark.lines);
        self.changes.truncate(self.mark.changes);
    }

    /// After the last job, before COMMIT.
    pub(crate) async fn flush<C: Writes>(&mut self, db: &C) -> Result<(), StoreError> {
        while !self.lines.is_empty() {
            let rest = self.lines.split_off(self.lines.len().min(INSERT_ROWS_MAX));
            insert_lines(db, std::mem::replace(&mut self.lines, rest)).await?;
        }
        for change in self.changes.drain(..) {
            change.write(db).await?;
        }
        if self.last.len() > SESSIONS_MAX {
            self.last.clear();
        }
        Ok(())
    }

    /// The transaction came to nothing: what is in memory may be ahead of what is written.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Change {
    fn of(session: SessionId) -> Self {
        Self { session: session.uuid(), active: None, opened: None, ended: None, replay: None }
    }

    async fn write<C: Writes>(self, db: &C) -> Result<(), StoreError> {
        let update = "UPDATE session SET updated_at = COALESCE($2, updated_at), \
                      open_turn = COALESCE($3, NULLIF(open_turn, $4)), \
                      replay_from = COALESCE($5, replay_from) WHERE id = $1";
        let Self { session, active, opened, ended, replay } = self;
        let values =
            vec![session.into(), active.into(), opened.into(), ended.into(), replay.into()];
        execute(db, update, values).await.map(drop)
    }
}

fn turn(session: SessionId, event: &SessionEvent) -> Option<Change> {
    let turn = Some(event.turn.uuid());
    let change = Change { active: Some(event.at.unix_ms()), ..Change::of(session) };
    match &event.body {
        EventBody::TurnAccepted { .. } => Some(Change { opened: turn, ..change }),
        EventBody::TurnEnded { .. } => Some(Change { ended: turn, ..change }),
        EventBody::Input { .. }
        | EventBody::Replied { .. }
        | EventBody::Asked { .. }
        | EventBody::Previewed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::RiskCleared { .. }
        | EventBody::ApprovalRevoked { .. } => None,
    }
}

async fn load<C: Reads>(db: &C, session: SessionId) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(seq), 0) FROM session_event WHERE session = $1";
    let row = query(db, sql, vec![session.uuid().into()]).await?;
    row.ok_or_else(StoreError::given_up)?.get(0)
}

async fn insert_lines<C: Writes>(db: &C, lines: Vec<Line>) -> Result<(), StoreError> {
    const COLUMNS: usize = 4;
    let rows = rows(lines.len(), COLUMNS);
    let sql = format!("INSERT INTO session_event (session, seq, body, opens) VALUES {rows}");
    let mut values: Vec<Value> = Vec::with_capacity(lines.len() * COLUMNS);
    for Line { session, seq, body, opens } in lines {
        values.extend([session.into(), seq.into(), body.into(), opens.into()]);
    }
    execute(db, &sql, values).await.map(drop)
}
