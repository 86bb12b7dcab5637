//! The server's Ed25519 key: sealed at rest, in memory while the server runs.

use super::line::{Hash, text_of};
use crate::error::StoreError;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fmt;
use wiiiv_domain::{Timestamp, canonical};

const KEY_ID_BYTES: usize = 8;

pub(crate) struct Signer {
    key: SigningKey,
    key_id: String,
}

#[derive(Serialize)]
struct Statement<'a> {
    chain: String,
    head: String,
    key_id: &'a str,
    merkle_root: String,
    signed_at: Timestamp,
    size: String,
}

#[derive(Serialize)]
struct SignedStatement<'a> {
    checkpoint: Statement<'a>,
    signature: String,
}

impl Signer {
    pub(crate) fn from_seed(seed: &[u8]) -> Result<Self, StoreError> {
        let seed = seed.try_into().map_err(|_| StoreError::corrupt("the signing key"))?;
        let key = SigningKey::from_bytes(seed);
        let digest = Sha256::digest(key.verifying_key().as_bytes());
        let key_id = hex::encode(digest.iter().take(KEY_ID_BYTES).copied().collect::<Vec<u8>>());
        Ok(Self { key, key_id })
    }
    pub(super) fn key_id(&self) -> &str {
        &self.key_id
    }
    /// The public half, 64 hexadecimal digits.
    pub(crate) fn public_key(&self) -> String {
        hex::encode(self.key.verifying_key().as_bytes())
    }
    pub(super) fn sign(&self, message: &[u8]) -> String {
        STANDARD.encode(self.key.sign(message).to_bytes())
    }
    /// A checkpoint as its canonical line.
    pub(super) fn checkpoint(
        &self,
        chain: super::Chain,
        size: u64,
        (head, root): (&Hash, &Hash),
        at: Timestamp,
    ) -> Result<String, StoreError> {
        let checkpoint = Statement {
            chain: chain.to_string(),
            head: hex::encode(head),
            key_id: &self.key_id,
            merkle_root: hex::encode(root),
            signed_at: at,
            size: size.to_string(),
        };
        let signature = self.sign(&canonical(&checkpoint)?);
        text_of(canonical(&SignedStatement { checkpoint, signature })?)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}
