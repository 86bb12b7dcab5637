//! The master keys of a process, compared with the keys of its data.

use std::sync::Arc;

use crate::key_id::KeyId;
use crate::master_key::MasterKey;
use crate::sealed::Sealed;
use crate::vault::Vault;

/// Version number of the first master key of some data.
pub const FIRST_KEY_VERSION: u32 = 1;

/// The current and the next master key of a process. During a rotation their order does not matter.
#[derive(Debug, Clone)]
pub struct MasterKeys {
    /// The key in the place of the master key.
    pub master: Arc<MasterKey>,
    /// The key in the place of the next one, if there is one.
    pub next: Option<Arc<MasterKey>>,
}

/// A key that a rotation replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormerKey {
    /// Version of the key; the first is [`FIRST_KEY_VERSION`].
    pub version: u32,
    /// Its id, to recognise it by.
    pub id: KeyId,
}

/// The record of the data's keys, stored with it.
#[derive(Debug, Clone)]
pub struct KeyRecord {
    /// Sealed under the newest version.
    pub canary: Sealed,
    /// The key that some rows are still sealed under, until the rotation away from it ends.
    pub leaving: Option<FormerKey>,
    /// Keys that no row is sealed under any more.
    pub retired: Vec<FormerKey>,
}

/// State of the given keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStanding {
    /// Exactly the needed key was given.
    Settled,
    /// A next key was given, and the data is not sealed under it yet.
    NextWaits,
    /// Both are needed until the rotation ends.
    Rotating {
        /// Version that rows leave.
        from: u32,
        /// Version that rows go to.
        to: u32,
    },
    /// One of the given keys was replaced by a rotation that has ended.
    Outlived {
        /// Version of the outdated key.
        version: u32,
    },
}

/// Why the given keys do not open the data; the message says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongMasterKey {
    /// The data was sealed under a key that was not given.
    #[error(
        "the master key is not the one that this data was sealed with (version `{sealed}`): start \
         again with the right key, from the key file or its backup; without it the sealed keys in \
         this data folder cannot be read, and nothing was changed"
    )]
    Unknown {
        /// Version that the data is sealed under.
        sealed: u32,
    },
    /// The given key was replaced by a rotation that has ended.
    #[error(
        "this master key was rotated away from: it is version `{given}`, and the data is sealed \
         under version `{sealed}`: start again with the right key, which lay beside this one as \
         the next master key; put it in this one's place"
    )]
    Retired {
        /// Version of the given key.
        given: u32,
        /// Version that the data is sealed under.
        sealed: u32,
    },
    /// A rotation has not ended, and its new key was not given.
    #[error(
        "the rotation of the master key from version `{from}` to `{to}` has not ended, and only \
         version `{from}` was given: give the new key as the next master key, beside the old one, \
         and start again; the rotation then goes on by itself"
    )]
    NewMissing {
        /// Version that rows leave.
        from: u32,
        /// Version that rows go to.
        to: u32,
    },
    /// A rotation has not ended, and its old key was not given.
    #[error(
        "the rotation of the master key from version `{from}` to `{to}` has not ended, and version \
         `{from}` was not given: give the old key, from its place or its backup, as the master key \
         and the new one as the next master key, and start again; the rotation then goes on by \
         itself"
    )]
    OldMissing {
        /// Version that rows leave.
        from: u32,
        /// Version that rows go to.
        to: u32,
    },
}

impl MasterKeys {
    /// One key and no next one.
    #[must_use]
    pub fn of(master: MasterKey) -> Self {
        Self { master: Arc::new(master), next: None }
    }
    /// The same with a next key.
    #[must_use]
    pub fn with_next(self, next: MasterKey) -> Self {
        Self { next: Some(Arc::new(next)), ..self }
    }

    /// The vault for new data.
    #[must_use]
    pub fn first(&self) -> Vault {
        Vault::under(Arc::clone(&self.master), FIRST_KEY_VERSION)
    }

    /// The vault that opens all of the data and seals under its newest version.
    pub fn vault(&self, record: &KeyRecord) -> Result<(Vault, KeyStanding), WrongMasterKey> {
        let sealed = record.canary.key_version();
        let Some(current) = self.each().find(|key| fits(key, &record.canary)) else {
            return Err(self.why_not(record));
        };
        let vault = Vault::under(Arc::clone(current), sealed);
        let other = self.each().find(|key| key.id() != current.id());
        if let Some(leaving) = record.leaving {
            let (from, to) = (leaving.version, sealed);
            let old = other.filter(|key| key.id() == leaving.id);
            let old = old.ok_or(WrongMasterKey::OldMissing { from, to })?;
            let vault = vault.holding(Arc::clone(old), from);
            return Ok((vault, KeyStanding::Rotating { from, to }));
        }
        let Some(other) = other else { return Ok((vault, KeyStanding::Settled)) };
        if let Some(former) = record.retired.iter().find(|former| former.id == other.id()) {
            return Ok((vault, KeyStanding::Outlived { version: former.version }));
        }
        // An unknown key may be the next one; it may not be the current one.
        if Arc::ptr_eq(other, &self.master) {
            return Err(WrongMasterKey::Unknown { sealed });
        }
        Ok((vault, KeyStanding::NextWaits))
    }

    fn each(&self) -> impl Iterator<Item = &Arc<MasterKey>> {
        std::iter::once(&self.master).chain(&self.next)
    }

    fn why_not(&self, record: &KeyRecord) -> WrongMasterKey {
        let sealed = record.canary.key_version();
        let is_given = |former: &FormerKey| self.each().any(|key| key.id() == former.id);
        if let Some(leaving) = record.leaving.filter(is_given) {
            return WrongMasterKey::NewMissing { from: leaving.version, to: sealed };
        }
        match record.retired.iter().find(|former| is_given(former)) {
            Some(former) => WrongMasterKey::Retired { given: former.version, sealed },
            None => WrongMasterKey::Unknown { sealed },
        }
    }
}

fn fits(key: &Arc<MasterKey>, canary: &Sealed) -> bool {
    Vault::under(Arc::clone(key), canary.key_version()).opens_canary(canary)
}

#[cfg(test)]
mod tests;
