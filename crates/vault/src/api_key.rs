//! A model provider's key, as a person enters it.

use crate::mask::mask;
use secrecy::{ExposeSecret as _, SecretString};
use std::fmt;

/// Shortest key, in bytes. A shorter one occurs in texts by chance, so it could not be redacted.
pub const API_KEY_BYTES_MIN: usize = 8;
/// Longest key, in bytes.
pub const API_KEY_BYTES_MAX: usize = 1_024;

/// A key of visible ASCII, as HTTP headers accept it. `Debug` hides it.
#[derive(Clone)]
pub struct ApiKey(SecretString);

/// The text is too short, too long or not visible ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a key has `{API_KEY_BYTES_MIN}` to `{API_KEY_BYTES_MAX}` visible ASCII characters, without \
     spaces: paste it whole, and nothing beside it"
)]
pub struct ApiKeyFormat;

impl ApiKey {
    /// Trims spaces and line ends, which pasting may add.
    pub fn parse(text: &SecretString) -> Result<Self, ApiKeyFormat> {
        let text = text.expose_secret().trim();
        let fits = (API_KEY_BYTES_MIN..=API_KEY_BYTES_MAX).contains(&text.len());
        if fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(SecretString::from(text)))
        } else {
            Err(ApiKeyFormat)
        }
    }
    /// The key itself, for a request's header.
    #[must_use]
    pub const fn secret(&self) -> &SecretString {
        &self.0
    }
    /// The masked form for people.
    #[must_use]
    pub fn masked(&self) -> String {
        mask(self.0.expose_secret())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ApiKey, ApiKeyFormat> {
        ApiKey::parse(&SecretString::from(text))
    }

    #[test]
    fn takes_what_a_header_takes() {
        let key = parsed(" sk-0123456789xyzabcd\n").unwrap();
        assert_eq!(key.secret().expose_secret(), "sk-0123456789xyzabcd");
        assert_eq!(key.masked(), "sk-****abcd");
        let long = "k".repeat(API_KEY_BYTES_MAX + 1);
        for bad in ["", "short", "two words here", "키키키키키키키키", "line\nline\nline", &long]
        {
            assert_eq!(parsed(bad).err(), Some(ApiKeyFormat), "{bad}");
        }
    }

    #[test]
    fn debug_shows_nothing() {
        assert!(!format!("{:?}", parsed("sk-CANARY-012345").unwrap()).contains("CANARY"));
    }
}
