//! Keys of every scope, asked of a provider that says them back: looked for in all that the program
//! says and keeps, in every form that they could have there.

use crate::program::{Home, Ran, Server, eventually};
use crate::server::{PASSWORD, serve, with_key};
use crate::telemetry::collector::Collector;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use wiiiv_ghost::{Canary, Scanner};

/// By the source that a policy names, and by whom `keys set` is told it is.
const STORED: [(&str, &str, &str); 3] = [
    ("USER", "me", "sk-8fK2user~x5Qv7Zp1Lw9Ty3Rb6Nd4"),
    ("PROJECT", "project", "sk-3Hs9proj~m2Xc8Vb5Jq1Gt7Wz4Ka6"),
    ("SERVER", "server", "sk-5Pd1serv~r8Yn3Ue6Mf9Bx2Ch7So4"),
];
const ENVIRONMENT: &str = "sk-9Lj4envi~t6Ig2Oa7Dk1Vm5Qe8Zu3";

/// Takes any key. Of three answers to talk one is good, one says the key in its words, and one as the
/// name of its model; its list of models has the key among them.
struct Parrot {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Parrot {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let parrot = Self { address: listener.local_addr().unwrap(), heard: Arc::default() };
        let (heard, talks) = (parrot.heard.clone(), AtomicUsize::new(0));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &heard, &talks);
            }
        });
        parrot
    }

    fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

fn answer(stream: TcpStream, heard: &Mutex<Vec<u8>>, talks: &AtomicUsize) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head).unwrap() > 2 {}
    let field = |name: &str| {
        let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(name));
        line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value)
    };
    let length: usize = field("content-length").parse().unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    heard.lock().unwrap().extend_from_slice(head.as_bytes());
    let key = field("authorization").trim_start_matches("Bearer ").trim();
    let said = if head.starts_with("GET") {
        json!({"data": [{"id": "small"}, {"id": key}, {"id": format!("m-{key}")}]})
    } else {
        let nth = talks.fetch_add(1, Ordering::SeqCst);
        talk(if nth % 3 == 1 { key } else { "hello" }, if nth % 3 == 2 { key } else { "small" })
    };
    let said = said.to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
    write!(reader.get_mut(), "{head}\r\ncontent-length: {}\r\n\r\n{said}", said.len()).unwrap();
}

fn talk(words: &str, model: &str) -> Value {
    let proposal = json!({
        "action": "REPLY", "taskType": "CONVERSATION", "message": format!("It is {words}."),
        "slots": {},
    });
    json!({
        "id": "c", "object": "chat.completion", "model": model,
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": proposal.to_string()}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

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
fn served(home: &Home, parrot: &Parrot, collector: &Collector) -> Server {
    with_key(home, "master.key", "ab");
    let arguments = serve(home, "master.key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command
        .env("WIIIV__LOG__LEVEL", "trace")
        .env("OPENAI_API_KEY", ENVIRONMENT)
        .env("WIIIV__LLM__APPROVED_ORIGINS", format!("{},https://api.openai.com", parrot.origin()))
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

/// What every command said, of keys, models, talk and records.
fn used(home: &Home, parrot: &Parrot) -> Vec<Ran> {
    let mut said = Vec::new();
    for (source, holder, secret) in STORED {
        said.push(turn_to(home, |policy| {
            policy["llmProvider"] = "CUSTOM".into();
            policy["llmBaseUrl"] = format!("{}/v1", parrot.origin()).into();
            policy["governorModel"] = "small".into();
            policy["keySources"] = json!([source]);
        }));
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
    said.push(turn_to(home, |policy| {
        policy["llmProvider"] = "OPENAI".into();
        policy["governorModel"] = "gpt-4o-mini".into();
        policy["keySources"] = json!(["ENVIRONMENT"]);
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

fn figures(server: &Server) -> Vec<u8> {
    let address = server.text("url").strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut figures = Vec::new();
    stream.read_to_end(&mut figures).unwrap();
    assert!(figures.starts_with(b"HTTP/1.1 200 "));
    figures
}

#[test]
fn keys_are_found_where_they_were_sent_and_nowhere_else() {
    let (home, parrot, collector) = (Home::new(), Parrot::start(), Collector::start());
    let server = served(&home, &parrot, &collector);
    let said = used(&home, &parrot);
    // The search finds each that was sent, where it was sent to.
    let scanner = scanner();
    let heard = scanner.find(&parrot.heard.lock().unwrap());
    let heard: BTreeSet<&str> = heard.iter().map(|(source, _)| source.as_str()).collect();
    assert_eq!(heard, BTreeSet::from(["USER", "PROJECT", "SERVER"]));
    assert!(!scanner.find(format!("key={ENVIRONMENT}").as_bytes()).is_empty());

    let mut places: Vec<(String, Vec<u8>)> = vec![("/metrics".to_owned(), figures(&server))];
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
    assert!(record.matches("invalid_output").count() >= STORED.len(), "{record}");
    for (name, bytes) in places {
        let found = scanner.find(&bytes);
        assert!(found.is_empty(), "{found:?} in {}", name.chars().take(200).collect::<String>());
    }
}
