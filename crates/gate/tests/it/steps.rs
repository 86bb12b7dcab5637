//! A run rules on its own steps, on resolved inputs.

use crate::test_gate::{
    TestGate, call_node, execution, host, id, literal, node, now, permissive, read_node,
    transform_node,
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Arg, Binding, Blueprint, DenyCode, Effect, HttpMethod, NodeKind, PreImage, Scheme, Source,
    StepId, StepParams, SystemName, TaskType, UrlTemplate, ValueKind,
};
use wiiiv_gate::{
    Answer, Claim, NotInPlan, PolicySnapshot, Resolved, RuledOn, RunPermit, Start, Step, StepShape,
};

pub fn step(name: &str) -> StepId {
    StepId::parse(name).unwrap()
}

fn bound(max_bytes: u64) -> Arg {
    let from = Source::Step { step: step("pick") };
    Arg::Bound(Binding { from, select: ".".into(), kind: ValueKind::Text, max_bytes })
}

pub fn values(pairs: &[(&str, &str)]) -> Resolved {
    let owned = pairs.iter().map(|(arg, value)| ((*arg).to_owned(), (*value).to_owned()));
    Resolved::new(owned.collect::<BTreeMap<_, _>>())
}

pub fn fetch_of_a_bound_segment(test: &TestGate, policy: &PolicySnapshot) -> Blueprint {
    let url = UrlTemplate {
        system: None,
        scheme: Scheme::Https,
        host: "shop.test".into(),
        port: Some(8443),
        segments: vec![literal("items"), bound(16)],
        query: vec![("q &".into(), bound(16))],
    };
    let params =
        StepParams::ApiCall { method: HttpMethod::Get, url, content_type: None, body: None };
    let mut call = node("call", NodeKind::Observe, params, Effect::Read);
    call.depends_on = vec![step("pick")];
    let slots = [("url", "https://shop.test:8443/items")];
    test.plan(TaskType::WebFetch, &slots, vec![transform_node(), call], policy)
}

pub fn with_port() -> wiiiv_domain::ProjectPolicy {
    let mut rules = permissive();
    rules.allowed_hosts.push(wiiiv_domain::HostRule { port: Some(8443), ..host("shop.test") });
    rules
}

pub fn saves_under_a_bound_name(test: &TestGate, policy: &PolicySnapshot) -> Blueprint {
    let params =
        StepParams::FileWrite { directory: "out".into(), name: bound(12), content: literal("x") };
    let save = node("save", NodeKind::Act, params, Effect::Write);
    let slots = [("targetPath", "out"), ("content", "x")];
    let mut plan = test.plan(TaskType::FileWrite, &slots, vec![transform_node(), save], policy);
    plan.pre_images.insert("out/a.txt".into(), PreImage::Absent);
    plan
}

fn begun(test: &TestGate, plan: Blueprint, policy: &Arc<PolicySnapshot>) -> RunPermit {
    test.permit(plan, policy).begin()
}

fn denial(claim: &Claim) -> Option<DenyCode> {
    claim.record().answers[2].answer.denial()
}

#[test]
fn a_resolved_step_is_asked_permission_alone_and_its_values_are_hashed() {
    let test = TestGate::new();
    let policy = test.snapshot(with_port());
    let mut run = begun(&test, fetch_of_a_bound_segment(&test, &policy), &policy);
    assert_eq!(run.execution(), execution());
    let inputs = values(&[("segment.1", "a b/c"), ("query.0", "1&x=2")]);
    let (claim, ruled) =
        run.rule_step(&step("call"), 1, inputs, &policy, &test.standing(), now()).unwrap();
    let answers: Vec<Answer> = claim.record().answers.iter().map(|a| a.answer).collect();
    let not_asked = Answer::NotAsked;
    assert_eq!(answers, [not_asked, not_asked, Answer::Allow, not_asked]);
    let RuledOn::Step { values, .. } = &claim.record().subject else { panic!() };
    assert_eq!(values.keys().collect::<Vec<_>>(), ["query.0", "segment.0", "segment.1"]);
    let plain = wiiiv_domain::ContentDigest::of_bytes(b"a b/c");
    assert!(values.values().all(|digest| *digest != plain), "a digest is salted");
    let guard = claim.guard().unwrap();
    assert!(guard.consume.is_empty() && guard.hold.is_empty());
    let start =
        Start::Step { execution: execution(), step: step("call"), attempt: 1, idempotent: true };
    assert_eq!(guard.start, start);
    let done = test.opened.registrar.attest(claim, test.next());
    let permit = ruled.seal(done).unwrap();
    let step: Step = test.opened.verifier.redeem(permit).unwrap();
    assert_eq!(step.url().unwrap(), "https://shop.test:8443/items/a%20b%2Fc?q%20%26=1%26x%3D2");
    assert_eq!(step.egress().len(), 2);
    assert_eq!(step.idempotency_key(), format!("{}:call", execution()));
    assert_eq!(step.path(), Err(StepShape::NoPath));
    assert!(!format!("{step:?}").contains("a b"), "values stay out of Debug");
}

#[test]
fn a_resolved_value_that_would_be_syntax_or_too_long_is_refused() {
    let test = TestGate::new();
    let policy = test.snapshot(with_port());
    let rule = |plan: Blueprint, name: &str, inputs: Resolved| {
        let mut run = begun(&test, plan, &policy);
        let ruled = run.rule_step(&step(name), 1, inputs, &policy, &test.standing(), now());
        denial(&ruled.unwrap().0)
    };
    let save = |name: &str| {
        rule(saves_under_a_bound_name(&test, &policy), "save", values(&[("name", name)]))
    };
    assert_eq!(save("a.txt"), None);
    for name in ["../a", "a/b", "a\\b", "a\0b", "..", "", ".", "a..b"] {
        let code = save(name);
        assert!(
            matches!(code, Some(DenyCode::BindingNotAllowed | DenyCode::PathNotAllowed)),
            "{name:?} {code:?}"
        );
    }
    assert_eq!(save("0123456789abc"), Some(DenyCode::BindingNotAllowed));
    let call = |segment: &str| {
        let inputs = values(&[("segment.1", segment), ("query.0", "x")]);
        rule(fetch_of_a_bound_segment(&test, &policy), "call", inputs)
    };
    assert_eq!(call("..."), None);
    assert_eq!(call(".."), Some(DenyCode::BindingNotAllowed));
    assert_eq!(call("0123456789abcdef0"), Some(DenyCode::BindingNotAllowed));
}

#[test]
fn a_bound_name_is_judged_as_the_path_that_it_makes() {
    let test = TestGate::new();
    let policy = test.permissive();
    let params = StepParams::FileRead { directory: String::new(), name: bound(12) };
    let read = node("read", NodeKind::Observe, params, Effect::Read);
    let slots = [("targetPath", "notes")];
    let plan = test.plan(TaskType::FileRead, &slots, vec![transform_node(), read], &policy);
    let mut run = begun(&test, plan, &policy);
    let mut named = |name: &str| {
        let inputs = values(&[("name", name)]);
        let (claim, ruled) =
            run.rule_step(&step("read"), 1, inputs, &policy, &test.standing(), now()).unwrap();
        (denial(&claim), ruled.peek().path().unwrap())
    };
    assert_eq!(named("etc"), (Some(DenyCode::PathNotAllowed), "etc".into()));
    assert_eq!(named("today.md"), (None, "today.md".into()));
}

#[test]
fn a_step_carries_the_pre_image_of_its_resolved_path() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut run = begun(&test, saves_under_a_bound_name(&test, &policy), &policy);
    let mut pre_image = |name: &str| {
        let inputs = values(&[("name", name)]);
        let ruled = run.rule_step(&step("save"), 1, inputs, &policy, &test.standing(), now());
        ruled.unwrap().1.peek().pre_image()
    };
    assert_eq!(pre_image("a.txt"), Some(PreImage::Absent));
    assert_eq!(pre_image("b.txt"), None);
}

/// The registration that a plan was drawn by has to hold when it begins and when a step calls it.
#[test]
fn a_step_names_the_revision_of_the_system_that_it_calls() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plain = test.fetch("https://shop.test/items", &policy);
    let (mut plan, shop) = (plain.clone(), SystemName::parse("shop").unwrap());
    plan.systems.insert(shop.clone(), 4);
    let StepParams::ApiCall { url, .. } = &mut plan.nodes[0].params else { panic!() };
    url.system = Some(shop.clone());
    for (plan, due) in [(plan, Some(4)), (plain, None)] {
        let systems: BTreeMap<_, _> =
            due.map(|revision| (shop.clone(), revision)).into_iter().collect();
        let (claim, ruled) = test.rule(plan, &policy, Vec::new());
        assert_eq!(claim.guard().unwrap().systems, systems);
        let done = test.opened.registrar.attest(claim, test.next());
        let mut run = ruled.seal(done).unwrap().begin();
        let (claim, ruled) =
            run.rule_step(&step("call"), 1, values(&[]), &policy, &test.standing(), now()).unwrap();
        assert_eq!(claim.guard().unwrap().systems, systems);
        assert_eq!(ruled.peek().system_revision(), due);
    }
}

#[test]
fn inputs_are_every_argument_and_no_other() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut run = begun(&test, saves_under_a_bound_name(&test, &policy), &policy);
    let mut rule = |inputs: Resolved| {
        run.rule_step(&step("save"), 1, inputs, &policy, &test.standing(), now()).err()
    };
    let named = |arg: &str| (step("save"), arg.to_owned());
    let (save, arg) = named("name");
    assert_eq!(rule(values(&[])), Some(NotInPlan::Missing { step: save, arg }));
    let (save, arg) = named("content");
    let other = values(&[("name", "a"), ("content", "y")]);
    assert_eq!(rule(other), Some(NotInPlan::Differs { step: save, arg }));
    let (save, arg) = named("directory");
    let stray = values(&[("name", "a"), ("directory", "etc")]);
    assert_eq!(rule(stray), Some(NotInPlan::Differs { step: save, arg }));
    assert_eq!(rule(values(&[("name", "a"), ("content", "x")])), None);
}

#[test]
fn a_run_rules_on_its_own_steps_and_sessions() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut run = begun(&test, test.fetch("https://shop.test/items", &policy), &policy);
    let standing = test.standing();
    let unknown = run.rule_step(&step("x"), 1, values(&[]), &policy, &standing, now());
    assert_eq!(unknown.err(), Some(NotInPlan::UnknownStep(step("x"))));
    let elsewhere = wiiiv_gate::Standing { session: id(9), ..standing };
    let other = run.rule_step(&step("call"), 1, values(&[]), &policy, &elsewhere, now());
    assert_eq!(other.err(), Some(NotInPlan::OtherSession));
}

#[test]
fn a_second_attempt_needs_an_idempotent_step_and_attempts_never_go_back() {
    let test = TestGate::new();
    let policy = test.permissive();
    let post = call_node(HttpMethod::Post, "shop.test", Some(literal("{}")));
    let nodes = vec![post, read_node("a.md")];
    let slots = [("intent", "order"), ("domain", "shop.test"), ("method", "POST")];
    let plan = test.plan(TaskType::ApiWorkflow, &slots, nodes, &policy);
    let mut run = begun(&test, plan, &policy);
    let mut rule = |name: &str, attempt| {
        run.rule_step(&step(name), attempt, values(&[]), &policy, &test.standing(), now())
            .map(|(claim, _)| claim.record().ruling)
    };
    let first = rule("call", 1).unwrap();
    assert_eq!(rule("call", 1), Ok(first), "a claim that moved may be ruled on again");
    assert_eq!(rule("call", 2), Err(NotInPlan::NotIdempotent(step("call"))));
    let second = rule("read", 2).unwrap();
    assert_ne!(first, second);
    let back = NotInPlan::Attempt { step: step("read"), attempt: 1 };
    assert_eq!(rule("read", 1), Err(back));
    assert!(rule("read", 0).is_err());
}

#[test]
fn the_policy_of_the_day_is_what_a_step_is_judged_by() {
    let test = TestGate::new();
    let policy = test.permissive();
    let mut run = begun(&test, test.fetch("https://shop.test/items", &policy), &policy);
    let mut narrower = permissive();
    narrower.allowed_hosts.clear();
    let today = test.snapshot(narrower);
    let (claim, ruled) =
        run.rule_step(&step("call"), 1, values(&[]), &today, &test.standing(), now()).unwrap();
    assert_eq!(denial(&claim), Some(DenyCode::HostNotAllowed));
    assert_eq!(ruled.denied().unwrap().refusals()[0].what, "shop.test");
    let halted = wiiiv_gate::Standing { halted: true, ..test.standing() };
    let (claim, _) = run.rule_step(&step("call"), 1, values(&[]), &policy, &halted, now()).unwrap();
    assert_eq!(denial(&claim), Some(DenyCode::Halted));
}
