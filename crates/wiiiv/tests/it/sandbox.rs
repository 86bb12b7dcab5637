//! The child that evaluates expressions: it ends at its own limits, whatever it is asked.

use crate::host::Host;
use crate::program::Home;
use serde_json::{Value, json};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// Beyond the child's own limit of processor time, on a machine that is busy.
const AT_MOST: Duration = Duration::from_secs(60);
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

struct Answer {
    status: ExitStatus,
    out: String,
    err: String,
    took: Duration,
}

fn ask(expr: &str) -> Answer {
    asked(&json!({ "jq": { "expr": expr } }), "{\"a\":1}", 64)
}

fn asked(work: &Value, input: &str, max_bytes: usize) -> Answer {
    let request = json!({ "version": 3, "work": work, "max_bytes": max_bytes });
    let home = Home::new();
    let mut command = home.command(&["sandbox-exec"]);
    command.envs(wiiiv_exec::sandbox::ENVIRONMENT);
    let piped = std::process::Stdio::piped;
    let mut child = command.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut to, format!("{request}\n{input}").as_bytes()).unwrap();
    drop(to);
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    let took = start.elapsed();
    assert!(took < AT_MOST, "it ran for {took:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Answer { status: output.status, out: text(output.stdout), err: text(output.stderr), took }
}

/// Whether this kernel is known to lack it.
fn lacks(name: &str) -> bool {
    std::env::var("WIIIV_SKIPS").is_ok_and(|names| names.split(',').any(|one| one == name))
}

/// Without an answer, by one of these signals.
fn assert_ended_by(answer: &Answer, signals: &[i32]) {
    let Answer { status, out, err, took } = answer;
    let by = status.signal().unwrap_or_else(|| panic!("{status} after {took:?}: {out}, {err}"));
    assert!(signals.contains(&by), "{status} after {took:?}: {err}");
    assert_eq!(out, "");
}

#[test]
fn an_expression_is_evaluated() {
    let answer = ask(".a + 1");
    assert!(answer.status.success(), "{}", answer.err);
    assert_eq!(answer.out, "{\"answer\":\"values\",\"count\":1}\n2");
}

/// Limits alone refused both for want of a descriptor, which is no wall.
#[test]
fn the_child_may_open_no_file_and_no_socket() {
    let answer = asked(&json!("barriers"), "", 1000);
    assert!(answer.status.success(), "{}", answer.err);
    let told = answer.out.lines().nth(1).unwrap_or_else(|| panic!("{}", answer.out));
    let found: Value = serde_json::from_str(told).unwrap();
    assert_eq!(found["no_new_privs"], true, "{found}");
    assert!(found["landlock"] == true || lacks("landlock"), "{found}");
    assert!(found["seccomp"] == true || lacks("seccomp"), "{found}");
    assert!(found["holds"] == true || lacks("seccomp"), "{found}");
}

#[test]
fn more_than_it_may_say_is_not_said() {
    for expr in ["[range(1000)]", "repeat(1)", "range(1e12)"] {
        let answer = ask(expr);
        assert!(answer.status.success(), "{expr}: {}", answer.err);
        assert_eq!(answer.out, "{\"answer\":\"fault\",\"fault\":\"too_large\"}\n", "{expr}");
    }
}

#[test]
fn a_page_is_read() {
    let html = "<title>소식</title><nav>menu</nav><article><p>첫 문단.</article>";
    let answer = asked(&json!("page"), html, 1000);
    assert!(answer.status.success(), "{}", answer.err);
    let page = "{\"title\":\"소식\",\"text\":\"첫 문단.\",\"cut\":false}";
    assert_eq!(answer.out, format!("{{\"answer\":\"values\",\"count\":1}}\n{page}"));
}

/// Nested a hundred thousand times, or nothing but markup: an answer or an end, in bounded time.
#[test]
fn a_hostile_page_ends_itself_alone() {
    for html in ["<div>".repeat(200_000), "<table><tr><td>".repeat(60_000), "<".repeat(1_000_000)] {
        assert!(asked(&json!("page"), &html, 100_000).took < AT_MOST);
    }
}

#[test]
fn an_endless_loop_ends_by_the_limit_of_processor_time() {
    let answer = ask("def f: f; f");
    assert_ended_by(&answer, &[SIGKILL, SIGXCPU]);
    assert!(answer.took > Duration::from_secs(4), "it was given {:?} only", answer.took);
}

#[test]
fn a_list_without_end_ends_by_the_limit_of_memory() {
    for expr in ["[range(1e12)]", "[\"0123456789abcdef\" | recurse(. + .)]"] {
        let answer = ask(expr);
        assert_ended_by(&answer, &[SIGABRT]);
        assert!(answer.err.contains("memory allocation of"), "{expr}: {}", answer.err);
    }
}

/// What it has before it limits itself is not taken back.
#[test]
fn a_program_that_took_much_memory_in_advance_does_not_begin() {
    let home = Home::new();
    let mut command = home.command(&["sandbox-exec"]);
    command.env("MIMALLOC_ARENA_RESERVE", (1024 * 1024).to_string());
    let ended = command.stdin(std::process::Stdio::null()).output().unwrap();
    let told = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(told, "{\"answer\":\"fault\",\"fault\":\"sandbox\"}\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plan_with_an_endless_filter_fails_and_the_server_lives_on() {
    let host = Host::start(None).await;
    let (client, items) = (host.client(), format!("{}/items", host.shop.url()));
    let session = client.session().await.unwrap();
    let words = format!("get {items} with the filter 'def f: f; f' and save it to x.json");
    client.say(&session, &words).await.unwrap();
    let question = client.asked(&session).await.unwrap();
    client.approve(&question).await.unwrap();
    let other = client.session().await.unwrap();
    client.say(&other, "write 'x' to y.txt").await.unwrap();
    client.asked(&other).await.unwrap();
    let runs = client.executions().await.unwrap();
    assert_eq!(runs[0]["state"], "running", "the other session did not wait for it: {runs:?}");
    let run = client.over(&session).await.unwrap();
    assert_eq!((&run["state"], &run["code"]), (&json!("failed"), &json!("JQ_LIMIT")), "{run}");
    assert_eq!(host.file("x.json"), None);
}

#[test]
fn the_doctor_finds_it_well() {
    let home = Home::new();
    let checks = home.run(&["doctor", "--json"]).json();
    let sandbox = checks.as_array().unwrap().iter().find(|check| check["subject"] == "sandbox");
    let health = if lacks("landlock") || lacks("seccomp") { "warn" } else { "ok" };
    assert_eq!(sandbox.unwrap()["health"], health, "{checks}");
}
