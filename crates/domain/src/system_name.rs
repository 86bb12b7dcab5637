//! The name of a registered system.

use crate::label::SystemError;
use serde::{Deserialize, Serialize};

/// 1 to 32 of `a-z 0-9 - _`, beginning with a letter; unique in its project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SystemName(String);

impl SystemName {
    /// From a text; fails unless it has the form of a name.
    pub fn parse(text: &str) -> Result<Self, SystemError> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        let fits = (1..=32).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(plain);
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(SystemError::Name(text.chars().take(64).collect()))
        }
    }
}

checked_text!(SystemName, SystemError);
