//! A sealed secret and its encoding: `version (1) | key version (4) | nonce (12) | ciphertext`.

use crate::cipher::{NONCE_BYTES, TAG_BYTES};

const FORMAT_VERSION: u8 = 1;

/// Ciphertext with its tag, the nonce, and the version of the master key that opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub(crate) key_version: u32,
    pub(crate) nonce: [u8; NONCE_BYTES],
    pub(crate) ciphertext: Vec<u8>,
}

/// Why bytes are not a sealed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealedFormat {
    /// Shorter than any sealed value.
    #[error("the sealed value is cut short at `{found}` bytes: restore it from a backup")]
    Truncated {
        /// How many bytes there are.
        found: usize,
    },
    /// Written by a newer build.
    #[error("the sealed value has format `{found}`, this build reads `1`: use a newer build")]
    UnknownFormat {
        /// The format number.
        found: u8,
    },
}

impl Sealed {
    /// Version of the master key that opens it.
    #[must_use]
    pub fn key_version(&self) -> u32 {
        self.key_version
    }

    /// The encoding, to be stored.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT_VERSION];
        bytes.extend_from_slice(&self.key_version.to_be_bytes());
        bytes.extend_from_slice(&self.nonce);
        bytes.extend_from_slice(&self.ciphertext);
        bytes
    }

    /// From what [`Sealed::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SealedFormat> {
        let truncated = SealedFormat::Truncated { found: bytes.len() };
        let (format, rest) = bytes.split_first().ok_or(truncated)?;
        if *format != FORMAT_VERSION {
            return Err(SealedFormat::UnknownFormat { found: *format });
        }
        let (key_version, rest) = rest.split_first_chunk().ok_or(truncated)?;
        let (nonce, ciphertext) = rest.split_first_chunk().ok_or(truncated)?;
        if ciphertext.len() < TAG_BYTES {
            return Err(truncated);
        }
        Ok(Self {
            key_version: u32::from_be_bytes(*key_version),
            nonce: *nonce,
            ciphertext: ciphertext.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Sealed, SealedFormat};

    #[test]
    fn the_encoding_is_fixed() {
        let sealed = Sealed { key_version: 7, nonce: [9; 12], ciphertext: vec![5; 16] };
        let bytes = sealed.to_bytes();
        assert_eq!(
            hex::encode(&bytes),
            format!("0100000007{}{}", "09".repeat(12), "05".repeat(16))
        );
        assert_eq!(Sealed::from_bytes(&bytes), Ok(sealed));
    }

    #[test]
    fn every_shorter_text_and_every_other_format_is_refused() {
        let bytes = Sealed { key_version: 1, nonce: [0; 12], ciphertext: vec![0; 16] }.to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(
                Sealed::from_bytes(&bytes[..length]),
                Err(SealedFormat::Truncated { found: length })
            );
        }
        for format in (0..=u8::MAX).filter(|format| *format != 1) {
            let mut other = bytes.clone();
            other[0] = format;
            assert_eq!(
                Sealed::from_bytes(&other),
                Err(SealedFormat::UnknownFormat { found: format })
            );
        }
    }
}
