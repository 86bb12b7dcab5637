//! A cache of values that were read, valid while their source is unchanged.

use crate::database::versions::{Part, Versions};
use std::{hash::Hash, sync::Arc};

const ENTRIES_MAX: u64 = 10_000;
const IDLE: std::time::Duration = std::time::Duration::from_secs(3_600);

#[derive(Debug)]
pub(crate) struct VersionedCache<
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
> {
    versions: Arc<Versions>,
    /// All that an entry is read of.
    parts: &'static [Part],
    entries: moka::sync::Cache<K, (u64, V)>,
}

impl<K, V> VersionedCache<K, V>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    pub(crate) fn new(versions: &Arc<Versions>, parts: &'static [Part]) -> Self {
        let entries =
            moka::sync::Cache::builder().max_capacity(ENTRIES_MAX).time_to_idle(IDLE).build();
        Self { versions: Arc::clone(versions), parts, entries }
    }

    // INVARIANT: the version is that of before the read: what changes during it is read again.
    pub(crate) async fn get<E, F>(&self, key: K, read: impl FnOnce() -> F) -> Result<V, E>
    where
        F: Future<Output = Result<V, E>>,
    {
        let version = self.versions.of(self.parts);
        if let Some((_, value)) = self.entries.get(&key).filter(|(of, _)| *of == version) {
            return Ok(value);
        }
        let value = read().await?;
        self.entries.insert(key, (version, value.clone()));
        Ok(value)
    }
}
