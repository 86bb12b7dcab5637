//! Live events of a session: journal rows as they are committed, and deltas, which are not stored.

use crate::config::LIVE_ITEMS_MAX;
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};
use wiiiv_domain::{SessionEvent, SessionId, TurnId};
use wiiiv_store::{Store, StoreError};

/// Sessions that somebody watches at the same time.
const WATCHED_MAX: u64 = 20_000;
const WATCHED_IDLE: std::time::Duration = std::time::Duration::from_secs(3_600);
/// Events that one look into the journal brings.
const JOURNAL_ROWS: u64 = 256;

/// No number is greater: none takes its place. Behind a fault nobody may have told of the last commit.
const NEVER_KNOWN: u64 = u64::MAX;

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
    /// Something over the session was halted or resumed: it is to be looked up.
    Halts,
    /// The session was put down by a fault: its turn will not end.
    Down,
}

#[derive(Debug, Clone)]
enum Signal {
    /// These were committed, the first under that number.
    Committed(u64, Arc<[Arc<SessionEvent>]>),
    /// Something was committed while nobody watched: read on.
    Grew,
    Live(Live),
}

/// A session that somebody watches, or did.
#[derive(Debug)]
struct Watched {
    signals: broadcast::Sender<Signal>,
    /// The number of the last event, which commits alone write here; 0: not known yet.
    newest: AtomicU64,
}

#[derive(Debug, Clone)]
pub struct Hub {
    watched: moka::sync::Cache<SessionId, Arc<Watched>>,
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
        self.watched.get(&session).is_some_and(|watched| watched.signals.receiver_count() > 0)
    }

    /// A commit added these events, the first under the number `first`; none where nobody watched.
    pub fn committed(
        &self,
        session: SessionId,
        (first, last): (u64, u64),
        events: Vec<SessionEvent>,
    ) {
        let Some(watched) = self.watched.get(&session) else { return };
        // INVARIANT: known before anybody is told, so that no watcher comes in between.
        watched.newest.fetch_max(last, Ordering::AcqRel);
        let events: Arc<[_]> = events.into_iter().map(Arc::new).collect();
        let grew = events.is_empty();
        let _ = watched.signals.send(if grew {
            Signal::Grew
        } else {
            Signal::Committed(first, events)
        });
    }

    pub fn delta(&self, session: SessionId, turn: TurnId, text: Arc<str>) {
        if let Some(watched) = self.watched.get(&session) {
            let _ = watched.signals.send(Signal::Live(Live::Delta { turn, text }));
        }
    }

    /// What somebody watches.
    pub fn watched_now(&self) -> Vec<SessionId> {
        let watched = self.watched.iter().filter(|(_, one)| one.signals.receiver_count() > 0);
        watched.map(|(session, _)| *session).collect()
    }

    pub fn halts(&self, session: SessionId) {
        if let Some(watched) = self.watched.get(&session) {
            let _ = watched.signals.send(Signal::Live(Live::Halts));
        }
    }

    /// The session was put down: whoever waits for the end of its turn is told now.
    pub fn down(&self, session: SessionId) {
        if let Some(watched) = self.watched.get(&session) {
            watched.newest.store(NEVER_KNOWN, Ordering::Release);
            let _ = watched.signals.send(Signal::Live(Live::Down));
        }
    }

    fn watched(&self, session: SessionId) -> Arc<Watched> {
        let fresh = || {
            let signals = broadcast::channel(LIVE_ITEMS_MAX).0;
            Arc::new(Watched { signals, newest: AtomicU64::new(0) })
        };
        self.watched.get_with(session, fresh)
    }

    /// `after`: the number of the last event that is known; `None`: from now on.
    pub async fn subscribe(
        &self,
        store: &Store,
        session: SessionId,
        after: Option<u64>,
    ) -> Result<Events, StoreError> {
        let watched = self.watched(session);
        let signals = watched.signals.subscribe();
        let newest = match watched.newest.load(Ordering::Acquire) {
            0 | NEVER_KNOWN => store.next_seq(session).await?.saturating_sub(1),
            known => known,
        };
        let (hub, store) = (self.clone(), store.clone());
        let next = after.unwrap_or(newest).min(newest).saturating_add(1);
        let behind = next <= newest;
        Ok(Events { hub, store, session, signals, next, behind, read: VecDeque::new() })
    }
}

/// The events of a session from one on: those of the journal, then live ones, in their order and
/// without a gap.
#[derive(Debug)]
pub struct Events {
    hub: Hub,
    store: Store,
    session: SessionId,
    signals: broadcast::Receiver<Signal>,
    /// Number of the next event.
    next: u64,
    /// The journal may hold more than was read.
    behind: bool,
    read: VecDeque<Journalled>,
}

impl Events {
    /// Waits for the next one. May be dropped while it waits: nothing is lost.
    pub async fn next(&mut self) -> Result<Live, StoreError> {
        loop {
            if let Some(row) = self.read.pop_front() {
                self.next = row.seq.saturating_add(1);
                return Ok(Live::Journalled(row));
            }
            if self.behind {
                self.read_on().await?;
                continue;
            }
            match self.signals.recv().await {
                Ok(Signal::Live(item)) => return Ok(item),
                Ok(Signal::Committed(first, events)) if first <= self.next => {
                    let rows = (first..).zip(events.iter());
                    let fresh = rows.filter(|(seq, _)| *seq >= self.next);
                    let row = |(seq, event)| Journalled { seq, event: Arc::clone(event) };
                    self.read.extend(fresh.map(row));
                }
                // Those in between are on their way from another commit, or were missed.
                Ok(Signal::Committed(..) | Signal::Grew) | Err(RecvError::Lagged(_)) => {
                    self.behind = true;
                }
                // Nobody has spoken for so long that the channel was put away.
                Err(RecvError::Closed) => {
                    self.signals = self.hub.watched(self.session).signals.subscribe();
                    self.behind = true;
                }
            }
        }
    }

    async fn read_on(&mut self) -> Result<(), StoreError> {
        let rows = self.store.journal_page(self.session, self.next, JOURNAL_ROWS).await?;
        self.behind = rows.len() as u64 == JOURNAL_ROWS;
        let row = |(seq, event)| Journalled { seq, event: Arc::new(event) };
        self.read.extend(rows.into_iter().map(row));
        Ok(())
    }
}
