//! State that a fake server and its handle share.

use std::sync::{Arc, Mutex, PoisonError};

/// One lock, held for a few lines and never across an await.
pub struct Shared<T>(Arc<Mutex<T>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }
    pub fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
