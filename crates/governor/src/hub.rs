//! Live events of a session: journal rows as they are committed, and deltas, which are not stored.

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
    /// Part of a reply that is being written; the final text is journalled.
    Delta {
        turn: TurnId,
        text: Arc<str>,
    },
    /// The session was put down by a fault: its turn will not end.
    Down,
}

/// `live` continues where `backlog` ends. It closes when the server stops or its reader lags:
/// subscribe again after the last `seq`.
#[derive(Debug)]
pub struct Subscription {
    pub backlog: Vec<Journalled>,
    pub live: broadcast::Receiver<Live>,
}

#[derive(Debug, Clone)]
enum Signal {
    /// These were committed, the first under that number.
    Committed(u64, Arc<[Arc<SessionEvent>]>),
    /// Something was committed: read on.
    Grew,
    Live(Live),
}

#[derive(Debug, Clone)]
pub struct Hub {
    watched: moka::sync::Cache<SessionId, broadcast::Sender<Signal>>,
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

    /// A commit put or closed a question of some session.
    pub fn questions_changed(&self) {
        self.questions.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub fn questions(&self) -> watch::Receiver<u64> {
        self.questions.subscribe()
    }

    /// Whether anybody would be told of what is committed.
    pub fn is_watched(&self, session: SessionId) -> bool {
        self.watched.get(&session).is_some_and(|watchers| watchers.receiver_count() > 0)
    }

    /// A commit added these events, the first under the number `first`.
    pub fn committed(&self, session: SessionId, first: u64, events: Vec<SessionEvent>) {
        let events = events.into_iter().map(Arc::new).collect();
        self.tell(session, Signal::Committed(first, events));
    }

    /// A commit added events whose numbers are not known here.
    pub fn grew(&self, session: SessionId) {
        self.tell(session, Signal::Grew);
    }

    pub fn delta(&self, session: SessionId, turn: TurnId, text: Arc<str>) {
        self.tell(session, Signal::Live(Live::Delta { turn, text }));
    }

    /// The session was put down: whoever waits for the end of its turn is told now.
    pub fn down(&self, session: SessionId) {
        self.tell(session, Signal::Live(Live::Down));
    }

    fn tell(&self, session: SessionId, signal: Signal) {
        if let Some(watchers) = self.watched.get(&session) {
            let _ = watchers.send(signal);
        }
    }

    pub async fn subscribe(
        &self,
        store: &Store,
        session: SessionId,
        from: u64,
    ) -> Result<Subscription, StoreError> {
        let signals = self.watched.get_with(session, || broadcast::channel(LIVE_ITEMS_MAX).0);
        let signals = signals.subscribe();
        let backlog = read(store, session, from).await?;
        let next = backlog.last().map_or(from, |last| last.seq.saturating_add(1));
        let (live, receiver) = broadcast::channel(LIVE_ITEMS_MAX);
        tokio::spawn(follow(store.clone(), session, next, signals, live));
        Ok(Subscription { backlog, live: receiver })
    }
}

async fn read(store: &Store, session: SessionId, from: u64) -> Result<Vec<Journalled>, StoreError> {
    let rows = store.journal(session, from).await?;
    let journalled = |(seq, event)| Journalled { seq, event: Arc::new(event) };
    Ok(rows.into_iter().map(journalled).collect())
}

/// Forwards until nobody listens. A missed signal does no harm: the next one reads from the last
/// row.
async fn follow(
    store: Store,
    session: SessionId,
    mut next: u64,
    mut signals: broadcast::Receiver<Signal>,
    live: broadcast::Sender<Live>,
) {
    loop {
        let signal = tokio::select! {
            signal = signals.recv() => signal,
            () = live.closed() => return,
        };
        let rows = match signal {
            Ok(Signal::Live(item)) => {
                let _ = live.send(item);
                continue;
            }
            // Those in between are on their way from another commit, or were missed.
            Ok(Signal::Committed(first, events)) if first <= next => numbered(first, &events),
            Ok(Signal::Committed(..) | Signal::Grew) | Err(RecvError::Lagged(_)) => {
                let Ok(rows) = read(&store, session, next).await else { return };
                rows
            }
            Err(RecvError::Closed) => return,
        };
        for row in rows {
            if row.seq < next {
                continue;
            }
            next = row.seq.saturating_add(1);
            let _ = live.send(Live::Journalled(row));
        }
    }
}

fn numbered(first: u64, events: &[Arc<SessionEvent>]) -> Vec<Journalled> {
    let journalled =
        |(seq, event): (u64, &Arc<SessionEvent>)| Journalled { seq, event: Arc::clone(event) };
    (first..).zip(events).map(journalled).collect()
}
