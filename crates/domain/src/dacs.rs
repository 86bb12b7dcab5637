//! Three opinions on one whole spec, and their consensus (governance.md 4).

use crate::{
    digest::{DeliberationDigest, DigestError, RulesHash},
    id::PolicyVersionId,
    provider_name::ProviderName,
};
use serde::{Deserialize, Serialize};

named! {
    /// A reviewer of DACS. Each gives one opinion on a spec, in the order of declaration.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Persona {
        /// Checks that the spec is whole: its slots, effects and targets are named.
        Architect = "architect",
        /// Checks that effects, hosts and paths fit the task type and the policy.
        Reviewer = "reviewer",
        /// Looks for harm: secret files, data that leaves, destructive commands.
        Adversary = "adversary",
    }
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

/// The model that the model personas were.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewingModel {
    /// Its provider.
    pub provider: ProviderName,
    /// Its name, as the provider calls it.
    pub model: String,
}

/// What the model personas said of one spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelReview {
    /// `None` where the evidence does not name it.
    pub by: Option<ReviewingModel>,
    /// One opinion for each persona; one that gave none abstains with the reason's code.
    pub opinions: Vec<Opinion>,
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
    /// One opinion for each rule persona.
    pub opinions: Vec<Opinion>,
    // A result from before this field keeps its bytes and its digest.
    /// What the model personas said, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelReview>,
    /// The result of the votes: the more severe one of rules and model.
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
        let of_model = self.model.iter().flat_map(|review| &review.opinions);
        for code in self.opinions.iter().chain(of_model).flat_map(|o| &o.concerns) {
            if !codes.contains(code) {
                codes.push(code.clone());
            }
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(model: Option<ModelReview>) -> DacsResult {
        DacsResult {
            version: DacsResult::VERSION,
            rules: RulesHash::of_bytes(b"rules"),
            source: DacsSource::RulesOnly,
            risky: true,
            opinions: Vec::new(),
            model,
            consensus: Consensus::Yes,
        }
    }

    /// Digests of plans from before there were model personas hold.
    #[test]
    fn a_review_without_a_model_is_written_as_before() {
        let plain = serde_json::to_value(result(None)).unwrap();
        assert!(plain.get("model").is_none(), "{plain}");
        let said = Opinion {
            persona: Persona::Reviewer,
            vote: Vote::Reject,
            concerns: vec!["OTHER".to_owned()],
            reason: "no".to_owned(),
        };
        let by = ReviewingModel { provider: ProviderName::Custom, model: "m".to_owned() };
        let asked = result(Some(ModelReview { by: Some(by), opinions: vec![said] }));
        assert_eq!(asked.concerns(), ["OTHER"]);
        let text = serde_json::to_string(&asked).unwrap();
        assert_eq!(serde_json::from_str::<DacsResult>(&text).unwrap(), asked);
        assert_ne!(asked.digest().unwrap(), result(None).digest().unwrap());
    }
}
