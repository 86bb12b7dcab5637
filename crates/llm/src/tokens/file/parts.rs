//! The parts of a tokenizer file that pieces and merges need.

use serde::Deserialize;
use serde_json::Value;

/// Why a file cannot be counted with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenizerError {
    #[error("it is no tokenizer.json: {0}")]
    NotRead(String),
    #[error(
        "its {part} is `{found}`, and only {known} can be counted with: leave it out, and tokens are estimated"
    )]
    Unknown { part: &'static str, found: String, known: &'static str },
    #[error("its pattern cannot be used: {0}")]
    Pattern(String),
    #[error("its vocabulary has no token for each byte: only byte-level BPE can be counted with")]
    NotEveryByte,
    #[error("its merge `{0}` joins what is no token")]
    Merge(String),
}

/// As one text, or as two.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Merge {
    Text(String),
    Pair(String, String),
}

pub(super) fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or("?")
}
