//! Three opinions on one whole spec, and their consensus (governance.md 4).

use crate::{
    digest::{DeliberationDigest, DigestError, RulesHash},
    id::PolicyVersionId,
};
use serde::{Deserialize, Serialize};

/// A reviewer of DACS. Each gives one opinion on a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persona {
    /// Checks that the spec is whole: its slots, effects and targets are named.
    Architect,
    /// Checks that effects, hosts and paths fit the task type and the policy.
    Reviewer,
    /// Looks for harm: secret files, data that leaves, destructive commands.
    Adversary,
}

impl Persona {
    /// All three, in the order in which they vote.
    pub const ALL: [Self; 3] = [Self::Architect, Self::Reviewer, Self::Adversary];
}

/// Ordered by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Vote {
    /// No objection.
    Approve,
    /// No view either way.
    Abstain,
    /// An objection; its codes are in `concerns`.
    Reject,
}

named! {
    /// Ordered by severity: NO > REVISION > YES. Metrics and texts name it in lower case.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Consensus {
        /// The spec may go on.
        Yes = "yes",
        /// The spec must change before it may go on.
        Revision = "revision",
        /// The spec is refused.
        No = "no",
    }
}

/// The rules and the policy of a verdict. Under others the same spec may be reviewed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grounds {
    /// Digest of the rule files that the personas applied.
    pub rules: RulesHash,
    /// The project's policy version at the time.
    pub policy: PolicyVersionId,
}

/// Which personas were asked. `RulesOnly` if the policy excludes model personas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DacsSource {
    /// The rule personas alone.
    RulesOnly,
    /// The rule personas, and model personas beside them.
    RulesAndModel,
}

/// What one persona says of one spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Opinion {
    /// Who gave the opinion.
    pub persona: Persona,
    /// Its vote.
    pub vote: Vote,
    /// Codes of the rules that matched, in rule order.
    pub concerns: Vec<String>,
    /// Text for people. It is deleted by retention and never in the audit.
    pub reason: String,
}

/// The whole result, stored in `Blueprint.specSnapshot`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DacsResult {
    /// [`DacsResult::VERSION`] of the build that wrote it.
    pub version: u32,
    /// Digest of the rules that were applied.
    pub rules: RulesHash,
    /// Which personas voted.
    pub source: DacsSource,
    /// Whether a risk rule matched the spec.
    pub risky: bool,
    /// One opinion for each persona that voted.
    pub opinions: Vec<Opinion>,
    /// The result of the votes.
    pub consensus: Consensus,
}

impl DacsResult {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// SHA-256 of the whole result as canonical JSON.
    pub fn digest(&self) -> Result<DeliberationDigest, DigestError> {
        DeliberationDigest::of(self)
    }
    /// Codes of all concerns, each once.
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
