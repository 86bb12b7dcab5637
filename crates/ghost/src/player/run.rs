//! What one run came to: what is printed, stored and counted.

use super::{crash::Kill, mode::Mode};
use crate::{
    coverage::Visited,
    verdict::{Verdict, Violated},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wiiiv_domain::ProviderName;

/// A sentence of a stored result, in characters.
const VIOLATION_CHARS_MAX: usize = 1_000;

/// What has to hold in every run, whatever its scenario expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Invariants {
    Held,
    Violated,
}

impl Invariants {
    pub(super) const fn of(violated: Option<&Violated>) -> Self {
        match violated {
            None => Self::Held,
            Some(_) => Self::Violated,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunReport {
    pub scenario: String,
    pub mode: Mode,
    /// Which hostile model, which boundary, which twin; empty in `replay`.
    pub variant: String,
    /// From 1.
    pub repeat: u32,
    #[serde(flatten)]
    pub verdict: Verdict,
    pub duration_ms: u64,
    pub seed: u64,
    pub build: String,
    /// Of the rules of the policy that its project began with.
    pub policy_hash: String,
    /// Of the rule text that the model was shown, as the audit has it.
    pub prompt_hash: String,
    /// Whose model it was; `None`: nobody's, such as a hostile one.
    #[serde(default)]
    pub provider: Option<ProviderName>,
    pub model: String,
    /// As the answers of a real model named it; several where they did not agree.
    #[serde(default)]
    pub revision: Option<String>,
    /// `None`: they were not looked at.
    #[serde(default)]
    pub invariants: Option<Invariants>,
    /// Points at which the server was ended, in `faults`.
    #[serde(default)]
    pub kills: Vec<Kill>,
    /// What the person said, in `wording`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// What the model answered, turn by turn, in `record`; never a part of a report.
    #[serde(skip)]
    pub answers: Vec<Vec<String>>,
    pub visited: Visited,
}

impl RunReport {
    /// `C01`, `C01 silent`.
    #[must_use]
    pub fn name(&self) -> String {
        let parts = [self.scenario.as_str(), self.variant.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// As a server keeps it. Twins test the scenarios and other words the built-in model, not the
    /// build: they are not kept.
    #[must_use]
    pub fn record(&self) -> Option<Value> {
        if matches!(self.mode, Mode::Twins | Mode::Wording) {
            return None;
        }
        let unknown =
            |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
        let why = self.verdict.why().map(|why| why.chars().take(VIOLATION_CHARS_MAX).collect());
        let first_violation: Option<String> = why.filter(|_| !self.verdict.is_good());
        Some(json!({
            "scenario": self.scenario,
            "mode": self.mode,
            "verdict": self.verdict.name(),
            "build": self.build,
            "seed": self.seed,
            "policy_hash": unknown(&self.policy_hash),
            "prompt_hash": unknown(&self.prompt_hash),
            "provider": self.provider,
            "model": unknown(&self.model),
            "revision": self.revision,
            "repeat": self.repeat,
            "invariants": self.invariants,
            "first_violation": first_violation,
            "duration_ms": self.duration_ms,
            "report": self,
        }))
    }
}
