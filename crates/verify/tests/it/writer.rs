//! A second writer of the format, for tests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use wiiiv_verify::PublicKey;

pub const CHAIN: &str = "project-0191";

pub struct Writer {
    key: SigningKey,
    chain: String,
    hashes: Vec<[u8; 32]>,
    pub records: Vec<Value>,
    pub lines: Vec<String>,
}

pub fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).unwrap()
}

pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl Writer {
    pub fn new(seed: u8) -> Self {
        Self {
            key: SigningKey::from_bytes(&[seed; 32]),
            chain: CHAIN.to_owned(),
            hashes: Vec::new(),
            records: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub fn of_chain(seed: u8, chain: &str) -> Self {
        Self { chain: chain.to_owned(), ..Self::new(seed) }
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey::parse(&hex::encode(self.key.verifying_key().as_bytes())).unwrap()
    }

    pub fn key_id(&self) -> String {
        hex::encode(&sha256(self.key.verifying_key().as_bytes())[..8])
    }

    fn sign(&self, value: &Value) -> String {
        STANDARD.encode(self.key.sign(canonical(value).as_bytes()).to_bytes())
    }

    pub fn record(&mut self, kind: &str, body: Value) -> &mut Self {
        let seq = self.hashes.len() + 1;
        let prev = self.hashes.last().copied().unwrap_or_default();
        let mut record = json!({
            "at": format!("2026-11-21T09:30:{:02}.000Z", seq % 60),
            "body": body,
            "chain": self.chain,
            "kind": kind,
            "prev": hex::encode(prev),
            "seq": seq.to_string(),
        });
        let hash = sha256(canonical(&record).as_bytes());
        record["hash"] = hex::encode(hash).into();
        self.hashes.push(hash);
        self.lines.push(canonical(&record));
        self.records.push(record);
        self
    }

    pub fn signed_checkpoint(&self) -> Value {
        let checkpoint = json!({
            "chain": self.chain,
            "head": hex::encode(self.hashes.last().unwrap()),
            "key_id": self.key_id(),
            "merkle_root": hex::encode(root(&self.hashes)),
            "signed_at": "2026-11-21T10:00:00.000Z",
            "size": self.hashes.len().to_string(),
        });
        let signature = self.sign(&checkpoint);
        json!({"checkpoint": checkpoint, "signature": signature})
    }

    pub fn checkpoint(&mut self) -> &mut Self {
        self.lines.push(canonical(&self.signed_checkpoint()));
        self
    }

    /// The file as it is to be, its header fitting the lines.
    pub fn export(&self) -> Vec<u8> {
        self.export_counting(self.hashes.len())
    }

    /// The same with another count in the header, signed all the same.
    pub fn export_counting(&self, records: usize) -> Vec<u8> {
        let lines: String = self.lines.iter().map(|line| format!("{line}\n")).collect();
        let mut header = json!({
            "chain": self.chain,
            "exported_at": "2026-11-21T10:00:00.000Z",
            "first": 1,
            "format": "wiiiv-audit-export",
            "key_id": self.key_id(),
            "records": records.to_string(),
            "sha256": hex::encode(sha256(lines.as_bytes())),
            "version": 1,
        });
        header["signature"] = self.sign(&header).into();
        format!("{}\n{lines}", canonical(&header)).into_bytes()
    }

    pub fn proof(&self, index: usize) -> Value {
        let path: Vec<String> = path(index, &self.hashes).iter().map(hex::encode).collect();
        json!({
            "index": index.to_string(),
            "path": path,
            "size": self.hashes.len().to_string(),
        })
    }
}

/// Twenty records with a checkpoint in the middle and one at the end.
pub fn twenty() -> Writer {
    let mut writer = Writer::new(7);
    for n in 1..=20 {
        writer.record("gate.ruled", json!({"n": n, "text": "결정 \"예\" * \u{b}", "ok": true}));
        if n == 10 {
            writer.checkpoint();
        }
    }
    writer.checkpoint();
    writer
}

fn root(hashes: &[[u8; 32]]) -> [u8; 32] {
    if let [only] = hashes {
        return sha256(&[[0].as_slice(), only].concat());
    }
    let (left, right) = hashes.split_at(hashes.len().next_power_of_two() / 2);
    sha256(&[[1].as_slice(), &root(left), &root(right)].concat())
}

fn path(index: usize, hashes: &[[u8; 32]]) -> Vec<[u8; 32]> {
    if hashes.len() == 1 {
        return Vec::new();
    }
    let (left, right) = hashes.split_at(hashes.len().next_power_of_two() / 2);
    if index < left.len() {
        [path(index, left), vec![root(right)]].concat()
    } else {
        [path(index - left.len(), right), vec![root(left)]].concat()
    }
}
