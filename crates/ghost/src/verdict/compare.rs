//! Small comparisons that several facts share.

use super::window::{text, texts};
use crate::scenario::{FlowFact, StepFact};
use serde_json::{Value, json};

/// Whether each of these is matched by an item, in this order; others may stand between.
pub(super) fn in_order<F, S>(facts: &[F], seen: &[S], fits: impl Fn(&F, &S) -> bool) -> bool {
    let mut rest = seen.iter();
    facts.iter().all(|fact| rest.by_ref().any(|item| fits(fact, item)))
}

pub(super) fn is_step_of_flow(fact: &FlowFact, event: &&Value) -> bool {
    let codes = texts(event, "codes");
    let as_said = |said: &Option<String>, name| {
        said.as_deref().is_none_or(|said| text(event, name).eq_ignore_ascii_case(said))
    };
    text(event, "input") == fact.input
        && as_said(&fact.outcome, "outcome")
        && as_said(&fact.task_type, "task_type")
        && fact.codes.iter().all(|code| codes.contains(code))
}

pub(super) fn is_end_of_step(fact: &StepFact, event: &&Value) -> bool {
    event.get("ok").and_then(Value::as_bool) == Some(fact.ok)
        && fact.step.as_deref().is_none_or(|step| text(event, "step") == step)
        && fact.code.as_deref().is_none_or(|code| text(event, "code") == code)
}

/// As a scenario would write it.
pub(super) fn flow_told(event: &Value) -> Value {
    let mut told = json!({ "input": text(event, "input") });
    for name in ["outcome", "task_type", "codes"] {
        let value = event.get(name).filter(|value| !value.is_null());
        if let (Some(members), Some(value)) = (told.as_object_mut(), value) {
            members.insert(name.to_owned(), value.clone());
        }
    }
    told
}

pub(super) fn flow_fact_told(fact: &FlowFact) -> Value {
    let mut told = json!({ "input": fact.input });
    if let Some(members) = told.as_object_mut() {
        let texts = [("outcome", &fact.outcome), ("task_type", &fact.task_type)];
        for (name, value) in texts {
            if let Some(value) = value {
                members.insert(name.to_owned(), value.clone().into());
            }
        }
        if !fact.codes.is_empty() {
            members.insert("codes".to_owned(), json!(fact.codes));
        }
    }
    told
}

pub(super) fn step_told(event: &Value) -> Value {
    json!({
        "step": text(event, "step"),
        "ok": event.get("ok"),
        "code": text(event, "code"),
    })
}

pub(super) fn step_fact_told(fact: &StepFact) -> Value {
    json!({ "step": fact.step, "ok": fact.ok, "code": fact.code })
}

/// A text that a message can hold.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN_CHARS: usize = 600;
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// A value that a message can hold: as it is, or the start of its text.
pub(super) fn shortened_json(value: &Value) -> Value {
    const SHOWN_BYTES: usize = 2_000;
    let told = value.to_string();
    if told.len() <= SHOWN_BYTES { value.clone() } else { Value::String(shortened(&told)) }
}
