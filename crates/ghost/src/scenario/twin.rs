//! Runs that are wrong on purpose. They prove that a violated fact is found.

use super::{
    meanwhile::Meanwhile,
    model::ModelAnswer,
    press::{Press, Pressed, Who},
    turn::Act,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The same scenario with one thing changed. It has to FAIL, and first at `violates`.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "RawTwin")]
#[schemars(with = "RawTwin")]
pub struct Twin {
    pub wrong: String,
    /// From 1; what is changed about it.
    pub turn: Option<usize>,
    pub act: Option<Act>,
    pub model: Option<Vec<ModelAnswer>>,
    pub meanwhile: Option<Meanwhile>,
    pub omit: bool,
    pub policy: Map<String, Value>,
    pub violates: Violation,
}

/// Which expectation is to be the first violated one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Violation {
    /// From 1; left out for an expectation of the whole run, or an invariant.
    pub turn: Option<usize>,
    /// The fact's name, such as `calls`; `model` where the model was called too often or too
    /// seldom; an invariant's name.
    pub fact: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Twin")]
struct RawTwin {
    /// What is wrong about it, in a few words: it is the twin's name.
    wrong: String,
    /// The turn that is changed, from 1. Goes with `say`, `press`, `model`, `meanwhile` and `omit`.
    turn: Option<usize>,
    /// In place of what the person does in that turn.
    say: Option<String>,
    press: Option<Press>,
    /// Who presses it.
    #[serde(default)]
    by: Who,
    /// In place of what the model answers in that turn.
    model: Option<Vec<ModelAnswer>>,
    /// In place of what changes before that turn; `{}`: nothing does.
    meanwhile: Option<Meanwhile>,
    /// `true`: that turn does not happen.
    #[serde(default)]
    omit: bool,
    /// A merge patch on the scenario's policy.
    #[serde(default)]
    policy: Map<String, Value>,
    violates: Violation,
}

impl TryFrom<RawTwin> for Twin {
    type Error = &'static str;

    fn try_from(raw: RawTwin) -> Result<Self, &'static str> {
        let RawTwin { wrong, turn, say, press, by, model, meanwhile, omit, policy, violates } = raw;
        let act = match (say, press) {
            (Some(_), Some(_)) => return Err("a twin has either `say` or `press`, not both"),
            (None, Some(press)) => Some(Act::Press(Pressed { by, ..Pressed::plain(press) })),
            (Some(words), None) => Some(Act::Say(words)),
            (None, None) => None,
        };
        let stray = match &act {
            Some(Act::Press(pressed)) => pressed.conflict(),
            Some(Act::Say(_) | Act::Wait(_)) | None => {
                (by != Who::Person).then_some("`by` goes with `press`")
            }
        };
        if let Some(fault) = stray {
            return Err(fault);
        }
        let of_turn = act.is_some() || model.is_some() || meanwhile.is_some() || omit;
        if of_turn != turn.is_some() {
            return Err(
                "`turn` goes with `say`, `press`, `model`, `meanwhile` or `omit`, and these with it",
            );
        }
        if !of_turn && policy.is_empty() {
            return Err("a twin changes something: a turn or the policy");
        }
        Ok(Self { wrong, turn, act, model, meanwhile, omit, policy, violates })
    }
}
