//! Lists of the policy, metadata of the executors, standing of the session.

use crate::test_gate::{
    TestGate, book, call_node, delete_node, host, now, permissive, read_node, transform_node,
    write_node,
};
use wiiiv_domain::{
    Asks, Blueprint, Capability, DenyCode, Effect, ExecutorId, HttpMethod, Node, NotDrawn,
    StepType, TaskType,
};
use wiiiv_gate::{PolicySnapshot, Standing};

fn codes(test: &TestGate, plan: &Blueprint, policy: &PolicySnapshot) -> Vec<DenyCode> {
    let findings = test.opened.keeper.forecast(plan, policy, &test.standing(), now()).unwrap();
    findings.permission.refusals.iter().map(|r| r.code).collect()
}

fn of_nodes(test: &TestGate, nodes: Vec<Node>, policy: &PolicySnapshot) -> Vec<DenyCode> {
    codes(test, &test.plan(TaskType::FileRead, &[("targetPath", "a")], nodes, policy), policy)
}

#[test]
fn paths_are_compared_by_components_and_system_directories_must_be_named() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.allowed_paths = vec!["ws_demo".into(), "var/data".into()];
    let policy = test.snapshot(rules);
    let allowed = |path: &str| of_nodes(&test, vec![read_node(path)], &policy).is_empty();
    assert!(allowed("ws_demo/a.md") && allowed("/ws_demo/b/c.md") && allowed("var/data/x"));
    for path in ["ws_demo2/a.md", "ws_demo/../etc/passwd", "var/log/x", "ws_demo\\..\\x", ""] {
        assert!(!allowed(path), "{path}");
    }
    let whole = test.permissive();
    for path in ["etc/passwd", "/etc/passwd", "./usr/x", "//proc/self/environ", "lib64/x"] {
        let codes = of_nodes(&test, vec![read_node(path)], &whole);
        assert_eq!(codes, [DenyCode::PathNotAllowed], "{path}");
    }
    assert!(of_nodes(&test, vec![read_node("library/etc/x")], &whole).is_empty());
}

/// A list that covers it does not make a path of it: no executor would take it.
#[test]
fn a_name_that_is_no_path_of_a_workspace_is_refused() {
    let test = TestGate::new();
    let policy = test.permissive();
    for path in ["notes/con", "notes/a.md:stream", "notes/a.", "notes/a\u{202e}dm.exe"] {
        let codes = of_nodes(&test, vec![read_node(path)], &policy);
        assert_eq!(codes, [DenyCode::PathNotAllowed], "{path:?}");
    }
    for path in ["notes/회의.md", ".", "notes/"] {
        assert!(of_nodes(&test, vec![read_node(path)], &policy).is_empty(), "{path}");
    }
}

#[test]
fn a_host_is_covered_by_a_line_of_the_list_or_refused() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.allowed_hosts.push(host("*.corp.test"));
    let policy = test.snapshot(rules);
    let ruled = |name: &str| of_nodes(&test, vec![call_node(HttpMethod::Get, name, None)], &policy);
    assert!(ruled("shop.test").is_empty() && ruled("SHOP.test.").is_empty());
    assert!(ruled("a.corp.test").is_empty());
    for name in [
        "corp.test",
        "evilcorp.test",
        "shop.test.evil.test",
        "shop.tes",
        "127.0.0.1",
        "evil.test/a.corp.test",
        "evil.test#.corp.test",
        "evil.test:1.corp.test",
        "x@a.corp.test",
        "[::1].corp.test",
        "evil.test\\a.corp.test",
        "",
    ] {
        assert_eq!(ruled(name), [DenyCode::HostNotAllowed], "{name}");
    }
}

#[test]
fn step_types_outside_the_list_are_refused_whatever_else_is() {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.allowed_step_types.remove(&StepType::FileDelete);
    let policy = test.snapshot(rules);
    let codes = of_nodes(&test, vec![delete_node("a"), transform_node()], &policy);
    assert_eq!(codes, [DenyCode::StepTypeNotAllowed]);
}

#[test]
fn an_effect_below_what_the_parameters_do_is_a_lie() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut quiet = write_node("a.md");
    quiet.effect = Effect::Read;
    assert_eq!(of_nodes(&test, vec![quiet], &policy), [DenyCode::EvidenceMismatch]);
    let mut quiet = call_node(HttpMethod::Post, "shop.test", None);
    quiet.effect = Effect::Read;
    assert_eq!(of_nodes(&test, vec![quiet], &policy), [DenyCode::EvidenceMismatch]);
}

#[test]
fn an_executor_does_only_what_it_declares_under_the_contract_the_plan_was_drawn_for() {
    let mut meek = book();
    meek.executors[0].capabilities.remove(&Capability::Delete);
    meek.executors[1].contract_version = 2;
    meek.executors.retain(|meta| meta.id.as_str() != "transform");
    let test = TestGate::with(meek);
    let policy = test.permissive();
    let codes_of = |node| of_nodes(&test, vec![node], &policy);
    assert_eq!(codes_of(delete_node("a")), [DenyCode::PolicyForbids]);
    assert_eq!(codes_of(transform_node()), [DenyCode::StepTypeNotAllowed]);
    let get = vec![call_node(HttpMethod::Get, "shop.test", None)];
    let mut plan = test.plan(TaskType::FileRead, &[("targetPath", "a")], get, &policy);
    assert!(codes(&test, &plan, &policy).is_empty());
    plan.contracts.insert(ExecutorId::new("api"), 1);
    assert_eq!(codes(&test, &plan, &policy), [DenyCode::EvidenceMismatch]);
    plan.contracts.clear();
    assert_eq!(codes(&test, &plan, &policy), [DenyCode::EvidenceMismatch]);
}

#[test]
fn a_plan_that_contradicts_itself_is_refused() {
    let test = TestGate::new();
    let policy = test.permissive();
    assert_eq!(of_nodes(&test, Vec::new(), &policy), [DenyCode::EvidenceMismatch]);
    let twice = vec![read_node("a"), read_node("b")];
    assert_eq!(of_nodes(&test, twice, &policy), [DenyCode::EvidenceMismatch]);
}

#[test]
fn a_halt_and_a_hard_stop_come_first() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.fetch("https://shop.test/items", &policy);
    let stopped = |change: fn(&mut Standing)| {
        let mut standing = test.standing();
        change(&mut standing);
        let keeper = &test.opened.keeper;
        assert_eq!(keeper.asks(&plan, &policy, &standing), Asks::Refused);
        let findings = keeper.forecast(&plan, &policy, &standing, now()).unwrap();
        findings.permission.answer.denial()
    };
    assert_eq!(stopped(|s| s.halted = true), Some(DenyCode::Halted));
    assert_eq!(stopped(|s| s.risk_score = 100), Some(DenyCode::SessionRiskHold));
}

#[test]
fn what_policy_will_refuse_is_never_put_before_a_person() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("etc/passwd", &policy);
    assert_eq!(test.opened.keeper.asks(&plan, &policy, &test.standing()), Asks::Refused);
    let findings = test.opened.keeper.forecast(&plan, &policy, &test.standing(), now()).unwrap();
    let refusal = &findings.permission.refusals[0];
    let told = NotDrawn::Denied { code: refusal.code, what: refusal.what.clone(), rule: None };
    let expected =
        NotDrawn::Denied { code: DenyCode::PathNotAllowed, what: "etc/passwd".into(), rule: None };
    assert_eq!(told, expected);
}

/// Only where policy asks for it, only for the tasks that it names, and before anybody is asked.
#[test]
fn what_an_unverified_model_proposed_is_denied_where_policy_says_so() {
    let test = TestGate::new();
    let found = |required: &[TaskType], unverified: bool| {
        let mut rules = crate::test_gate::permissive();
        rules.require_verified_model.extend(required);
        let policy = test.snapshot(rules);
        let plan = test.write("a.md", &policy);
        let standing = Standing { unverified, ..test.standing() };
        let findings = test.opened.keeper.forecast(&plan, &policy, &standing, now()).unwrap();
        let refused = test.opened.keeper.asks(&plan, &policy, &standing) == Asks::Refused;
        (findings.permission.answer.denial(), refused)
    };
    let denied = (Some(DenyCode::ModelUnverified), true);
    assert_eq!(found(&[TaskType::FileWrite], true), denied);
    assert_eq!(found(&[TaskType::FileWrite], false), (None, false));
    assert_eq!(found(&[TaskType::FileDelete], true), (None, false));
    assert_eq!(found(&[], true), (None, false));
}

#[test]
fn a_foreign_policy_and_another_session_forecast_nothing() {
    let (test, other) = (TestGate::new(), TestGate::new());
    let (ours, theirs) = (test.permissive(), other.permissive());
    let plan = test.write("a.md", &ours);
    let keeper = &test.opened.keeper;
    assert!(keeper.forecast(&plan, &theirs, &test.standing(), now()).is_err());
    assert_eq!(keeper.asks(&plan, &theirs, &test.standing()), Asks::Refused);
    let elsewhere = Standing { session: crate::test_gate::id(9), ..test.standing() };
    assert_eq!(keeper.asks(&plan, &ours, &elsewhere), Asks::Refused);
}
