//! A model's own tokenizer, as it ships with it: `tokenizer.json` of byte-level BPE (Llama 3, Qwen,
//! Mistral Nemo, GPT-2 and their kin). Format: <https://github.com/huggingface/tokenizers>.

mod merges;
pub(crate) mod parts;
mod pieces;

use super::token_bound;
use crate::tokens::file::parts::{Merge, TokenizerError, kind};
use merges::Merges;
use pieces::Pieces;
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::HashMap,
    fmt,
    hash::{Hash, Hasher},
};
use unicode_normalization::UnicodeNormalization as _;
use wiiiv_domain::ContentDigest;

/// A vocabulary of 256,000 tokens takes about 20 MB as text.
pub const TOKENIZER_BYTES_MAX: u64 = 64 * 1_048_576;

/// Read once. What looks like a mark of a chat is counted as the letters that it is made of: never
/// fewer.
pub struct TokenizerFile {
    digest: ContentDigest,
    normalizes: bool,
    pieces: Pieces,
    merges: Merges,
}

#[derive(Deserialize)]
struct Written {
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    ignore_merges: bool,
    #[serde(default)]
    byte_fallback: bool,
    continuing_subword_prefix: Option<String>,
    end_of_word_suffix: Option<String>,
    vocab: HashMap<String, u32>,
    merges: Vec<Merge>,
}

impl TokenizerFile {
    pub fn parse(bytes: &[u8]) -> Result<Self, TokenizerError> {
        let written: Written =
            serde_json::from_slice(bytes).map_err(|e| TokenizerError::NotRead(e.to_string()))?;
        let kind = written.model.kind.clone().unwrap_or_else(|| "BPE".to_owned());
        if kind != "BPE" || written.model.byte_fallback {
            let found = if kind == "BPE" { "BPE with byte_fallback".to_owned() } else { kind };
            return Err(TokenizerError::Unknown { part: "model", found, known: "byte-level BPE" });
        }
        let Model { ignore_merges, vocab, merges, .. } = &written.model;
        let affixes = [&written.model.continuing_subword_prefix, &written.model.end_of_word_suffix];
        if let Some(found) = affixes.into_iter().flatten().find(|affix| !affix.is_empty()) {
            let (found, known) = (found.clone(), "none");
            return Err(TokenizerError::Unknown { part: "prefix or suffix", found, known });
        }
        Ok(Self {
            digest: ContentDigest::of_bytes(bytes),
            normalizes: normalizes(written.normalizer.as_ref())?,
            pieces: Pieces::of(written.pre_tokenizer.as_ref())?,
            merges: Merges::of(vocab, merges, *ignore_merges)?,
        })
    }

    /// The pattern of a file may give up on a text; then it is bounded.
    pub(crate) fn count(&self, text: &str) -> u64 {
        let normal: String;
        let text = if self.normalizes {
            normal = text.nfc().collect();
            &normal
        } else {
            text
        };
        self.pieces
            .each(text, |piece| self.merges.count(piece))
            .unwrap_or_else(|| token_bound(text))
    }
}

fn normalizes(normalizer: Option<&Value>) -> Result<bool, TokenizerError> {
    let Some(normalizer) = normalizer.filter(|value| !value.is_null()) else { return Ok(false) };
    match kind(normalizer) {
        "NFC" => Ok(true),
        "Sequence" if normalizer["normalizers"] == Value::Array(Vec::new()) => Ok(false),
        found => {
            let found = found.to_owned();
            Err(TokenizerError::Unknown { part: "normalizer", found, known: "NFC" })
        }
    }
}

/// The same bytes are the same tokenizer.
impl PartialEq for TokenizerFile {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for TokenizerFile {}

impl Hash for TokenizerFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl fmt::Debug for TokenizerFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenizerFile").field("digest", &self.digest).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
