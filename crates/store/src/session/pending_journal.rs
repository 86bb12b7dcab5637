//! Collects the journal rows of one transaction, to write them in as few statements as possible.
//!
//! The number of a session's last event stays in memory between transactions, because there is only
//! one writer.

use crate::{
    database::{
        number::from_db,
        statement::{Reads, Writes, execute, query, rows},
    },
    error::StoreError,
};
use sea_orm::Value;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::{EventBody, SessionEvent, SessionId};

/// Sessions whose last number stays in memory.
const SESSIONS_MAX: usize = 10_000;
/// Rows of one insert: SQLite takes 32,766 values in a statement.
const INSERT_ROWS_MAX: usize = 5_000;

#[derive(Debug)]
enum Turn {
    Opened(Uuid, Uuid),
    Ended(Uuid, Uuid),
}

/// When a session's last turn opened or ended.
#[derive(Debug, Clone, Copy)]
struct Active {
    session: Uuid,
    at: i64,
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
    turns: usize,
    active: usize,
    replays: usize,
}

#[derive(Debug, Default)]
pub(crate) struct PendingJournal {
    last: BTreeMap<SessionId, i64>,
    lines: Vec<Line>,
    turns: Vec<Turn>,
    active: Vec<Active>,
    replays: Vec<(Uuid, i64)>,
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
        for event in events {
            last += 1;
            let turn = turn(session, event);
            let opens = match &turn {
                Some(Turn::Opened(_, opened)) => Some(*opened),
                Some(Turn::Ended(..)) | None => None,
            };
            let body = serde_json::to_string(event)?;
            self.lines.push(Line { session: session.uuid(), seq: last, body, opens });
            let at = event.at.unix_ms();
            self.active.extend(turn.as_ref().map(|_| Active { session: session.uuid(), at }));
            self.turns.extend(turn);
        }
        if replay {
            self.replays.push((session.uuid(), last + 1));
        }
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
        self.mark = Mark {
            last: Vec::new(),
            lines: self.lines.len(),
            turns: self.turns.len(),
            active: self.active.len(),
            replays: self.replays.len(),
        };
    }

    /// What the job at hand added goes with its savepoint.
    pub(crate) fn undo(&mut self) {
        self.last.extend(std::mem::take(&mut self.mark.last));
        self.lines.truncate(self.mark.lines);
        self.turns.truncate(self.mark.turns);
        self.active.truncate(self.mark.active);
        self.replays.truncate(self.mark.replays);
    }

    /// After the last job, before COMMIT.
    pub(crate) async fn flush<C: Writes>(&mut self, db: &C) -> Result<(), StoreError> {
        while !self.lines.is_empty() {
            let rest = self.lines.split_off(self.lines.len().min(INSERT_ROWS_MAX));
            insert_lines(db, std::mem::replace(&mut self.lines, rest)).await?;
        }
        self.flush_turns(db).await?;
        self.flush_active(db).await?;
        // The last one of a session counts.
        for (session, seq) in
            std::mem::take(&mut self.replays).into_iter().collect::<BTreeMap<_, _>>()
        {
            let update = "UPDATE session SET replay_from = $2 WHERE id = $1";
            execute(db, update, vec![session.into(), seq.into()]).await?;
        }
        if self.last.len() > SESSIONS_MAX {
            self.last.clear();
        }
        Ok(())
    }

    /// A turn that opened and ended in one transaction never stands as open.
    async fn flush_turns<C: Writes>(&mut self, db: &C) -> Result<(), StoreError> {
        let mut opened: Vec<Value> = Vec::new();
        let mut ended: Vec<Value> = Vec::new();
        for turn in self.turns.drain(..) {
            match turn {
                Turn::Opened(session, turn) => opened.extend([session.into(), turn.into()]),
                Turn::Ended(session, turn) => ended.extend([session.into(), turn.into()]),
            }
        }
        if !opened.is_empty() {
            let rows = rows(opened.len() / 2, 2);
            let sql = format!(
                "INSERT INTO open_turn (session, turn) VALUES {rows} ON CONFLICT DO NOTHING"
            );
            execute(db, &sql, opened).await?;
        }
        if !ended.is_empty() {
            let rows = rows(ended.len() / 2, 2);
            let sql = format!("DELETE FROM open_turn WHERE (session, turn) IN (VALUES {rows})");
            execute(db, &sql, ended).await?;
        }
        Ok(())
    }

    /// One statement a transaction: its sessions were all active at that moment.
    async fn flush_active<C: Writes>(&mut self, db: &C) -> Result<(), StoreError> {
        let active = std::mem::take(&mut self.active);
        let Some(at) = active.iter().map(|active| active.at).max() else { return Ok(()) };
        let sessions: BTreeSet<Uuid> = active.into_iter().map(|active| active.session).collect();
        let places: Vec<String> = (2..sessions.len() + 2).map(|n| format!("${n}")).collect();
        let places = places.join(",");
        let update = format!("UPDATE session SET updated_at = $1 WHERE id IN ({places})");
        let mut values: Vec<Value> = vec![at.into()];
        values.extend(sessions.into_iter().map(Value::from));
        execute(db, &update, values).await.map(drop)
    }

    /// The transaction came to nothing: what is in memory may be ahead of what is written.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

fn turn(session: SessionId, event: &SessionEvent) -> Option<Turn> {
    let (session, turn) = (session.uuid(), event.turn.uuid());
    match &event.body {
        EventBody::TurnAccepted { .. } => Some(Turn::Opened(session, turn)),
        EventBody::TurnEnded { .. } => Some(Turn::Ended(session, turn)),
        EventBody::Input { .. }
        | EventBody::Replied { .. }
        | EventBody::Asked { .. }
        | EventBody::Previewed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. } => None,
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
