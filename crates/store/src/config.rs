//! Settings for opening a store.

use crate::{account::password::PasswordCost, writer::fault::FaultPoint};
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
    /// Where signed checkpoints are appended, best on another disk: what a roll-back is found by.
    pub checkpoints: Option<PathBuf>,
    /// Of new passwords, and of names that nobody has.
    pub password_cost: PasswordCost,
}

impl StoreConfig {
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::at(Location::File(path.into()))
    }
    #[must_use]
    pub const fn memory() -> Self {
        Self::at(Location::Memory)
    }
    const fn at(location: Location) -> Self {
        Self {
            location,
            synchronous: Synchronous::Full,
            faults: None,
            checkpoints: None,
            password_cost: PasswordCost::PRODUCT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PasswordCost, StoreConfig};

    #[test]
    fn every_store_has_the_products_password_cost_unless_it_is_given_another() {
        assert_eq!(StoreConfig::file("x").password_cost, PasswordCost::PRODUCT);
        assert_eq!(StoreConfig::memory().password_cost, PasswordCost::PRODUCT);
    }
}
