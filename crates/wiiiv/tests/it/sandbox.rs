//! The child that evaluates expressions: it ends at its own limits, whatever it is asked.

use crate::program::Home;
use serde_json::json;
use std::time::{Duration, Instant};

/// Beyond the child's own limit of processor time.
const AT_MOST: Duration = Duration::from_secs(30);

fn ask(expr: &str) -> (Option<i32>, String) {
    let home = Home::new();
    let request = json!({ "version": 1, "expr": expr, "input": "{\"a\":1}", "max_bytes": 64 });
    let mut command = home.command(&["sandbox-exec"]);
    let piped = std::process::Stdio::piped;
    let mut child = command.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, request.to_string().as_bytes()).unwrap();
    drop(input);
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < AT_MOST, "it ran for {:?}", start.elapsed());
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn an_expression_is_evaluated() {
    assert_eq!(ask(".a + 1"), (Some(0), "{\"answer\":\"values\",\"count\":1}\n2".to_owned()));
}

#[test]
fn an_endless_loop_ends() {
    let (_, answer) = ask("def f: f; f");
    assert!(!answer.contains("\"values\""), "{answer}");
}

#[test]
fn memory_has_an_end() {
    let (_, answer) = ask("reduce range(1e12) as $i ([]; . + [\"0123456789abcdef\"])");
    assert!(!answer.contains("\"values\""), "{answer}");
}

#[test]
fn the_doctor_finds_it_well() {
    let home = Home::new();
    let checks = home.run(&["doctor", "--json"]).json();
    let sandbox = checks.as_array().unwrap().iter().find(|check| check["subject"] == "sandbox");
    assert_eq!(sandbox.unwrap()["health"], "ok", "{checks}");
}
