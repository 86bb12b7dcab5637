//! A signed statement of a chain's length and content.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{BufRead, Read as _};

use crate::canonical::canonical_object;
use crate::fields::{Fields, parse_canonical};
use crate::finding::{Fault, FaultPosition, Finding};
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

    /// Whether it describes the chain after `size` records.
    pub(crate) fn fits(&self, chain: &str, head: &Hash, root: &Hash) -> Result<(), Fault> {
        Fault::unless_equal("chain", chain, &self.chain)?;
        Fault::unless_equal("head", &hex::encode(head), &hex::encode(self.head))?;
        Fault::unless_equal("merkle_root", &hex::encode(root), &hex::encode(self.merkle_root))
    }
}

/// Newest checkpoint of each chain, stored apart from the export, so that truncation is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor(BTreeMap<String, Checkpoint>);

impl Anchor {
    /// From a file with one checkpoint a line; each signature is checked if a key is given. A line
    /// that a crash cut off is skipped: the next line repeats it.
    pub fn read<R: BufRead>(mut file: R, key: Option<&PublicKey>) -> Result<Self, Finding> {
        let mut newest = BTreeMap::<String, Checkpoint>::new();
        let mut line = Vec::new();
        while next(&mut file, &mut line).map_err(|fault| fault.at(FaultPosition::Anchor))? {
            if line.is_empty() {
                continue;
            }
            let read = parse_canonical(&line).and_then(|line| Checkpoint::read(&line, key));
            match read {
                Ok(checkpoint) => {
                    let known = newest.get(&checkpoint.chain);
                    if known.is_none_or(|known| known.size < checkpoint.size) {
                        newest.insert(checkpoint.chain.clone(), checkpoint);
                    }
                }
                Err(_) if !line.ends_with(b"}") && !newest.is_empty() => {}
                Err(fault) => return Err(fault.at(FaultPosition::Anchor)),
            }
        }
        if newest.is_empty() {
            return Err(Fault::Missing.at(FaultPosition::Anchor));
        }
        Ok(Self(newest))
    }

    /// The chain's checkpoint; fails if the file has only those of other chains.
    pub(crate) fn of(&self, chain: &str) -> Result<&Checkpoint, Fault> {
        let other = self.0.keys().next().map_or("", String::as_str);
        self.0.get(chain).ok_or_else(|| {
            Fault::unless_equal("chain", chain, other).err().unwrap_or(Fault::Missing)
        })
    }
}

/// The next line without its newline; `false` at the end.
fn next<R: BufRead>(file: &mut R, line: &mut Vec<u8>) -> Result<bool, Fault> {
    line.clear();
    let bound = LINE_BYTES_MAX as u64 + 1;
    let read = file.by_ref().take(bound).read_until(b'\n', line);
    if read.map_err(|error| Fault::Unreadable { reason: error.to_string() })? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    if line.len() > LINE_BYTES_MAX {
        return Err(Fault::TooLong { max: LINE_BYTES_MAX });
    }
    Ok(true)
}
