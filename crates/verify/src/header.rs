//! The first line of an export: format, chain, key and number of records.

use crate::canonical::canonical_without;
use crate::fields::{Fields, parse_canonical};
use crate::finding::Fault;
use crate::key::{PublicKey, Signed};
use crate::merkle::Hash;

const FORMAT: &str = "wiiiv-audit-export";
const VERSION: i64 = 1;
const FIRST: i64 = 1;
const MEMBERS: [&str; 9] = [
    "chain",
    "exported_at",
    "first",
    "format",
    "key_id",
    "records",
    "sha256",
    "signature",
    "version",
];

pub(crate) struct Header {
    pub(crate) chain: String,
    pub(crate) key_id: String,
    pub(crate) records: u64,
    pub(crate) sha256: Hash,
}

impl Header {
    pub(crate) fn read(line: &[u8], key: Option<&PublicKey>) -> Result<Self, Fault> {
        let object = parse_canonical(line)?;
        let fields = Fields::exactly(&object, &MEMBERS)?;
        Fault::unless_equal("format", FORMAT, fields.text("format")?)?;
        let numbers = [("version", VERSION), ("first", FIRST)];
        for (name, expected) in numbers {
            let found = fields.integer(name)?;
            Fault::unless_equal(name, &expected.to_string(), &found.to_string())?;
        }
        fields.text("exported_at")?;
        let header = Self {
            chain: fields.text("chain")?.to_owned(),
            key_id: fields.text("key_id")?.to_owned(),
            records: fields.decimal("records")?,
            sha256: fields.hash("sha256")?,
        };
        let message = canonical_without(&object, "signature")?;
        let signature = fields.text("signature")?;
        Signed { key_id: &header.key_id, message: &message, signature }.check(key)?;
        Ok(header)
    }
}
