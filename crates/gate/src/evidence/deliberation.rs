//! Answers of model personas. They are counted again at each use.

use crate::evidence::{EvidenceError, sealed::evidence};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{Opinion, Persona, ReviewingModel, SpecDigest, Vote};

/// The longest answer of all three together, in bytes.
pub const OPINIONS_BYTES_MAX: usize = 65_536;
/// The longest reason, in Unicode scalar values.
const REASON_CHARS_MAX: usize = 2_000;
/// The most concerns of one persona.
const CONCERNS_MAX: usize = 16;
/// The longest code of a concern, in bytes.
const CONCERN_BYTES_MAX: usize = 64;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DeliberationDocument {
    version: u32,
    spec: SpecDigest,
    opinions: Vec<Opinion>,
    // Evidence from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<ReviewingModel>,
}

evidence! {
    /// What the model personas answered about one spec.
    Deliberation(DeliberationDocument) = "deliberation", version 1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answers {
    opinions: Vec<Opinion>,
}

/// The only constructor, from `{"opinions": [{persona, vote, concerns, reason}]}`. A persona
/// without an answer, or with two, abstains with a code.
pub fn parse(spec: SpecDigest, bytes: &[u8]) -> Result<Deliberation, EvidenceError> {
    if bytes.len() > OPINIONS_BYTES_MAX {
        return Err(EvidenceError::Opinions("too long"));
    }
    let answers: Answers = serde_json::from_slice(bytes)
        .map_err(|_| EvidenceError::Opinions("expected `{\"opinions\": [..]}`"))?;
    let heard = |persona| answers.opinions.iter().filter(move |o| o.persona == persona);
    let opinions =
        Persona::ALL.map(|persona| match (heard(persona).next(), heard(persona).nth(1)) {
            (Some(opinion), None) if fits(opinion) => opinion.clone(),
            (Some(_), None) => abstained(persona, "ANSWER_TOO_LARGE"),
            (Some(_), Some(_)) => abstained(persona, "ANSWERED_TWICE"),
            (None, _) => abstained(persona, "NO_ANSWER"),
        });
    let version = Deliberation::VERSION;
    let opinions = opinions.into();
    Ok(Deliberation(DeliberationDocument { version, spec, opinions, by: None }))
}

fn fits(opinion: &Opinion) -> bool {
    opinion.reason.chars().count() <= REASON_CHARS_MAX
        && opinion.concerns.len() <= CONCERNS_MAX
        && opinion.concerns.iter().all(|code| is_code(code))
}

/// Codes go into the audit, which must hold no text of a model.
fn is_code(code: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    (1..=CONCERN_BYTES_MAX).contains(&code.len()) && code.bytes().all(allowed)
}

fn abstained(persona: Persona, code: &str) -> Opinion {
    let concerns = vec![code.to_owned()];
    Opinion { persona, vote: Vote::Abstain, concerns, reason: String::new() }
}

impl Deliberation {
    /// The same, of this model.
    #[must_use]
    pub fn by(mut self, model: ReviewingModel) -> Self {
        self.0.by = Some(model);
        self
    }
    /// The model that was asked.
    #[must_use]
    pub const fn model(&self) -> Option<&ReviewingModel> {
        self.0.by.as_ref()
    }
    /// The spec that was reviewed.
    #[must_use]
    pub const fn spec(&self) -> SpecDigest {
        self.0.spec
    }
    /// One opinion for each persona, in the order of [`Persona::ALL`].
    #[must_use]
    pub fn opinions(&self) -> &[Opinion] {
        &self.0.opinions
    }
}
