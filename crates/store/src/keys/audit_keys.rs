//! Opened audit keys of projects, in memory.

use moka::future::Cache;
use std::{fmt, sync::Arc};
use wiiiv_domain::ProjectId;
use wiiiv_vault::AuditKey;

/// Keys kept open in memory, one a project.
const OPEN_KEYS_MAX: u64 = 10_000;

pub(crate) struct AuditKeys(pub(super) Cache<ProjectId, Arc<AuditKey>>);

impl AuditKeys {
    pub(crate) fn new() -> Self {
        Self(Cache::new(OPEN_KEYS_MAX))
    }
}

impl fmt::Debug for AuditKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuditKeys({} open)", self.0.entry_count())
    }
}
