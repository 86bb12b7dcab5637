//! How a store is opened.

use crate::fault::FaultPoint;
use std::path::PathBuf;

/// What a power cut may take. A crash of the process alone takes nothing in either case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Nothing that was answered.
    #[default]
    Full,
    /// The last moments; the database stays whole.
    Normal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A SQLite file, made where it is absent.
    File(PathBuf),
    /// Ends with the store.
    Memory,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreConfig {
    pub location: Location,
    pub synchronous: Synchronous,
    /// The hidden key `faults.abort_at`.
    pub faults: Option<FaultPoint>,
}

impl StoreConfig {
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { location: Location::File(path.into()), synchronous: Synchronous::Full, faults: None }
    }
    #[must_use]
    pub const fn memory() -> Self {
        Self { location: Location::Memory, synchronous: Synchronous::Full, faults: None }
    }
}
