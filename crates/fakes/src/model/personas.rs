//! A model server that is asked for opinions beside proposals: each persona behaves by itself.

use super::mode::ModelMode;
use serde_json::Value;

/// Who is spoken to: by the rules that stand above a prompt.
const MARKS: [(&str, Addressee); 3] = [
    ("# You are the Architect", Addressee::Architect),
    ("# You are the Reviewer", Addressee::Reviewer),
    ("# You are the Adversary", Addressee::Adversary),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Addressee {
    Governor,
    Architect,
    Reviewer,
    Adversary,
}

impl Addressee {
    pub(super) fn of(request: &Value) -> Self {
        let text = request.to_string();
        let marked = MARKS.into_iter().find(|(mark, _)| text.contains(mark));
        marked.map_or(Self::Governor, |(_, addressee)| addressee)
    }
}

/// Whether a request, as text, asks a persona for an opinion.
pub(super) fn is_for_persona(body: &str) -> bool {
    MARKS.into_iter().any(|(mark, _)| body.contains(mark))
}

/// What stands in the rules of that persona, and in no other prompt's.
#[must_use]
pub fn persona_mark(name: &str) -> Option<&'static str> {
    let is_it = |mark: &&str| mark.to_lowercase().ends_with(name);
    MARKS.into_iter().map(|(mark, _)| mark).find(is_it)
}

/// How each is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Personas {
    /// Whoever is asked for a proposal.
    pub governor: ModelMode,
    pub architect: ModelMode,
    pub reviewer: ModelMode,
    pub adversary: ModelMode,
}

impl Personas {
    /// All three approve.
    #[must_use]
    pub fn approving(governor: ModelMode) -> Self {
        let yes = || opinion("APPROVE", &[]);
        Self { governor, architect: yes(), reviewer: yes(), adversary: yes() }
    }

    pub(super) fn mode(self, addressee: Addressee) -> ModelMode {
        match addressee {
            Addressee::Governor => self.governor,
            Addressee::Architect => self.architect,
            Addressee::Reviewer => self.reviewer,
            Addressee::Adversary => self.adversary,
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
