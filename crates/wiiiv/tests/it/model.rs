//! A project with a model of its own, and a person who does not want to wait for it.

use crate::program::{Home, Server, eventually};
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
