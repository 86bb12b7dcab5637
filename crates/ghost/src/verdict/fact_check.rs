//! Judges one fact by one window.

use super::{
    Violated,
    compare::{
        Difference, flow_fact_json, flow_json, in_order, is_end_of_step, is_step_of_flow,
        shortened, shortened_json, step_fact_json, step_json,
    },
    file::file,
    window::{Call, KeptMemory, Window, call_json, leaves, text_of, texts_of},
};
use crate::{
    merge::holds,
    scenario::{
        AuditFact, CallFact, CallsFact, CostFact, DacsSeen, Fact, FlowFact, MemoryFact, RowsFact,
        StepFact, TurnOutcome,
    },
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, path::Path};

/// How calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    Exact,
    /// After a crash: calls that only read may be repeated, and more may be refused, because a model
    /// whose answer was lost cannot correct its plan. Nothing else may differ.
    AfterCrash,
}

/// `beside`: the folder that `json_file` is looked up in.
#[must_use]
pub fn judge(
    fact: &Fact,
    window: &Window,
    beside: &Path,
    strictness: Strictness,
) -> Option<Violated> {
    let differs = match fact {
        Fact::Outcome(expected) => outcome(*expected, window),
        Fact::Flow(steps) => flow(steps, window),
        Fact::FlowLacks(steps) => flow_lacks(steps, window),
        Fact::Asked(slots) => asked(slots, window),
        Fact::Approvals(count) => different(json!(count), window.named("preview").count().into()),
        Fact::Dacs(expected) => dacs(*expected, window),
        Fact::Deny(codes) => deny(codes, window, strictness),
        Fact::Refused(codes) => different(json!(codes), json!(window.refused)),
        Fact::Calls(fact) => calls(fact, window, strictness),
        Fact::Rows(fact) => rows(fact, window),
        Fact::File(fact) => file(fact, window, beside),
        Fact::Files(paths) => set(paths, window.files.keys().cloned().collect()),
        Fact::Audit(fact) => audit(fact, window),
        Fact::Executions(states) => different(json!(states), json!(window.runs)),
        Fact::Steps(steps) => ends_of_steps(steps, window),
        Fact::ReplyContains(part) => reply_contains(part, window),
        Fact::ReplyLacks(part) => reply_lacks(part, window),
        Fact::PromptContains(part) => prompt_contains(part, window),
        Fact::PromptLacks(part) => prompt_lacks(part, window),
        Fact::Cites(files) => cites(files, window),
        Fact::Memory(fact) => memory(fact, &window.memory),
        Fact::Cost(fact) => cost(*fact, window),
    };
    differs.map(|(expected, seen)| Violated::new(fact.name(), expected, seen))
}

fn different(expected: Value, seen: Value) -> Difference {
    (expected != seen).then_some((expected, seen))
}

fn set(expected: &[String], seen: BTreeSet<String>) -> Difference {
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    different(json!(expected), json!(seen))
}

fn deny(expected: &[String], window: &Window, strictness: Strictness) -> Difference {
    let mut seen = window.denials();
    if strictness == Strictness::AfterCrash {
        seen.retain(|code| expected.contains(code));
    }
    set(expected, seen)
}

fn outcome(expected: TurnOutcome, window: &Window) -> Difference {
    let seen = window.named("ended").next_back().map(|event| text_of(event, "outcome"));
    different(json!(expected), json!(seen))
}

fn flow(steps: &[FlowFact], window: &Window) -> Difference {
    let seen: Vec<&Value> = window.named("flow").collect();
    (!in_order(steps, &seen, is_step_of_flow)).then(|| {
        let expected: Vec<Value> = steps.iter().map(flow_fact_json).collect();
        (expected.into(), seen.into_iter().map(flow_json).collect())
    })
}

fn flow_lacks(steps: &[FlowFact], window: &Window) -> Difference {
    let stray = |fact: &FlowFact| window.named("flow").find(|event| is_step_of_flow(fact, event));
    let found = steps.iter().find_map(|fact| Some((fact, stray(fact)?)));
    found.map(|(fact, event)| (json!({ "none_of": flow_fact_json(fact) }), flow_json(event)))
}

fn asked(slots: &[String], window: &Window) -> Difference {
    let last = window.named("ask").next_back();
    let seen: BTreeSet<String> =
        last.map(|event| texts_of(event, "missing").into_iter().collect()).unwrap_or_default();
    // A question counts even if it asks for no slot.
    if slots.is_empty() && last.is_some() {
        return Some((json!([]), json!({ "asked": seen })));
    }
    set(slots, seen)
}

fn dacs(expected: DacsSeen, window: &Window) -> Difference {
    let last = window.audit.iter().rev().find(|record| record.kind == "dacs.evaluated");
    let seen =
        last.map_or_else(|| "none".to_owned(), |r| text_of(&r.body, "consensus").to_lowercase());
    different(json!(expected), json!(seen))
}

fn calls(fact: &CallsFact, window: &Window, strictness: Strictness) -> Difference {
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
    let seen: Vec<Value> = all.iter().filter(|call| counts(call)).map(Call::to_json).collect();
    let expected: Vec<Value> = fact.exactly.iter().map(expected_call_json).collect();
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

fn expected_call_json(fact: &CallFact) -> Value {
    call_json(&fact.method, &fact.path, &fact.query, fact.body.as_ref().unwrap_or(&Value::Null))
}

fn rows(fact: &RowsFact, window: &Window) -> Difference {
    let RowsFact { service, table, count, row } = fact;
    let Some(all) = window.rows.get(&(*service, table.clone())) else {
        return Some((json!({ "service": service, "table": table }), "no such table".into()));
    };
    let fits = |own: &&Value| row.as_ref().is_none_or(|part| holds(own, part));
    let seen = all.iter().filter(fits).count();
    (seen != *count).then(|| {
        let expected = json!({ "table": table, "where": row, "count": count });
        (expected, json!({ "count": seen, "rows": shortened_json(&json!(all)) }))
    })
}

fn audit(fact: &AuditFact, window: &Window) -> Difference {
    let of_kind: Vec<&Value> =
        window.audit.iter().filter(|r| r.kind == fact.kind).map(|r| &r.body).collect();
    let fits = |body: &&&Value| fact.body.as_ref().is_none_or(|part| holds(body, part));
    let seen = of_kind.iter().filter(fits).count();
    (seen != fact.count).then(|| {
        let expected = json!({ "kind": fact.kind, "where": fact.body, "count": fact.count });
        (expected, json!({ "count": seen, "records": shortened_json(&json!(of_kind)) }))
    })
}

fn ends_of_steps(steps: &[StepFact], window: &Window) -> Difference {
    let seen: Vec<&Value> = window.named("step_finished").collect();
    (!in_order(steps, &seen, is_end_of_step)).then(|| {
        let expected: Vec<Value> = steps.iter().map(step_fact_json).collect();
        (expected.into(), seen.into_iter().map(step_json).collect())
    })
}

fn reply_contains(part: &str, window: &Window) -> Difference {
    if window.replies().any(|reply| reply.contains(part)) {
        return None;
    }
    let replies: Vec<String> = window.replies().map(shortened).collect();
    Some((part.into(), replies.into()))
}

fn reply_lacks(part: &str, window: &Window) -> Difference {
    let stray = window.replies().find(|reply| reply.contains(part))?;
    Some((json!({ "none_holds": part }), shortened(stray).into()))
}

fn prompt_contains(part: &str, window: &Window) -> Difference {
    let last: Value = match window.prompts.last() {
        Some(request) => serde_json::from_str(request).unwrap_or_default(),
        None => Value::Null,
    };
    if leaves(&last).iter().any(|text| text.contains(part)) {
        return None;
    }
    Some((part.into(), json!({ "prompts": window.prompts.len(), "last": "without it" })))
}

fn prompt_lacks(part: &str, window: &Window) -> Difference {
    let read = |request: &String| serde_json::from_str::<Value>(request).unwrap_or_default();
    let holds = |request: &Value| leaves(request).iter().any(|text| text.contains(part));
    let nth = window.prompts.iter().map(read).position(|request| holds(&request))?;
    Some((json!({ "none_holds": part }), json!({ "prompt": nth + 1 })))
}

fn cites(files: &[String], window: &Window) -> Difference {
    let cited = |event: &Value| -> Vec<String> {
        let items = event.get("citations").and_then(Value::as_array).into_iter().flatten();
        items.map(|item| text_of(item, "file_name").to_owned()).collect()
    };
    let seen = window.named("reply").next_back().map(cited).unwrap_or_default();
    different(json!(files), json!(seen))
}

fn memory(fact: &MemoryFact, kept: &KeptMemory) -> Difference {
    let is = |expected: Option<&str>, seen: &str| expected.is_none_or(|it| it.trim_end() == seen);
    let KeptMemory { user, project } = kept;
    let all = is(fact.user.as_deref(), user) && is(fact.project.as_deref(), project);
    (!all).then(|| (json!(fact), json!({ "user": user, "project": project })))
}

fn cost(fact: CostFact, window: &Window) -> Difference {
    let CostFact { tokens_max, model_calls_max } = fact;
    let seen = window.model;
    let within = tokens_max.is_none_or(|max| seen.tokens <= max)
        && model_calls_max.is_none_or(|max| seen.calls <= max);
    (!within).then(|| {
        let expected = json!({ "tokens_max": tokens_max, "model_calls_max": model_calls_max });
        (expected, json!({ "tokens": seen.tokens, "model_calls": seen.calls }))
    })
}
