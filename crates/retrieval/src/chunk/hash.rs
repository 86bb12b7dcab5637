//! The name of a chunk: what was embedded once is known by it.

use crate::text::NORMALIZER_VERSION;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use std::{fmt, str::FromStr};

/// Bumped whenever [`cut`](crate::cut) gives other bytes for the same input.
pub const CHUNKER_VERSION: u32 = 2;

/// SHA-256 of both versions and the chunk's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkHash(pub [u8; 32]);

/// The text is no such hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a chunk hash: expected 64 hexadecimal digits")]
pub struct ChunkHashError;

impl ChunkHash {
    /// Of a chunk with this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(NORMALIZER_VERSION.to_le_bytes());
        hash.update(CHUNKER_VERSION.to_le_bytes());
        hash.update(text.as_bytes());
        Self(hash.finalize().into())
    }
}

impl fmt::Display for ChunkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ChunkHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkHash({self})")
    }
}

impl FromStr for ChunkHash {
    type Err = ChunkHashError;
    fn from_str(text: &str) -> Result<Self, ChunkHashError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| ChunkHashError)?;
        Ok(Self(bytes))
    }
}

impl Serialize for ChunkHash {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChunkHash {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_in_hexadecimal_digits_and_read_back() {
        let hash = ChunkHash::of("제목\n본문");
        let text = hash.to_string();
        assert_eq!((text.len(), text.parse()), (64, Ok(hash)));
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<ChunkHash>(&json).unwrap(), hash);
        assert_eq!("00".parse::<ChunkHash>(), Err(ChunkHashError));
    }
}
