//! The number of connections: limited by the process's file handles that store and steps leave
//! free, and for each address to a share of it, so that others can connect.

use crate::{
    access::peer::network,
    listen::slot_counts::{CountedSlot, SlotCounts},
};
use std::{net::IpAddr, sync::Arc};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Open connections, whatever the system allows; more wait in its own queue.
const CONNECTIONS_MAX: usize = 4_096;
/// Open files that no connection takes: the database, the steps under way, the log, what listens.
const RESERVED_FILES: usize = 128;
/// A connection itself, and what its request opens: a file, a process, a connection of its own.
const FILES_PER_CONNECTION: usize = 2;
/// One address has at most one place in so many.
const PEER_SHARE: usize = 4;
/// Whatever the share is: a browser opens six.
const PEER_CONNECTIONS_MIN: usize = 16;

/// Open files, with which all connections are there that this server ever takes.
pub const OPEN_FILES_WANTED: u64 = (RESERVED_FILES + CONNECTIONS_MAX * FILES_PER_CONNECTION) as u64;
/// With fewer open files a server does not start.
pub const OPEN_FILES_MIN: u64 =
    (RESERVED_FILES + PEER_CONNECTIONS_MIN * FILES_PER_CONNECTION) as u64;

/// Connections that so many open files leave place for.
#[must_use]
pub fn connections_within(open_files: u64) -> usize {
    let files = usize::try_from(open_files).unwrap_or(usize::MAX);
    let slots = files.saturating_sub(RESERVED_FILES) / FILES_PER_CONNECTION;
    slots.clamp(PEER_CONNECTIONS_MIN, CONNECTIONS_MAX)
}

#[derive(Debug, Clone)]
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    per_peer: usize,
    held: SlotCounts<IpAddr>,
}

/// A place for one connection, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    _own: CountedSlot<IpAddr>,
    _all: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn within(open_files: u64) -> Self {
        let slots = connections_within(open_files);
        let per_peer = (slots / PEER_SHARE).max(PEER_CONNECTIONS_MIN);
        Self { all: Arc::new(Semaphore::new(slots)), per_peer, held: SlotCounts::new() }
    }

    /// Waits until there is one.
    pub(crate) async fn acquire(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        Arc::clone(&self.all).acquire_owned().await
    }

    /// `None`: that address has all that it may have.
    pub(crate) fn slot(
        &self,
        of_all: OwnedSemaphorePermit,
        peer: IpAddr,
    ) -> Option<ConnectionSlot> {
        let own = self.held.take(network(peer), self.per_peer)?;
        Some(ConnectionSlot { _own: own, _all: of_all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_to_the_store_and_the_steps() {
        for (files, due) in [(0, 16), (160, 16), (256, 64), (1_024, 448), (1 << 20, 4_096)] {
            assert_eq!(connections_within(files), due, "{files}");
        }
        assert_eq!(connections_within(OPEN_FILES_WANTED), CONNECTIONS_MAX);
        assert_eq!(connections_within(OPEN_FILES_MIN), PEER_CONNECTIONS_MIN);
    }

    #[tokio::test]
    async fn one_address_leaves_places_to_the_others_and_gives_its_own_back() {
        let connections = Connections::within(256);
        let [one, other] = [[192, 0, 2, 1], [192, 0, 2, 2]].map(IpAddr::from);
        let mut slots = Vec::new();
        for _ in 0..16 {
            let of_all = connections.acquire().await.expect("one of all");
            slots.push(connections.slot(of_all, one).expect("a place"));
        }
        let of_all = connections.acquire().await.expect("one of all");
        assert!(connections.slot(of_all, one).is_none());
        let of_all = connections.acquire().await.expect("one of all");
        assert!(connections.slot(of_all, other).is_some());
        slots.pop();
        let of_all = connections.acquire().await.expect("one of all");
        assert!(connections.slot(of_all, one).is_some());
        drop(slots);
        assert!(connections.held.lock().is_empty());
        assert_eq!(connections.all.available_permits(), 64);
    }
}
