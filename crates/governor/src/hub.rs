//! Live events of a session: journal rows as they are committed, and deltas, which are not stored.

use crate::config::LIVE_ITEMS_MAX;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};
use wiiiv_domain::{SessionEvent, SessionId, TurnId};
use wiiiv_store::{Store, StoreError};

/// Sessions whose last event's number stays in memory.
const NUMBERS_MAX: u64 = 20_000;
const NUMBERS_IDLE: std::time::Duration = std::time::Duration::from_secs(3_600);
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

/// Of a session that somebody watches.
#[derive(Debug)]
struct Channel {
    signals: broadcast::Sender<Signal>,
    watchers: usize,
}

type Channels = BTreeMap<SessionId, Channel>;

#[derive(Debug, Clone)]
pub struct Hub {
    /// There as long as it is watched, however long nothing happens.
    channels: Arc<RwLock<Channels>>,
    /// By session that was watched lately: the number of the last event, which commits alone write here; 0: not known
    /// yet.
    newest: moka::sync::Cache<SessionId, Arc<AtomicU64>>,
    /// Raised whenever a question was put before people, or closed.
    questions: watch::Sender<u64>,
}

impl Hub {
    pub fn new() -> Self {
        let newest = moka::sync::Cache::builder();
        let newest = newest.max_capacity(NUMBERS_MAX).time_to_idle(NUMBERS_IDLE).build();
        Self { channels: Arc::default(), newest, questions: watch::Sender::new(0) }
    }

    fn channels(&self) -> RwLockReadGuard<'_, Channels> {
        self.channels.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn channels_to_change(&self) -> RwLockWriteGuard<'_, Channels> {
        self.channels.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn join(&self, session: SessionId) -> broadcast::Receiver<Signal> {
        let fresh = || Channel { signals: broadcast::channel(LIVE_ITEMS_MAX).0, watchers: 0 };
        let mut channels = self.channels_to_change();
        let channel = channels.entry(session).or_insert_with(fresh);
        channel.watchers += 1;
        channel.signals.subscribe()
    }

    /// The last one who leaves takes the channel along.
    fn leave(&self, session: SessionId) {
        let mut channels = self.channels_to_change();
        let Some(channel) = channels.get_mut(&session) else { return };
        channel.watchers = channel.watchers.saturating_sub(1);
        if channel.watchers == 0 {
            channels.remove(&session);
        }
    }

    fn send(&self, session: SessionId, signal: Signal) {
        if let Some(channel) = self.channels().get(&session) {
            let _ = channel.signals.send(signal);
        }
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
        self.channels().contains_key(&session)
    }

    /// A commit added these events, the first under the number `first`; none where nobody watched.
    pub fn committed(
        &self,
        session: SessionId,
        (first, last): (u64, u64),
        events: Vec<SessionEvent>,
    ) {
        // INVARIANT: known before anybody is told, so that no watcher comes in between.
        if let Some(newest) = self.newest.get(&session) {
            newest.fetch_max(last, Ordering::AcqRel);
        }
        let events: Arc<[_]> = events.into_iter().map(Arc::new).collect();
        let grew = events.is_empty();
        self.send(session, if grew { Signal::Grew } else { Signal::Committed(first, events) });
    }

    pub fn delta(&self, session: SessionId, turn: TurnId, text: Arc<str>) {
        self.send(session, Signal::Live(Live::Delta { turn, text }));
    }

    /// What somebody watches.
    pub fn watched_now(&self) -> Vec<SessionId> {
        self.channels().keys().copied().collect()
    }

    pub fn halts(&self, session: SessionId) {
        self.send(session, Signal::Live(Live::Halts));
    }

    /// The session was put down: whoever waits for the end of its turn is told now.
    pub fn down(&self, session: SessionId) {
        if let Some(newest) = self.newest.get(&session) {
            newest.store(NEVER_KNOWN, Ordering::Release);
        }
        self.send(session, Signal::Live(Live::Down));
    }

    /// `after`: the number of the last event that is known; `None`: from now on.
    pub async fn subscribe(
        &self,
        store: &Store,
        session: SessionId,
        after: Option<u64>,
    ) -> Result<Events, StoreError> {
        let (hub, store) = (self.clone(), store.clone());
        let (signals, read) = (self.join(session), VecDeque::new());
        let mut events = Events { hub, store, session, signals, next: 1, behind: false, read };
        let newest = self.newest.get_with(session, Arc::default);
        let newest = match newest.load(Ordering::Acquire) {
            0 | NEVER_KNOWN => events.store.next_seq(session).await?.saturating_sub(1),
            known => known,
        };
        events.next = after.unwrap_or(newest).min(newest).saturating_add(1);
        events.behind = events.next <= newest;
        Ok(events)
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
                // Its sender stays as long as this is among its watchers.
                Err(RecvError::Closed) => return Ok(Live::Down),
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

impl Drop for Events {
    fn drop(&mut self) {
        self.hub.leave(self.session);
    }
}

#[cfg(test)]
mod tests {
    use super::{Hub, Signal};
    use uuid::Uuid;
    use wiiiv_domain::{EventBody, SessionEvent, SessionId, Timestamp};

    #[test]
    fn a_watcher_is_told_however_long_nothing_happened_and_the_last_one_leaves_nothing() {
        let (hub, session) = (Hub::new(), SessionId::from_uuid(Uuid::from_u128(1)));
        let (mut first, second) = (hub.join(session), hub.join(session));
        hub.newest.get_with(session, std::sync::Arc::default);
        // As an hour in which nobody spoke.
        hub.newest.invalidate_all();
        hub.newest.run_pending_tasks();
        let body = EventBody::TurnEnded { outcome: "done".to_owned() };
        let at = Timestamp::from_unix_ms(1);
        let event = SessionEvent::new(Uuid::from_u128(2).into(), at, body);
        assert!(hub.is_watched(session));
        hub.committed(session, (1, 1), vec![event]);
        assert!(matches!(first.try_recv(), Ok(Signal::Committed(1, _))));

        drop(second);
        hub.leave(session);
        assert_eq!(hub.watched_now(), [session]);
        drop(first);
        hub.leave(session);
        assert!(hub.watched_now().is_empty() && !hub.is_watched(session));
    }
}
