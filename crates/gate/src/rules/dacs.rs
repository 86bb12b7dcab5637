//! Rule personas: three independent opinions on one spec, and their consensus.

use super::{
    error::{RulesError, check_codes},
    matcher::{Reason, When},
    scene::Scene,
};
use serde::Deserialize;
use std::sync::Arc;
use wiiiv_domain::{Consensus, Opinion, Persona, RulesHash, Vote};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    rule: Vec<Rule>,
    #[serde(default)]
    concern: Vec<Concern>,
}

/// A code of the model personas: what they object to, or why one gave no opinion.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Concern {
    code: String,
    reason: Reason,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    code: String,
    persona: Persona,
    vote: Vote,
    when: When,
    reason: Reason,
}

/// `policies/dacs.toml`, with the hash of its text.
#[derive(Debug, Clone)]
pub struct DacsRules {
    rules: Arc<[Rule]>,
    concerns: Arc<[Concern]>,
    hash: RulesHash,
}

impl DacsRules {
    /// From the text of the file; checks every rule.
    pub fn parse(toml_text: &str) -> Result<Self, RulesError> {
        let file: File =
            toml::from_str(toml_text).map_err(|e| RulesError::Document(e.to_string()))?;
        if file.version != 1 {
            return Err(RulesError::Version(file.version));
        }
        let told = file.concern.iter().map(|c| c.code.as_str());
        check_codes(file.rule.iter().map(|r| r.code.as_str()).chain(told))?;
        for rule in &file.rule {
            if rule.when.is_unconditional() {
                return Err(RulesError::Always(rule.code.clone()));
            }
            if rule.vote == Vote::Approve {
                return Err(RulesError::Approves(rule.code.clone()));
            }
        }
        let hash = RulesHash::of_bytes(toml_text.as_bytes());
        Ok(Self { rules: file.rule.into(), concerns: file.concern.into(), hash })
    }
    /// SHA-256 of the file's text.
    #[must_use]
    pub const fn hash(&self) -> RulesHash {
        self.hash
    }
    /// What a concern's code means, for people.
    #[must_use]
    pub fn reason(&self, code: &str) -> Option<&Reason> {
        let rules = self.rules.iter().map(|r| (&r.code, &r.reason));
        let told = self.concerns.iter().map(|c| (&c.code, &c.reason));
        rules.chain(told).find(|(known, _)| *known == code).map(|(_, reason)| reason)
    }
    pub(crate) fn opinions(&self, scene: &Scene<'_>) -> Vec<Opinion> {
        let matched: Vec<&Rule> = self.rules.iter().filter(|r| r.when.holds(scene)).collect();
        Persona::ALL.map(|persona| opinion(persona, &matched)).into()
    }
}

/// The most severe vote of the persona's matching rules; it approves if none matches.
fn opinion(persona: Persona, matched: &[&Rule]) -> Opinion {
    let own = || matched.iter().filter(|r| r.persona == persona);
    let reasons: Vec<&str> = own().map(|r| r.reason.en.as_str()).collect();
    Opinion {
        persona,
        vote: own().map(|r| r.vote).max().unwrap_or(Vote::Approve),
        concerns: own().map(|r| r.code.clone()).collect(),
        reason: reasons.join(" "),
    }
}

/// No votes: REVISION. Any REJECT: NO. Else any ABSTAIN: REVISION. All APPROVE: YES.
#[must_use]
pub fn consensus(votes: impl IntoIterator<Item = Vote>) -> Consensus {
    match votes.into_iter().max() {
        None | Some(Vote::Abstain) => Consensus::Revision,
        Some(Vote::Reject) => Consensus::No,
        Some(Vote::Approve) => Consensus::Yes,
    }
}
