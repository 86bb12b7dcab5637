//! The public key, and signatures by it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::finding::Fault;
use crate::report::Level;

pub(crate) const KEY_ID_BYTES: usize = 8;
/// Longest text that is parsed; no key is longer.
const TEXT_BYTES_MAX: usize = 256;

/// An Ed25519 public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// Why a text is not a public key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublicKeyFormat {
    /// Not 64 hexadecimal digits.
    #[error("the public key is not `64` hex digits")]
    NotHex,
    /// The bytes are no point of the curve.
    #[error("the `32` bytes are not an Ed25519 public key")]
    NotAKey,
}

impl PublicKey {
    /// 64 hex digits; white space around them is ignored.
    pub fn parse(text: &str) -> Result<Self, PublicKeyFormat> {
        let text = text.trim();
        if text.len() > TEXT_BYTES_MAX {
            return Err(PublicKeyFormat::NotHex);
        }
        let bytes = hex::decode(text).map_err(|_| PublicKeyFormat::NotHex)?;
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| PublicKeyFormat::NotHex)?;
        VerifyingKey::from_bytes(&bytes).map(Self).map_err(|_| PublicKeyFormat::NotAKey)
    }

    /// The first 16 hex digits of the key's SHA-256.
    #[must_use]
    pub fn key_id(&self) -> String {
        let digest = Sha256::digest(self.0.as_bytes());
        digest.iter().take(KEY_ID_BYTES).map(|byte| format!("{byte:02x}")).collect()
    }

    fn check(&self, key_id: &str, message: &str, signature: &Signature) -> Result<(), Fault> {
        let given = self.key_id();
        if given != key_id {
            return Err(Fault::OtherKey { given, found: key_id.to_owned() });
        }
        self.0.verify_strict(message.as_bytes(), signature).map_err(|_| Fault::BadSignature)
    }
}

/// A well-formed signature and the bytes that it covers. It is checked if a key is given.
pub(crate) struct Signed<'a> {
    pub(crate) key_id: &'a str,
    pub(crate) message: &'a str,
    pub(crate) signature: &'a str,
}

impl Signed<'_> {
    pub(crate) fn check(&self, key: Option<&PublicKey>) -> Result<(), Fault> {
        let bad =
            Fault::BadMember { name: "signature", expected: "the base64 of an Ed25519 signature" };
        let bytes = STANDARD.decode(self.signature).map_err(|_| bad.clone())?;
        let signature = Signature::from_slice(&bytes).map_err(|_| bad)?;
        match key {
            Some(key) => key.check(self.key_id, self.message, &signature),
            None => Ok(()),
        }
    }
}

pub(crate) fn level(key: Option<&PublicKey>) -> Level {
    match key {
        Some(_) => Level::Verified,
        None => Level::InternallyConsistent,
    }
}

#[cfg(test)]
mod tests {
    use super::{PublicKey, PublicKeyFormat};

    #[test]
    fn reads_the_file_form_only() {
        // RFC 8032, test 1.
        let text = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\n";
        let key = PublicKey::parse(text).unwrap();
        assert_eq!(key.key_id(), "21fe31dfa154a261");
        assert_eq!(PublicKey::parse(&text[2..]), Err(PublicKeyFormat::NotHex));
        assert_eq!(PublicKey::parse("wiiiv"), Err(PublicKeyFormat::NotHex));
        let no_point = format!("02{}", "00".repeat(31));
        assert_eq!(PublicKey::parse(&no_point), Err(PublicKeyFormat::NotAKey));
    }
}
