//! The key for hashes of foreign text, so that short texts cannot be guessed from them.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretBox};

use crate::keyed_hash::keyed_hash;
use crate::random::{RandomnessUnavailable, random_bytes};

/// Length of the key, in bytes.
pub const AUDIT_KEY_BYTES: usize = 32;
const DIGEST_BYTES: usize = 32;

/// One HMAC-SHA-256 key, of a project or of the server; stored sealed or derived, never shown.
pub struct AuditKey(SecretBox<[u8; AUDIT_KEY_BYTES]>);

/// The opened bytes are not as long as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the audit key holds `{found}` bytes, it must hold `32`: restore it from a backup")]
pub struct AuditKeyLength {
    /// How many there are.
    pub found: usize,
}

impl AuditKey {
    /// A new key from the random source.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        Ok(Self::from_array(&*random_bytes::<AUDIT_KEY_BYTES>()?))
    }

    /// From the bytes that `Vault::open` returned.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AuditKeyLength> {
        let bytes: &[u8; AUDIT_KEY_BYTES] =
            bytes.try_into().map_err(|_| AuditKeyLength { found: bytes.len() })?;
        Ok(Self::from_array(bytes))
    }

    /// The bytes, for `Vault::seal`; those of a webhook also for whoever sets it, once.
    #[must_use]
    pub fn expose_bytes(&self) -> &[u8; AUDIT_KEY_BYTES] {
        self.0.expose_secret()
    }

    /// HMAC-SHA-256 of the text.
    #[must_use]
    pub fn digest(&self, text: &[u8]) -> [u8; DIGEST_BYTES] {
        keyed_hash(self.expose_bytes(), text)
    }

    fn from_array(bytes: &[u8; AUDIT_KEY_BYTES]) -> Self {
        Self(SecretBox::init_with_mut(|key: &mut [u8; AUDIT_KEY_BYTES]| {
            key.copy_from_slice(bytes);
        }))
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditKey, AuditKeyLength};

    static_assertions::assert_not_impl_any!(AuditKey: Clone, Default, PartialEq);

    /// RFC 4231, test case 1, with the key padded to our length by zeros, as HMAC itself pads.
    #[test]
    fn digests_are_hmac_sha_256() {
        let mut key = [0_u8; 32];
        key[..20].fill(0x0b);
        let digest = AuditKey::from_bytes(&key).unwrap().digest(b"Hi There");
        assert_eq!(
            hex::encode(digest),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn keys_differ_and_survive_their_bytes() {
        let first = AuditKey::generate().unwrap();
        let second = AuditKey::generate().unwrap();
        assert_ne!(first.digest(b"4711"), second.digest(b"4711"));
        let again = AuditKey::from_bytes(first.expose_bytes()).unwrap();
        assert_eq!(first.digest(b"4711"), again.digest(b"4711"));
        assert_eq!(format!("{first:?}"), "AuditKey(hidden)");
    }

    #[test]
    fn another_length_is_refused() {
        assert_eq!(AuditKey::from_bytes(&[1; 31]).unwrap_err(), AuditKeyLength { found: 31 });
        assert_eq!(AuditKey::from_bytes(&[]).unwrap_err(), AuditKeyLength { found: 0 });
    }
}
