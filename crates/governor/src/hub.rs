//! What a client sees while a turn runs: the journal as it grows, and deltas that are never kept.

use crate::config::LIVE_ITEMS_MAX;
use std::sync::Arc;
use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};
use wiiiv_domain::{SessionEvent, SessionId, TurnId};
use wiiiv_store::{Store, StoreError};

/// Sessions that somebody watches at the same time.
const WATCHED_MAX: u64 = 20_000;
const WATCHED_IDLE: std::time::Duration = std::time::Duration::from_secs(3_600);

/// One row of the session journal.
#[derive(Debug, Clone)]
pub struct Journalled {
    pub seq: u64,
    pub event: Arc<SessionEvent>,
}

#[derive(Debug, Clone)]
pub enum Live {
    Journalled(Journalled),
    /// Words of a reply that is still being written; the final ones are journalled.
    Delta {
        turn: TurnId,
        text: Arc<str>,
    },
    /// The session was put down by a fault: nothing more comes of the turn that was in progress.
    Down,
}

/// `live` goes on where `backlog` ends. It closes when the server stops or its reader is too far
/// behind: subscribe again after the last `seq` that was seen.
#[derive(Debug)]
pub struct Subscription {
    pub backlog: Vec<Journalled>,
    pub live: broadcast::Receiver<Live>,
}

#[derive(Debug, Clone)]
enum Told {
    /// Something was committed: read on.
    Grew,
    Delta {
        turn: TurnId,
        text: Arc<str>,
    },
    Down,
}

#[derive(Debug, Clone)]
pub struct Hub {
    watched: moka::sync::Cache<SessionId, broadcast::Sender<Told>>,
    /// Raised whenever a question was put before people, or closed.
    questions: watch::Sender<u64>,
}

impl Hub {
    pub fn new() -> Self {
        let watched = moka::sync::Cache::builder()
            .max_capacity(WATCHED_MAX)
            .time_to_idle(WATCHED_IDLE)
            .build();
        Self { watched, questions: watch::Sender::new(0) }
    }

    /// Questions of some session were put or closed, and that is committed.
    pub fn questions_changed(&self) {
        self.questions.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub fn questions(&self) -> watch::Receiver<u64> {
        self.questions.subscribe()
    }

    /// The journal has grown. Nobody watching is no error.
    pub fn grew(&self, session: SessionId) {
        self.tell(session, Told::Grew);
    }

    pub fn delta(&self, session: SessionId, turn: TurnId, text: Arc<str>) {
        self.tell(session, Told::Delta { turn, text });
    }

    /// The session was put down: whoever waits for the end of its turn is told now.
    pub fn down(&self, session: SessionId) {
        self.tell(session, Told::Down);
    }

    fn tell(&self, session: SessionId, told: Told) {
        if let Some(watchers) = self.watched.get(&session) {
            let _ = watchers.send(told);
        }
    }

    pub async fn subscribe(
        &self,
        store: &Store,
        session: SessionId,
        from: u64,
    ) -> Result<Subscription, StoreError> {
        let told = self.watched.get_with(session, || broadcast::channel(LIVE_ITEMS_MAX).0);
        let told = told.subscribe();
        let backlog = read(store, session, from).await?;
        let next = backlog.last().map_or(from, |last| last.seq.saturating_add(1));
        let (live, receiver) = broadcast::channel(LIVE_ITEMS_MAX);
        tokio::spawn(follow(store.clone(), session, next, told, live));
        Ok(Subscription { backlog, live: receiver })
    }
}

async fn read(store: &Store, session: SessionId, from: u64) -> Result<Vec<Journalled>, StoreError> {
    let rows = store.journal(session, from).await?;
    let journalled = |(seq, event)| Journalled { seq, event: Arc::new(event) };
    Ok(rows.into_iter().map(journalled).collect())
}

/// Until nobody listens. A signal that was missed is made up for by the next one: the journal is
/// read from where it was left.
async fn follow(
    store: Store,
    session: SessionId,
    mut next: u64,
    mut told: broadcast::Receiver<Told>,
    live: broadcast::Sender<Live>,
) {
    loop {
        let heard = tokio::select! {
            heard = told.recv() => heard,
            () = live.closed() => return,
        };
        match heard {
            Ok(Told::Delta { turn, text }) => {
                let _ = live.send(Live::Delta { turn, text });
            }
            Ok(Told::Down) => {
                let _ = live.send(Live::Down);
            }
            Ok(Told::Grew) | Err(RecvError::Lagged(_)) => {
                let Ok(rows) = read(&store, session, next).await else { return };
                for row in rows {
                    next = row.seq.saturating_add(1);
                    let _ = live.send(Live::Journalled(row));
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}
