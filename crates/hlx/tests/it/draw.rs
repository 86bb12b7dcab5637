//! What is drawn for which slots, as tables.

use crate::test_plans::{blueprint, earlier, policy, spec, systems};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wiiiv_domain::{
    Arg, Effect, Envelope, Node, NotDrawn, Source, Spec, StepParams, System, TaskType, UrlTemplate,
};
use wiiiv_hlx::{DRAWABLE, DrawFacts, Lang, draw, explain, validate};

pub fn drawn(spec: &Spec) -> Result<Vec<Node>, Vec<NotDrawn>> {
    drawn_by(spec, &systems())
}

pub fn drawn_by(spec: &Spec, systems: &[System]) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let own = BTreeSet::from(["lib".to_owned()]);
    let (policy, earlier) = (policy(), earlier());
    let (policy, earlier) = (&policy, earlier.as_slice());
    draw(spec, &DrawFacts { policy, earlier, systems, own_directories: &own, held: None })
}

fn arg(value: &Arg) -> String {
    match value {
        Arg::Literal(text) => format!("{text:?}"),
        Arg::Bound(binding) => {
            let from = match &binding.from {
                Source::Step { step } => step.to_string(),
                Source::Run { execution, step } => format!("{execution}/{step}"),
            };
            format!("<{from} {} {:?} {}>", binding.select, binding.kind, binding.max_bytes)
        }
    }
}

fn url(url: &UrlTemplate) -> String {
    let segments: Vec<_> = url.segments.iter().map(arg).collect();
    let query: Vec<_> = url.query.iter().map(|(k, v)| format!("{k}={}", arg(v))).collect();
    let at = url.system.as_ref().map(|name| format!("{name}@")).unwrap_or_default();
    format!("{:?} {at}{} {:?} {segments:?} {query:?}", url.scheme, url.host, url.port)
}

pub fn node(node: &Node) -> String {
    let params = match &node.params {
        StepParams::WebFetch { url: place } => format!("GET {}", url(place)),
        StepParams::FileRead { directory, name } => format!("{directory:?} {}", arg(name)),
        StepParams::FileWrite { directory, name, content } => {
            format!("{directory:?} {} = {}", arg(name), arg(content))
        }
        StepParams::FileDelete { directory, name } => format!("{directory:?} {}", arg(name)),
        StepParams::ApiCall { method, url: place, content_type, body } => {
            let body = body.as_ref().map(arg).unwrap_or_default();
            format!("{} {} {content_type:?} {body}", method.as_str(), url(place))
        }
        StepParams::Transform { input, beside, expr } => {
            let inputs: Vec<_> = std::iter::once(input).chain(beside).map(arg).collect();
            format!("{expr:?} of {}", inputs.join(" + "))
        }
    };
    let when = node.when.clone().map(|when| format!(" WHEN {}", arg(&Arg::Bound(when))));
    let when = when.unwrap_or_default();
    let (effect, idempotent) = (node.effect, if node.idempotent { "idempotent" } else { "once" });
    let after: Vec<_> = node.depends_on.iter().map(ToString::to_string).collect();
    format!("{} {:?} {effect:?} {idempotent} {after:?}: {params}{when}", node.id, node.kind)
}

#[track_caller]
pub fn check(task: TaskType, slots: &[(&str, &str)], expected: Expect) {
    let text = match drawn(&spec(task, slots)) {
        Ok(nodes) => nodes.iter().map(node).collect::<Vec<_>>().join("\n"),
        Err(reasons) => reasons.iter().map(|r| format!("{r:?}")).collect::<Vec<_>>().join("\n"),
    };
    expected.assert_eq(&text);
}

#[test]
fn files() {
    check(
        TaskType::FileRead,
        &[("targetPath", "/notes/오늘.md")],
        expect![[r#"read Observe Read idempotent []: "notes" "오늘.md""#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "notes/오늘.md"), ("content", "회의 3시")],
        expect![[r#"write Act Write idempotent []: "notes" "오늘.md" = "회의 3시""#]],
    );
    check(
        TaskType::FileDelete,
        &[("targetPath", "a.txt")],
        expect![[r#"delete Act Delete idempotent []: "" "a.txt""#]],
    );
    check(
        TaskType::FileRead,
        &[("targetPath", "/etc/passwd")],
        expect![[r#"Denied { code: PathNotAllowed, what: "/etc/passwd", rule: None }"#]],
    );
    check(
        TaskType::FileRead,
        &[("targetPath", "lib/x.rs")],
        expect![[r#"read Observe Read idempotent []: "lib" "x.rs""#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "../x")],
        expect![[r#"
        Slot { name: SlotName("targetPath"), code: "PATH_LEAVES_WORKSPACE" }
        Slot { name: SlotName("content"), code: "MISSING" }"#]],
    );
}

#[test]
fn pages() {
    let fetch = |slots: &[(&str, &str)], expected| check(TaskType::WebFetch, slots, expected);
    fetch(
        &[("url", "https://news.test/a?b=1")],
        expect![[
            r#"page Observe Read idempotent []: GET Https news.test None ["\"a\""] ["b=\"1\""]"#
        ]],
    );
    fetch(
        &[("url", "plain.test/x"), ("targetPath", "/x.md")],
        expect![[r#"
        page Observe Read idempotent []: GET Http plain.test None ["\"x\""] []
        save Act Write idempotent ["page"]: "" "x.md" = <page .text Text 1048576>"#]],
    );
    fetch(
        &[("url", "news.test"), ("targetPath", "x.json")],
        expect![[r#"
        page Observe Read idempotent []: GET Https news.test None [] []
        save Act Write idempotent ["page"]: "" "x.json" = <page . Json 1048576>"#]],
    );
    fetch(
        &[("url", "news.test/?next=https://b.test/")],
        expect![[
            r#"page Observe Read idempotent []: GET Https news.test None [] ["next=\"https://b.test/\""]"#
        ]],
    );
    fetch(
        &[("query", "weather in Seoul")],
        expect![[r#"Slot { name: SlotName("query"), code: "NO_SEARCH_SYSTEM" }"#]],
    );
    fetch(
        &[("url", "ftp://a.test/"), ("targetPath", "/etc/x")],
        expect![[r#"
            Slot { name: SlotName("url"), code: "URL_SCHEME" }
            Denied { code: PathNotAllowed, what: "/etc/x", rule: None }"#]],
    );
}

/// What the user said of a page is kept to, or refused by name: never left out.
#[test]
fn nothing_that_is_said_of_a_page_is_dropped() {
    let fetch = |slots: &[(&str, &str)], expected| check(TaskType::WebFetch, slots, expected);
    let url = ("url", "news.test");
    fetch(
        &[url, ("targetPath", "x.txt"), ("when", "false")],
        expect![[r#"
        page Observe Read idempotent []: GET Https news.test None [] []
        save Act Write idempotent ["page"]: "" "x.txt" = <page .text Text 1048576> WHEN <page false Json 1048576>"#]],
    );
    fetch(
        &[url, ("targetPath", "x.txt"), ("when", "nonsense(")],
        expect![[r#"Slot { name: SlotName("when"), code: "JQ_SYNTAX" }"#]],
    );
    fetch(
        &[url, ("when", "false")],
        expect![[r#"Slot { name: SlotName("when"), code: "CONDITION_WITHOUT_ACTION" }"#]],
    );
    fetch(
        &[url, ("select", ".title")],
        expect![[r#"Slot { name: SlotName("select"), code: "NOT_OF_A_PAGE" }"#]],
    );
    fetch(
        &[url, ("sourceRun", "last"), ("targetPath", "x.txt")],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "NOT_OF_A_PAGE" }"#]],
    );
}

/// The plan holds the file whole: what was approved is what it will hold.
#[test]
fn what_is_added_stands_on_a_line_of_its_own() {
    let slots = [("targetPath", "a.txt"), ("content", "two"), ("append", "true")];
    let spec = spec(TaskType::FileWrite, &slots);
    let own = BTreeSet::new();
    let policy = policy();
    let facts = |held| DrawFacts {
        policy: &policy,
        earlier: &[],
        systems: &[],
        own_directories: &own,
        held,
    };
    for (held, whole) in [
        (None, "two"),
        (Some(""), "two"),
        (Some("one"), "one\ntwo"),
        (Some("one\n"), "one\ntwo\n"),
        (Some("one\n\n"), "one\n\ntwo\n"),
    ] {
        let nodes = draw(&spec, &facts(held)).unwrap();
        let expected = format!("write Act Write idempotent []: \"\" \"a.txt\" = {whole:?}");
        assert_eq!(nodes.iter().map(node).collect::<Vec<_>>(), [expected], "{held:?}");
    }
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "last"), ("append", "true")],
        expect![[r#"Slot { name: SlotName("append"), code: "ADDS_WRITTEN_TEXT_ONLY" }"#]],
    );
    check(
        TaskType::WebFetch,
        &[("url", "news.test"), ("targetPath", "a.txt"), ("append", "true")],
        expect![[r#"Slot { name: SlotName("append"), code: "ADDS_WRITTEN_TEXT_ONLY" }"#]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("intent", "x"), ("domain", "put.test"), ("targetPath", "a.txt"), ("append", "true")],
        expect![[r#"Slot { name: SlotName("append"), code: "ADDS_WRITTEN_TEXT_ONLY" }"#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("content", "x"), ("append", "yes")],
        expect![[r#"Slot { name: SlotName("append"), code: "NOT_TRUE_OR_FALSE" }"#]],
    );
}

#[test]
fn earlier_runs_are_bound_as_data() {
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "last"), ("select", ".[0].name")],
        expect![[
            r#"write Act Write idempotent []: "" "a.txt" = <00000000-0000-0000-0000-000000000002/filter .[0].name Text 1048576>"#
        ]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "00000000-0000-0000-0000-000000000001")],
        expect![[
            r#"write Act Write idempotent []: "" "a.txt" = <00000000-0000-0000-0000-000000000001/read . Text 2097152>"#
        ]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "00000000-0000-0000-0000-000000000009")],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "UNKNOWN_RUN" }"#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "last"), ("content", "x")],
        expect![[r#"Slot { name: SlotName("sourceRun"), code: "CONTENT_AND_SOURCE" }"#]],
    );
    check(
        TaskType::FileWrite,
        &[("targetPath", "a.txt"), ("sourceRun", "last"), ("select", ".[")],
        expect![[r#"Slot { name: SlotName("select"), code: "JQ_SYNTAX" }"#]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("intent", "send it"), ("domain", "put.test"), ("method", "put"), ("sourceRun", "last")],
        expect![[
            r#"call Act Write idempotent []: PUT Https put.test None [] [] Some("application/json") <00000000-0000-0000-0000-000000000002/filter . Json 1048576>"#
        ]],
    );
}

#[test]
fn calls() {
    check(
        TaskType::ApiWorkflow,
        &[
            ("intent", "cheap things"),
            ("domain", "shop"),
            ("url", "http://127.0.0.1:8080/items/a%2Fb?max=1%200&q=%EA%B0%80"),
            ("select", "[.items[] | select(.price < 10)]"),
            ("targetPath", "/out/cheap.json"),
        ],
        expect![[r#"
            call Observe Read idempotent []: GET Http 127.0.0.1 Some(8080) ["\"items\"", "\"a/b\""] ["max=\"1 0\"", "q=\"가\""] None 
            filter Transform Read idempotent ["call"]: "[.items[] | select(.price < 10)]" of <call . Json 4194304>
            save Act Write idempotent ["filter"]: "out" "cheap.json" = <filter . Json 1048576>"#]],
    );
    check(
        TaskType::ApiWorkflow,
        &[
            ("intent", "order"),
            ("domain", "HTTPS://Shop.Test:443/orders/"),
            ("method", "post"),
            ("body", "{\"n\":1}"),
        ],
        expect![[
            r#"call Act Write once []: POST Https shop.test None ["\"orders\"", "\"\""] [] Some("application/json") "{\"n\":1}""#
        ]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("intent", "x"), ("domain", "plain.test/a")],
        expect![[
            r#"call Observe Read idempotent []: GET Http plain.test None ["\"a\""] [] None "#
        ]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("intent", "x"), ("domain", "other.test/a")],
        expect![[
            r#"call Observe Read idempotent []: GET Https other.test None ["\"a\""] [] None "#
        ]],
    );
    check(
        TaskType::ApiWorkflow,
        &[("intent", "x"), ("domain", "[::1]:8080")],
        expect!["call Observe Read idempotent []: GET Https [::1] Some(8080) [] [] None "],
    );
}

/// What is promised of one operation holds for no other of its method.
#[test]
fn one_promised_operation() {
    let post = |domain| [("intent", "x"), ("domain", domain), ("method", "POST"), ("body", "{}")];
    check(
        TaskType::ApiWorkflow,
        &post("https://mall.test/carts/7/items"),
        expect![[
            r#"call Act Write idempotent []: POST Https mall.test None ["\"carts\"", "\"7\"", "\"items\""] [] Some("application/json") "{}""#
        ]],
    );
    check(
        TaskType::ApiWorkflow,
        &post("https://mall.test/orders"),
        expect![[
            r#"call Act Write once []: POST Https mall.test None ["\"orders\""] [] Some("application/json") "{}""#
        ]],
    );
}

#[test]
fn calls_that_cannot_be_drawn() {
    let table: [&[(&str, &str)]; 7] = [
        &[("domain", "ftp://a.test/")],
        &[("domain", "http://me:secret@a.test/")],
        &[("domain", "a shop of mine")],
        &[("domain", "a.test"), ("method", "BREW")],
        &[("domain", "a.test"), ("body", "x")],
        &[("domain", "a.test"), ("method", "HEAD"), ("targetPath", "x")],
        &[("domain", "a.test"), ("select", "now"), ("targetPath", "/proc/x")],
    ];
    let mut text = String::new();
    for slots in table {
        let reasons = drawn(&spec(TaskType::ApiWorkflow, slots)).expect_err("no plan");
        text.push_str(&format!("{reasons:?}\n"));
    }
    expect![[r#"
        [Slot { name: SlotName("domain"), code: "URL_SCHEME" }]
        [Slot { name: SlotName("domain"), code: "URL_CREDENTIALS" }]
        [Slot { name: SlotName("domain"), code: "URL_INVALID" }]
        [Slot { name: SlotName("method"), code: "METHOD_UNKNOWN" }]
        [Slot { name: SlotName("method"), code: "METHOD_TAKES_NO_BODY" }]
        [Slot { name: SlotName("method"), code: "METHOD_HAS_NO_ANSWER" }]
        [Slot { name: SlotName("select"), code: "JQ_UNKNOWN" }, Denied { code: PathNotAllowed, what: "/proc/x", rule: None }]
    "#]].assert_eq(&text);
}

#[test]
fn what_has_no_executor_says_so() {
    for task in TaskType::ALL {
        let reasons = drawn(&spec(task, &[("targetPath", "a"), ("url", "https://a.test")]));
        let none = reasons == Err(vec![NotDrawn::NoExecutor { task_type: task }]);
        assert_eq!(none, !DRAWABLE.has(task), "{task}: {reasons:?}");
    }
}

#[test]
fn nothing_leaves_the_envelope() {
    let whole = spec(
        TaskType::ApiWorkflow,
        &[("domain", "https://a.test/x"), ("method", "POST"), ("targetPath", "out/x.json")],
    );
    assert!(drawn(&whole).is_ok());
    let narrowed = |change: fn(&mut Envelope)| {
        let mut spec = whole.clone();
        change(&mut spec.envelope);
        drawn(&spec).expect_err("outside")
    };
    let other = |e: &mut Envelope| e.hosts = BTreeSet::from(["b.test".to_owned()]);
    assert_eq!(narrowed(other), [NotDrawn::OutsideEnvelope { what: "call a.test".to_owned() }]);
    let elsewhere = |e: &mut Envelope| e.paths = BTreeSet::from(["out/x.jso".to_owned()]);
    assert_eq!(narrowed(elsewhere), [NotDrawn::OutsideEnvelope { what: "save out".to_owned() }]);
    let reading = |e: &mut Envelope| e.effects = BTreeSet::from([Effect::Read]);
    assert_eq!(narrowed(reading).len(), 2);
}

proptest! {
    /// Whatever the slots hold: drawing ends, is deterministic, and what is drawn is a valid plan.
    #[test]
    fn what_is_drawn_is_valid(
        task in prop::sample::select(TaskType::ALL.to_vec()),
        target in "[a-z./\\\\가 :]{0,12}",
        place in prop_oneof!["https?://[a-z.]{1,8}(:[0-9]{1,5})?/[a-z%0-9./?=&]{0,12}", "\\PC{0,20}"],
        method in prop::sample::select(vec!["", "GET", "head", "POST", "PUT", "DELETE", "x"]),
        select in prop_oneof![Just(String::new()), Just(".a".to_owned()), "\\PC{0,12}"],
        source in prop::sample::select(vec!["", "last", "first"]),
        body in "\\PC{0,8}",
    ) {
        let spec = spec(task, &[
            ("targetPath", target.as_str()), ("url", place.as_str()), ("method", method),
            ("select", select.as_str()), ("sourceRun", source), ("body", body.as_str()),
        ]);
        let first = drawn(&spec);
        prop_assert_eq!(&first, &drawn(&spec));
        if let Ok(nodes) = first {
            prop_assert_eq!(validate(&nodes), Ok(()));
            let plan = blueprint(spec, nodes);
            prop_assert!(!explain(&plan, Lang::Ko).chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}
