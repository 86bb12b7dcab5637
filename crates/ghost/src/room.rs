//! What a fake party keeps in memory between two calls.

use std::sync::{Arc, Mutex, PoisonError};

/// One lock, held for a few lines and never across an await.
pub struct Room<T>(Arc<Mutex<T>>);

impl<T> Clone for Room<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Room<T> {
    pub fn of(inside: T) -> Self {
        Self(Arc::new(Mutex::new(inside)))
    }
    pub fn with<R>(&self, act: impl FnOnce(&mut T) -> R) -> R {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
