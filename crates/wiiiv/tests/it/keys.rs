//! Keys from the command line: by standard input, masked, sent to their own origin.

use crate::program::{Home, Server, eventually};
use std::fs;
use tokio::runtime::Runtime;
use wiiiv_ghost::{FakeModel, ModelMode};

const SECRET: &str = "sk-CANARY-by-standard-input";

/// A demo whose project asks this model.
fn demo_with(home: &Home, model: &FakeModel) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let demo = Server::start(command);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["llmProvider"] = "CUSTOM".into();
    version["policy"]["llmBaseUrl"] = model.base_url().into();
    version["policy"]["governorModel"] = "small".into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a model of our own"]).ended(0);
    demo
}

#[test]
fn a_key_is_set_explained_sent_and_removed_and_never_shown() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let _demo = demo_with(&home, &model);
    let none = home.run(&["keys", "resolve", "--language", "en"]).ended(0);
    assert!(none.out.contains("without a key"), "{none:?}");
    let origin = model.origin();
    let set = ["keys", "set", "custom", "--origin", &origin, "--language", "en"];
    let set = home.run_with_input(&set, &format!("{SECRET}\n")).ended(0);
    assert!(set.out.contains("sk-****nput") && set.out.contains(&origin), "{set:?}");
    let short = ["keys", "set", "openai", "--language", "en"];
    let short = home.run_with_input(&short, "short\n").ended(1);
    assert!(short.err.contains("8"), "{short:?}");

    let listed = home.run(&["keys", "list", "--json"]).ended(0).json();
    assert_eq!(
        (&listed[0]["masked"], &listed[0]["holder"]),
        (&"sk-****nput".into(), &"USER".into())
    );
    // This one has no list of models: nothing is known of the key.
    let verified = home.run(&["keys", "verify", "custom", "--json"]).ended(1).json();
    assert_eq!(verified["verdict"], "UNREACHABLE");
    home.run(&["keys", "verify", "custom", "--of", "project"]).ended(1);
    let used = home.run(&["keys", "resolve", "--language", "ko"]).ended(0);
    assert!(used.out.contains("USER") && used.out.contains("사용"), "{used:?}");
    let effective = home.run(&["models", "effective", "--language", "en"]).ended(0);
    assert!(effective.out.contains("model: small") && effective.out.contains("no price here"));
    let models = home.run(&["models", "list", "--language", "en"]).ended(0);
    assert!(models.out.contains("gpt-4o-mini") && models.out.contains("0.15"), "{models:?}");
    let known = models.out.lines().find(|line| line.contains("claude-haiku-4-5")).unwrap();
    assert!(known.contains("200000") && known.contains("schema, stream, tools"), "{known}");

    let mut chat = home.command(&["chat", "Write 'x' to x.txt"]).spawn().unwrap();
    let sent = eventually(|| model.calls().into_iter().next());
    chat.kill().unwrap();
    chat.wait().unwrap();
    assert_eq!(sent.authorization, Some(format!("Bearer {SECRET}")));

    home.run(&["keys", "remove", "custom"]).ended(0);
    home.run(&["keys", "remove", "custom"]).ended(1);
    for told in [&set, &used, &effective] {
        assert!(!told.out.contains("CANARY") && !told.err.contains("CANARY"));
    }
}
