//! Expressions and bindings, where no child is needed; a child that cannot be had evaluates
//! nothing.

use crate::test_steps::{bench, binding, failure, literal, node, output};
use serde_json::json;
use wiiiv_domain::{Arg, FailureCategory, Node, StepParams, ValueKind};

fn transform(input: Arg, expr: &str) -> Node {
    node(StepParams::Transform { input, beside: Vec::new(), expr: expr.to_owned() })
}

#[tokio::test]
async fn a_path_is_taken_out_of_the_input() {
    let bench = bench(json!([]));
    let report = bench.run(transform(literal("{\"a\":[1,{\"b\":\"x\"}]}"), ".a[1]"), &[]).await;
    assert_eq!(report.bytes, b"{\"b\":\"x\"}");
    assert_eq!(output(&report).media_type, "application/json");
    assert!(!output(&report).foreign, "the plan's own text");
    let bound = Arg::Bound(binding(".", ValueKind::Json, 100));
    let report = bench.run(transform(bound, ".a"), &[("input", "{\"a\":1.10}")]).await;
    assert_eq!(report.bytes, b"1.10");
    assert!(output(&report).foreign, "it comes from where the output came from");
}

fn joined(values: &[Arg], expr: &str) -> Node {
    let (input, beside) = (values[0].clone(), values[1..].to_vec());
    node(StepParams::Transform { input, beside, expr: expr.to_owned() })
}

#[tokio::test]
async fn several_inputs_are_an_array_in_their_order() {
    let bench = bench(json!([]));
    let bound = || Arg::Bound(binding(".", ValueKind::Json, 100));
    let three = joined(&[bound(), literal("[]"), bound()], ".");
    let report = bench.run(three, &[("input", "{\"a\":1}"), ("beside.1", "\"]\"")]).await;
    assert_eq!(report.bytes, b"[{\"a\":1},[],\"]\"]");
    assert!(output(&report).foreign);
    let second = joined(&[literal("1"), literal("{\"b\":2}")], ".[1].b");
    let report = bench.run(second, &[]).await;
    assert_eq!(report.bytes, b"2");
    assert!(!output(&report).foreign, "the plan's own texts");
}

#[tokio::test]
async fn no_input_reaches_into_the_next() {
    let bench = bench(json!([]));
    let long = format!("\"{}\"", "x".repeat(2_100_000));
    for (values, code) in [
        (["1],[2", "3"], "NOT_JSON"),
        (["1", "2]"], "NOT_JSON"),
        (["1", ""], "NOT_JSON"),
        (["1", "2 3"], "NOT_JSON"),
        ([long.as_str(), long.as_str()], "JQ_TOO_LARGE"),
    ] {
        let report = bench.run(joined(&values.map(literal), "."), &[]).await;
        assert_eq!(failure(&report).code, code);
    }
}

#[tokio::test]
async fn what_is_no_json_never_reaches_a_child() {
    let bench = bench(json!([]));
    let control = "\u{1}".repeat(4 * 1024 * 1024);
    let report = bench.run(transform(literal(&control), "[.[] | .a]"), &[]).await;
    assert_eq!(failure(&report).code, "NOT_JSON");
}

#[tokio::test]
async fn what_does_not_fit_says_why() {
    let bench = bench(json!([]));
    let failed = async |input: &str, expr: &str| {
        let report = bench.run(transform(literal(input), expr), &[]).await;
        let failure = failure(&report);
        (failure.code.clone(), failure.category)
    };
    let contract = FailureCategory::ContractViolation;
    assert_eq!(failed("no JSON", ".").await, ("NOT_JSON".to_owned(), contract));
    assert_eq!(failed("[]", ".a").await, ("JQ_FAILED".to_owned(), contract));
    let no_child = ("SANDBOX_UNAVAILABLE".to_owned(), FailureCategory::IoError);
    assert_eq!(failed("[1]", ".[] | . + 1").await, no_child);
}

#[tokio::test]
async fn a_binding_gives_one_value_within_its_bound() {
    let bench = bench(json!([]));
    let selected = async |output: &[u8], select: &str, kind, max_bytes| {
        let binding = binding(select, kind, max_bytes);
        bench.executors.select(output, &binding).await.map_err(|failure| failure.code)
    };
    let (text, json) = (ValueKind::Text, ValueKind::Json);
    let ok = |value: &str| Ok(value.to_owned());
    let no = |code: &str| Err(code.to_owned());
    let person = "{ \"name\": \"가나\", \"n\": 12345678901234567890, \"list\": [1, 2] }".as_bytes();
    assert_eq!(selected(b"a\r\nb", ".", text, 4).await, ok("a\r\nb"));
    assert_eq!(selected(b"a\r\nb", ".", text, 3).await, no("BOUND_EXCEEDED"));
    assert_eq!(selected(b"\xff", ".", text, 4).await, no("NOT_TEXT"));
    assert_eq!(selected(b"{ \"a\": 1 }", ".", json, 99).await, ok("{ \"a\": 1 }"));
    assert_eq!(selected(b"{a}", ".", json, 99).await, no("NOT_JSON"));
    assert_eq!(selected(person, ".name", text, 6).await, ok("가나"));
    assert_eq!(selected(person, ".name", text, 5).await, no("BOUND_EXCEEDED"));
    assert_eq!(selected(person, ".name", json, 99).await, ok("\"가나\""));
    assert_eq!(selected(person, ".n", text, 99).await, ok("12345678901234567890"));
    assert_eq!(selected(person, ".list", text, 99).await, ok("[1,2]"));
    assert_eq!(selected(person, ".nobody", text, 99).await, ok("null"));
    assert_eq!(selected(person, ".name.x", text, 99).await, no("JQ_FAILED"));
    assert_eq!(selected(b"text", ".name", text, 99).await, no("NOT_JSON"));
    assert_eq!(selected(person, ".list[]", text, 99).await, no("SANDBOX_UNAVAILABLE"));
    let long = vec![b'x'; 4 * 1024 * 1024 + 1];
    assert_eq!(selected(&long, ".", text, u64::MAX).await, no("BOUND_EXCEEDED"));
}
