//! Every fact holds where it should, and bites where it should not.

use super::*;
use crate::scenario::{Fact, FlowFact, ServiceName, yaml_facts};
use serde_json::json;
use std::path::Path;
use wiiiv_fakes::TokenState;

fn call(method: &str, path: &str, body: Value, reads: bool) -> Call {
    let logs_in = path == "/login";
    Call {
        method: method.to_owned(),
        path: path.to_owned(),
        query: [("q".to_owned(), "1".to_owned())]
            .into_iter()
            .filter(|_| reads && !logs_in)
            .collect(),
        body,
        token: TokenState::Valid,
        key: None,
        status: Some(200),
        reads,
        logs_in,
    }
}

fn window() -> Window {
    let flow = |input: &str, outcome: &str, codes: &[&str]| {
        json!({"event": "flow", "input": input, "outcome": outcome, "codes": codes,
            "task_type": "API_WORKFLOW"})
    };
    let refused = json!({"event": "reply", "reply": "not_drawable", "text": "안 됩니다 42",
        "params": {"reasons": [{"kind": "slot", "code": "MISSING"}, {"kind": "no_executor"}]},
        "citations": [{"file_name": "leave.md"}, {"file_name": "복지.md"}]});
    let calls = vec![
        call("POST", "/login", Value::Null, false),
        call("GET", "/products", Value::Null, true),
        call("POST", "/orders", json!({"sku": 1, "memo": "x"}), false),
    ];
    let records =
        [("dacs.evaluated", json!({"consensus": "YES"})), ("approval.given", json!({"by": "a"}))];
    Window {
        events: vec![
            flow("proposed", "execute", &[]),
            json!({"event": "ask", "missing": ["domain"], "text": "어디?"}),
            json!({"event": "preview", "text": "미리보기"}),
            flow("ruling", "deny", &["HOST_NOT_ALLOWED"]),
            json!({"event": "step_finished", "step": "call", "ok": true, "code": ""}),
            json!({"event": "step_finished", "step": "save", "ok": false, "code": "SKIPPED"}),
            refused,
            json!({"event": "ended", "outcome": "denied"}),
        ],
        calls: [(ServiceName::Skymall, calls)].into(),
        rows: [(
            (ServiceName::Skymall, "orders".to_owned()),
            vec![json!({"id": 1}), json!({"id": 2})],
        )]
        .into(),
        files: [("a/r.json".to_owned(), br#"[{"b":1,"a":"x"}]"#.to_vec())].into(),
        audit: records.map(|(kind, body)| Record { kind: kind.to_owned(), body }).into(),
        runs: vec!["succeeded".to_owned(), "failed".to_owned()],
        model: ModelUse { calls: 2, tokens: 100 },
        prompts: [
            json!({"messages": ["먼저"]}),
            json!({"messages": [{"content": "- 짧은 \"답\"\n"}]}),
        ]
        .map(|request| request.to_string())
        .into(),
        memory: KeptMemory { user: "- 짧은 답\n- 차".to_owned(), project: String::new() },
        refused: vec!["APPROVAL_STALE".to_owned()],
        settled: Vec::new(),
    }
}

fn violated(fact: &str) -> Option<Violated> {
    let facts: Vec<Fact> = yaml_facts(fact);
    let [fact] = facts.as_slice() else { panic!("one fact: {fact}") };
    judge(fact, &window(), Path::new("."), Strictness::Exact)
}

/// A fact that holds, and the same fact made wrong, each way that it can be.
const CASES: &[(&str, &[&str])] = &[
    (
        "outcome: denied",
        &["outcome: done", "outcome: pending", "outcome: error", "outcome: cancelled"],
    ),
    (
        "flow: [{input: proposed}, {input: ruling, outcome: deny, codes: [HOST_NOT_ALLOWED]}]",
        &[
            "flow: [{input: ruling}, {input: proposed}]",
            "flow: [{input: proposed, outcome: ask}]",
            "flow: [{input: proposed, task_type: FILE_READ}]",
            "flow: [{input: ruling, codes: [DACS_NO]}]",
            "flow: [{input: proposed}, {input: proposed}]",
        ],
    ),
    ("flow_lacks: [{input: finished}]", &["flow_lacks: [{input: finished}, {input: ruling}]"]),
    ("asked: [domain]", &["asked: []", "asked: [intent]", "asked: [domain, intent]"]),
    ("approvals: 1", &["approvals: 0", "approvals: 2"]),
    ("dacs: yes", &["dacs: no", "dacs: revision", "dacs: none"]),
    (
        "deny: [NO_EXECUTOR, MISSING, HOST_NOT_ALLOWED]",
        &[
            "deny: []",
            "deny: [MISSING, HOST_NOT_ALLOWED]",
            "deny: [NO_EXECUTOR, MISSING, HOST_NOT_ALLOWED, X]",
        ],
    ),
    (
        "calls: {service: skymall, logins: 1, exactly: [{method: POST, path: /orders, body: {sku: 1}}, {method: GET, path: /products, query: {q: '1'}}]}",
        &[
            "calls: {service: skymall, exactly: []}",
            "calls: {service: skymall, exactly: [{method: GET, path: /products, query: {q: '1'}}]}",
            "calls: {service: skymall, exactly: [{method: GET, path: /products, query: {q: '1'}}, {method: POST, path: /orders, body: {sku: 2}}]}",
            "calls: {service: skymall, exactly: [{method: GET, path: /products}, {method: POST, path: /orders}]}",
            "calls: {service: skymall, exactly: [{method: GET, path: /products, query: {q: '1'}}, {method: POST, path: /orders}, {method: POST, path: /orders}]}",
            "calls: {service: skymall, logins: 0, exactly: [{method: GET, path: /products, query: {q: '1'}}, {method: POST, path: /orders}]}",
            "calls: {service: skystock, exactly: [{method: GET, path: /inventory}]}",
        ],
    ),
    (
        "rows: {service: skymall, table: orders, count: 2}",
        &[
            "rows: {service: skymall, table: orders, count: 3}",
            "rows: {service: skymall, table: orders, count: 2, where: {id: 1}}",
            "rows: {service: skymall, table: users, count: 0}",
        ],
    ),
    (
        "file: {path: a/r.json, json: [{a: x, b: 1.0}]}",
        &[
            "file: {path: a/r.json, json: [{a: x}]}",
            "file: {path: a/r.json, json: [{a: x, b: 1}, {a: y, b: 2}]}",
            "file: {path: r.json, json: []}",
            "file: {path: a/r.json, absent: true}",
            "file: {path: a/r.json, text: '[]'}",
            "file: {path: a/r.json, contains: z}",
            "file: {path: a/r.json, json_file: nowhere.json}",
            "file: {path: a/r.json, rows: []}",
            "file: {path: a/r.json, rows: [[x, 2]]}",
            "file: {path: a/r.json, rows: [[x], [1]]}",
            "file: {path: a/r.json, lacks: x}",
            "file: {path: r.json, lacks: x}",
        ],
    ),
    ("file: {path: r.json, absent: true}", &[]),
    ("file: {path: a/r.json, rows: [[1, x]]}", &[]),
    ("file: {path: a/r.json, lacks: z}", &[]),
    ("file: {path: a/r.json, contains: '\"a\":\"x\"'}", &[]),
    ("file: {path: a/r.json, text: '[{\"b\":1,\"a\":\"x\"}]'}", &[]),
    ("files: [a/r.json]", &["files: []", "files: [a/r.json, b]"]),
    (
        "audit: {kind: approval.given, count: 1, where: {by: a}}",
        &[
            "audit: {kind: approval.given, count: 0}",
            "audit: {kind: approval.given, count: 1, where: {by: b}}",
        ],
    ),
    (
        "executions: [succeeded, failed]",
        &["executions: []", "executions: [failed, succeeded]", "executions: [succeeded]"],
    ),
    (
        "steps: [{ok: true}, {step: save, ok: false, code: SKIPPED}]",
        &[
            "steps: [{step: save, ok: true}]",
            "steps: [{ok: false}, {ok: true}]",
            "steps: [{ok: false, code: X}]",
        ],
    ),
    (
        "refused: [APPROVAL_STALE]",
        &["refused: []", "refused: [FORBIDDEN]", "refused: [APPROVAL_STALE, APPROVAL_STALE]"],
    ),
    ("reply_contains: 미리", &["reply_contains: 없는 말"]),
    ("reply_lacks: 없는 말", &["reply_lacks: 어디"]),
    ("prompt_contains: '짧은 \"답\"'", &["prompt_contains: 없는 말", "prompt_contains: 먼저"]),
    ("prompt_lacks: 없는 말", &["prompt_lacks: 먼저", "prompt_lacks: '짧은 \"답\"'"]),
    (
        "cites: [leave.md, 복지.md]",
        &["cites: []", "cites: [복지.md, leave.md]", "cites: [leave.md]"],
    ),
    (
        "memory: {user: \"- 짧은 답\\n- 차\\n\", project: ''}",
        &[
            "memory: {user: '- 짧은 답'}",
            "memory: {user: ''}",
            "memory: {project: '- 차'}",
            "memory: {user: \"- 짧은 답\\n- 차\", project: '- 차'}",
        ],
    ),
    ("memory: {project: ''}", &[]),
    (
        "cost: {tokens_max: 100, model_calls_max: 2}",
        &["cost: {tokens_max: 99}", "cost: {model_calls_max: 1}"],
    ),
];

#[test]
fn every_fact_holds_and_bites() {
    for (good, wrong) in CASES {
        assert_eq!(violated(good), None, "{good}");
        for wrong in *wrong {
            let name = wrong.split(':').next().unwrap();
            let violated = violated(wrong).unwrap_or_else(|| panic!("`{wrong}` is let through"));
            assert_eq!(violated.fact, name);
            assert_ne!(violated.expected, violated.seen, "{wrong}");
        }
    }
}

#[test]
fn no_kind_of_fact_is_left_out_of_the_cases() {
    let schema = crate::schema::scenario_schema();
    let kinds = schema["$defs"]["Fact"]["oneOf"].as_array().unwrap();
    for kind in kinds {
        let name = kind["required"][0].as_str().unwrap();
        let bites = |(good, wrong): &&(&str, &[&str])| {
            good.starts_with(&format!("{name}:")) && !wrong.is_empty()
        };
        assert!(CASES.iter().any(|case| bites(&case)), "`{name}` has no case that bites");
    }
}

#[test]
fn behind_a_crash_reads_may_be_repeated_and_nothing_else() {
    let facts = yaml_facts(
        "calls: {service: skymall, logins: 1, exactly: [{method: GET, path: /products, query: {q: '1'}}, {method: POST, path: /orders}]}",
    );
    let after = |more: &[Call]| {
        let mut window = window();
        window.calls.get_mut(&ServiceName::Skymall).unwrap().extend(more.iter().cloned());
        judge(&facts[0], &window, Path::new("."), Strictness::AfterCrash)
    };
    let read = call("GET", "/products", Value::Null, true);
    let login = call("POST", "/login", Value::Null, false);
    assert_eq!(after(&[read, login]), None);
    assert!(after(&[call("POST", "/orders", Value::Null, false)]).is_some(), "an order doubled");
    assert!(after(&[call("GET", "/users", Value::Null, true)]).is_some(), "another read");
}

#[test]
fn behind_a_crash_more_may_be_refused_and_nothing_less() {
    let after = |fact: &str, strictness| {
        judge(&yaml_facts(fact)[0], &window(), Path::new("."), strictness).is_none()
    };
    assert!(!after("deny: []", Strictness::Exact));
    assert!(after("deny: []", Strictness::AfterCrash));
    assert!(!after("deny: [DACS_NO]", Strictness::AfterCrash));
}

#[test]
fn a_good_run_with_stages_to_come_is_partial() {
    assert_eq!(Verdict::of_good_run(&[]), Verdict::Pass);
    let pending = Pending { stage: "a schedule".to_owned(), brings: "workflows".to_owned() };
    let verdict = Verdict::of_good_run(&[pending]);
    assert_eq!((verdict.name(), verdict.is_good()), ("PARTIAL", true));
    assert_eq!(verdict.why().as_deref(), Some("a schedule (workflows)"));
    let first = Violated::new("files", json!([]), json!(["x"])).in_turn(2);
    let verdict = Verdict::Fail { first };
    assert!(!verdict.is_good());
    assert_eq!(verdict.why().as_deref(), Some("turn 2, `files`: expected [], seen [\"x\"]"));
}

/// And before nobody else: a plan that is refused is no other case of it.
#[test]
fn what_is_put_before_the_person_may_be_put_before_others_where_the_rules_say_so() {
    let fits = |or_others: bool, outcome: &str| {
        let event = json!({"event": "flow", "input": "drawn", "outcome": outcome});
        let facts = yaml_facts("flow: [{input: drawn, outcome: requester}]");
        let [Fact::Flow(steps)] = facts.as_slice() else { panic!("one fact") };
        let mut steps = steps.iter().map(|step| FlowFact { or_others, ..step.clone() });
        steps.all(|step| compare::is_step_of_flow(&step, &&event))
    };
    assert!(fits(false, "requester") && !fits(false, "another_person"));
    assert!(fits(true, "requester") && fits(true, "another_person"));
    assert!(!fits(true, "refused") && !fits(true, "nothing"));
}
