//! Keys of every scope, asked of a provider that says them back: looked for in all that the program
//! says and keeps, in every form that they could have there.

mod context_texts;
mod dialect;
mod parrot;
mod raw;

pub use parrot::Parrot;

use crate::program::{Home, Ran, Server, eventually};
use crate::server::{PASSWORD, serve, with_key};
use crate::telemetry::collector::Collector;
use raw::{Listening, Wire};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use wiiiv_ghost::{Canary, Scanner};

/// By the source that a policy names, and by whom `keys set` is told it is.
const STORED: [(&str, &str, &str); 3] = [
    ("USER", "me", "sk-8fK2user~x5Qv7Zp1Lw9Ty3Rb6Nd4"),
    ("PROJECT", "project", "sk-3Hs9proj~m2Xc8Vb5Jq1Gt7Wz4Ka6"),
    ("SERVER", "server", "sk-5Pd1serv~r8Yn3Ue6Mf9Bx2Ch7So4"),
];
const ENVIRONMENT: &str = "sk-9Lj4envi~t6Ig2Oa7Dk1Vm5Qe8Zu3";

fn scanner() -> Scanner {
    let stored = STORED.map(|(source, _, secret)| (source, secret));
    let all = stored.into_iter().chain([("ENVIRONMENT", ENVIRONMENT)]);
    let canary = |(name, secret): (&str, &str)| Canary {
        name: name.to_owned(),
        user: String::new(),
        secret: secret.to_owned(),
    };
    Scanner::of(&all.map(canary).collect::<Vec<_>>()).unwrap()
}

/// Each file below, with its bytes.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.is_file() {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}

/// Logs all that it can, is open to scrapers of this machine, and sends to a collector. Its
/// administrator is logged in, and owns the project.
fn served(home: &Home, origin: &str, collector: &Collector) -> Server {
    with_key(home, "master.key", "ab");
    let arguments = serve(home, "master.key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command
        .env("WIIIV__LOG__LEVEL", "trace")
        .env("OPENAI_API_KEY", ENVIRONMENT)
        .env("WIIIV__LLM__APPROVED_ORIGINS", format!("{origin},https://api.openai.com"))
        .env("WIIIV__TELEMETRY__METRICS_OPEN", "true")
        .env("WIIIV__TELEMETRY__OTLP_ENDPOINT", format!("http://{}", collector.address))
        .env("WIIIV__TELEMETRY__INTERVAL_SECONDS", "1")
        .stderr(File::create(home.path("log")).unwrap());
    let server = Server::start(command);
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    server
}

fn turn_to(home: &Home, change: impl FnOnce(&mut Value)) -> Ran {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    change(&mut version["policy"]);
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "another source"]).ended(0)
}

/// Asked with keys of that source alone.
fn to_parrot(home: &Home, parrot: &Parrot, source: &str) -> Ran {
    turn_to(home, |policy| {
        policy["llmProvider"] = "CUSTOM".into();
        policy["llmBaseUrl"] = format!("{}/v1", parrot.origin()).into();
        policy["governorModel"] = "small".into();
        policy["keySources"] = json!([source]);
        // Its schema has an address of its own.
        policy["profileSchema"] = "medical".into();
    })
}

/// Each of the others in its own way of writing, with the project's key: by the name of its provider, of
/// a model, and the base that it is asked under.
const DIALECTS: [(&str, &str, &str); 5] = [
    ("OPENAI", "small", "/openai/v1"),
    ("OPENAI", "gpt-5.3-codex", "/openai/v1"),
    ("ANTHROPIC", "small", "/anthropic"),
    ("GOOGLE", "small", "/google/v1beta"),
    ("OLLAMA", "small", "/ollama/v1"),
];

fn asked_in_each_dialect(home: &Home, parrot: &Parrot) -> Vec<Ran> {
    let mut said = Vec::new();
    let (source, holder, secret) = STORED[1];
    for (provider, model, base) in DIALECTS {
        said.push(turn_to(home, |policy| {
            policy["llmProvider"] = provider.into();
            policy["llmBaseUrl"] = format!("{}{base}", parrot.origin()).into();
            policy["governorModel"] = model.into();
            policy["embeddingModel"] = "none".into();
            policy["keySources"] = json!([source]);
        }));
        let (name, origin) = (provider.to_lowercase(), parrot.origin());
        let set = ["keys", "set", &name, "--of", holder, "--origin", &origin, "--json"];
        said.push(home.run_with_input(&set, &format!("{secret}\n")).ended(0));
        said.push(home.run(&["keys", "verify", &name, "--of", holder, "--json"]));
        said.push(home.run(&["models", "available", "--json"]));
        let before = parrot.streams();
        let mut was_good = false;
        for _turn in 0..4 {
            let tried = home.run(&["models", "try", "--json"]);
            was_good |= tried.json()["answered"] == true;
            said.extend([tried, home.run(&["chat", "hello"])]);
        }
        assert!(parrot.streams() > before, "{provider} {model}: it never spoke");
        assert!(was_good, "{provider} {model}: what says no key is an answer: {said:?}");
    }
    said
}

/// What every command said, of keys, models, talk and records.
fn used(home: &Home, parrot: &Parrot) -> Vec<Ran> {
    let mut said = Vec::new();
    for (source, holder, secret) in STORED {
        said.push(to_parrot(home, parrot, source));
        let origin = parrot.origin();
        let set = ["keys", "set", "custom", "--of", holder, "--origin", &origin, "--json"];
        said.push(home.run_with_input(&set, &format!("{secret}\n")).ended(0));
        said.push(home.run(&["keys", "list", "--of", holder, "--json"]).ended(0));
        said.push(home.run(&["keys", "verify", "custom", "--of", holder, "--json"]).ended(0));
        said.push(home.run(&["keys", "resolve", "--json"]).ended(0));
        said.push(home.run(&["models", "available", "--json"]).ended(0));
        said.push(home.run(&["models", "try", "--json"]));
        said.push(home.run(&["models", "try"]));
        for words in ["hello", "who are you?", "thanks"] {
            said.push(home.run(&["chat", words]));
            said.push(home.run(&["chat", words, "--json"]));
        }
    }
    said.extend(asked_in_each_dialect(home, parrot));
    // The environment's key is for its provider's own origin: at another it is offered to nobody.
    said.push(turn_to(home, |policy| {
        policy["llmProvider"] = "OPENAI".into();
        policy["governorModel"] = "gpt-4o-mini".into();
        policy["keySources"] = json!(["ENVIRONMENT"]);
    }));
    said.push(home.run(&["models", "try", "--json"]));
    said.push(home.run(&["models", "available", "--json"]));
    said.push(home.run(&["chat", "hello", "--json"]));
    said.push(turn_to(home, |policy| {
        policy.as_object_mut().unwrap().remove("llmBaseUrl");
    }));
    let resolved = home.run(&["keys", "resolve", "--json"]).ended(0);
    assert!(
        resolved.out.contains("ENVIRONMENT") && resolved.out.contains("sk-****"),
        "{resolved:?}"
    );
    said.push(resolved);
    said.push(home.run(&["models", "effective", "--json"]).ended(0));
    said.push(home.run(&["usage", "--json"]).ended(0));
    let projects = home.run(&["usage", "--by", "project", "--json"]).ended(0);
    let listed = projects.json();
    assert_eq!(listed["projects"].as_array().map(Vec::len), Some(1), "{listed}");
    assert!(
        listed["projects"][0]["sums"]["calls"].as_u64() > Some(0) && listed["from"].is_string()
    );
    said.push(projects);
    said.push(home.run(&["usage", "--by", "project"]).ended(0));
    let found = home.run(&["models", "discover", "--language", "en"]).ended(0);
    assert!(found.out.contains("OFFLINE") && found.out.contains("OpenAI"), "{found:?}");
    said.push(found);
    said.push(home.run(&["models", "discover", "--json"]).ended(0));
    said.push(home.run(&["doctor"]));
    said.push(home.run(&["audit", "export", "--output", "project.jsonl"]).ended(0));
    said.push(
        home.run(&["audit", "export", "--server-chain", "--output", "server.jsonl"]).ended(0),
    );
    said
}

pub fn figures(server: &Server) -> Vec<u8> {
    let address = server.text("url").strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut figures = Vec::new();
    stream.read_to_end(&mut figures).unwrap();
    assert!(figures.starts_with(b"HTTP/1.1 200 "));
    figures
}

/// A conversation over the interface itself, listened to from its beginning, whose answers say the
/// project's key; and a run with its receipt.
fn conversation(
    home: &Home,
    parrot: &Parrot,
    wire: &Wire,
) -> (Listening, BTreeMap<&'static str, String>) {
    to_parrot(home, parrot, "PROJECT");
    let id = |of: &Value| of["id"].as_str().unwrap().to_owned();
    let project = id(&wire.get("/projects")["items"][0]);
    let session = id(&wire.post(&format!("/projects/{project}/sessions"), &json!({})));
    let events = wire.listen(&format!("/sessions/{session}/events"));
    let mut turn = String::new();
    for words in ["hello", "who are you?", "thanks", "hello again", "and you?", "good bye"] {
        let said = wire.post(&format!("/sessions/{session}/messages"), &json!({"text": words}));
        turn = said["turn"].as_str().unwrap().to_owned();
        eventually(|| events.is_over(&turn).then_some(()));
    }
    turn_to(home, |policy| {
        policy["llmProvider"] = "OFFLINE".into();
        for field in ["llmBaseUrl", "governorModel"] {
            policy.as_object_mut().unwrap().remove(field);
        }
    });
    home.run(&["chat", "Write 'x' to x.txt"]).ended(7);
    home.approve().ended(0);
    to_parrot(home, parrot, "PROJECT");
    let run = &wire.get(&format!("/projects/{project}/executions"))["items"][0];
    let plan = run["blueprint"].as_str().unwrap().to_owned();
    let known = [
        ("projects", project.clone()),
        ("audit", project),
        ("sessions", session),
        ("turn", turn),
        ("executions", id(run)),
        ("blueprints", plan),
        ("approvals", id(&wire.get("/approvals")["items"][0])),
    ];
    (events, known.into())
}

#[test]
fn keys_are_found_where_they_were_sent_and_nowhere_else() {
    let (home, parrot, collector) = (Home::new(), Parrot::start(), Collector::start());
    let server = served(&home, &parrot.origin(), &collector);
    let said = used(&home, &parrot);
    let wire = Wire::open(server.text("url"), "ann", PASSWORD);
    let (events, known) = conversation(&home, &parrot, &wire);
    // The search finds each that was sent, where it was sent to, and the environment's where it lies.
    let scanner = scanner();
    let sources = |bytes: &[u8]| -> BTreeSet<String> {
        scanner.find(bytes).into_iter().map(|(source, _)| source).collect()
    };
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(sources(&parrot.heard()), named(&["USER", "PROJECT", "SERVER"]));
    assert!(parrot.streams() > 3 * STORED.len(), "{}", parrot.streams());
    if cfg!(target_os = "linux") {
        let lies = fs::read(format!("/proc/{}/environ", server.process())).unwrap();
        assert_eq!(sources(&lies), named(&["ENVIRONMENT"]));
    }

    let mut places: Vec<(String, Vec<u8>)> = vec![("/metrics".to_owned(), figures(&server))];
    places.extend(wire.all(&known));
    let is_read = |answer: &[u8]| answer.get(8..).is_some_and(|rest| rest.starts_with(b" 200"));
    let unread: Vec<&str> =
        places.iter().filter(|(_, bytes)| !is_read(bytes)).map(|(path, _)| path.as_str()).collect();
    assert_eq!(unread, ["/projects/{id}/policy/diff"], "which is asked with two versions");
    assert!(places.len() > 45, "only {} addresses were read", places.len());
    places.push(("events as they came".to_owned(), events.came()));
    places.push(("words as they came".to_owned(), events.words()));
    for Ran { out, err, .. } in said {
        places.push((out.clone(), out.into_bytes()));
        places.push((err.clone(), err.into_bytes()));
    }
    eventually(|| (!collector.spans().is_empty()).then_some(()));
    // With the log of writes beside the database, which an orderly end would take away.
    files(&home.path(""), &mut places);
    assert_eq!(server.stop(), 0);
    files(&home.path(""), &mut places);
    collector.with(|all| {
        places.extend(all.iter().map(|one| (one.path.clone(), one.body.clone())));
    });
    for part in ["-wal", "/log", "project.jsonl", "server.jsonl", "/v1/traces", "/v1/metrics"] {
        assert!(
            places.iter().any(|(name, bytes)| name.ends_with(part) && !bytes.is_empty()),
            "{part}"
        );
    }
    // What said a key was taken for no answer, and that is on record.
    let record = fs::read_to_string(home.path("project.jsonl")).unwrap();
    assert!(record.matches("key_said").count() >= STORED.len(), "{record}");
    let told = |(_, bytes): &(String, Vec<u8>)| {
        String::from_utf8_lossy(bytes).contains("contained its own key")
    };
    assert!(places.iter().any(told), "nobody who talks learned that a key was said");
    for (name, bytes) in places {
        let found = scanner.find(&bytes);
        assert!(found.is_empty(), "{found:?} in {}", name.chars().take(200).collect::<String>());
    }
}
