//! A signed statement of how long a chain was and what it held.

use serde_json::{Map, Value};

use crate::canonical::canonical_object;
use crate::fields::{Fields, parse_canonical};
use crate::finding::{Fault, Finding, Place};
use crate::key::{PublicKey, Signed};
use crate::line::LINE_BYTES_MAX;
use crate::merkle::Hash;

const MEMBERS: [&str; 6] = ["chain", "head", "key_id", "merkle_root", "signed_at", "size"];
const ENVELOPE: [&str; 2] = ["checkpoint", "signature"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) chain: String,
    pub(crate) head: Hash,
    pub(crate) merkle_root: Hash,
    pub(crate) size: u64,
}

impl Checkpoint {
    /// From a whole line; its signature is checked where a key is given.
    pub(crate) fn read(
        envelope: &Map<String, Value>,
        key: Option<&PublicKey>,
    ) -> Result<Self, Fault> {
        let fields = Fields::exactly(envelope, &ENVELOPE)?;
        Self::read_signed(fields.object("checkpoint")?, fields.text("signature")?, key)
    }

    pub(crate) fn read_signed(
        object: &Map<String, Value>,
        signature: &str,
        key: Option<&PublicKey>,
    ) -> Result<Self, Fault> {
        let fields = Fields::exactly(object, &MEMBERS)?;
        fields.text("signed_at")?;
        let checkpoint = Self {
            chain: fields.text("chain")?.to_owned(),
            head: fields.hash("head")?,
            merkle_root: fields.hash("merkle_root")?,
            size: fields.decimal("size")?,
        };
        if checkpoint.size == 0 {
            return Err(Fault::BadMember { name: "size", expected: "at least `1`" });
        }
        let message = canonical_object(object)?;
        Signed { key_id: fields.text("key_id")?, message: &message, signature }.check(key)?;
        Ok(checkpoint)
    }

    /// Whether it describes the chain as it is after `size` records.
    pub(crate) fn fits(&self, chain: &str, head: &Hash, root: &Hash) -> Result<(), Fault> {
        Fault::unless_equal("chain", chain, &self.chain)?;
        Fault::unless_equal("head", &hex::encode(head), &hex::encode(self.head))?;
        Fault::unless_equal("merkle_root", &hex::encode(root), &hex::encode(self.merkle_root))
    }
}

/// A checkpoint kept apart from the export, against which truncation shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor(pub(crate) Checkpoint);

impl Anchor {
    /// From a checkpoint file; its signature is checked where a key is given.
    pub fn parse(bytes: &[u8], key: Option<&PublicKey>) -> Result<Self, Finding> {
        let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        if line.len() > LINE_BYTES_MAX {
            return Err(Fault::TooLong { max: LINE_BYTES_MAX }.at(Place::Anchor));
        }
        parse_canonical(line)
            .and_then(|envelope| Checkpoint::read(&envelope, key))
            .map(Self)
            .map_err(|fault| fault.at(Place::Anchor))
    }
}
