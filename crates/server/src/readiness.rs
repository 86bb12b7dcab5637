//! Whether the store accepts what a turn would write.

use crate::limits::READINESS_CACHED;
use std::time::Instant;
use tokio::sync::Mutex;
use wiiiv_store::{Store, StoreError};

/// The last answer stands for a moment: whoever asks in bulk makes one write of it.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    last: Mutex<Option<(Instant, Result<(), StoreError>)>>,
}

impl Readiness {
    /// Those who ask at the same time wait for one answer.
    pub(crate) async fn check(&self, store: &Store) -> Result<(), StoreError> {
        let mut last = self.last.lock().await;
        if let Some((at, known)) = &*last
            && at.elapsed() < READINESS_CACHED
        {
            return known.clone();
        }
        let found = store.check_writable().await;
        *last = Some((Instant::now(), found.clone()));
        found
    }
}
