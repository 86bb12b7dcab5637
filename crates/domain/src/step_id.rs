//! The name of a step within its plan.

use serde::{Deserialize, Serialize};

/// A node's name inside its plan: 1 to 64 of `a-z A-Z 0-9 _ -`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StepId(String);

/// Why a plan's text was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlueprintError {
    /// Not a step id; holds the text.
    #[error("a step id is 1 to 64 ASCII letters, digits, `_` or `-`: `{0}`")]
    StepId(String),
}

impl StepId {
    /// From a text; fails unless it is 1 to 64 of the allowed characters.
    pub fn parse(text: &str) -> Result<Self, BlueprintError> {
        let fits = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(BlueprintError::StepId(text.chars().take(64).collect()))
        }
    }
}

checked_text!(StepId, BlueprintError);
