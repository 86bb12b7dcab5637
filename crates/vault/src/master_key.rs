//! The key that all other keys are derived from.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use secrecy::{ExposeSecret as _, SecretBox};
use zeroize::Zeroizing;

use crate::key_id::{KEY_ID_LABEL, KeyId};
use crate::keyed_hash::keyed_hash;
use crate::random::{RandomnessUnavailable, random_bytes};

/// Length of the key, in bytes.
pub const MASTER_KEY_BYTES: usize = 32;
const HEX_CHARS: usize = 2 * MASTER_KEY_BYTES;
/// Longest text that is parsed; no key is longer.
const TEXT_BYTES_MAX: usize = 256;

/// 32 bytes, wiped when dropped, never shown.
pub struct MasterKey(SecretBox<[u8; MASTER_KEY_BYTES]>);

/// Why a text is not a master key; the message says what to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MasterKeyFormat {
    /// Nothing but white space.
    #[error("the master key is empty: give `32` bytes as `64` hex digits or as base64")]
    Empty,
    /// Neither hexadecimal digits nor base64.
    #[error(
        "the master key is neither `64` hex digits nor base64: \
         make one with `openssl rand -hex 32`"
    )]
    NotHexNorBase64,
    /// The wrong length.
    #[error("the master key holds `{found}` bytes: it must hold exactly `32`")]
    Length {
        /// How many bytes there are.
        found: usize,
    },
    /// All bytes are 0.
    #[error("the master key is all zeros: make one with `openssl rand -hex 32`")]
    AllZeros,
}

impl MasterKey {
    /// Takes 64 hex digits or the base64 of 32 bytes; white space around the text is ignored.
    pub fn parse(text: &str) -> Result<Self, MasterKeyFormat> {
        let text = text.trim();
        if text.is_empty() {
            return Err(MasterKeyFormat::Empty);
        }
        if text.len() > TEXT_BYTES_MAX {
            return Err(MasterKeyFormat::NotHexNorBase64);
        }
        let bytes = decode(text)?;
        let key: &[u8; MASTER_KEY_BYTES] = bytes
            .as_slice()
            .try_into()
            .map_err(|_| MasterKeyFormat::Length { found: bytes.len() })?;
        if key.iter().all(|byte| *byte == 0) {
            return Err(MasterKeyFormat::AllZeros);
        }
        Ok(Self::from_bytes(key))
    }

    /// A new key from the random source.
    pub fn generate() -> Result<Self, RandomnessUnavailable> {
        Ok(Self::from_bytes(&*random_bytes::<MASTER_KEY_BYTES>()?))
    }

    /// 64 hexadecimal digits, which `parse` reads. For the key file only.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.bytes()))
    }

    /// Id of the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::of(&keyed_hash(self.bytes(), KEY_ID_LABEL))
    }

    fn from_bytes(bytes: &[u8; MASTER_KEY_BYTES]) -> Self {
        Self(SecretBox::init_with_mut(|key: &mut [u8; MASTER_KEY_BYTES]| {
            key.copy_from_slice(bytes);
        }))
    }

    pub(crate) fn bytes(&self) -> &[u8; MASTER_KEY_BYTES] {
        self.0.expose_secret()
    }
}

fn decode(text: &str) -> Result<Zeroizing<Vec<u8>>, MasterKeyFormat> {
    let decoded = if text.len() == HEX_CHARS {
        hex::decode(text).ok()
    } else if text.ends_with('=') {
        STANDARD.decode(text).ok()
    } else {
        STANDARD_NO_PAD.decode(text).ok()
    };
    decoded.map(Zeroizing::new).ok_or(MasterKeyFormat::NotHexNorBase64)
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::{MasterKey, MasterKeyFormat};

    static_assertions::assert_not_impl_any!(MasterKey: Clone, Default, PartialEq);

    const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const BASE64: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    #[test]
    fn hex_and_base64_give_the_same_key() {
        let from_hex = MasterKey::parse(&format!("  {HEX}\n")).unwrap();
        let from_base64 = MasterKey::parse(BASE64).unwrap();
        let unpadded = MasterKey::parse(BASE64.trim_end_matches('=')).unwrap();
        assert_eq!(from_hex.bytes(), from_base64.bytes());
        assert_eq!(from_hex.bytes(), unpadded.bytes());
        assert_eq!(from_base64.to_text().as_str(), HEX);
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_echoed() {
        for (text, expected) in [
            ("", MasterKeyFormat::Empty),
            (" \n", MasterKeyFormat::Empty),
            ("hunter2!", MasterKeyFormat::NotHexNorBase64),
            ("AAEC", MasterKeyFormat::Length { found: 3 }),
            (&"0".repeat(64), MasterKeyFormat::AllZeros),
            (&"zz".repeat(32), MasterKeyFormat::NotHexNorBase64),
            (&"A".repeat(100_000), MasterKeyFormat::NotHexNorBase64),
        ] {
            let error = MasterKey::parse(text).unwrap_err();
            assert_eq!(error, expected);
            assert!(!error.to_string().contains("hunter2"));
        }
    }

    #[test]
    fn a_generated_key_survives_its_text_and_hides_in_debug() {
        let key = MasterKey::generate().unwrap();
        let text = key.to_text();
        assert_eq!(MasterKey::parse(&text).unwrap().bytes(), key.bytes());
        assert_eq!(format!("{key:?}"), "MasterKey(hidden)");
    }
}
