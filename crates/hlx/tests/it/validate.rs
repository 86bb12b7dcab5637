//! Each fault of a plan is found and named.

use crate::test_plans::{policy, spec};
use expect_test::expect;
use std::collections::BTreeSet;
use wiiiv_domain::{
    Arg, Binding, Effect, HttpMethod, NODES_MAX, Node, NodeKind, Retry, Source, StepId, StepParams,
    TaskType, ValueKind,
};
use wiiiv_hlx::{DrawFacts, draw, validate};

fn id(text: &str) -> StepId {
    StepId::parse(text).expect("a step id")
}

/// A call, its filter, and the file: a plan without a fault.
fn plan() -> Vec<Node> {
    let slots = [("url", "https://a.test/x?q=1"), ("select", ".a"), ("targetPath", "out/x.json")];
    let (policy, own) = (policy(), BTreeSet::new());
    let facts = DrawFacts {
        policy: &policy,
        earlier: &[],
        systems: &[],
        own_directories: &own,
        held: None,
    };
    draw(&spec(TaskType::ApiWorkflow, &slots), &facts).expect("a plan")
}

fn bound(step: &str, select: &str, max_bytes: u64) -> Arg {
    Arg::Bound(Binding {
        from: Source::Step { step: id(step) },
        select: select.to_owned(),
        kind: ValueKind::Text,
        max_bytes,
    })
}

fn faults(change: impl Fn(&mut Vec<Node>)) -> String {
    let mut nodes = plan();
    change(&mut nodes);
    let errors = validate(&nodes).expect_err("a fault");
    errors.iter().map(|error| format!("{error}\n")).collect()
}

fn file(nodes: &mut [Node], name: Arg, in_directory: &str, value: Arg) {
    nodes[2].params =
        StepParams::FileWrite { directory: in_directory.to_owned(), name, content: value };
}

#[test]
fn a_drawn_plan_is_valid() {
    assert_eq!(validate(&plan()), Ok(()));
}

#[test]
fn the_graph() {
    let mut text = String::new();
    text += &faults(Vec::clear);
    text += &faults(|nodes| *nodes = vec![nodes[0].clone(); NODES_MAX + 1]);
    text += &faults(|nodes| nodes[1].id = id("call"));
    text += &faults(|nodes| nodes[1].depends_on.push(id("nobody")));
    text += &faults(|nodes| nodes[0].depends_on.push(id("save")));
    text += &faults(|nodes| nodes[2].depends_on.clear());
    expect![[r#"
        the plan has no step: add one
        the plan has `65` steps, at most `64`: split it
        step `call` is there twice: give each its own id
        step `save` depends on `filter`, which is not in the plan: name another
        step `filter` depends on `nobody`, which is not in the plan: name another
        step `call` depends on itself in the end: break the circle
        step `save` uses the output of `filter` without depending on it: add it to dependsOn
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_is_bound() {
    let mut text = String::new();
    let whole = || bound("filter", ".", 10);
    let name = || Arg::Literal("x.json".to_owned());
    text += &faults(|nodes| file(nodes, name(), "out", bound("filter", ".", 0)));
    text += &faults(|nodes| file(nodes, name(), "out", bound("filter", ".", u64::MAX)));
    text += &faults(|nodes| file(nodes, name(), "out", bound("filter", "env.HOME", 10)));
    text += &faults(|nodes| file(nodes, bound("filter", ".", 256), "out", whole()));
    text += &faults(|nodes| {
        if let StepParams::ApiCall { url, .. } = &mut nodes[0].params {
            url.query[0].1 = bound("filter", ".", 9999);
        }
    });
    text += &faults(|nodes| {
        if let StepParams::Transform { expr, .. } = &mut nodes[1].params {
            ".[".clone_into(expr);
        }
    });
    expect![[r#"
        step `save`: `content` is bound to at most `0` bytes: allow 1 to `4194304`, and less for a file name or a part of a URL
        step `save`: `content` is bound to at most `18446744073709551615` bytes: allow 1 to `4194304`, and less for a file name or a part of a URL
        step `save`: the expression names `env`, which is not known here: use another function
        step `save`: `name` is bound to at most `256` bytes: allow 1 to `4194304`, and less for a file name or a part of a URL
        step `call`: `query.0` is bound to at most `9999` bytes: allow 1 to `4194304`, and less for a file name or a part of a URL
        step `call` uses the output of `filter` without depending on it: add it to dependsOn
        step `filter`: the expression is no jq syntax: write it as for `jq`, such as `.items[0].name`
    "#]].assert_eq(&text);
}

#[test]
fn what_is_written() {
    let mut text = String::new();
    let value = || Arg::Literal("x".to_owned());
    let literal = |name: &str| Arg::Literal(name.to_owned());
    text += &faults(|nodes| file(nodes, literal("a/b"), "out", value()));
    text += &faults(|nodes| file(nodes, literal(".."), "out", value()));
    text += &faults(|nodes| file(nodes, literal("x"), "/out", value()));
    text += &faults(|nodes| file(nodes, bound("filter", ".", 9), "a/../..", value()));
    let long = "x".repeat(4 * 1024 * 1024 + 1);
    text += &faults(|nodes| file(nodes, literal("x"), "out", Arg::Literal(long.clone())));
    for host in ["a.test/x", "me@a.test", "", "A.test", "a.test:80", "a b"] {
        text += &faults(|nodes| {
            if let StepParams::ApiCall { url, .. } = &mut nodes[0].params {
                host.clone_into(&mut url.host);
            }
        });
    }
    text += &faults(|nodes| {
        if let StepParams::ApiCall { body, .. } = &mut nodes[0].params {
            *body = Some(value());
        }
    });
    text += &faults(|nodes| {
        nodes[0].kind = NodeKind::Act;
        nodes[0].effect = Effect::Write;
        if let StepParams::ApiCall { method, body, content_type, .. } = &mut nodes[0].params {
            *method = HttpMethod::Post;
            *body = Some(value());
            *content_type = Some("text/plain\r\nX-Evil: 1".to_owned());
        }
    });
    expect![[r#"
        step `save`: the file name is no single name: put directories into `directory`
        step `save`: the path leaves its directory by `..`: name a path inside the workspace
        step `save`: the file name is no single name: put directories into `directory`
        step `save`: the path leaves its directory by `..`: name a path inside the workspace
        step `save`: `content` is longer than `4194304` bytes: shorten it
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: the place is no host of an `http` or `https` URL: name one
        step `call`: a request with this method takes no body: leave it out
        step `call`: a body and its content type go together: give both or none
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_a_plan_says_of_itself() {
    let mut text = String::new();
    text += &faults(|nodes| nodes[2].kind = NodeKind::Observe);
    text += &faults(|nodes| nodes[2].effect = Effect::Read);
    text += &faults(|nodes| nodes[0].retry = Retry { attempts_max: 0, backoff_ms: 0 });
    text += &faults(|nodes| nodes[0].retry = Retry { attempts_max: 1, backoff_ms: 60_001 });
    expect![[r#"
        step `save` is not of the kind that its parameters are: correct `type`
        step `save` does not have the effect that its parameters have: correct `effect`
        step `call`: 1 to `10` attempts and at most `60000` ms between them: correct `retry`
        step `call`: 1 to `10` attempts and at most `60000` ms between them: correct `retry`
    "#]]
    .assert_eq(&text);
}
