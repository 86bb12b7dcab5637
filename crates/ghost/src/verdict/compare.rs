//! Comparisons that several facts share.

use super::window::{present, text_of, texts_of};
use crate::scenario::{FlowFact, StepFact};
use serde_json::{Value, json};
use wiiiv_domain::Asks;

/// Whether items match the facts in this order; others may come between.
pub(super) fn in_order<F, S>(facts: &[F], seen: &[S], fits: impl Fn(&F, &S) -> bool) -> bool {
    let mut rest = seen.iter();
    facts.iter().all(|fact| rest.by_ref().any(|item| fits(fact, item)))
}

pub(super) fn is_step_of_flow(fact: &FlowFact, event: &&Value) -> bool {
    let codes = texts_of(event, "codes");
    let matches = |expected: &Option<String>, name| {
        expected.as_deref().is_none_or(|it| text_of(event, name).eq_ignore_ascii_case(it))
    };
    let before_others =
        || fact.or_others && text_of(event, "outcome") == Asks::AnotherPerson.as_str();
    text_of(event, "input") == fact.input
        && (matches(&fact.outcome, "outcome") || before_others())
        && matches(&fact.task_type, "task_type")
        && fact.codes.iter().all(|code| codes.contains(code))
}

pub(super) fn is_end_of_step(fact: &StepFact, event: &&Value) -> bool {
    event.get("ok").and_then(Value::as_bool) == Some(fact.ok)
        && fact.step.as_deref().is_none_or(|step| text_of(event, "step") == step)
        && fact.code.as_deref().is_none_or(|code| text_of(event, "code") == code)
}

/// A step of the flow as a scenario writes it.
pub(super) fn flow_json(event: &Value) -> Value {
    let [outcome, task_type, codes] = ["outcome", "task_type", "codes"].map(|name| event.get(name));
    let input = text_of(event, "input");
    present(json!({ "input": input, "outcome": outcome, "task_type": task_type, "codes": codes }))
}

pub(super) fn flow_fact_json(fact: &FlowFact) -> Value {
    let FlowFact { input, outcome, task_type, codes, or_others: _ } = fact;
    let codes = Some(codes).filter(|codes| !codes.is_empty());
    present(json!({ "input": input, "outcome": outcome, "task_type": task_type, "codes": codes }))
}

pub(super) fn step_json(event: &Value) -> Value {
    json!({
        "step": text_of(event, "step"),
        "ok": event.get("ok"),
        "code": text_of(event, "code"),
    })
}

pub(super) fn step_fact_json(fact: &StepFact) -> Value {
    json!({ "step": fact.step, "ok": fact.ok, "code": fact.code })
}

/// What was expected, and what was seen instead; `None` if they agree.
pub(super) type Difference = Option<(Value, Value)>;

/// The start of a text, short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN_CHARS: usize = 600;
    let mut short: String = text.chars().take(SHOWN_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A value, or the start of its text if it is too long for a message.
pub(super) fn shortened_json(value: &Value) -> Value {
    const SHOWN_BYTES: usize = 2_000;
    let text = value.to_string();
    if text.len() <= SHOWN_BYTES { value.clone() } else { Value::String(shortened(&text)) }
}
