//! One audit record.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::canonical::canonical_without;
use crate::fields::Fields;
use crate::finding::Fault;
use crate::merkle::Hash;

const MEMBERS: [&str; 7] = ["at", "body", "chain", "hash", "kind", "prev", "seq"];

/// A record whose hash fits its content.
pub(crate) struct Record<'a> {
    pub(crate) seq: u64,
    pub(crate) chain: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) body: &'a Map<String, Value>,
    pub(crate) hash: Hash,
    prev: Hash,
}

impl<'a> Record<'a> {
    pub(crate) fn read(object: &'a Map<String, Value>) -> Result<Self, Fault> {
        let fields = Fields::exactly(object, &MEMBERS)?;
        fields.text("at")?;
        let hash = fields.hash("hash")?;
        let content = canonical_without(object, "hash")?;
        let counted: Hash = Sha256::digest(content).into();
        Fault::unless_equal("hash", &hex::encode(counted), &hex::encode(hash))?;
        Ok(Self {
            seq: fields.decimal("seq")?,
            chain: fields.text("chain")?,
            kind: fields.text("kind")?,
            body: fields.object("body")?,
            hash,
            prev: fields.hash("prev")?,
        })
    }

    /// Whether it belongs directly behind the record with hash `prev`.
    pub(crate) fn follows(&self, seq: u64, prev: &Hash, chain: &str) -> Result<(), Fault> {
        Fault::unless_equal("seq", &seq.to_string(), &self.seq.to_string())?;
        Fault::unless_equal("prev", &hex::encode(prev), &hex::encode(self.prev))?;
        Fault::unless_equal("chain", chain, self.chain)
    }
}
