//! Scenarios: what a person wants and does, what the recorded model answers, what must hold.

mod fact;
mod fault;
mod meanwhile;
mod model;
mod press;
mod project;
mod provider;
mod read;
mod service_addresses;
mod turn;
mod twin;
mod written;

#[cfg(test)]
mod tests;

pub use fact::{
    AuditFact, CallFact, CallsFact, CostFact, DacsSeen, Fact, FileFact, FlowFact, MemoryFact,
    RowsFact, StepFact, TurnOutcome,
};
pub use fault::{Cut, ServiceFault};
pub use meanwhile::{Granted, Interrupt, Meanwhile, Stop};
pub use press::{Press, Pressed, Who};
pub use project::{DocumentSeed, MemorySeed, ProjectSeed, ServiceName};
pub use provider::Provider;
#[cfg(test)]
pub(crate) use read::yaml_facts;
pub use read::{ScenarioError, read_file, read_folder, read_text};
pub use service_addresses::ServiceAddresses;
pub use turn::{Act, Turn, Wait};
pub use twin::{Twin, Violation};
pub use written::with_answers;

use crate::merge;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{Asks, StepType, TaskType};

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
    /// The kinds of tasks that a model is judged by it for; talk is none. Needed unless it is `recorded_only`
    /// for it to count in the ledger.
    #[serde(default)]
    #[schemars(schema_with = "task_types")]
    pub task_types: BTreeSet<TaskType>,
    /// The types of steps of the plans that are drawn in it: where a policy does not allow one of them, a model
    /// is not judged by it.
    #[serde(default)]
    #[schemars(schema_with = "step_types")]
    pub step_types: BTreeSet<StepType>,
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
    /// The scenario with the change of one of its twins.
    #[must_use]
    pub fn with_twin(&self, twin: &Twin) -> Self {
        let mut wrong = self.clone();
        let changed = twin.turn.and_then(|nth| nth.checked_sub(1));
        if let Some(turn) = changed.and_then(|at| wrong.turns.get_mut(at)) {
            turn.omitted = twin.omit;
            if let Some(act) = &twin.act {
                turn.act.clone_from(act);
            }
            if let Some(model) = &twin.model {
                turn.model.clone_from(model);
            }
            if let Some(meanwhile) = &twin.meanwhile {
                turn.meanwhile.clone_from(meanwhile);
            }
        }
        merge::both(&mut wrong.project.policy, &twin.policy);
        wrong
    }
    /// The built-in model answers, so the file holds no answers of a model.
    #[must_use]
    pub fn is_offline(&self) -> bool {
        self.provider == Provider::Offline
    }

    /// The scenario for a real model: facts about cost hold only for the built-in one.
    #[must_use]
    pub fn for_live_model(&self) -> Self {
        let mut live = self.clone();
        if self.is_offline() {
            let holds = |fact: &Fact| !matches!(fact, Fact::Cost(_));
            live.turns.iter_mut().for_each(|turn| turn.expect.retain(holds));
            live.expect.retain(holds);
        }
        live
    }

    /// The same where others than the person may be asked for a yes: a plan that is put before the person may be
    /// put before another one as well, and before nobody else.
    #[must_use]
    pub(crate) fn asking_others(mut self) -> Self {
        let facts = self.turns.iter_mut().flat_map(|turn| &mut turn.expect);
        for fact in facts.chain(&mut self.expect) {
            let Fact::Flow(steps) = fact else { continue };
            let drawn = steps.iter_mut().filter(|step| step.input == "drawn");
            for step in drawn {
                step.or_others = step.outcome.as_deref() == Some(Asks::Requester.as_str());
            }
        }
        self
    }

    /// How many other people, who may approve, press a button in it.
    #[must_use]
    pub fn approvers(&self) -> usize {
        let acts = self.turns.iter().map(|turn| &turn.act);
        let twins = self.twins.iter().filter_map(|twin| twin.act.as_ref());
        let clears = self.turns.iter().any(|turn| turn.meanwhile.needs_approver());
        let pressed = acts.chain(twins).map(|act| match act {
            Act::Press(pressed) => pressed.by.others(),
            Act::Say(_) | Act::Wait(_) => 0,
        });
        pressed.chain([usize::from(clears)]).max().unwrap_or_default()
    }

    /// Somebody who may only read stands in for the approver.
    #[must_use]
    pub fn has_stand_in(&self) -> bool {
        let acts = self.turns.iter().map(|turn| &turn.act);
        let mut acts = acts.chain(self.twins.iter().filter_map(|twin| twin.act.as_ref()));
        acts.any(|act| matches!(act, Act::Press(pressed) if pressed.by == Who::StandIn))
    }

    /// Whether it changes that field of the policy, at the start or between two turns.
    #[must_use]
    pub(crate) fn changes(&self, field: &str) -> bool {
        let later = self.turns.iter().flat_map(|turn| {
            let overridden = turn.meanwhile.overridden.iter().map(|of| &of.policy);
            overridden.chain([&turn.meanwhile.policy])
        });
        later.chain([&self.project.policy]).any(|policy| policy.contains_key(field))
    }

    /// It changes the policy, at the start or between two turns.
    #[must_use]
    pub fn has_own_policy(&self) -> bool {
        let changed = self
            .turns
            .iter()
            .any(|turn| !turn.meanwhile.policy.is_empty() || turn.meanwhile.overridden.is_some());
        changed || !self.project.policy.is_empty()
    }

    /// Whether it can be played on after a crash of the server, by repeating what was lost. No turn
    /// waits for the clock, is interrupted, or has the policy, an override, a halt, a hold, a grant
    /// or a delegation changed before it. Nor is an answer asked for once more: behind a crash its
    /// persona is asked anew, and what was recorded is used up.
    #[must_use]
    pub fn survives_a_crash(&self) -> bool {
        !self.turns.iter().any(|turn| {
            let waits = matches!(turn.act, Act::Wait(_));
            let repaired = turn.model.iter().any(model::ModelAnswer::is_repaired);
            let changed = Meanwhile { files: BTreeMap::new(), ..turn.meanwhile.clone() };
            let is_changed = changed != Meanwhile::default();
            waits || turn.interrupt.is_some() || is_changed || repaired
        })
    }
}

/// Every kind of task but talk, each at most once.
fn task_types(_: &mut SchemaGenerator) -> Schema {
    let names = TaskType::ALL.into_iter().filter(|of| !of.is_talk()).map(TaskType::as_str);
    let names: Vec<&str> = names.collect();
    json_schema!({ "type": "array", "items": { "enum": names }, "uniqueItems": true })
}

/// Every type of step, each at most once.
fn step_types(_: &mut SchemaGenerator) -> Schema {
    let names = StepType::ALL.map(StepType::as_str);
    json_schema!({ "type": "array", "items": { "enum": names }, "uniqueItems": true })
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
