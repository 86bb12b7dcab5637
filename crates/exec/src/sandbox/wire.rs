//! Messages between parent and child: one JSON request, one JSON line and the values.

use crate::jq::JqFault;
use serde::{Deserialize, Serialize};

pub(super) const VERSION: u32 = 2;
/// A request, in bytes: the input may double when it is written as a JSON string. A longer one is
/// never sent.
pub(super) const REQUEST_BYTES_MAX: usize = 12 * 1024 * 1024;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) version: u32,
    pub(super) work: Work,
    pub(super) input: String,
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
}

/// The first line; the values follow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "answer")]
pub(super) enum Answer {
    Values { count: usize },
    Fault { fault: JqFault },
}
