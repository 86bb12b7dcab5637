//! Conversion between domain values and columns.

use crate::error::StoreError;
use serde::{Serialize, de::DeserializeOwned};
use wiiiv_domain::Timestamp;

/// Digests have `from_bytes([u8; 32])`.
pub(crate) fn digest<T>(
    bytes: Vec<u8>,
    make: fn([u8; 32]) -> T,
    what: &str,
) -> Result<T, StoreError> {
    bytes.try_into().map(make).map_err(|_| StoreError::corrupt(what))
}

pub(crate) fn document<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::corrupt(what))
}

/// The word that a unit variant is written as.
pub(crate) fn word<T: Serialize>(value: &T) -> Result<String, StoreError> {
    match serde_json::to_value(value)? {
        serde_json::Value::String(word) => Ok(word),
        _ => Err(StoreError::corrupt("a word")),
    }
}

pub(crate) fn from_word<T: DeserializeOwned>(word: &str, what: &str) -> Result<T, StoreError> {
    let value = serde_json::Value::String(word.to_owned());
    serde_json::from_value(value).map_err(|_| StoreError::corrupt(what))
}

pub(crate) fn time(ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(ms)
}
