//! One turn: what the person does, what the model says to it, what must be true after it.

use super::{fact::Fact, fault::ServiceFault, model::ModelAnswer};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "RawTurn")]
#[schemars(with = "RawTurn")]
pub struct Turn {
    pub act: Act,
    pub model: Vec<ModelAnswer>,
    pub faults: Vec<ServiceFault>,
    pub expect: Vec<Fact>,
    /// By a wrong twin: it does not happen.
    pub omitted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Say(String),
    Press(Press),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Press {
    /// A yes to the question that waits, by its digest.
    Approve,
    /// A no to it.
    Reject,
    /// Stops whatever is in flight and drops the active task.
    Cancel,
}

/// Exactly one of `say` and `press`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Turn")]
struct RawTurn {
    /// The person's own words.
    say: Option<String>,
    /// A button.
    press: Option<Press>,
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

/// Of a turn, or of a wrong twin's turn.
pub(super) fn act(say: Option<String>, press: Option<Press>) -> Result<Option<Act>, &'static str> {
    match (say, press) {
        (Some(words), None) => Ok(Some(Act::Say(words))),
        (None, Some(press)) => Ok(Some(Act::Press(press))),
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err("a turn has either `say` or `press`, not both"),
    }
}

impl TryFrom<RawTurn> for Turn {
    type Error = &'static str;

    fn try_from(raw: RawTurn) -> Result<Self, &'static str> {
        let RawTurn { say, press, model, faults, expect } = raw;
        let act = act(say, press)?.ok_or("a turn has `say` or `press`")?;
        Ok(Self { act, model, faults, expect, omitted: false })
    }
}
