//! Rules of risk, and the rise and fading of a session's score.

use super::{
    error::{RulesError, check_codes},
    matcher::{Pattern, Reason, When},
    scene::Scene,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wiiiv_domain::RulesHash;

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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signal {
    code: String,
    points: u32,
    regex: Vec<Pattern>,
}

/// A pattern found in a text that raises the session's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskSignal {
    /// Its code in `policies/risk.toml`.
    pub code: String,
    /// What it adds to the session's score.
    pub points: u32,
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
    signals: Arc<[Signal]>,
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
        check_codes(
            codes.chain(file.signal.iter().map(|s| s.code.as_str())).chain([SESSION_RISK]),
        )?;
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
        Ok(Self { session, rules: file.rule.into(), signals: file.signal.into(), hash })
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
    /// What this text adds to its session's score. Each signal counts once a text.
    #[must_use]
    pub fn signals(&self, text: &str) -> Vec<RiskSignal> {
        let heard = self.signals.iter().filter(|s| s.regex.iter().any(|p| p.is_in(text)));
        heard.map(|s| RiskSignal { code: s.code.clone(), points: s.points }).collect()
    }
    /// The score after `elapsed_ms`: halved at every half-life, linear in between. No role lowers
    /// it.
    #[must_use]
    pub fn faded(&self, score: u32, elapsed_ms: u64) -> u32 {
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
    pub(crate) fn holds(&self, score: u32) -> bool {
        score >= self.session.hold_from
    }
}
