//! File steps: what they hand on, and how they fail.

use crate::{
    permit::project,
    test_steps::{Bench, bench, binding, failure, literal, node, output},
};
use serde_json::{Value, json};
use std::fs;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{Arg, ContentDigest, FailureCategory, Node, StepOutcome, StepParams, ValueKind};
use wiiiv_exec::StepReport;

fn read(directory: &str, name: &str) -> Node {
    node(StepParams::FileRead { directory: directory.to_owned(), name: literal(name) })
}

fn write(name: &str, text: &str) -> Node {
    let (directory, name, content) = ("notes".to_owned(), literal(name), literal(text));
    node(StepParams::FileWrite { directory, name, content })
}

fn json_of(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

fn put(bench: &Bench, name: &str, bytes: &[u8]) {
    let root = bench.folder.path().join(project().to_string());
    fs::create_dir_all(&root).expect("a folder");
    fs::write(root.join(name), bytes).expect("a file");
}

#[tokio::test]
async fn what_is_written_is_read_and_deleted() {
    let bench = bench(json!([]));
    let written = bench.run(write("오늘.md", "회의 3시"), &[]).await;
    let digest = ContentDigest::of_bytes("회의 3시".as_bytes());
    let facts = json!({ "path": "notes/오늘.md", "sizeBytes": 11, "digest": digest.to_string() });
    assert_eq!(json_of(&written.bytes), facts);
    assert_eq!(output(&written).digest, ContentDigest::of_bytes(&written.bytes));
    assert!(!output(&written).foreign);
    let held = bench.run(read("notes", "오늘.md"), &[]).await;
    assert_eq!(held.bytes, "회의 3시".as_bytes());
    assert_eq!(output(&held).digest, digest);
    assert_eq!(output(&held).media_type, "text/plain; charset=utf-8");
    assert!(output(&held).foreign);
    let directory = "notes".to_owned();
    let delete = StepParams::FileDelete { directory, name: literal("오늘.md") };
    let deleted = bench.run(node(delete), &[]).await;
    assert_eq!(json_of(&deleted.bytes), json!({ "path": "notes/오늘.md", "deleted": true }));
    let gone = bench.run(read("notes", "오늘.md"), &[]).await;
    assert_eq!(failure(&gone).category, FailureCategory::ResourceNotFound);
    assert_eq!(failure(&gone).code, "FILE_NOT_FOUND");
}

#[tokio::test]
async fn rows_are_told_of_rows_alone() {
    let bench = bench(json!([]));
    let rows = |report: &StepReport| json_of(&report.bytes)["rows"].clone();
    for (name, text) in [("a.csv", "hello"), ("b.json", "[1,2]"), ("c.jsonl", "1\n2\n")] {
        let written = bench.run(write(name, text), &[]).await;
        assert_eq!(rows(&written), Value::Null, "a text as it was typed: {name}");
    }
    let bound = |name: &str, kind| {
        let content = Arg::Bound(binding(".", kind, 100));
        let directory = "notes".to_owned();
        node(StepParams::FileWrite { directory, name: literal(name), content })
    };
    let table = bound("a.csv", ValueKind::Csv);
    let written = bench.run(table, &[("content", "name\r\na\r\nb\r\n")]).await;
    assert_eq!(rows(&written), json!(2));
    let written = bench.run(bound("b.json", ValueKind::Json), &[("content", "[1]")]).await;
    assert_eq!(rows(&written), json!(1));
    let written = bench.run(bound("d.csv", ValueKind::Text), &[("content", "x")]).await;
    assert_eq!(rows(&written), Value::Null);
}

#[tokio::test]
async fn the_media_type_is_what_the_bytes_are() {
    let bench = bench(json!([]));
    let files: [(&str, &[u8], &str); 4] = [
        ("a.json", b"{\"a\":1}", "application/json"),
        ("b.json", b"{a:1}", "text/plain; charset=utf-8"),
        ("c.md", b"{}", "text/plain; charset=utf-8"),
        ("d.png", &[0x89, 0xff], "application/octet-stream"),
    ];
    for (name, bytes, media_type) in files {
        put(&bench, name, bytes);
        let held = bench.run(read("", name), &[]).await;
        assert_eq!((output(&held).media_type.as_str(), held.bytes.as_slice()), (media_type, bytes));
    }
}

#[tokio::test]
async fn faults_have_their_category() {
    let bench = bench(json!([]));
    put(&bench, "long", &vec![b'x'; 4 * 1024 * 1024 + 1]);
    let long = bench.run(read("", "long"), &[]).await;
    assert_eq!(failure(&long).category, FailureCategory::ContractViolation);
    assert_eq!(failure(&long).code, "FILE_TOO_LARGE");
    let system = bench.run(read("etc", "passwd"), &[]).await;
    assert_eq!(failure(&system).category, FailureCategory::PermissionDenied);
    assert_eq!(failure(&system).code, "PATH_NOT_ALLOWED");
    assert!(!failure(&system).effect_unknown);
}

#[tokio::test]
async fn a_permit_of_another_opening_does_nothing() {
    let (own, other) = (bench(json!([])), bench(json!([])));
    let permit = other.gate.permit(write("x", "x"), &[], None);
    let report = own.executors.execute(permit, None, &CancellationToken::new()).await;
    assert_eq!(failure(&report).code, "FOREIGN_PERMIT");
    let permit = other.gate.permit(read("", "x"), &[], None);
    let report = own.executors.execute(permit, None, &CancellationToken::new()).await;
    assert_eq!(failure(&report).code, "FOREIGN_PERMIT");
    assert!(!own.folder.path().join(project().to_string()).exists());
}

#[tokio::test]
async fn what_was_cancelled_before_does_nothing() {
    let bench = bench(json!([]));
    let cancel = CancellationToken::new();
    cancel.cancel();
    let permit = bench.gate.permit(write("x", "x"), &[], None);
    let report = bench.executors.execute(permit, None, &cancel).await;
    assert!(matches!(report.outcome, StepOutcome::Cancelled { .. }));
    assert!(!bench.folder.path().join(project().to_string()).exists());
}
