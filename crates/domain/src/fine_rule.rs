//! The name of a fine rule within its policy.

use serde::{Deserialize, Serialize};

/// The longest text of a policy's fine rules, in bytes.
pub const FINE_RULES_BYTES_MAX: usize = 65_536;
/// The most fine rules of one policy.
pub const FINE_RULES_MAX: usize = 500;

/// What `@id` of a fine rule says: 1 to 48 of `a-z 0-9 -`. It is a code: the audit names the rule by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FineRuleName(String);

/// The text is no name of a rule; holds its beginning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a rule's name is 1 to 48 of `a` to `z`, `0` to `9` and `-`: `{0}`")]
pub struct FineRuleNameError(String);

impl FineRuleName {
    /// From a text; fails unless it is 1 to 48 of the allowed characters.
    pub fn parse(text: &str) -> Result<Self, FineRuleNameError> {
        let fits = (1..=48).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(FineRuleNameError(text.chars().take(48).collect()))
        }
    }
}

checked_text!(FineRuleName, FineRuleNameError);
