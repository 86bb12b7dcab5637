//! A project with a model of its own, and a person who does not want to wait for it.

use crate::program::{Home, Server, eventually};
use std::fs;
use std::process::{Command, Stdio};
use tokio::runtime::Runtime;
use wiiiv_ghost::{FakeModel, ModelMode};

/// A demo whose project asks this model.
fn demo_with(home: &Home, model: &FakeModel) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let demo = Server::start(command);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["llmProvider"] = "CUSTOM".into();
    version["policy"]["llmBaseUrl"] = model.base_url().into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a model of our own"]).ended(0);
    demo
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
fn ctrl_c_cancels_the_turn_and_ends_with_130() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    let mut command = home.command(&["chat", "Write 'x' to x.txt"]);
    let mut chat = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    eventually(|| (!model.calls().is_empty()).then_some(()));
    Command::new("kill").args(["-INT", &chat.id().to_string()]).status().unwrap();
    assert_eq!(chat.wait().unwrap().code(), Some(130));
    eventually(|| (model.open_streams() == 0).then_some(()));
    let next = home.run(&["approvals", "list", "--json"]).ended(0).json();
    assert_eq!(next, serde_json::json!([]));
}
