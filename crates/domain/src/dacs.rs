//! Three views of one whole spec, and what they come to (governance.md 4).

use crate::{
    digest::{DeliberationDigest, DigestError, RulesHash},
    id::PolicyVersionId,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persona {
    Architect,
    Reviewer,
    Adversary,
}

impl Persona {
    pub const ALL: [Self; 3] = [Self::Architect, Self::Reviewer, Self::Adversary];
}

/// Ordered by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Vote {
    Approve,
    Abstain,
    Reject,
}

/// Ordered by severity: NO > REVISION > YES.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Consensus {
    Yes,
    Revision,
    No,
}

impl Consensus {
    pub const ALL: [Self; 3] = [Self::Yes, Self::Revision, Self::No];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Revision => "revision",
            Self::No => "no",
        }
    }
}

/// What a verdict is made under: under others the same spec is another question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grounds {
    pub rules: RulesHash,
    pub policy: PolicyVersionId,
}

/// Who was asked. `RulesOnly` is recorded where a policy keeps model personas out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DacsSource {
    RulesOnly,
    RulesAndModel,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Opinion {
    pub persona: Persona,
    pub vote: Vote,
    /// Codes of the rules that matched, in rule order.
    pub concerns: Vec<String>,
    /// Text for people. Blueprint text: it goes with retention, never into the audit.
    pub reason: String,
}

/// The whole result, kept in `Blueprint.specSnapshot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DacsResult {
    pub version: u32,
    pub rules: RulesHash,
    pub source: DacsSource,
    pub risky: bool,
    pub opinions: Vec<Opinion>,
    pub consensus: Consensus,
}

impl DacsResult {
    pub const VERSION: u32 = 1;

    pub fn digest(&self) -> Result<DeliberationDigest, DigestError> {
        DeliberationDigest::of(self)
    }
    /// Codes of every concern, without repetition.
    #[must_use]
    pub fn concerns(&self) -> Vec<String> {
        let mut codes: Vec<String> = Vec::new();
        for code in self.opinions.iter().flat_map(|o| &o.concerns) {
            if !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        codes
    }
}
