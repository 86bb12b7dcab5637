//! What an imperfect person wants, what the recorded model said, and what must be true afterwards.

mod fact;
mod fault;
mod fill;
mod meanwhile;
mod model;
mod press;
mod project;
mod provider;
mod read;
mod turn;
mod twin;
mod written;

#[cfg(test)]
mod tests;

pub use fact::{
    AuditFact, CallFact, CallsFact, CostFact, Fact, FileFact, FlowFact, RowsFact, RunState,
    StepFact, TurnOutcome,
};
pub use fault::{Cut, ServiceFault};
pub use fill::Places;
pub use meanwhile::{Interrupt, Meanwhile};
pub use press::{Press, Pressed, Who};
pub use project::{ProjectSeed, ServiceName};
pub use provider::Provider;
#[cfg(test)]
pub(crate) use read::yaml_facts;
pub use read::{ScenarioError, read_file, read_folder, read_text};
pub use turn::{Act, Turn, Wait};
pub use twin::{Twin, Violation};
pub use written::with_answers;

use schemars::JsonSchema;
use serde::Deserialize;

/// Turns of one scenario.
pub const TURNS_MAX: usize = 64;

/// One scenario file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A letter and two digits; `-EN` behind it for an English twin, `-OFF` for one that the
    /// built-in model is to master: `C01`, `C01-EN`. The file's name begins with it.
    #[schemars(regex(pattern = r"^[A-Z][0-9]{2}(-EN|-OFF)?$"))]
    pub id: String,
    pub title: Title,
    #[serde(default)]
    pub tags: Vec<String>,
    /// What the person speaks.
    pub language: Speech,
    /// Words that are data, such as a value that rows are chosen by: `--vary` leaves them as they
    /// are, as it does paths and numbers. Another value is another wish.
    #[serde(default)]
    pub data: Vec<String>,
    /// Who understands the person.
    #[serde(default)]
    pub provider: Provider,
    /// Who speaks, and how.
    pub persona: String,
    /// It is about what the recorded model does wrong: a real one is not played with it.
    #[serde(default)]
    pub recorded_only: bool,
    /// What the person wants.
    pub goal: String,
    /// What must hold, in words, for readers; `expect` holds it as facts.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// Turns that the person has patience for.
    pub max_turns: usize,
    #[serde(default)]
    pub project: ProjectSeed,
    /// Stages that a later release brings. With one of these the verdict is PARTIAL, never PASS.
    #[serde(default)]
    pub pending: Vec<Pending>,
    #[schemars(length(min = 1, max = 64))]
    pub turns: Vec<Turn>,
    /// Facts of the whole run, looked at when the last turn has ended.
    #[schemars(length(min = 1))]
    pub expect: Vec<Fact>,
    /// Deliberately wrong runs of this scenario: each has to FAIL, and at the expectation it names.
    #[serde(default)]
    pub twins: Vec<Twin>,
}

impl Scenario {
    /// The model's answers are in the file, or it needs none: what is said is all there is.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        self.provider == Provider::Offline
    }

    /// As a real model plays it: that the built-in one asks nobody is no fact of such a run.
    #[must_use]
    pub fn asked_live(&self) -> Self {
        let mut live = self.clone();
        if self.is_offline() {
            let kept = |fact: &Fact| !matches!(fact, Fact::Cost(_));
            live.turns.iter_mut().for_each(|turn| turn.expect.retain(kept));
            live.expect.retain(kept);
        }
        live
    }

    /// Somebody else presses a button in it.
    #[must_use]
    pub fn has_approver(&self) -> bool {
        let acts = self.turns.iter().map(|turn| &turn.act);
        let twins = self.twins.iter().filter_map(|twin| twin.act.as_ref());
        acts.chain(twins).any(|act| match act {
            Act::Press(pressed) => pressed.by == Who::Approver,
            Act::Say(_) | Act::Wait(_) => false,
        })
    }

    /// At first, or changed between two turns.
    #[must_use]
    pub fn has_own_policy(&self) -> bool {
        let changed = self.turns.iter().any(|turn| !turn.meanwhile.policy.is_empty());
        changed || !self.project.policy.is_empty()
    }

    /// Whether a server that ends in the middle of it can be taken up again by a person who only
    /// says the same once more: nobody else breaks in or changes the rules, and nothing is left to
    /// the clock.
    #[must_use]
    pub fn stands_a_crash(&self) -> bool {
        !self.turns.iter().any(|turn| {
            let waits = matches!(turn.act, Act::Wait(_));
            waits || turn.interrupt.is_some() || !turn.meanwhile.policy.is_empty()
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Title {
    pub ko: String,
    pub en: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speech {
    Ko,
    En,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// What is not played yet.
    pub stage: String,
    /// The release or ability that brings it.
    pub brings: String,
}
