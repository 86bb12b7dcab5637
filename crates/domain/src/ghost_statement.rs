//! What the key of a GHOST runner signs: a whole result.

use crate::{
    canonical::{CanonicalError, canonical},
    digest::ContentDigest,
    provider_name::ProviderName,
};
use serde::Serialize;

/// No other document that is signed anywhere reads like it.
const FORMAT: &str = "wiiiv.ghost-result.1";

/// One result, its report by its digest. Player and server make the same bytes of it.
#[derive(Debug, Clone, Copy)]
pub struct GhostStatement<'a> {
    /// The scenario's id.
    pub scenario: &'a str,
    /// As the API names it.
    pub mode: &'a str,
    /// As the API names it.
    pub verdict: &'a str,
    /// The build that was played with.
    pub build: &'a str,
    /// Of the suite.
    pub seed: u64,
    /// Hash of the rules of the policy.
    pub policy_hash: &'a str,
    /// Hash of the rule text of the prompts.
    pub prompt_hash: &'a str,
    /// Whose model it was.
    pub provider: Option<ProviderName>,
    /// The model's name.
    pub model: &'a str,
    /// The model's name in its answers.
    pub revision: Option<&'a str>,
    /// From 1.
    pub repeat: Option<u32>,
    /// As the API names it; `None`: they were not looked at.
    pub invariants: Option<&'a str>,
    /// The first violated expectation.
    pub first_violation: Option<&'a str>,
    /// How long the run took.
    pub duration_ms: u64,
    /// Of the canonical form of the report.
    pub report: ContentDigest,
}

/// Numbers that a reader of JSON need not take exactly are texts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Signed<'a> {
    format: &'static str,
    scenario: &'a str,
    mode: &'a str,
    verdict: &'a str,
    build: &'a str,
    seed: String,
    policy_hash: &'a str,
    prompt_hash: &'a str,
    provider: Option<&'static str>,
    model: &'a str,
    revision: Option<&'a str>,
    repeat: Option<u32>,
    invariants: Option<&'a str>,
    first_violation: Option<&'a str>,
    duration_ms: String,
    report: ContentDigest,
}

impl GhostStatement<'_> {
    /// The RFC 8785 bytes that are signed.
    pub fn bytes(&self) -> Result<Vec<u8>, CanonicalError> {
        canonical(&Signed {
            format: FORMAT,
            scenario: self.scenario,
            mode: self.mode,
            verdict: self.verdict,
            build: self.build,
            seed: self.seed.to_string(),
            policy_hash: self.policy_hash,
            prompt_hash: self.prompt_hash,
            provider: self.provider.map(ProviderName::as_str),
            model: self.model,
            revision: self.revision,
            repeat: self.repeat,
            invariants: self.invariants,
            first_violation: self.first_violation,
            duration_ms: self.duration_ms.to_string(),
            report: self.report,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_these_and_numbers_are_exact() {
        let statement = GhostStatement {
            scenario: "C01",
            mode: "live",
            verdict: "PASS",
            build: "b",
            seed: u64::MAX,
            policy_hash: "p",
            prompt_hash: "q",
            provider: Some(ProviderName::OpenAi),
            model: "m",
            revision: None,
            repeat: Some(1),
            invariants: Some("held"),
            first_violation: None,
            duration_ms: 12,
            report: ContentDigest::of_bytes(b"{}"),
        };
        let text = String::from_utf8(statement.bytes().unwrap()).unwrap();
        let digest = statement.report;
        let expected = format!(
            r#"{{"build":"b","durationMs":"12","firstViolation":null,"format":"wiiiv.ghost-result.1","invariants":"held","mode":"live","model":"m","policyHash":"p","promptHash":"q","provider":"OPENAI","repeat":1,"report":"{digest}","revision":null,"scenario":"C01","seed":"18446744073709551615","verdict":"PASS"}}"#
        );
        assert_eq!(text, expected);
    }
}
