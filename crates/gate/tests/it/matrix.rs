//! The golden decision matrix of each profile: step type × situation. A changed line is a changed
//! policy: `UPDATE_EXPECT=1` writes it, a person reads it.

use crate::test_gate::{
    APPROVER, DEFAULT, EDITOR, STRICT, TestGate, call_node, delete_node, fetch_node, host, id,
    literal, now, read_node, ruling, transform_node, write_node,
};
use expect_test::{ExpectFile, expect_file};
use std::{fmt::Write as _, sync::Arc};
use wiiiv_domain::{
    ApprovalBy, Blueprint, Effect, HostRule, HttpMethod, Node, NodeKind, StepParams, TaskType,
};
use wiiiv_gate::{DecisionRecord, PolicySnapshot, Purpose, Standing, profile};

#[derive(Debug, Clone, Copy)]
enum Situation {
    Unasked,
    OwnYes,
    AnothersYes,
    AnothersYesOutside,
    TaintedUnasked,
    AtRiskOwnYes,
    OnHoldOwnYes,
    HaltedOwnYes,
}

const SITUATIONS: [Situation; 8] = [
    Situation::Unasked,
    Situation::OwnYes,
    Situation::AnothersYes,
    Situation::AnothersYesOutside,
    Situation::TaintedUnasked,
    Situation::AtRiskOwnYes,
    Situation::OnHoldOwnYes,
    Situation::HaltedOwnYes,
];

#[derive(Debug, Clone, Copy)]
enum Row {
    FileRead,
    FileWrite,
    FileDelete,
    Call(HttpMethod),
    /// A POST that the plan calls READ, where the policy labels it so, and where it does not.
    Labelled,
    CalledRead,
    Fetch,
    Transform,
}

/// One row for each step type, and API calls by method.
const ROWS: [(Row, &str); 10] = [
    (Row::FileRead, "FILE_READ"),
    (Row::FileWrite, "FILE_WRITE"),
    (Row::FileDelete, "FILE_DELETE"),
    (Row::Call(HttpMethod::Get), "API_CALL GET"),
    (Row::Call(HttpMethod::Post), "API_CALL POST"),
    (Row::Call(HttpMethod::Delete), "API_CALL DELETE"),
    (Row::Labelled, "API_CALL POST, labelled READ by the policy"),
    (Row::CalledRead, "API_CALL POST, called READ by the plan alone"),
    (Row::Fetch, "WEB_FETCH"),
    (Row::Transform, "TRANSFORM"),
];

fn posts_as_read(place: &str, segment: &str) -> Node {
    let mut node = call_node(HttpMethod::Post, place, Some(literal("{}")));
    (node.kind, node.effect) = (NodeKind::Observe, Effect::Read);
    if let StepParams::ApiCall { url, .. } = &mut node.params {
        url.segments = vec![literal(segment)];
    }
    node
}

fn plan(test: &TestGate, policy: &PolicySnapshot, row: Row, outside: bool) -> Blueprint {
    let path = if outside { "etc/passwd" } else { "notes/a.md" };
    let place = if outside { "other.test" } else { "shop.test" };
    let file = [("targetPath", path), ("content", "x")];
    let call = [("intent", "x"), ("domain", place)];
    let api = |node| test.plan(TaskType::ApiWorkflow, &call, vec![node], policy);
    match row {
        Row::FileRead => test.plan(TaskType::FileRead, &file[..1], vec![read_node(path)], policy),
        Row::FileWrite => test.plan(TaskType::FileWrite, &file, vec![write_node(path)], policy),
        Row::FileDelete => {
            test.plan(TaskType::FileDelete, &file[..1], vec![delete_node(path)], policy)
        }
        Row::Call(method) => {
            let call = [call[0], call[1], ("method", method.as_str())];
            let body = (!method.is_safe()).then(|| literal("{}"));
            let nodes = vec![call_node(method, place, body)];
            test.plan(TaskType::ApiWorkflow, &call, nodes, policy)
        }
        Row::Labelled => api(posts_as_read(place, "search")),
        Row::CalledRead => api(posts_as_read(place, "orders")),
        Row::Fetch => {
            let slots = [("url", place)];
            test.plan(TaskType::WebFetch, &slots, vec![fetch_node(place)], policy)
        }
        Row::Transform => api(transform_node()),
    }
}

fn decided(
    test: &TestGate,
    policy: &Arc<PolicySnapshot>,
    row: Row,
    situation: Situation,
) -> DecisionRecord {
    let outside = matches!(situation, Situation::AnothersYesOutside);
    let plan = plan(test, policy, row, outside);
    let own = (test.person(test.requester, EDITOR), ApprovalBy::Requester);
    let other = (test.person(id(4), APPROVER), ApprovalBy::AnotherPerson);
    let standing = test.standing();
    let (yes, standing) = match situation {
        Situation::Unasked => (None, standing),
        Situation::OwnYes => (Some(own), standing),
        Situation::AnothersYes | Situation::AnothersYesOutside => (Some(other), standing),
        Situation::TaintedUnasked => (None, Standing { tainted: true, ..standing }),
        Situation::AtRiskOwnYes => (Some(own), Standing { risk_score: 30, ..standing }),
        Situation::OnHoldOwnYes => (Some(own), Standing { risk_score: 100, ..standing }),
        Situation::HaltedOwnYes => (Some(own), Standing { halted: true, ..standing }),
    };
    let given = yes.map(|(who, by)| test.yes(&who, &test.request(&plan, by)).unwrap());
    let mut evidence = test.evidence(given.into_iter().collect());
    evidence.standing = standing;
    let keeper = &test.opened.keeper;
    let start = Purpose::Start(crate::test_gate::execution());
    let cx = keeper.gather(ruling(), start, plan, Arc::clone(policy), evidence).unwrap();
    keeper.rule(cx, now()).0.record().clone()
}

#[track_caller]
fn check(profile_text: &str, expected: ExpectFile) {
    let test = TestGate::new();
    let mut rules = profile(profile_text).unwrap();
    let read_operations = ["POST /search".to_owned()].into();
    rules.allowed_hosts = vec![HostRule { read_operations, ..host("shop.test") }];
    let policy = test.snapshot(rules);
    let mut table = String::from(
        "# Decisions of this profile with `shop.test` on its egress list, and its `POST /search`\n\
         # labelled READ. `outside`: etc/passwd, other.test.\n\
         # Written by the tests of `gate`; a changed line is a changed policy.\n",
    );
    for (row, name) in ROWS {
        writeln!(table, "\n{name}").unwrap();
        for situation in SITUATIONS {
            let record = decided(&test, &policy, row, situation);
            let codes: Vec<&str> = record.codes().iter().map(|c| c.as_str()).collect();
            let answer = if codes.is_empty() {
                "ALLOW".to_owned()
            } else {
                format!("DENY {}", codes.join(" "))
            };
            let shadow: Vec<&str> = record.would_deny.iter().map(|w| w.code.as_str()).collect();
            let shadow = if shadow.is_empty() {
                String::new()
            } else {
                format!(" (would deny {})", shadow.join(" "))
            };
            let situation = format!("{situation:?}");
            writeln!(table, "  {situation:<19} {answer}{shadow}").unwrap();
        }
    }
    expected.assert_eq(&table);
}

#[test]
fn default_profile() {
    check(DEFAULT, expect_file!["../../../../policies/profiles/default.matrix.txt"]);
}

#[test]
fn strict_profile() {
    check(STRICT, expect_file!["../../../../policies/profiles/strict.matrix.txt"]);
}
