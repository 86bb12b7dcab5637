//! Messages between parent and child: a line of JSON and the input, a line of JSON and what came of it.

use crate::{
    document::{DocumentRefused, Limits},
    jq::JqFault,
};
use serde::{Deserialize, Serialize};

const MIB: usize = 1024 * 1024;

pub(super) const VERSION: u32 = 3;
/// The input of an expression, or a page, in bytes. A longer one is never sent.
pub(super) const INPUT_BYTES_MAX: usize = 12 * MIB;
/// A document, in mebibytes, whatever a configuration says: the child has it in memory, and more than once.
pub const DOCUMENT_MIB_MAX: u64 = 64;
/// The same in bytes.
pub(super) const DOCUMENT_BYTES_MAX: usize = 64 * MIB;
/// A request with its input, in bytes.
pub(super) const REQUEST_BYTES_MAX: usize = DOCUMENT_BYTES_MAX + MIB;

/// The first line; the input follows it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) version: u32,
    pub(super) work: Work,
    pub(super) max_bytes: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Work {
    /// An expression over JSON.
    Jq { expr: String },
    /// The readable text of HTML.
    Page,
    /// What stands between the child and the machine.
    Barriers,
    /// The text of a file.
    Document { name: String, media_type: Option<String>, limits: Limits },
}

/// The first line; the values follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "answer")]
pub(super) enum Answer {
    Values { count: usize },
    Fault { fault: JqFault },
    Refused { refused: DocumentRefused },
}
