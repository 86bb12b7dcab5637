//! What a client sees while a turn runs: the journal as it grows, and deltas that are never kept.

use crate::config::LIVE_ITEMS_MAX;
use std::sync::Arc;
use tokio::sync::broadcast;
use wiiiv_domain::{SessionEvent, SessionId, TurnId};

/// Sessions that somebody watches at the same time.
const WATCHED_MAX: u64 = 20_000;

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
    Delta { turn: TurnId, text: Arc<str> },
}

/// `live` may repeat what `backlog` holds: readers drop what they have seen by `seq`.
pub struct Subscription {
    pub backlog: Vec<Journalled>,
    pub live: broadcast::Receiver<Live>,
}

#[derive(Clone)]
pub struct Hub {
    watched: moka::sync::Cache<SessionId, broadcast::Sender<Live>>,
}

impl Hub {
    pub fn new() -> Self {
        let idle = std::time::Duration::from_secs(3_600);
        let watched =
            moka::sync::Cache::builder().max_capacity(WATCHED_MAX).time_to_idle(idle).build();
        Self { watched }
    }
    pub fn watch(&self, session: SessionId) -> broadcast::Receiver<Live> {
        self.watched.get_with(session, || broadcast::channel(LIVE_ITEMS_MAX).0).subscribe()
    }
    /// Nobody watching is no error.
    pub fn publish(&self, session: SessionId, live: Live) {
        if let Some(watchers) = self.watched.get(&session) {
            let _ = watchers.send(live);
        }
    }
}
