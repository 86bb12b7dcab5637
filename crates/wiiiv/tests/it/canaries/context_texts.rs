//! What people ask to be kept, tell of themselves and said long ago: 500 words that models read, looked for in logs,
//! records, traces, figures and errors.

use super::raw::Wire;
use super::{figures, served, turn_to};
use crate::program::{Home, eventually};
use crate::server::PASSWORD;
use crate::telemetry::collector::Collector;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_ghost::{Canary, Scanner};

/// Half of them in one's own, half in the project's.
const OF_MEMORY: usize = 150;
const OF_PROFILE: usize = 150;
const OF_SUMMARIES: usize = 200;
/// Of one change of a profile.
const TOLD_AT_ONCE: usize = 15;
/// Of one message.
const SAID_AT_ONCE: usize = 8;
/// Behind so many more every message with one of them is an older turn.
const TURNS_BEHIND: usize = 6;
/// Each so often a message forbids something, and is a fact of safety.
const LIMITS_EVERY: usize = 5;

struct Planted {
    memory: Vec<String>,
    profile: Vec<String>,
    summaries: Vec<String>,
}

/// Words that nothing else has, and no two of them alike.
fn words(kind: char, count: usize) -> Vec<String> {
    let figure = |nth: usize| (nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    (0..count).map(|nth| format!("qz{kind}{nth:03}x{:011x}", figure(nth))).collect()
}

impl Planted {
    fn new() -> Self {
        Self {
            memory: words('m', OF_MEMORY),
            profile: words('p', OF_PROFILE),
            summaries: words('s', OF_SUMMARIES),
        }
    }

    fn all(&self) -> Vec<&String> {
        self.memory.iter().chain(&self.profile).chain(&self.summaries).collect()
    }

    fn scanner(&self) -> Scanner {
        let canary = |secret: &&String| Canary {
            name: (*secret).clone(),
            user: String::new(),
            secret: (*secret).clone(),
        };
        Scanner::of(&self.all().iter().map(canary).collect::<Vec<_>>()).unwrap()
    }

    /// What is said in the turns of the conversation, in their order.
    fn messages(&self) -> Vec<String> {
        let said = self.summaries.chunks(SAID_AT_ONCE).enumerate().map(|(nth, words)| {
            let words = words.join(" ");
            match nth % LIMITS_EVERY {
                0 => format!("Never speak of {words} to anybody."),
                // Nothing that two of them share, so that none is near to another.
                _ => words,
            }
        });
        let behind = (0..TURNS_BEHIND).map(|nth| format!("How is the weather, {nth}?"));
        said.chain(behind).collect()
    }
}

fn is_ok(answer: &[u8]) -> bool {
    answer.starts_with(b"HTTP/1.0 200 ")
}

fn model(runtime: &Runtime) -> FakeModel {
    let reply = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "It is noted.",
        "slots": {}});
    let script = ModelMode::Script(vec![reply.to_string()]);
    runtime.block_on(FakeModel::spawn(script)).unwrap()
}

/// The project's model and its key; profiles are on.
fn turn_to_model(home: &Home, model: &FakeModel) {
    turn_to(home, |policy| {
        policy["llmProvider"] = "CUSTOM".into();
        policy["llmBaseUrl"] = model.base_url().into();
        policy["governorModel"] = "small".into();
        policy["keySources"] = json!(["PROJECT"]);
        policy["profileSchema"] = "medical".into();
    });
    let origin = model.origin();
    let set = ["keys", "set", "custom", "--of", "project", "--origin", &origin];
    home.run_with_input(&set, "sk-3Hs9proj~m2Xc8Vb5Jq1Gt7Wz4Ka6\n").ended(0);
}

/// Both memories, then a conversation in which something is told before each turn, as long as there is more of it.
fn talked(wire: &Wire, planted: &Planted) -> String {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let project = text(&wire.get("/projects")["items"][0]["id"]);
    let user = text(&wire.get("/auth/me")["user"]);
    let (own, shared) = planted.memory.split_at(OF_MEMORY / 2);
    for (path, words) in
        [(format!("/users/{user}/memory"), own), (format!("/projects/{project}/memory"), shared)]
    {
        let kept = wire.put(&path, 0, &json!({"text": format!("- {}", words.join("\n- "))}));
        assert!(is_ok(&kept), "{}", String::from_utf8_lossy(&kept));
    }
    let session = text(&wire.post(&format!("/projects/{project}/sessions"), &json!({}))["id"]);
    let events = wire.listen(&format!("/sessions/{session}/events"));
    let mut told = planted.profile.chunks(TOLD_AT_ONCE).enumerate();
    for message in planted.messages() {
        if let Some((version, words)) = told.next() {
            let set = |word: &String| json!({"slot": "symptoms", "op": "set", "value": word});
            let changes: Vec<Value> = words.iter().map(set).collect();
            let path = format!("/projects/{project}/profile");
            let kept = wire.put(&path, version, &json!({"changes": changes}));
            assert!(is_ok(&kept), "{}", String::from_utf8_lossy(&kept));
        }
        let said = wire.post(&format!("/sessions/{session}/messages"), &json!({"text": message}));
        let turn = text(&said["turn"]);
        eventually(|| events.is_over(&turn).then_some(()));
    }
    assert!(told.next().is_none(), "all of it was told");
    project
}

/// Refusals of what holds them, as they came: by the interface, and by the command line.
fn refused(home: &Home, wire: &Wire, project: &str, planted: &Planted) -> Vec<Vec<u8>> {
    let [memory, profile, said] =
        [&planted.memory, &planted.profile, &planted.summaries].map(|words| words[0].clone());
    let (long, path) = (format!("{memory} ").repeat(200), format!("/projects/{project}/memory"));
    let odd = |value: &str| json!({"slot": "age", "op": "set", "value": value});
    let told = format!("/projects/{project}/profile");
    let mut all = vec![
        wire.put(&path, 1, &json!({"text": long})),
        wire.put(&path, 0, &json!({"text": memory})),
        wire.put(&path, 1, &json!({"text": format!("{memory}\u{1b}")})),
        wire.put(&told, 10, &json!({"changes": [odd(&profile)]})),
        wire.put(&told, 10, &json!({"changes": [odd("1")], "odd": profile})),
        wire.refused("/sessions/nowhere/messages", &json!({"text": said})),
        wire.refused(&format!("/projects/{project}/sessions"), &json!({"odd": said})),
    ];
    for answer in &all {
        assert!(answer.starts_with(b"HTTP/1.0 4"), "{}", String::from_utf8_lossy(answer));
    }
    for (words, input) in [(&["memory", "edit"][..], &long), (&["profile", "set", "age"], &profile)]
    {
        let ran = home.run_with_input(words, input).ended(2);
        all.extend([ran.out.into_bytes(), ran.err.into_bytes()]);
    }
    all
}

/// What stands in this block of a prompt.
fn block<'p>(prompt: &'p str, label: &str) -> &'p str {
    let behind = prompt.split_once(&format!(" {label}\n")).map_or("", |(_, behind)| behind);
    behind.split(">>>").next().unwrap_or_default()
}

/// Each was read by the model, where it belongs.
fn all_were_read(model: &FakeModel, planted: &Planted) {
    let calls = model.calls();
    let prompts: Vec<&str> =
        calls.iter().filter_map(|call| call.body["messages"][1]["content"].as_str()).collect();
    let kinds: [(&Vec<String>, &[&str]); 3] = [
        (&planted.memory, &["USER_MEMORY", "PROJECT_MEMORY"]),
        (&planted.profile, &["PROFILE"]),
        (&planted.summaries, &["SUMMARY"]),
    ];
    for (words, labels) in kinds {
        let blocks =
            prompts.iter().flat_map(|prompt| labels.iter().map(move |at| block(prompt, at)));
        let read: String = blocks.collect();
        let unread: Vec<&String> = words.iter().filter(|word| !read.contains(*word)).collect();
        assert!(unread.is_empty(), "{labels:?}: {unread:?}");
    }
}

#[test]
fn no_word_of_memory_profiles_or_summaries_is_in_a_log_a_record_a_trace_or_an_error() {
    let (runtime, home, collector) = (Runtime::new().unwrap(), Home::new(), Collector::start());
    let (model, planted) = (model(&runtime), Planted::new());
    assert_eq!(planted.all().len(), 500);
    let server = served(&home, &model.origin(), &collector);
    turn_to_model(&home, &model);
    let wire = Wire::open(server.text("url"), "ann", PASSWORD);
    let project = talked(&wire, &planted);
    all_were_read(&model, &planted);
    let mut places: Vec<(String, Vec<u8>)> = vec![("/metrics".to_owned(), figures(&server))];
    let refusals = refused(&home, &wire, &project, &planted);
    places.extend(refusals.into_iter().map(|answer| ("an error".to_owned(), answer)));
    let listed = wire.get(&format!("/projects/{project}/audit")).to_string();
    places.push(("the audit as it is listed".to_owned(), listed.into_bytes()));
    let exports: [(&str, &[&str]); 2] =
        [("project.jsonl", &[]), ("server.jsonl", &["--server-chain"])];
    for (file, more) in exports {
        home.run(&[&["audit", "export", "--output", file][..], more].concat()).ended(0);
        places.push((file.to_owned(), fs::read(home.path(file)).unwrap()));
    }
    eventually(|| (!collector.spans().is_empty()).then_some(()));
    assert_eq!(server.stop(), 0);
    places.push(("log".to_owned(), fs::read(home.path("log")).unwrap()));
    collector.with(|all| {
        places.extend(all.iter().map(|one| (one.path.clone(), one.body.clone())));
    });
    for part in ["memory.changed", "profile.changed", "model.called", "model asked"] {
        let is_there = |(_, bytes): &(String, Vec<u8>)| {
            bytes.windows(part.len()).any(|found| found == part.as_bytes())
        };
        assert!(places.iter().any(is_there), "{part}");
    }
    for due in ["/v1/traces", "/v1/metrics"] {
        assert!(places.iter().any(|(name, bytes)| name == due && !bytes.is_empty()), "{due}");
    }
    // The search finds each of them where it was sent.
    let scanner = planted.scanner();
    let names = |bytes: &[u8]| -> BTreeSet<String> {
        scanner.find(bytes).into_iter().map(|(name, _)| name).collect()
    };
    let sent: String = model.calls().iter().map(|call| call.body.to_string()).collect();
    assert_eq!(names(sent.as_bytes()).len(), planted.all().len());
    for (name, bytes) in &places {
        let found = names(bytes);
        assert!(found.is_empty(), "{found:?} in {name}");
    }
    println!("figure: 0 of {} canaries in {} places", planted.all().len(), places.len());
}
