//! A project with a model of its own, and a person who does not want to wait for it.

use crate::program::{Home, Ran, Server, eventually};
use crate::server::{PASSWORD, serve, with_key};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, ModelMode};

/// Of a cancel, to the model's own server.
const CANCEL_TIME_MAX: Duration = Duration::from_secs(8);
/// Long enough for a yes to come in between.
const THINKS: Duration = Duration::from_secs(5);

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
    home.run(&["policy", "set", "policy.json", "--reason", "another"]).ended(2);
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

fn writes(path: &str, switch: &str) -> String {
    let slots = json!({"targetPath": path, "content": "x"});
    let write = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "", "slots": slots,
        "taskSwitch": {"kind": switch},
    });
    write.to_string()
}

/// What is said behind a question waits for the model.
fn busy(home: &Home, model: &FakeModel, (mode, words): (ModelMode, &str)) -> Child {
    let before = model.calls().len();
    model.set_mode(mode);
    let mut command = home.command(&["chat", "--continue", words]);
    let chat = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    eventually(|| (model.calls().len() > before).then_some(()));
    chat
}

/// A plan waits for a yes: its id and digest.
fn asked(home: &Home, model: &FakeModel) -> [String; 2] {
    model.set_mode(ModelMode::Script(vec![writes("x.txt", "new")]));
    home.run(&["chat", "Write 'x' to x.txt"]).ended(7);
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    ["id", "digest"].map(|field| rows[0][field].as_str().unwrap().to_owned())
}

fn asked_and_busy(home: &Home, model: &FakeModel) -> ([String; 2], Child) {
    let asked = asked(home, model);
    (asked, busy(home, model, (ModelMode::Silent, "hello")))
}

#[test]
fn a_yes_does_not_wait_for_the_turn_in_progress_and_says_so() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let demo = demo_with(&home, &model);
    let ([id, digest], mut chat) = asked_and_busy(&home, &model);
    let approve = ["approvals", "approve", &id, "--digest", &digest, "--language", "en"];
    let at_once = [&approve[..], &["--no-wait"]].concat();
    let said = home.run(&at_once).ended(0).out;
    assert!(said.contains("turn is still in progress"), "{said}");
    assert!(chat.try_wait().unwrap().is_none(), "the turn goes on");
    home.run(&at_once).ended(9);
    assert!(!demo.workspace().join("x.txt").exists());
    drop(model);
    eventually(|| demo.workspace().join("x.txt").exists().then_some(()));
    chat.wait().unwrap();
}

#[test]
fn approve_waits_for_the_turn_in_progress_and_tells_what_became_of_the_plan() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    let ([id, digest], mut chat) = asked_and_busy(&home, &model);
    let approve = ["approvals", "approve", &id, "--digest", &digest, "--language", "en"];
    let mut command = home.command(&approve);
    let waits = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let approved = ["approvals", "list", "--state", "approved", "--json"];
    eventually(|| (home.run(&approved).ended(0).json() != json!([])).then_some(()));
    drop(model);
    let told = Ran::of(waits.wait_with_output().unwrap()).ended(0);
    assert!(told.err.contains("turn is still in progress"), "{told:?}");
    assert!(told.out.contains("Done: execution"), "{told:?}");
    chat.wait().unwrap();
}

/// The turn that the yes waited for asks about something else, or about the request as it was changed. Nothing that
/// is said there is the answer to the yes.
#[test]
fn approve_ends_with_the_turn_that_leaves_the_yes_unused() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let demo = demo_with(&home, &model);
    for (words, switch, code, said) in [
        ("Write 'x' to y.txt", "new", 7, "Not decided yet"),
        ("write it to y.txt instead", "stay", 6, "Nothing was done"),
    ] {
        let [id, digest] = asked(&home, &model);
        let mode = ModelMode::Slow(THINKS, writes("y.txt", switch));
        let mut chat = busy(&home, &model, (mode, words));
        let approve = ["approvals", "approve", &id, "--digest", &digest, "--language", "en"];
        let mut command = home.command(&approve);
        let mut waits = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        eventually(|| waits.try_wait().unwrap());
        let told = Ran::of(waits.wait_with_output().unwrap()).ended(code);
        assert!(told.err.contains("turn is still in progress"), "{told:?}");
        assert!(told.out.contains(said) && !told.out.contains("y.txt"), "{told:?}");
        chat.wait().unwrap();
        assert!(!demo.workspace().join("x.txt").exists());
    }
}

/// A project of an administrator that asks this model and wants the yes of somebody else. `min` approves there and has
/// lent that to `vic`, who may only look.
fn lent(home: &Home, model: &FakeModel) -> (Server, Home) {
    with_key(home, "key", "ab");
    let arguments = serve(home, "key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let server = Server::start(command);
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    let [min, vic] = [("min", "approver"), ("vic", "viewer")].map(|(name, role)| {
        let password = format!("{PASSWORD} of {name}\n");
        home.run_with_input(&["users", "create", name], &password).ended(0);
        home.run(&["projects", "members", "--add", name, "--role", role]).ended(0);
        let other = Home::new();
        let login = ["login", name, "--server", server.text("url")];
        other.run_with_input(&login, &password).ended(0);
        other
    });
    let projects = home.run(&["projects", "list", "--json"]).ended(0).json();
    let of = ["--project", projects[0]["id"].as_str().unwrap()];
    let lend = ["approvals", "delegate", "vic", "--until", "7d", "--reason", "on leave"];
    min.run(&[&lend[..], &of].concat()).ended(0);
    change_policy(home, "a model of our own, and four eyes", |policy| {
        policy["llmProvider"] = "CUSTOM".into();
        policy["llmBaseUrl"] = model.base_url().into();
        policy["approval"]["normal"]["by"] = "another_person".into();
    });
    (server, vic)
}

/// Whoever may not look into the conversation waits for no turn of it: what they decided is told at once.
#[test]
fn a_delegate_who_may_only_look_is_told_of_their_yes_at_once() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let (_server, vic) = lent(&home, &model);
    let ([id, digest], mut chat) = asked_and_busy(&home, &model);
    let approve = ["approvals", "approve", &id, "--digest", &digest, "--language", "en"];
    let mut command = vic.command(&approve);
    let mut told = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    eventually(|| told.try_wait().unwrap());
    let told = Ran::of(told.wait_with_output().unwrap()).ended(7);
    assert!(told.err.contains("turn is still in progress"), "{told:?}");
    assert!(told.out.contains("not yours to see"), "{told:?}");
    assert!(chat.try_wait().unwrap().is_none(), "the turn goes on");
    let approved = ["approvals", "list", "--state", "approved", "--json"];
    assert_ne!(home.run(&approved).ended(0).json(), json!([]));
    drop(model);
    chat.wait().unwrap();
}

/// As `approvals approve` does it, with the words of the conversation.
#[test]
fn a_yes_in_a_chat_is_followed_into_the_turn_that_it_waits_for() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let demo = demo_with(&home, &model);
    let listed = |state: &str| {
        let list = ["approvals", "list", "--state", state, "--json"];
        (home.run(&list).ended(0).json() != json!([])).then_some(())
    };
    model.set_mode(ModelMode::Script(vec![writes("x.txt", "new")]));
    let mut command = home.command(&["chat", "--language", "en"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut asking = piped.spawn().unwrap();
    let mut typed = asking.stdin.take().unwrap();
    typed.write_all(b"Write 'x' to x.txt\n").unwrap();
    eventually(|| listed("pending"));
    let mut other = busy(&home, &model, (ModelMode::Silent, "hello"));
    typed.write_all(b"yes\n").unwrap();
    drop(typed);
    eventually(|| listed("approved"));
    drop(model);
    let told = Ran::of(asking.wait_with_output().unwrap()).ended(0);
    assert!(told.err.contains("turn is still in progress"), "{told:?}");
    assert!(told.out.contains("Saved x.txt"), "{told:?}");
    assert!(demo.workspace().join("x.txt").exists());
    other.wait().unwrap();
}
