//! A decision receipt: the decision, its audit record, and the proof that a signed chain holds that
//! record.

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::canonical::canonical_object;
use crate::checkpoint::Checkpoint;
use crate::fields::{Fields, hash, parse_canonical};
use crate::finding::{Fault, FaultPosition, Finding};
use crate::key::{PublicKey, level};
use crate::merkle::{Hash, root_of_proof};
use crate::record::Record;
use crate::report::Level;

/// The longest receipt, in bytes.
pub const RECEIPT_BYTES_MAX: usize = 4 * 1_048_576;
/// Depth of a tree of 2^64 leaves.
const PATH_HASHES_MAX: usize = 64;
const MEMBERS: [&str; 5] = ["checkpoint", "proof", "receipt", "record", "signature"];
const PROOF_MEMBERS: [&str; 3] = ["index", "path", "size"];

/// What a good receipt shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptReport {
    /// Name of the chain: a project's id, or `server`.
    pub chain: String,
    /// The record that the receipt belongs to.
    pub seq: u64,
    /// Kind of that record.
    pub kind: String,
    /// How many records the checkpoint covers.
    pub size: u64,
    /// What was proved.
    pub level: Level,
}

/// Checks that the record names this receipt, and that the chain holds the record.
pub fn verify_receipt(bytes: &[u8], key: Option<&PublicKey>) -> Result<ReceiptReport, Finding> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if text.len() > RECEIPT_BYTES_MAX {
        return Err(Fault::TooLong { max: RECEIPT_BYTES_MAX }.at(FaultPosition::Receipt));
    }
    let object = parse_canonical(text).map_err(|fault| fault.at(FaultPosition::Receipt))?;
    check(&object, key)
}

fn check(object: &Map<String, Value>, key: Option<&PublicKey>) -> Result<ReceiptReport, Finding> {
    let at_receipt = |fault: Fault| fault.at(FaultPosition::Receipt);
    let fields = Fields::exactly(object, &MEMBERS).map_err(at_receipt)?;
    let record = Record::read(fields.object("record").map_err(at_receipt)?).map_err(at_receipt)?;
    let at_record = |fault: Fault| fault.at(FaultPosition::Record { seq: record.seq });
    let receipt = fields.object("receipt").map_err(at_receipt)?;
    check_named(receipt, record.body).map_err(at_receipt)?;

    let signature = fields.text("signature").map_err(at_receipt)?;
    let signed = fields.object("checkpoint").map_err(at_receipt)?;
    let checkpoint = Checkpoint::read_signed(signed, signature, key).map_err(at_receipt)?;
    Fault::unless_equal("chain", &checkpoint.chain, record.chain).map_err(at_record)?;
    let proof = fields.object("proof").map_err(at_receipt)?;
    check_proof(proof, &record, &checkpoint).map_err(at_record)?;
    Ok(ReceiptReport {
        chain: checkpoint.chain,
        seq: record.seq,
        kind: record.kind.to_owned(),
        size: checkpoint.size,
        level: level(key),
    })
}

/// The record's body must name this receipt, or any other could be put beside it.
fn check_named(receipt: &Map<String, Value>, body: &Map<String, Value>) -> Result<(), Fault> {
    const NAME: &str = "receipt_sha256";
    let named = body.get(NAME).ok_or(Fault::MissingMember { name: NAME })?;
    let named = named.as_str().ok_or(Fault::BadMember { name: NAME, expected: "a string" })?;
    let counted = hex::encode(Sha256::digest(canonical_object(receipt)?));
    Fault::unless_equal(NAME, named, &counted)
}

fn check_proof(
    proof: &Map<String, Value>,
    record: &Record<'_>,
    checkpoint: &Checkpoint,
) -> Result<(), Fault> {
    let fields = Fields::exactly(proof, &PROOF_MEMBERS)?;
    let index = fields.decimal("index")?;
    let expected = record.seq.checked_sub(1).ok_or(Fault::BadProof)?;
    Fault::unless_equal("index", &expected.to_string(), &index.to_string())?;
    let size = fields.decimal("size")?;
    Fault::unless_equal("size", &checkpoint.size.to_string(), &size.to_string())?;
    let path = read_path(fields.array("path")?)?;
    match root_of_proof(&record.hash, index, size, &path) {
        Some(root) if root == checkpoint.merkle_root => Ok(()),
        Some(_) | None => Err(Fault::BadProof),
    }
}

fn read_path(items: &[Value]) -> Result<Vec<Hash>, Fault> {
    if items.len() > PATH_HASHES_MAX {
        return Err(Fault::BadProof);
    }
    let bad = Fault::BadMember { name: "path", expected: "a list of hashes" };
    items.iter().map(|item| hash("path", item.as_str().ok_or_else(|| bad.clone())?)).collect()
}
