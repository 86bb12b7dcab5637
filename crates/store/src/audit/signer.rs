//! The server's Ed25519 key: sealed at rest, in memory while the server runs.

use super::{
    Chain,
    line::{Hash, text_of},
};
use crate::{database::record_seals::RecordSeals, error::StoreError};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signer as _, SigningKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{borrow::Cow, fmt, sync::Arc};
use wiiiv_domain::{Timestamp, UserId, canonical};
use wiiiv_vault::AuditKey;

const KEY_ID_BYTES: usize = 8;

/// What keys are derived for, each from the seed.
const SEAL: &[u8] = b"wiiiv audit head, version 1";
/// And that of the seal over all heads.
const TOGETHER: &[u8] = b"wiiiv audit heads together, version 1";
/// And that of a record.
const RECORD: &[u8] = b"wiiiv audit record, version 1";
const REQUESTS: &[u8] = b"wiiiv idempotent request, version 1";
const DEVICES: &[u8] = b"wiiiv known device, version 1";
const MEMORIES: &[u8] = b"wiiiv memory of a person, version 1";
const DOCUMENTS: &[u8] = b"wiiiv document of no project, version 1";

pub(crate) struct Signer {
    key: SigningKey,
    /// Derived from the seed, which only the master key opens.
    seal: AuditKey,
    together: AuditKey,
    /// The same, for records.
    records: Arc<RecordSeals>,
    /// The same, for hashes of requests.
    requests: AuditKey,
    /// The same, for devices that somebody has logged in from.
    devices: AuditKey,
    /// The same, for what people have remembered.
    memories: Arc<AuditKey>,
    /// The same, for documents of people and of everybody.
    documents: Arc<AuditKey>,
    key_id: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement<'a> {
    chain: String,
    head: String,
    key_id: Cow<'a, str>,
    merkle_root: String,
    signed_at: Timestamp,
    size: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignedStatement<'a> {
    checkpoint: Statement<'a>,
    signature: String,
}

/// How long a chain was, and what it held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) chain: Chain,
    pub(super) size: u64,
    pub(super) head: Hash,
    pub(super) root: Hash,
}

/// What a line is that was found outside.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Ours(Anchor),
    /// Another key signed it, or nobody.
    Foreign,
    /// It is no checkpoint.
    Broken,
}

impl Anchor {
    fn of(statement: &Statement<'_>) -> Option<Self> {
        let hash = |text: &str| <Hash>::try_from(hex::decode(text).ok()?).ok();
        Some(Self {
            chain: statement.chain.parse().ok()?,
            size: statement.size.parse().ok()?,
            head: hash(&statement.head)?,
            root: hash(&statement.merkle_root)?,
        })
    }
}

impl Signer {
    pub(crate) fn from_seed(seed: &[u8]) -> Result<Self, StoreError> {
        let broken = || StoreError::corrupt("the signing key");
        let root = AuditKey::from_bytes(seed).map_err(|_| broken())?;
        let derived = |purpose| AuditKey::from_bytes(&root.digest(purpose)).map_err(|_| broken());
        let (seal, together) = (derived(SEAL)?, derived(TOGETHER)?);
        let records = Arc::new(RecordSeals::new(derived(RECORD)?));
        let (requests, devices) = (derived(REQUESTS)?, derived(DEVICES)?);
        let memories = Arc::new(derived(MEMORIES)?);
        let documents = Arc::new(derived(DOCUMENTS)?);
        let key = SigningKey::from_bytes(seed.try_into().map_err(|_| broken())?);
        let digest = Sha256::digest(key.verifying_key().as_bytes());
        let key_id = hex::encode(digest.iter().take(KEY_ID_BYTES).copied().collect::<Vec<u8>>());
        Ok(Self { key, seal, together, records, requests, devices, memories, documents, key_id })
    }
    pub(super) fn key_id(&self) -> &str {
        &self.key_id
    }
    /// The public half, 64 hexadecimal digits.
    pub(crate) fn public_key(&self) -> String {
        hex::encode(self.key.verifying_key().as_bytes())
    }
    /// Of a chain's head: nobody without the master key makes one.
    pub(super) fn seal(&self, head: &[u8]) -> Hash {
        self.seal.digest(head)
    }
    /// What a head's seal adds to the sum of all. Nobody without the master key can reckon with it.
    pub(super) fn share(&self, seal: &Hash) -> Hash {
        self.together.digest(seal)
    }
    /// Of records.
    pub(crate) const fn records(&self) -> &Arc<RecordSeals> {
        &self.records
    }
    /// Of all heads. Longer than a share, so that neither reads as the other.
    pub(super) fn together(&self, count: usize, sum: &Hash) -> Hash {
        let mut all = (count as u64).to_be_bytes().to_vec();
        all.extend(sum);
        self.together.digest(&all)
    }
    /// Of a request that may be sent again: nobody without the master key can try others on it.
    pub(crate) fn request_hash(&self, user: UserId, request: &[u8]) -> [u8; 32] {
        let mut message = user.uuid().into_bytes().to_vec();
        message.extend_from_slice(request);
        self.requests.digest(&message)
    }
    /// Of a device that somebody with this name has logged in from.
    pub(crate) fn device_hash(&self, name: &str, device: &[u8]) -> [u8; 32] {
        self.devices.digest(&[name.as_bytes(), b"\0", device].concat())
    }
    /// Keys the hashes of people's memories, which no project's key is for.
    pub(crate) const fn memories(&self) -> &Arc<AuditKey> {
        &self.memories
    }
    /// Keys the hashes of documents that no project's key is for.
    pub(crate) const fn documents(&self) -> &Arc<AuditKey> {
        &self.documents
    }
    pub(super) fn sign(&self, message: &[u8]) -> String {
        STANDARD.encode(self.key.sign(message).to_bytes())
    }
    /// A checkpoint as its canonical line.
    pub(super) fn checkpoint(
        &self,
        chain: Chain,
        size: u64,
        (head, root): (&Hash, &Hash),
        at: Timestamp,
    ) -> Result<String, StoreError> {
        let checkpoint = Statement {
            chain: chain.to_string(),
            head: hex::encode(head),
            key_id: Cow::Borrowed(&self.key_id),
            merkle_root: hex::encode(root),
            signed_at: at,
            size: size.to_string(),
        };
        let signature = self.sign(&canonical(&checkpoint)?);
        text_of(canonical(&SignedStatement { checkpoint, signature })?)
    }

    /// A checkpoint's line that was kept elsewhere.
    pub(super) fn read(&self, line: &str) -> Reading {
        let Ok(signed) = serde_json::from_str::<SignedStatement<'_>>(line) else {
            return Reading::Broken;
        };
        // The same key signs the same statement alike, and there is one way to write it down.
        let message = canonical(&signed.checkpoint);
        if message.is_err() || message.is_ok_and(|message| self.sign(&message) != signed.signature)
        {
            return Reading::Foreign;
        }
        if canonical(&signed).ok().is_none_or(|written| written != line.as_bytes()) {
            return Reading::Broken;
        }
        Anchor::of(&signed.checkpoint).map_or(Reading::Broken, Reading::Ours)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}
