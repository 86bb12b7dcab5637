//! One fact against one window.

use super::{
    Violated,
    compare::{
        flow_fact_told, flow_told, in_order, is_end_of_step, is_step_of_flow, shortened,
        shortened_json, step_fact_told, step_told,
    },
    file::file,
    window::{Call, Window, text, texts, told_of},
};
use crate::{
    merge::holds,
    scenario::{
        AuditFact, CallFact, CallsFact, CostFact, Fact, FlowFact, RowsFact, RunState, StepFact,
    },
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

/// How calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    Exact,
    /// Behind a crash: what only reads may have been called again, and more may have been refused,
    /// as a model whose answer was lost cannot mend its plan; nothing else.
    AfterCrash,
}

/// What is expected, and what was seen in its place.
pub(super) type Differs = Option<(Value, Value)>;

/// `beside`: the folder that `json_file` is looked up in.
#[must_use]
pub fn judge(
    fact: &Fact,
    window: &Window,
    beside: &Path,
    strictness: Strictness,
) -> Option<Violated> {
    let differs = match fact {
        Fact::Outcome(expected) => outcome(expected.as_str(), window),
        Fact::Flow(steps) => flow(steps, window),
        Fact::FlowLacks(steps) => flow_lacks(steps, window),
        Fact::Asked(slots) => asked(slots, window),
        Fact::Approvals(count) => number(*count, window.named("preview").count()),
        Fact::Dacs(expected) => dacs(expected.as_str(), window),
        Fact::Deny(codes) => deny(codes, window, strictness),
        Fact::Refused(codes) => refused(codes, window),
        Fact::Calls(fact) => calls(fact, window, strictness),
        Fact::Rows(fact) => rows(fact, window),
        Fact::File(fact) => file(fact, window, beside),
        Fact::Files(paths) => set(paths, window.files.keys().cloned().collect()),
        Fact::Audit(fact) => audit(fact, window),
        Fact::Executions(states) => executions(states, window),
        Fact::Steps(steps) => ends_of_steps(steps, window),
        Fact::ReplyContains(part) => reply_contains(part, window),
        Fact::ReplyLacks(part) => reply_lacks(part, window),
        Fact::Cost(fact) => cost(*fact, window),
    };
    differs.map(|(expected, seen)| Violated::new(fact.name(), expected, seen))
}

fn number(expected: usize, seen: usize) -> Differs {
    (expected != seen).then(|| (expected.into(), seen.into()))
}

fn set(expected: &[String], seen: BTreeSet<String>) -> Differs {
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    (expected != seen).then(|| (json!(expected), json!(seen)))
}

fn deny(expected: &[String], window: &Window, strictness: Strictness) -> Differs {
    let mut seen = window.denials();
    if strictness == Strictness::AfterCrash {
        seen.retain(|code| expected.contains(code));
    }
    set(expected, seen)
}

fn outcome(expected: &str, window: &Window) -> Differs {
    let seen = window.named("ended").next_back().map(|event| text(event, "outcome"));
    (seen != Some(expected)).then(|| (expected.into(), json!(seen)))
}

fn flow(steps: &[FlowFact], window: &Window) -> Differs {
    let seen: Vec<&Value> = window.named("flow").collect();
    (!in_order(steps, &seen, is_step_of_flow)).then(|| {
        let expected: Vec<Value> = steps.iter().map(flow_fact_told).collect();
        (expected.into(), seen.into_iter().map(flow_told).collect())
    })
}

fn flow_lacks(steps: &[FlowFact], window: &Window) -> Differs {
    let stray = |fact: &FlowFact| window.named("flow").find(|event| is_step_of_flow(fact, event));
    let found = steps.iter().find_map(|fact| Some((fact, stray(fact)?)));
    found.map(|(fact, event)| (json!({ "none_of": flow_fact_told(fact) }), flow_told(event)))
}

fn asked(slots: &[String], window: &Window) -> Differs {
    let last = window.named("ask").next_back();
    let seen: BTreeSet<String> =
        last.map(|event| texts(event, "missing").into_iter().collect()).unwrap_or_default();
    // A question that asks for nothing in particular is one all the same.
    if slots.is_empty() && last.is_some() {
        return Some((json!([]), json!({ "asked": seen })));
    }
    set(slots, seen)
}

fn dacs(expected: &str, window: &Window) -> Differs {
    let last = window.audit.iter().rev().find(|record| record.kind == "dacs.evaluated");
    let seen =
        last.map_or_else(|| "none".to_owned(), |r| text(&r.body, "consensus").to_lowercase());
    (seen != expected).then(|| (expected.into(), seen.into()))
}

fn calls(fact: &CallsFact, window: &Window, strictness: Strictness) -> Differs {
    let none = Vec::new();
    let all = window.calls.get(&fact.service).unwrap_or(&none);
    let mut rest: Vec<&Call> = all.iter().filter(|call| counts(call)).collect();
    let total = rest.len();
    let mut missing = false;
    for expected in &fact.exactly {
        match rest.iter().position(|call| is_call(expected, call)) {
            Some(at) => {
                rest.swap_remove(at);
            }
            None => missing = true,
        }
    }
    if strictness == Strictness::AfterCrash {
        rest.retain(|call| !(call.reads && fact.exactly.iter().any(|fact| is_call(fact, call))));
    }
    let logins = all.iter().filter(|call| call.logs_in).count();
    let logs_in = strictness == Strictness::AfterCrash || fact.logins.is_none_or(|n| n == logins);
    if !missing && rest.is_empty() && logs_in {
        return None;
    }
    let seen: Vec<Value> = all.iter().filter(|call| counts(call)).map(Call::told).collect();
    let expected: Vec<Value> = fact.exactly.iter().map(call_told).collect();
    let expected = json!({ "service": fact.service, "exactly": expected, "logins": fact.logins });
    Some((
        expected,
        json!({ "calls": shortened_json(&seen.into()), "count": total, "logins": logins }),
    ))
}

fn counts(call: &Call) -> bool {
    !call.logs_in && !call.is_turned_away()
}

fn is_call(fact: &CallFact, call: &Call) -> bool {
    fact.method.eq_ignore_ascii_case(&call.method)
        && fact.path == call.path
        && fact.query == call.query
        && fact.body.as_ref().is_none_or(|body| holds(&call.body, body))
}

fn call_told(fact: &CallFact) -> Value {
    told_of(&fact.method, &fact.path, &fact.query, fact.body.as_ref().unwrap_or(&Value::Null))
}

fn rows(fact: &RowsFact, window: &Window) -> Differs {
    let RowsFact { service, table, count, row } = fact;
    let Some(all) = window.rows.get(&(*service, table.clone())) else {
        return Some((json!({ "service": service, "table": table }), "no such table".into()));
    };
    let fits = |held: &&Value| row.as_ref().is_none_or(|part| holds(held, part));
    let seen = all.iter().filter(fits).count();
    (seen != *count).then(|| {
        let expected = json!({ "table": table, "where": row, "count": count });
        (expected, json!({ "count": seen, "rows": shortened_json(&json!(all)) }))
    })
}

fn audit(fact: &AuditFact, window: &Window) -> Differs {
    let of_kind: Vec<&Value> =
        window.audit.iter().filter(|r| r.kind == fact.kind).map(|r| &r.body).collect();
    let fits = |body: &&&Value| fact.body.as_ref().is_none_or(|part| holds(body, part));
    let seen = of_kind.iter().filter(fits).count();
    (seen != fact.count).then(|| {
        let expected = json!({ "kind": fact.kind, "where": fact.body, "count": fact.count });
        (expected, json!({ "count": seen, "records": shortened_json(&json!(of_kind)) }))
    })
}

fn executions(states: &[RunState], window: &Window) -> Differs {
    let expected: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
    (window.runs != expected).then(|| (json!(expected), json!(window.runs)))
}

fn refused(codes: &[String], window: &Window) -> Differs {
    (window.refused != codes).then(|| (json!(codes), json!(window.refused)))
}

fn ends_of_steps(steps: &[StepFact], window: &Window) -> Differs {
    let seen: Vec<&Value> = window.named("step_finished").collect();
    (!in_order(steps, &seen, is_end_of_step)).then(|| {
        let expected: Vec<Value> = steps.iter().map(step_fact_told).collect();
        (expected.into(), seen.into_iter().map(step_told).collect())
    })
}

fn reply_contains(part: &str, window: &Window) -> Differs {
    if window.said().any(|said| said.contains(part)) {
        return None;
    }
    let said: Vec<String> = window.said().map(shortened).collect();
    Some((part.into(), said.into()))
}

fn reply_lacks(part: &str, window: &Window) -> Differs {
    let stray = window.said().find(|said| said.contains(part))?;
    Some((json!({ "none_holds": part }), shortened(stray).into()))
}

fn cost(fact: CostFact, window: &Window) -> Differs {
    let CostFact { tokens_max, model_calls_max } = fact;
    let seen = window.model;
    let within = tokens_max.is_none_or(|max| seen.tokens <= max)
        && model_calls_max.is_none_or(|max| seen.calls <= max);
    (!within).then(|| {
        let expected = json!({ "tokens_max": tokens_max, "model_calls_max": model_calls_max });
        (expected, json!({ "tokens": seen.tokens, "model_calls": seen.calls }))
    })
}
