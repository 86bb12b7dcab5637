//! READ labels of operations: against a model written apart, and against plans that say less of
//! themselves than they do.

use crate::test_gate::{TestGate, call_node, host, literal, now, permissive};
use proptest::{prelude::*, sample::select};
use wiiiv_domain::{
    Arg, Asks, Binding, DenyCode, Effect, HostRule, HttpMethod, Node, NodeKind, PriceTable, Source,
    StepId, StepParams, TaskType, ValueKind,
};
use wiiiv_gate::{Policy, PolicyError};

const METHODS: [HttpMethod; 5] =
    [HttpMethod::Get, HttpMethod::Post, HttpMethod::Put, HttpMethod::Patch, HttpMethod::Delete];
const WORDS: [&str; 4] = ["products", "search", "7", ""];

/// As a plan that says READ of itself; a segment that is bound has no word.
fn called_read(method: HttpMethod, place: &str, segments: &[Option<&str>]) -> Node {
    let body = (!method.is_safe()).then(|| literal("{}"));
    let mut node = call_node(method, place, body);
    (node.kind, node.effect) = (NodeKind::Observe, Effect::Read);
    if let StepParams::ApiCall { url, .. } = &mut node.params {
        url.segments = segments.iter().map(|s| s.map_or_else(bound, literal)).collect::<Vec<Arg>>();
    }
    node
}

fn bound() -> Arg {
    let from = Source::Step { step: StepId::parse("pick").unwrap() };
    Arg::Bound(Binding { from, select: ".".into(), kind: ValueKind::Text, max_bytes: 9 })
}

/// Every way in which a label may spell this request; one of them has to be in the list.
fn model(method: HttpMethod, segments: &[Option<&str>], lines: &[String]) -> bool {
    let segments = segments.strip_suffix(&[Some("")]).unwrap_or(segments);
    if segments.contains(&Some("")) {
        return method.is_safe();
    }
    let mut spellings = vec![format!("{} ", method.as_str())];
    for segment in segments {
        let words: Vec<&str> = segment.iter().copied().chain(["{}"]).collect();
        let longer = |text: &String| words.iter().map(|w| format!("{text}/{w}")).collect();
        spellings = spellings.iter().flat_map(|text: &String| -> Vec<_> { longer(text) }).collect();
    }
    if segments.is_empty() {
        spellings = vec![format!("{} /", method.as_str())];
    }
    match method {
        HttpMethod::Get | HttpMethod::Head => true,
        HttpMethod::Delete => false,
        HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => {
            spellings.iter().any(|spelling| lines.contains(spelling))
        }
    }
}

thread_local! {
    /// Its rules are compiled once for all cases.
    static WORLD: TestGate = TestGate::new();
}

/// Whether the plan is refused as one that says less of itself than it does.
fn is_a_lie(node: Node, rule: HostRule) -> bool {
    WORLD.with(|test| {
        let mut rules = permissive();
        rules.allowed_hosts.push(rule);
        let policy = test.snapshot(rules);
        let slots = [("intent", "x"), ("domain", "shop.test")];
        let plan = test.plan(TaskType::ApiWorkflow, &slots, vec![node], &policy);
        let keeper = &test.opened.keeper;
        let findings = keeper.forecast(&plan, &policy, &test.standing(), now()).unwrap();
        findings.permission.refusals.iter().any(|r| r.code == DenyCode::EvidenceMismatch)
    })
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let word = select(vec!["products", "search", "7", "{}"]);
    let path = prop::collection::vec(word, 0..3).prop_map(|words| words.join("/"));
    let method = select(vec!["POST", "PUT", "PATCH"]);
    let line = (method, path).prop_map(|(method, path)| format!("{method} /{path}"));
    prop::collection::vec(line, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    /// The plan says READ: it is a lie wherever the model says that the request acts.
    #[test]
    fn a_request_reads_where_the_model_says_so(
        method in select(METHODS.to_vec()),
        segments in prop::collection::vec(prop::option::weighted(0.8, select(WORDS.to_vec())), 0..4),
        lines in lines(),
        is_other_port in prop::bool::weighted(0.1),
    ) {
        let read_operations = lines.iter().cloned().collect();
        let port = is_other_port.then_some(8443);
        let rule = HostRule { read_operations, port, ..host("shop.test") };
        let lies = is_a_lie(called_read(method, "shop.test", &segments), rule);
        let lines = if is_other_port { &[][..] } else { &lines };
        prop_assert_eq!(!lies, model(method, &segments, lines));
    }
}

#[test]
fn a_labelled_request_is_asked_for_as_reading_and_no_other_is() {
    let test = TestGate::new();
    let mut rules = permissive();
    let read_operations = ["POST /products/search".to_owned()].into();
    rules.allowed_hosts = vec![HostRule { read_operations, ..host("shop.test") }];
    let policy = test.snapshot(rules);
    let asks = |segments: &[Option<&str>]| {
        let node = called_read(HttpMethod::Post, "shop.test", segments);
        let slots = [("intent", "x"), ("domain", "shop.test")];
        let plan = test.plan(TaskType::ApiWorkflow, &slots, vec![node], &policy);
        test.opened.keeper.asks(&plan, &policy, &test.standing())
    };
    assert_eq!(asks(&[Some("products"), Some("search")]), Asks::Nothing);
    assert_eq!(asks(&[Some("orders")]), Asks::Refused);
    assert_eq!(asks(&[Some("products"), None]), Asks::Refused, "a bound segment may be anything");
}

#[test]
fn a_condition_says_whether_and_is_bounded_like_any_value() {
    let test = TestGate::new();
    let policy = test.permissive();
    let asks = |max_bytes: u64| {
        let mut node = call_node(HttpMethod::Get, "shop.test", None);
        let Arg::Bound(when) = bound() else { panic!("not bound") };
        node.when = Some(Binding { kind: ValueKind::Json, max_bytes, ..when });
        let slots = [("intent", "x"), ("domain", "shop.test")];
        let plan = test.plan(TaskType::ApiWorkflow, &slots, vec![node], &policy);
        test.opened.keeper.asks(&plan, &policy, &test.standing())
    };
    assert_eq!(asks(100), Asks::Nothing);
    assert_eq!(asks(u64::MAX), Asks::Refused);
}

#[test]
fn a_label_that_nobody_would_keep_is_refused_with_the_policy() {
    for line in
        ["POST", "POST search", "BREW /x", "DELETE /x/{}", "POST /x/{id}", "post /x", "GET /a b"]
    {
        let mut rules = permissive();
        let read_operations = [line.to_owned()].into();
        rules.allowed_hosts = vec![HostRule { read_operations, ..host("shop.test") }];
        let refused = Policy::compile(rules, &PriceTable::default()).err();
        assert_eq!(
            refused,
            Some(PolicyError::OperationLine("readOperations", line.to_owned())),
            "{line}"
        );
    }
}
