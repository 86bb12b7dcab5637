//! Seals of audit records: who can write into the database file cannot make another record in the place of
//! one, because the key is not in the file.

use std::fmt;
use wiiiv_vault::AuditKey;

const SEAL_BYTES: usize = 16;

/// Derived from the signing key, which only the master key opens.
pub(crate) struct RecordSeals(AuditKey);

impl RecordSeals {
    pub(crate) const fn new(key: AuditKey) -> Self {
        Self(key)
    }

    /// Of the record with this hash, which its chain, its number and all that it says are in.
    pub(crate) fn seal(&self, hash: &[u8; 32]) -> [u8; SEAL_BYTES] {
        let mut seal = [0; SEAL_BYTES];
        seal.iter_mut().zip(self.0.digest(hash)).for_each(|(to, from)| *to = from);
        seal
    }

    pub(crate) fn is_of(&self, seal: Option<&[u8]>, hash: &[u8; 32]) -> bool {
        seal == Some(&self.seal(hash))
    }
}

impl fmt::Debug for RecordSeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecordSeals")
    }
}
