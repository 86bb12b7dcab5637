//! Identities of openings and rulings.

use crate::base::base_book::BaseBook;
use std::{fmt, sync::Arc};

/// Identity of one opening. INVARIANT: made by `open` only, so parts of two openings never fit.
#[derive(Clone)]
pub(crate) struct Seal(Arc<BaseBook>);

impl Seal {
    pub(crate) fn of(base: BaseBook) -> Self {
        Self(Arc::new(base))
    }
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    pub(crate) fn book(&self) -> &BaseBook {
        &self.0
    }
}

impl PartialEq for Seal {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Eq for Seal {}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(..)")
    }
}

/// Identity of the opening that authenticated a person; it can only be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening(Seal);

impl Opening {
    pub(crate) const fn of(seal: Seal) -> Self {
        Self(seal)
    }
    pub(crate) fn is(&self, seal: &Seal) -> bool {
        self.0.same(seal)
    }
}

/// Identity of one ruling: ties a commit to its subject. Ids can repeat; the address of a living
/// allocation cannot.
#[derive(Clone)]
pub(crate) struct Tie(Arc<()>);

impl Tie {
    pub(crate) fn new() -> Self {
        Self(Arc::new(()))
    }
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tie(..)")
    }
}
