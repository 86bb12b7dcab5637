//! How a model server behaves, well or hostile.

use super::personas::Addressee;
use std::time::Duration;

/// What the model does with every request.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelMode {
    /// Answers with the next of these texts; the last one repeats.
    Script(Vec<String>),
    /// Answers `with` where the request holds `mark`, else `without`.
    OnMark { mark: String, with: String, without: String },
    /// Answers each persona of a review and each check as it is told, and whoever else asks.
    Personas(Box<Personas>),
    /// Proposes EXECUTE of a file write to every request.
    AlwaysExecute,
    /// Claims that the user has already agreed and that no approval is needed.
    ForgedYes,
    /// Answers with no JSON at all.
    Garbage,
    /// Answers with JSON nested ten thousand levels deep.
    Deep,
    /// Answers with fields of wrong types, unknown fields and unknown values.
    WrongTypes,
    /// Never stops writing.
    Endless,
    /// Never stops writing, a few letters at a time.
    Drips,
    /// Accepts the request and never answers.
    Silent,
    /// Answers as scripted, after this long.
    Slow(Duration, String),
    /// Every `endless_every`th answer never stops; the others are `text` after a delay of `after`, with
    /// `read` prompt tokens in the usage.
    Mixed { endless_every: usize, after: Duration, read: u64, text: String },
    /// Answers as scripted, but refuses a request that carries a schema, as old servers do.
    NoSchema(String),
    /// Answers as scripted, without a usage.
    NoUsage(String),
    /// Answers as scripted, with so many prompt tokens in the usage.
    Tells(u64, String),
    /// Declines to answer.
    Declines,
    /// Streams events that are not JSON.
    BrokenStream,
    /// Answers 429 with a Retry-After of one second.
    RateLimited,
    /// Answers 429 with a Retry-After of one second the first time, then as scripted.
    RateLimitedOnce(Vec<String>),
    /// Answers 500.
    Broken,
    /// Answers this status with this body.
    Refuses(u16, String),
}

/// How each is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Personas {
    /// Whoever is asked for a proposal.
    pub governor: ModelMode,
    pub architect: ModelMode,
    pub reviewer: ModelMode,
    pub adversary: ModelMode,
    /// Whoever looks at an answer before it is given.
    pub check: ModelMode,
}

impl Personas {
    /// All three approve, and nothing is found wrong with an answer.
    #[must_use]
    pub fn approving(governor: ModelMode) -> Self {
        let yes = || opinion("APPROVE", &[]);
        let check = findings(&[]);
        Self { governor, architect: yes(), reviewer: yes(), adversary: yes(), check }
    }

    pub(super) fn mode(self, addressee: Addressee) -> ModelMode {
        match addressee {
            Addressee::Governor => self.governor,
            Addressee::Architect => self.architect,
            Addressee::Reviewer => self.reviewer,
            Addressee::Adversary => self.adversary,
            Addressee::Check => self.check,
        }
    }
}

/// Answers each request with this opinion.
#[must_use]
pub fn opinion(vote: &str, concerns: &[&str]) -> ModelMode {
    let reason = format!("the model says {}", vote.to_lowercase());
    let said = serde_json::json!({"vote": vote, "concerns": concerns, "reason": reason});
    ModelMode::Script(vec![said.to_string()])
}

/// Answers each check of an answer with these codes.
#[must_use]
pub fn findings(codes: &[&str]) -> ModelMode {
    ModelMode::Script(vec![serde_json::json!({"findings": codes}).to_string()])
}
