//! The Ed25519 key of a GHOST runner: it signs results, and a server checks them with its public half.

use crate::random::{RandomnessUnavailable, random_bytes};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use std::fmt;
use zeroize::Zeroizing;

/// The public half, and the private one, in bytes.
pub const RUNNER_KEY_BYTES: usize = 32;
/// A signature, in bytes.
pub const SIGNATURE_BYTES: usize = 64;

/// The text is not a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a runner key: expected 64 hexadecimal digits, as `wiiiv ghost key new` writes them")]
pub struct RunnerKeyFormat;

/// The private half. It signs; it is shown to nobody but the file that it is kept in.
pub struct RunnerKey(SigningKey);

impl RunnerKey {
    /// A new key from the random source.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        Ok(Self(SigningKey::from_bytes(&*random_bytes::<RUNNER_KEY_BYTES>()?)))
    }

    /// From 64 hexadecimal digits.
    pub fn from_text(text: &str) -> Result<Self, RunnerKeyFormat> {
        let mut seed = Zeroizing::new([0_u8; RUNNER_KEY_BYTES]);
        hex::decode_to_slice(text.trim(), seed.as_mut_slice()).map_err(|_| RunnerKeyFormat)?;
        Ok(Self(SigningKey::from_bytes(&seed)))
    }

    /// 64 hexadecimal digits, for the private file only.
    #[must_use]
    pub fn expose_text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.as_bytes()))
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> [u8; RUNNER_KEY_BYTES] {
        self.0.verifying_key().to_bytes()
    }

    /// Signs these bytes.
    #[must_use]
    pub fn sign(&self, statement: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(statement).to_bytes()
    }
}

impl fmt::Debug for RunnerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunnerKey({})", hex::encode(self.public()))
    }
}

/// Whether these bytes are a public key that a signature can be checked with: no weak one.
#[must_use]
pub fn is_runner_public_key(public: &[u8; RUNNER_KEY_BYTES]) -> bool {
    VerifyingKey::from_bytes(public).is_ok_and(|key| !key.is_weak())
}

/// Whether the key's other half signed these bytes. Strict: there is one signature for a statement and a
/// key, and none that others make of it.
#[must_use]
pub fn is_signed_by(
    public: &[u8; RUNNER_KEY_BYTES],
    statement: &[u8],
    signature: &[u8; SIGNATURE_BYTES],
) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(public)
        .is_ok_and(|key| key.verify_strict(statement, &signature).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_signed_is_as_it_was_and_by_that_key() {
        let (key, other) = (RunnerKey::generate().unwrap(), RunnerKey::generate().unwrap());
        let signature = key.sign(b"a result");
        assert!(is_signed_by(&key.public(), b"a result", &signature));
        assert!(!is_signed_by(&key.public(), b"b result", &signature));
        assert!(!is_signed_by(&other.public(), b"a result", &signature));
        let mut changed = signature;
        changed[0] ^= 1;
        assert!(!is_signed_by(&key.public(), b"a result", &changed));
        assert!(is_runner_public_key(&key.public()));
        assert!(!is_runner_public_key(&[0; 32]), "a weak key");
    }

    #[test]
    fn a_key_is_read_as_it_was_written_and_shown_by_its_public_half() {
        let key = RunnerKey::generate().unwrap();
        let text = key.expose_text();
        let read = RunnerKey::from_text(&format!("{}\n", text.as_str())).unwrap();
        assert_eq!(read.public(), key.public());
        assert!(!format!("{key:?}").contains(text.as_str()));
        for wrong in ["", "ab", "zz", &"0".repeat(63), &"g".repeat(64)] {
            assert!(RunnerKey::from_text(wrong).is_err(), "{wrong}");
        }
    }
}
