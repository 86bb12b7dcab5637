//! A token's text: 256 random bits, stored only as a hash.

use crate::error::StoreError;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use wiiiv_vault::random_bytes;

const TOKEN_BYTES: usize = 32;

/// So that a token is known as one wherever it turns up.
const PREFIX: &str = "wiiiv_";

pub(crate) const PAGE_PREFIX: &str = "wiiivp_";

/// A longer text is no token: it is refused unread.
const TOKEN_CHARS_MAX: usize = 128;

/// A fresh text and the hash to keep.
pub(crate) fn draw() -> Result<(String, Vec<u8>), StoreError> {
    draw_with(PREFIX)
}

pub(crate) fn draw_with(prefix: &str) -> Result<(String, Vec<u8>), StoreError> {
    let bytes = random_bytes::<TOKEN_BYTES>()?;
    let text = format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes.as_slice()));
    let hash = Sha256::digest(text.as_bytes()).to_vec();
    Ok((text, hash))
}

/// `None`: not even the shape of a token.
pub(crate) fn hash_of(text: &str) -> Option<Vec<u8>> {
    hash_with(PREFIX, text)
}

/// The same of a page key.
pub(crate) fn page_hash_of(text: &str) -> Option<Vec<u8>> {
    hash_with(PAGE_PREFIX, text)
}

fn hash_with(prefix: &str, text: &str) -> Option<Vec<u8>> {
    let fits = text.len() <= TOKEN_CHARS_MAX && text.starts_with(prefix);
    fits.then(|| Sha256::digest(text.as_bytes()).to_vec())
}
