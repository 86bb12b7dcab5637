//! A project with a model of its own, and a person who does not want to wait for it.

use crate::program::{Home, Server, eventually};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, ModelMode};

/// Of a cancel, to the model's own server.
const CANCEL_TIME_MAX: Duration = Duration::from_secs(8);

/// A demo whose project asks this model.
fn demo_with(home: &Home, model: &FakeModel) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let demo = Server::start(command);
    change_policy(home, "a model of our own", |policy| {
        policy["llmProvider"] = "CUSTOM".into();
        policy["llmBaseUrl"] = model.base_url().into();
    });
    demo
}

fn change_policy(home: &Home, reason: &str, change: impl FnOnce(&mut Value)) {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    change(&mut version["policy"]);
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", reason]).ended(0);
}

/// Nothing is left for a call: why of its turn says so, and what can be done about it.
#[test]
fn why_of_a_turn_tells_what_stopped_its_model_call() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    change_policy(&home, "one token a day", |policy| {
        policy["tokenBudget"]["perDay"] = 1.into();
    });
    let said = home.run(&["chat", "Write 'x' to x.txt", "--json"]).ended(1);
    let turn = said.events()[0]["turn"].as_str().unwrap().to_owned();
    for (language, decided, stopped) in [
        ("en", "Decision   denied", "It goes beyond the token budget."),
        ("ko", "결정       거부", "토큰 예산을 넘습니다."),
    ] {
        let why = home.run(&["why", &turn, "--language", language]).ended(0).out;
        let advice = format!("    TOKEN_BUDGET_EXCEEDED: {stopped}");
        assert!(why.contains(decided) && why.contains(&advice), "{why}");
        // By the version that it was ruled on under.
        let policy = if language == "en" { "policy 4" } else { "정책 4" };
        assert!(why.contains(policy), "{why}");
    }
}

#[test]
fn a_policy_is_versioned_and_an_origin_that_nobody_approved_is_refused() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    // The demo's own first, then that which lets its services in.
    assert_eq!(version["number"], 3);
    assert_eq!(version["reason"], "a model of our own");
    version["policy"]["llmBaseUrl"] = "http://127.0.0.1:9/v1".into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "another"]).ended(1);
    version["policy"]["llmBaseUrl"] = model.base_url().into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    let stale = "01900000-0000-7000-8000-000000000000";
    let set = ["policy", "set", "policy.json", "--reason", "late", "--expected", stale, "--json"];
    let refused = home.run(&set).ended(1);
    assert!(refused.err.contains("VERSION_CHANGED"), "{refused:?}");
    fs::write(home.path("policy.json"), "{\n  \"version\": }").unwrap();
    let broken = home.run(&["policy", "set", "policy.json", "--reason", "x"]).ended(2);
    assert!(broken.err.contains("line `2`"), "{broken:?}");
}

#[test]
fn ctrl_c_cancels_the_turn_and_its_call_and_ends_with_130() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    for mode in [ModelMode::Silent, ModelMode::Drips] {
        model.set_mode(mode.clone());
        let mut command = home.command(&["chat", "Write 'x' to x.txt"]);
        let mut chat = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        eventually(|| (model.open_streams() == 1).then_some(()));
        // It would be waited for far longer than this test waits.
        let cancelled = Instant::now();
        Command::new("kill").args(["-INT", &chat.id().to_string()]).status().unwrap();
        assert_eq!(chat.wait().unwrap().code(), Some(130), "{mode:?}");
        eventually(|| (model.open_streams() == 0).then_some(()));
        assert!(cancelled.elapsed() < CANCEL_TIME_MAX, "{mode:?}: {:?}", cancelled.elapsed());
    }
    let next = home.run(&["approvals", "list", "--json"]).ended(0).json();
    assert_eq!(next, serde_json::json!([]));
}
