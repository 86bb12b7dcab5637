//! The report of one run, as it is printed, stored and counted.

use super::{kill_point::Kill, mode::Mode};
use crate::{
    coverage::Visited,
    harness::ProjectSetup,
    verdict::{Verdict, Violated, Window},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wiiiv_domain::{ContentDigest, DigestError, GhostStatement, ProviderName};
use wiiiv_fakes::ProviderAnswer;

/// The violation in a stored result.
const VIOLATION_CHARS_MAX: usize = 1_000;

/// Whether the invariants of every run held.
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

    const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Violated => "violated",
        }
    }
}

/// Details of a run for its report, beside the verdict.
#[derive(Default)]
pub(super) struct RunDetails {
    pub(super) kills: Vec<Kill>,
    pub(super) visited: Visited,
    pub(super) policy_hash: String,
    pub(super) prompt_hash: String,
    pub(super) invariants: Option<Invariants>,
    pub(super) model_answers: Vec<Vec<ProviderAnswer>>,
    /// The model's answers as a scenario may record them.
    pub(super) recordable: Vec<Vec<String>>,
}

impl RunDetails {
    /// What is seen in the window of a run, and the rules that it began with.
    pub(super) fn of(window: &Window, setup: &ProjectSetup) -> Self {
        Self {
            visited: Visited::of(window),
            policy_hash: setup.policy_hash.clone(),
            prompt_hash: window.prompt_hash(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunReport {
    pub scenario: String,
    pub mode: Mode,
    /// The hostile model, the boundary or the twin; empty in `replay`.
    pub variant: String,
    /// From 1.
    pub repeat: u32,
    #[serde(flatten)]
    pub verdict: Verdict,
    pub duration_ms: u64,
    pub seed: u64,
    pub build: String,
    /// The hash of the rules that were played: those of a new project, unless others were given.
    pub policy_hash: String,
    /// The hash of the rule text in the model's prompt, from the audit.
    pub prompt_hash: String,
    /// The model's provider; `None` for a hostile model.
    #[serde(default)]
    pub provider: Option<ProviderName>,
    pub model: String,
    /// The real model's name in its answers; several if they differ.
    #[serde(default)]
    pub revision: Option<String>,
    /// `None`: they were not checked.
    #[serde(default)]
    pub invariants: Option<Invariants>,
    /// Points at which the server was ended, in `faults`.
    #[serde(default)]
    pub kills: Vec<Kill>,
    /// What the person said, in `wording`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// The model's answers by turn, in `record`. Not part of the report.
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

    /// The report as a server stores it. Twins test the scenarios, and other wordings the built-in model;
    /// as neither tests the build, they are not stored.
    #[must_use]
    pub fn record(&self) -> Option<ResultRecord<'_>> {
        if matches!(self.mode, Mode::Twins | Mode::Wording) {
            return None;
        }
        let why = self.verdict.why().map(|why| why.chars().take(VIOLATION_CHARS_MAX).collect());
        Some(ResultRecord {
            scenario: &self.scenario,
            mode: self.mode,
            verdict: self.verdict.name(),
            build: &self.build,
            seed: self.seed,
            policy_hash: unknown(&self.policy_hash),
            prompt_hash: unknown(&self.prompt_hash),
            provider: self.provider,
            model: unknown(&self.model),
            revision: self.revision.as_deref(),
            repeat: self.repeat,
            invariants: self.invariants,
            first_violation: why.filter(|_| !self.verdict.is_good()),
            duration_ms: self.duration_ms,
            report: json!(self),
        })
    }
}

fn unknown(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// A result as a server takes it.
#[derive(Debug, Serialize)]
pub struct ResultRecord<'a> {
    scenario: &'a str,
    mode: Mode,
    verdict: &'static str,
    build: &'a str,
    seed: u64,
    policy_hash: &'a str,
    prompt_hash: &'a str,
    provider: Option<ProviderName>,
    model: &'a str,
    revision: Option<&'a str>,
    repeat: u32,
    invariants: Option<Invariants>,
    first_violation: Option<String>,
    duration_ms: u64,
    report: Value,
}

impl ResultRecord<'_> {
    /// What the key of a runner signs: all of it.
    pub fn statement(&self) -> Result<Vec<u8>, DigestError> {
        let statement = GhostStatement {
            scenario: self.scenario,
            mode: self.mode.as_str(),
            verdict: self.verdict,
            build: self.build,
            seed: self.seed,
            policy_hash: self.policy_hash,
            prompt_hash: self.prompt_hash,
            provider: self.provider,
            model: self.model,
            revision: self.revision,
            repeat: Some(self.repeat),
            invariants: self.invariants.map(Invariants::as_str),
            first_violation: self.first_violation.as_deref(),
            duration_ms: self.duration_ms,
            report: ContentDigest::of(&self.report)?,
        };
        statement.bytes()
    }
}
