//! Counts the answers that have no end and whose client still waits.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

#[derive(Clone, Default)]
pub struct OpenStreams(Arc<AtomicUsize>);

impl OpenStreams {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
    pub fn enter(&self) -> OpenStream {
        self.0.fetch_add(1, Ordering::SeqCst);
        OpenStream(self.clone())
    }
}

/// Counted until it is dropped, which is when its client is gone.
pub struct OpenStream(OpenStreams);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}
