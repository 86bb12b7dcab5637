//! One turn: what the person does, what the model answers, what must hold afterwards.

use super::{
    fact::{Fact, TurnOutcome},
    fault::ServiceFault,
    meanwhile::{Interrupt, Meanwhile},
    model::ModelAnswer,
    press::{Press, Pressed, Who},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::Action;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "RawTurn")]
#[schemars(with = "RawTurn")]
pub struct Turn {
    pub act: Act,
    /// What happens before it.
    pub meanwhile: Meanwhile,
    pub interrupt: Option<Interrupt>,
    pub model: Vec<ModelAnswer>,
    pub faults: Vec<ServiceFault>,
    pub expect: Vec<Fact>,
    /// A twin leaves this turn out.
    pub omitted: bool,
}

impl Turn {
    /// Whether it is expected to end so.
    pub(crate) fn is_to_end(&self, outcome: TurnOutcome) -> bool {
        self.expect.contains(&Fact::Outcome(outcome))
    }

    /// Whether an execution is expected to end in it, successfully or not.
    pub(crate) fn is_to_run(&self) -> bool {
        self.expect.iter().any(|fact| match fact {
            Fact::Flow(steps) => steps.iter().any(|step| step.input == "finished"),
            Fact::Executions(runs) => !runs.is_empty(),
            _ => false,
        })
    }

    /// Jobs that the model proposes in it, one after the other.
    pub(crate) fn jobs(&self) -> usize {
        let is_job = |answer: &&ModelAnswer| matches!(answer, ModelAnswer::Proposal(it) if it.action == Action::Execute);
        self.model.iter().filter(is_job).count()
    }

    /// Whether it is expected to end with an open question and without an execution. A turn whose
    /// execution is in doubt ends pending as well.
    pub(crate) fn is_to_ask(&self) -> bool {
        self.is_to_end(TurnOutcome::Pending) && !self.is_to_run()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Say(String),
    Press(Pressed),
    /// The person does nothing until something happens by itself.
    Wait(Wait),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// The time of a question is over.
    Expiry,
}

/// Exactly one of `say`, `press` and `wait`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Turn")]
struct RawTurn {
    /// The person's own words.
    say: Option<String>,
    /// A button.
    press: Option<Press>,
    /// The person does nothing.
    wait: Option<Wait>,
    /// Who presses the button.
    #[serde(default)]
    by: Who,
    /// Which of the questions put so far is answered, from 1; the one that waits where this is left
    /// out.
    question: Option<usize>,
    /// Answers by the digest of this question, from 1, in place of its own.
    digest_of: Option<usize>,
    /// Which of the suspended tasks is switched to, from 1, longest suspended first.
    task: Option<usize>,
    /// Why it is rejected or edited.
    reason: Option<String>,
    /// The new values of an edit, by their slots.
    #[serde(default)]
    changes: BTreeMap<String, String>,
    /// What changes before this turn.
    #[serde(default)]
    meanwhile: Meanwhile,
    /// A button that is pressed while this turn is at work.
    interrupt: Option<Interrupt>,
    /// What the model answers, call by call. It has to be called exactly so often in this turn.
    #[serde(default)]
    model: Vec<ModelAnswer>,
    /// What services do wrong from this turn on.
    #[serde(default)]
    faults: Vec<ServiceFault>,
    /// Facts of this turn, looked at when it has ended; the first violated one is named.
    #[serde(default)]
    expect: Vec<Fact>,
}

impl RawTurn {
    fn act(&mut self) -> Result<Act, &'static str> {
        let has_details = self.by != Who::Person
            || [self.question, self.digest_of, self.task].iter().any(Option::is_some)
            || self.reason.is_some()
            || !self.changes.is_empty();
        match (self.say.take(), self.press, self.wait) {
            (None, Some(press), None) => {
                let pressed = Pressed {
                    press,
                    by: self.by,
                    question: self.question,
                    digest_of: self.digest_of,
                    task: self.task,
                    reason: self.reason.take(),
                    changes: std::mem::take(&mut self.changes),
                };
                pressed.conflict().map_or(Ok(Act::Press(pressed)), Err)
            }
            (Some(_), None, None) | (None, None, Some(_)) if has_details => {
                Err("`by`, `question`, `digest_of`, `task`, `reason` and `changes` go with `press`")
            }
            (Some(words), None, None) => Ok(Act::Say(words)),
            (None, None, Some(wait)) => Ok(Act::Wait(wait)),
            (None, None, None) => Err("a turn has `say`, `press` or `wait`"),
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
                Err("a turn has one of `say`, `press` and `wait`, not two")
            }
        }
    }
}

impl TryFrom<RawTurn> for Turn {
    type Error = &'static str;

    fn try_from(mut raw: RawTurn) -> Result<Self, &'static str> {
        let act = raw.act()?;
        let RawTurn { meanwhile, interrupt, model, faults, expect, .. } = raw;
        if interrupt.is_some() && matches!(act, Act::Wait(_)) {
            return Err("`interrupt` goes with `say` and `press`");
        }
        Ok(Self { act, meanwhile, interrupt, model, faults, expect, omitted: false })
    }
}
