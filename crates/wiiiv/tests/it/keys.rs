//! Keys from the command line: by standard input, masked, sent to their own origin.

use crate::program::{Home, Server, eventually};
use serde_json::{Value, json};
use std::fs;
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, FakeProvider, ModelMode};

const SECRET: &str = "sk-CANARY-by-standard-input";

/// A demo whose project asks this model.
fn demo_with(home: &Home, model: &FakeModel) -> Server {
    demo_at(home, &model.origin(), &model.base_url(), |_| {})
}

/// The same of any server, and what else its policy says.
pub fn demo_at(home: &Home, origin: &str, base: &str, change: impl FnOnce(&mut Value)) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__LLM__APPROVED_ORIGINS", origin);
    let demo = Server::start(command);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["llmProvider"] = "CUSTOM".into();
    version["policy"]["llmBaseUrl"] = base.into();
    version["policy"]["governorModel"] = "small".into();
    change(&mut version["policy"]);
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
    let short = home.run_with_input(&short, "short\n").ended(2);
    assert!(short.err.contains("8"), "{short:?}");

    let nowhere = ["keys", "set", "openai", "--secret-file", "nowhere.key", "--language", "ko"];
    let nowhere = home.run(&nowhere).ended(2);
    assert!(nowhere.err.contains("nowhere.key") && nowhere.err.contains("읽을 수 없습니다"));

    let listed = home.run(&["keys", "list", "--json"]).ended(0).json();
    assert_eq!(
        (&listed[0]["masked"], &listed[0]["holder"]),
        (&"sk-****nput".into(), &"USER".into())
    );
    // This one has no list of models: nothing is known of the key.
    let verified = home.run(&["keys", "verify", "custom", "--json"]).ended(1).json();
    assert_eq!(verified["verdict"], "UNREACHABLE");
    let listed = home.run(&["models", "available", "--language", "en"]).ended(1);
    assert!(listed.out.contains("its models are unknown"), "no word of a key: {listed:?}");
    home.run(&["keys", "verify", "custom", "--of", "project"]).ended(1);
    // Whoever means the project's key does not touch their own.
    for holder in ["me", "server"] {
        let meant = ["keys", "remove", "custom", "--of", holder, "--project", "demo"];
        assert!(home.run(&meant).ended(2).err.contains("--of project"), "{holder}");
    }
    assert_eq!(home.run(&["keys", "list", "--json"]).ended(0).json().as_array().unwrap().len(), 1);
    let used = home.run(&["keys", "resolve", "--language", "ko"]).ended(0);
    assert!(used.out.contains("USER") && used.out.contains("사용"), "{used:?}");
    let effective = home.run(&["models", "effective", "--language", "en"]).ended(0);
    assert!(effective.out.contains("model: small") && effective.out.contains("no price here"));
    assert!(effective.out.contains("window: unknown (estimated"), "{effective:?}");
    let models = home.run(&["models", "list", "--language", "en"]).ended(0);
    assert!(models.out.contains("gpt-4o-mini") && models.out.contains("0.15"), "{models:?}");
    let known = models.out.lines().find(|line| line.contains("claude-haiku-4-5")).unwrap();
    assert!(known.contains("200000") && known.contains("schema, stream, tools"), "{known}");

    let mut chat = home.command(&["chat", "Write 'x' to x.txt"]).spawn().unwrap();
    let sent = eventually(|| model.calls().into_iter().next());
    chat.kill().unwrap();
    chat.wait().unwrap();
    assert_eq!(sent.authorization, Some(format!("Bearer {SECRET}")));

    let removed = home.run(&["keys", "remove", "CUSTOM", "--language", "en"]).ended(0);
    assert!(removed.out.contains("your own"), "{removed:?}");
    home.run(&["keys", "remove", "custom"]).ended(1);
    for told in [&set, &used, &effective] {
        assert!(!told.out.contains("CANARY") && !told.err.contains("CANARY"));
    }
}

/// A gateway's key is replaced: where the new one belongs is said, and never guessed.
#[test]
fn a_key_that_replaces_another_goes_where_it_is_said_to_go() {
    let home = Home::new();
    let _demo = Server::start(home.command(&["demo", "--json", "--port", "0"]));
    let set = |provider: &str, origin: &[&str]| {
        let args = [&["keys", "set", provider, "--json"][..], origin].concat();
        let set = home.run_with_input(&args, &format!("{SECRET}\n")).ended(0).json();
        set["origin"].as_str().unwrap().to_owned()
    };
    let gateway = ["--origin", "https://gateway.example"];
    for (provider, own) in [
        ("openai", "https://api.openai.com"),
        ("Anthropic", "https://api.anthropic.com"),
        ("GOOGLE", "https://generativelanguage.googleapis.com"),
    ] {
        assert_eq!(set(provider, &[]), own);
        assert_eq!(set(provider, &gateway), gateway[1]);
        let asked = home.run(&["keys", "set", provider]).ended(2);
        assert!(asked.err.contains(gateway[1]) && asked.err.contains(own), "{asked:?}");
        assert_eq!(set(provider, &["--origin", own]), own);
        assert_eq!(set(provider, &[]), own);
    }
    for provider in ["custom", "OLLAMA"] {
        assert_eq!(set(provider, &gateway), gateway[1]);
        assert_eq!(set(provider, &[]), gateway[1], "where {provider} is, only its user knows");
    }
    let refused = home.run_with_input(
        &["keys", "set", "custom", "--origin", "http://gateway.example", "--language", "en"],
        &format!("{SECRET}\n"),
    );
    let refused = refused.ended(2);
    assert!(refused.err.contains("https://gateway.example"), "{refused:?}");
}

#[test]
fn a_slot_is_tried_and_its_end_is_the_exit_code() {
    let runtime = Runtime::new().unwrap();
    let provider = runtime.block_on(FakeProvider::open(0)).unwrap();
    let base = |conduct: &str| format!("{}/cli/{conduct}/local/v1", provider.url());
    let home = Home::new();
    let _demo = demo_at(&home, &provider.url(), &base("good"), |policy| {
        policy["embeddingModel"] = json!("vectors");
        policy["modelPrices"]["CUSTOM:vectors"] = json!({"currency": "USD", "tiers":
            [{"fromInputTokens": 0, "inputMicrosPerMillion": 1_000_000, "outputMicrosPerMillion": 0}]});
    });
    let tried = home.run(&["models", "try", "--language", "en"]).ended(0);
    assert!(tried.out.contains("CUSTOM small has answered") && tried.out.contains("unpriced"));
    let tried = home.run(&["models", "try", "--slot", "embedding", "--language", "ko"]).ended(0);
    assert!(tried.out.contains("숫자 8개") && tried.out.contains("0.000007 USD"), "{tried:?}");
    let told = home.run(&["models", "try", "--slot", "generator", "--json"]).ended(0).json();
    assert_eq!((&told["model"], &told["attempts"]), (&json!("small"), &json!(1)));
    let effective = home.run(&["models", "effective", "--language", "en"]).ended(0);
    assert!(effective.out.contains("drafts: as the governor's"), "{effective:?}");
    assert!(effective.out.contains("embeddings: CUSTOM vectors"), "{effective:?}");

    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["llmBaseUrl"] = base("broken").into();
    version["policy"].as_object_mut().unwrap().remove("embeddingModel");
    fs::write(home.path("broken.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "broken.json", "--reason", "a server that fails"]).ended(0);
    let failed = home.run(&["models", "try", "--language", "en"]).ended(1);
    assert!(failed.out.contains("did not answer: not available"), "{failed:?}");
    let empty = home.run(&["models", "try", "--slot", "embedding", "--language", "en"]).ended(2);
    assert!(empty.err.contains("slot"), "{empty:?}");
}
