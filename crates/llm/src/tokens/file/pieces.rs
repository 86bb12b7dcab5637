//! Splits a text into pieces that no token crosses.

use crate::tokens::file::parts::{TokenizerError, kind};
use fancy_regex::Regex;
use serde_json::Value;

/// What byte-level files cut by unless they bring a pattern of their own (GPT-2).
const OWN_PATTERN: &str =
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

pub(super) struct Pieces {
    /// One after the other, each in the pieces of the one before.
    patterns: Vec<Regex>,
}

impl Pieces {
    pub(super) fn of(part: Option<&Value>) -> Result<Self, TokenizerError> {
        let mut patterns = Vec::new();
        let part = part.filter(|part| !part.is_null());
        let parts = match part.map(|part| (kind(part), part)) {
            Some(("Sequence", part)) => list(part),
            Some((_, part)) => vec![part],
            None => Vec::new(),
        };
        let is_bytes = |part: &Value| kind(part) == "ByteLevel";
        // What stands behind it would cut its letters, and not those of the text.
        let is_last = parts.iter().position(|part| is_bytes(part)) == parts.len().checked_sub(1);
        if parts.is_empty() || !is_last {
            return Err(unknown(part.map_or("none", kind)));
        }
        for part in parts {
            patterns.extend(pattern(part)?);
        }
        let compiled = |pattern: String| {
            Regex::new(&pattern).map_err(|e| TokenizerError::Pattern(e.to_string()))
        };
        Ok(Self { patterns: patterns.into_iter().map(compiled).collect::<Result<_, _>>()? })
    }

    /// The sum over all pieces; `None`: a pattern has given up.
    pub(super) fn each(&self, text: &str, count: impl Fn(&[u8]) -> u64) -> Option<u64> {
        let mut pieces = vec![text];
        for pattern in &self.patterns {
            pieces = cut(pattern, &pieces)?;
        }
        Some(pieces.into_iter().map(|piece| count(piece.as_bytes())).fold(0, u64::saturating_add))
    }
}

/// What matches and what lies between, each a piece.
fn cut<'t>(pattern: &Regex, pieces: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut cut = Vec::new();
    for &piece in pieces {
        let mut from = 0;
        for found in pattern.find_iter(piece) {
            let found = found.ok()?;
            cut.push(piece.get(from..found.start())?);
            cut.push(found.as_str());
            from = found.end();
        }
        cut.push(piece.get(from..)?);
    }
    cut.retain(|piece| !piece.is_empty());
    Some(cut)
}

fn list(part: &Value) -> Vec<&Value> {
    part.get("pretokenizers").and_then(Value::as_array).into_iter().flatten().collect()
}

fn pattern(part: &Value) -> Result<Option<String>, TokenizerError> {
    let says = |name: &str| part.get(name).and_then(Value::as_bool);
    match kind(part) {
        "ByteLevel" if says("add_prefix_space") == Some(true) => {
            Err(unknown("ByteLevel with add_prefix_space"))
        }
        // It cuts by its own pattern unless it says that it does not.
        "ByteLevel" => Ok((says("use_regex") != Some(false)).then(|| OWN_PATTERN.to_owned())),
        "Digits" if says("individual_digits") == Some(true) => Ok(Some(r"\p{N}".to_owned())),
        "Digits" => Ok(Some(r"\p{N}+".to_owned())),
        "Split" if part["behavior"] == "Isolated" && says("invert") != Some(true) => {
            let given = part.pointer("/pattern/Regex").and_then(Value::as_str);
            given.map(|given| Some(given.to_owned())).ok_or_else(|| unknown("Split by a text"))
        }
        "Split" => Err(unknown("Split that is not isolated")),
        found => Err(unknown(found)),
    }
}

fn unknown(found: &str) -> TokenizerError {
    let known = "ByteLevel, alone or behind Split and Digits";
    TokenizerError::Unknown { part: "pre_tokenizer", found: found.to_owned(), known }
}
