//! Sealing and opening under the master key.

use std::fmt;

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::aad::Aad;
use crate::cipher::{self, KEY_BYTES, NONCE_BYTES};
use crate::master_key::MasterKey;
use crate::random::{RandomnessUnavailable, random_bytes};
use crate::sealed::Sealed;

/// Domain separation of the derived keys; the purpose follows it.
const KEY_LABEL: &[u8] = b"wiiiv/vault/key/1/";

/// Holds the master key of one version.
pub struct Vault {
    master: MasterKey,
    version: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    #[error(transparent)]
    Randomness(#[from] RandomnessUnavailable),
    #[error("the secret is too long to seal: `{bytes}` bytes")]
    TooLong { bytes: usize },
    #[error(
        "the value was sealed under master key version `{sealed}`, this process holds `{held}`: \
         start it with that key"
    )]
    KeyVersion { sealed: u32, held: u32 },
    #[error(
        "the sealed value does not open: it was changed, or belongs to another owner, scope, \
         purpose or origin"
    )]
    NotAuthentic,
    #[error("no key can be derived for the purpose `{purpose}`")]
    Derivation { purpose: String },
}

impl Vault {
    #[must_use]
    pub fn new(master: MasterKey, version: u32) -> Self {
        Self { master, version }
    }

    #[must_use]
    pub fn key_version(&self) -> u32 {
        self.version
    }

    // INVARIANT: every seal draws a fresh nonce; no caller can choose one.
    pub fn seal(&self, aad: &Aad, plaintext: &[u8]) -> Result<Sealed, VaultError> {
        let key = self.purpose_key(&aad.purpose)?;
        let nonce = *random_bytes::<NONCE_BYTES>()?;
        let ciphertext = cipher::encrypt(&key, &nonce, &aad.encode(self.version), plaintext)
            .map_err(|cipher::Refused| VaultError::TooLong { bytes: plaintext.len() })?;
        Ok(Sealed { key_version: self.version, nonce, ciphertext })
    }

    pub fn open(&self, aad: &Aad, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        if sealed.key_version != self.version {
            return Err(VaultError::KeyVersion { sealed: sealed.key_version, held: self.version });
        }
        let key = self.purpose_key(&aad.purpose)?;
        cipher::decrypt(&key, &sealed.nonce, &aad.encode(self.version), &sealed.ciphertext)
            .map(Zeroizing::new)
            .map_err(|cipher::Refused| VaultError::NotAuthentic)
    }

    fn purpose_key(&self, purpose: &str) -> Result<Zeroizing<[u8; KEY_BYTES]>, VaultError> {
        let mut key = Zeroizing::new([0_u8; KEY_BYTES]);
        Hkdf::<Sha256>::new(None, self.master.bytes())
            .expand_multi_info(&[KEY_LABEL, purpose.as_bytes()], key.as_mut_slice())
            .map_err(|_| VaultError::Derivation { purpose: purpose.to_owned() })?;
        Ok(key)
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").field("version", &self.version).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
