//! Rules of risk, and the rise and fading of a session's score.

mod conduct;
mod signals;

use super::{
    error::{RulesError, check_codes},
    matcher::{Reason, When},
    scene::Scene,
};
pub use conduct::Attempt;
use conduct::{Drift, Escalation, INTENT_DRIFT, STEPWISE_ESCALATION, drifts};
use serde::{Deserialize, Serialize};
pub use signals::RiskSignal;
use signals::{Signal, Signals};
use std::sync::Arc;
use wiiiv_domain::{Effect, Envelope, RiskSource, RulesHash};

/// The highest score of a session, in points.
const SCORE_MAX: u32 = 10_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    session: Session,
    rule: Vec<Rule>,
    #[serde(default)]
    signal: Vec<Signal>,
    drift: Drift,
    escalation: Escalation,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    /// Lowest score at which every spec is risky.
    risky_from: u32,
    /// Lowest score at which nothing executes until a person with the right to clears it.
    hold_from: u32,
    half_life_minutes: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    code: String,
    when: When,
    reason: Reason,
}

/// Whether a subject is risky, and by which rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RiskFacts {
    /// Whether any rule matched.
    pub risky: bool,
    /// Codes of the rules that matched, in file order.
    pub codes: Vec<String>,
}

/// `policies/risk.toml`, with the hash of its text.
#[derive(Debug, Clone)]
pub struct RiskRules {
    session: Session,
    rules: Arc<[Rule]>,
    signals: Signals,
    drift: Drift,
    escalation: Escalation,
    hash: RulesHash,
}

/// The code for a session whose own score makes every spec risky.
const SESSION_RISK: &str = "SESSION_RISK";

impl RiskRules {
    /// From the text of the file; checks every rule and threshold.
    pub fn parse(toml_text: &str) -> Result<Self, RulesError> {
        let file: File =
            toml::from_str(toml_text).map_err(|e| RulesError::Document(e.to_string()))?;
        if file.version != 1 {
            return Err(RulesError::Version(file.version));
        }
        let codes = file.rule.iter().map(|r| r.code.as_str());
        let codes = codes.chain(file.signal.iter().map(|s| s.code.as_str()));
        check_codes(codes.chain([SESSION_RISK, INTENT_DRIFT, STEPWISE_ESCALATION]))?;
        file.escalation.check()?;
        if let Some(rule) = file.rule.iter().find(|r| r.when.is_unconditional()) {
            return Err(RulesError::Always(rule.code.clone()));
        }
        let session = file.session;
        if session.half_life_minutes == 0 {
            return Err(RulesError::Zero("session.half_life_minutes"));
        }
        if session.risky_from == 0 {
            return Err(RulesError::Zero("session.risky_from"));
        }
        if session.hold_from < session.risky_from {
            return Err(RulesError::Thresholds);
        }
        let hash = RulesHash::of_bytes(toml_text.as_bytes());
        let signals = Signals::of(file.signal)?;
        let File { rule, drift, escalation, .. } = file;
        Ok(Self { session, rules: rule.into(), signals, drift, escalation, hash })
    }
    /// SHA-256 of the file's text.
    #[must_use]
    pub const fn hash(&self) -> RulesHash {
        self.hash
    }
    /// What a rule's code means, for people.
    #[must_use]
    pub fn reason(&self, code: &str) -> Option<&Reason> {
        self.rules.iter().find(|r| r.code == code).map(|r| &r.reason)
    }
    /// What a signal's code means, for people; `None`: of rules that are not in force any more.
    #[must_use]
    pub fn signal_reason(&self, code: &str) -> Option<&Reason> {
        match code {
            INTENT_DRIFT => Some(&self.drift.reason),
            STEPWISE_ESCALATION => Some(&self.escalation.reason),
            code => self.signals.list().iter().find(|s| s.code == code).map(|s| &s.reason),
        }
    }
    /// What the user's words add to the session's score. Each signal counts once a text.
    #[must_use]
    pub fn said(&self, text: &str) -> Vec<RiskSignal> {
        self.signals.in_text(text, RiskSource::Said)
    }
    /// What a step's output adds to it: a page, a file, an answer of a service, or what was made of them.
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> Vec<RiskSignal> {
        self.signals.in_bytes(bytes)
    }
    /// Where an envelope is wider than what was asked for. `asked`: the greatest effect of that; `None`: the
    /// words do not say. `is_named`: the host is of the user's words or of a registered system.
    pub fn drift(
        &self,
        asked: Option<Effect>,
        envelope: &Envelope,
        is_named: impl Fn(&str) -> bool,
    ) -> Option<RiskSignal> {
        drifts(asked, envelope, is_named).then(|| Self::done(INTENT_DRIFT, self.drift.points))
    }
    /// Where effects rise from attempt to attempt although one was refused; oldest first.
    #[must_use]
    pub fn escalation(&self, attempts: &[Attempt]) -> Option<RiskSignal> {
        let seen = self.escalation.is_seen(attempts);
        seen.then(|| Self::done(STEPWISE_ESCALATION, self.escalation.points))
    }
    /// An attempt that is longer ago is no part of an escalation.
    #[must_use]
    pub fn escalation_window_ms(&self) -> u64 {
        self.escalation.window_ms()
    }
    fn done(code: &str, points: u32) -> RiskSignal {
        RiskSignal { code: code.to_owned(), source: RiskSource::Done, points }
    }
    /// Lowest score at which every spec is risky.
    #[must_use]
    pub const fn risky_from(&self) -> u32 {
        self.session.risky_from
    }
    /// Lowest score at which nothing executes until a person with the right to clears it.
    #[must_use]
    pub const fn hold_from(&self) -> u32 {
        self.session.hold_from
    }
    /// The score after `elapsed_ms`: halved at every half-life, linear in between; a hold does not fade.
    /// No role lowers it.
    #[must_use]
    pub fn faded(&self, score: u32, elapsed_ms: u64) -> u32 {
        if self.holds(score) {
            return score.min(SCORE_MAX);
        }
        let half_life = u64::from(self.session.half_life_minutes).saturating_mul(60_000).max(1);
        let halvings = u32::try_from(elapsed_ms / half_life).unwrap_or(u32::MAX);
        let whole = score.min(SCORE_MAX).checked_shr(halvings).unwrap_or(0);
        let lost = u64::from(whole).saturating_mul(elapsed_ms % half_life) / (half_life * 2);
        whole.saturating_sub(u32::try_from(lost).unwrap_or(u32::MAX))
    }
    /// The score with these signals added.
    #[must_use]
    pub fn raised(&self, score: u32, signals: &[RiskSignal]) -> u32 {
        signals.iter().fold(score, |s, signal| s.saturating_add(signal.points)).min(SCORE_MAX)
    }
    pub(crate) fn judge(&self, scene: &Scene<'_>) -> RiskFacts {
        let matched = self.rules.iter().filter(|r| r.when.holds(scene));
        let mut codes: Vec<String> = matched.map(|r| r.code.clone()).collect();
        let score = scene.standing.risk_score;
        if score >= self.session.risky_from {
            codes.push(SESSION_RISK.to_owned());
        }
        RiskFacts { risky: !codes.is_empty(), codes }
    }
    /// Whether the session's score is at its hard stop.
    #[must_use]
    pub const fn holds(&self, score: u32) -> bool {
        score >= self.session.hold_from
    }
}
