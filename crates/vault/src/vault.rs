//! Seals under the current master key; opens under it and under earlier ones.

use std::fmt;
use std::sync::Arc;

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::aad::Aad;
use crate::cipher::{self, KEY_BYTES, NONCE_BYTES};
use crate::key_id::KeyId;
use crate::master_key::MasterKey;
use crate::random::{RandomnessUnavailable, random_bytes};
use crate::sealed::Sealed;

/// Domain separation of derived keys; the purpose follows it.
const KEY_LABEL: &[u8] = b"wiiiv/vault/key/1/";

/// The master key that seals and, during a rotation, the other one, each with its version.
#[derive(Clone)]
pub struct Vault {
    sealing: Numbered,
    // INVARIANT: versions are unique here, `sealing` included.
    others: Vec<Numbered>,
}

#[derive(Clone)]
struct Numbered {
    version: u32,
    key: Arc<MasterKey>,
}

/// Why nothing was sealed or opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// The operating system gave no nonce.
    #[error(transparent)]
    Randomness(#[from] RandomnessUnavailable),
    /// The secret is longer than AES-256-GCM takes.
    #[error("the secret is too long to seal: `{bytes}` bytes")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The vault does not hold the key that the value was sealed under.
    #[error(
        "the value was sealed under master key version `{sealed}`, which this process does not \
         hold (it seals under `{held}`): start it with that key"
    )]
    KeyVersion {
        /// Version that it was sealed under.
        sealed: u32,
        /// Version that the vault seals under.
        held: u32,
    },
    /// The value or what it is bound to was changed, or the key is another.
    #[error(
        "the sealed value does not open: it was changed, or belongs to another owner, scope, \
         purpose or origin"
    )]
    NotAuthentic,
    /// HKDF gave no key for the purpose.
    #[error("no key can be derived for the purpose `{purpose}`")]
    Derivation {
        /// What the secret is for.
        purpose: String,
    },
}

impl Vault {
    /// A vault with one master key of that version.
    #[must_use]
    pub const fn under(key: Arc<MasterKey>, version: u32) -> Self {
        Self { sealing: Numbered { version, key }, others: Vec::new() }
    }

    /// Also opens values of that version. The sealing version stays the same.
    #[must_use]
    pub fn holding(mut self, key: Arc<MasterKey>, version: u32) -> Self {
        self.others.retain(|other| other.version != version);
        if version != self.sealing.version {
            self.others.push(Numbered { version, key });
        }
        self
    }

    /// Seals under another version that it holds; opens the same values as before.
    #[must_use]
    pub fn sealing_under(&self, version: u32) -> Option<Self> {
        let held = self.held(version)?.clone();
        let others = self.each().filter(|other| other.version != version).cloned().collect();
        Some(Self { sealing: held, others })
    }

    /// Drops the versions before the sealing one.
    #[must_use]
    pub fn without_former(&self) -> Self {
        let sealing = self.sealing.clone();
        let newer = self.others.iter().filter(|other| other.version > sealing.version);
        Self { others: newer.cloned().collect(), sealing }
    }

    /// Version of the sealing key.
    #[must_use]
    pub const fn key_version(&self) -> u32 {
        self.sealing.version
    }

    /// Id of the sealing key.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        self.sealing.key.id()
    }

    // INVARIANT: every seal draws a fresh nonce; no caller can choose one.
    /// Seals under the current version, bound to `aad`.
    pub fn seal(&self, aad: &Aad, plaintext: &[u8]) -> Result<Sealed, VaultError> {
        let Numbered { version, key } = &self.sealing;
        let purpose = purpose_key(key, &aad.purpose)?;
        let nonce = *random_bytes::<NONCE_BYTES>()?;
        let ciphertext = cipher::encrypt(&purpose, &nonce, &aad.encode(*version), plaintext)
            .map_err(|cipher::Refused| VaultError::TooLong { bytes: plaintext.len() })?;
        Ok(Sealed { key_version: *version, nonce, ciphertext })
    }

    /// Opens what was sealed with the same `aad`, under any version that the vault holds.
    pub fn open(&self, aad: &Aad, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, VaultError> {
        let version = sealed.key_version;
        let unknown = VaultError::KeyVersion { sealed: version, held: self.sealing.version };
        let held = self.held(version).ok_or(unknown)?;
        let purpose = purpose_key(&held.key, &aad.purpose)?;
        cipher::decrypt(&purpose, &sealed.nonce, &aad.encode(version), &sealed.ciphertext)
            .map(Zeroizing::new)
            .map_err(|cipher::Refused| VaultError::NotAuthentic)
    }

    fn held(&self, version: u32) -> Option<&Numbered> {
        self.each().find(|held| held.version == version)
    }

    fn each(&self) -> impl Iterator<Item = &Numbered> {
        std::iter::once(&self.sealing).chain(&self.others)
    }
}

fn purpose_key(
    master: &MasterKey,
    purpose: &str,
) -> Result<Zeroizing<[u8; KEY_BYTES]>, VaultError> {
    let mut key = Zeroizing::new([0_u8; KEY_BYTES]);
    Hkdf::<Sha256>::new(None, master.bytes())
        .expand_multi_info(&[KEY_LABEL, purpose.as_bytes()], key.as_mut_slice())
        .map_err(|_| VaultError::Derivation { purpose: purpose.to_owned() })?;
    Ok(key)
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").field("version", &self.sealing.version).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
