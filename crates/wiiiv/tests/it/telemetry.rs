//! What the real program tells of a governed turn, and what it does not tell: to a scraper, to a
//! collector and in its log.

pub mod collector;
mod dashboard;
mod trial;

use crate::program::{Home, Server, eventually};
use collector::{Collector, attributes};
use opentelemetry_proto::tonic::trace::v1::Span;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, ModelMode};

/// What nobody may find in figures, spans or the log.
const USER_WORDS: &str = "CANARY-user-words";
const MODEL_WORDS: &str = "CANARY-model-words";
const FILE: &str = "CANARY-file.txt";
const KEY: &str = "sk-CANARY-model-key";
const HEADER: &str = "CANARY-collector-token";
/// A collector that never answers may delay the end by this.
const CLOSE_TIME_MAX: Duration = Duration::from_secs(15);

fn model(runtime: &Runtime) -> FakeModel {
    let write = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": MODEL_WORDS,
        "slots": {"targetPath": FILE, "content": USER_WORDS},
        "taskSwitch": {"kind": "new"},
    });
    let done = json!({
        "action": "REPLY", "taskType": "CONVERSATION", "message": MODEL_WORDS, "slots": {},
    });
    let script = ModelMode::Script(vec![write.to_string(), done.to_string()]);
    runtime.block_on(FakeModel::spawn(script)).unwrap()
}

/// A demo that logs all that it can, is open to scrapers of this machine, and sends to a collector.
fn demo(home: &Home, model: &FakeModel, collector: &Collector) -> Server {
    let headers = home.path("headers");
    fs::write(&headers, format!("Authorization: Bearer {HEADER}\n")).unwrap();
    fs::set_permissions(&headers, fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = home.command(&["demo", "--json", "--port", "0", "--log-level", "trace"]);
    command
        .env("WIIIV__LLM__APPROVED_ORIGINS", model.origin())
        .env("WIIIV__TELEMETRY__METRICS_OPEN", "true")
        .env("WIIIV__TELEMETRY__OTLP_ENDPOINT", format!("http://{}", collector.address))
        .env("WIIIV__TELEMETRY__HEADERS_FILE", &headers)
        .env("WIIIV__TELEMETRY__INTERVAL_SECONDS", "1")
        .stderr(File::create(home.path("log")).unwrap());
    let demo = Server::start(command);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    version["policy"]["llmProvider"] = "CUSTOM".into();
    version["policy"]["llmBaseUrl"] = model.base_url().into();
    version["policy"]["governorModel"] = "small".into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a model of our own"]).ended(0);
    let set = ["keys", "set", "custom", "--origin", &model.origin()];
    home.run_with_input(&set, &format!("{KEY}\n")).ended(0);
    demo
}

/// Head and body of one answer.
fn get(server: &Server, path: &str) -> (String, String) {
    let address = server.text("url").strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The series that hold all of these labels, added up.
fn sum(figures: &str, name: &str, labels: &[&str]) -> f64 {
    let of = |line: &&str| {
        let named = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
        named && labels.iter().all(|label| line.contains(label))
    };
    let value = |line: &str| -> f64 { line.rsplit(' ').next().unwrap().parse().unwrap() };
    figures.lines().filter(of).map(value).sum()
}

fn check_figures(figures: &str) {
    for (name, labels, expected) in [
        ("wiiiv_turns_total", &["pending"][..], 1.0),
        ("wiiiv_turns_total", &["done"], 1.0),
        ("wiiiv_turn_duration_seconds_count", &[], 2.0),
        ("wiiiv_runs_total", &["succeeded"], 1.0),
        ("wiiiv_steps_total", &["FILE_WRITE", "success"], 1.0),
        ("wiiiv_gate_rulings_total", &["step", "permission", "ALLOW"], 1.0),
        ("wiiiv_gate_rulings_total", &["blueprint", "user_approval", "ALLOW"], 1.0),
        ("wiiiv_approvals_waiting", &[], 0.0),
        ("wiiiv_breakers_open", &["custom"], 0.0),
        ("wiiiv_sessions_awake", &[], 1.0),
    ] {
        assert_eq!(sum(figures, name, labels), expected, "{name} {labels:?}\n{figures}");
    }
    let model = ["chat", "custom", "small"];
    let calls = sum(figures, "gen_ai_client_operation_duration_seconds_count", &model);
    assert!(calls >= 1.0, "{figures}");
    let used = |kind| sum(figures, "gen_ai_client_token_usage_sum", &["small", kind]);
    assert_eq!(used("\"input\""), 100.0 * calls, "{figures}");
    assert!(used("\"output\"") > 0.0 && sum(figures, "wiiiv_audit_records", &[]) > 10.0);
    let part = |part: &str| {
        let label = format!("wiiiv_prompt_part=\"{part}\"");
        sum(figures, "wiiiv_prompt_tokens_total", &[label.as_str()])
    };
    let [rules, task, query, memory] = ["system", "task", "query", "user_memory"].map(part);
    assert!(rules > query && task > 0.0 && query > 0.0 && memory == 0.0, "{figures}");
    let requests = ["/api/v2/sessions/{id}/messages", "POST", "\"200\""];
    assert!(sum(figures, "http_server_request_duration_seconds_count", &requests) >= 1.0);
}

/// One trace a turn, and each thing below what it belongs to.
fn check_spans(spans: &[Span]) {
    let by_id: BTreeMap<&[u8], &Span> = spans.iter().map(|s| (s.span_id.as_slice(), s)).collect();
    let mut edges = BTreeSet::new();
    for span in spans {
        match by_id.get(span.parent_span_id.as_slice()) {
            Some(parent) => {
                assert_eq!(parent.trace_id, span.trace_id);
                edges.insert(format!("{} > {}", parent.name, span.name));
            }
            None => assert_eq!((span.name.as_str(), span.parent_span_id.len()), ("turn", 0)),
        }
    }
    let roots = spans.iter().filter(|span| span.name == "turn").count();
    let traces: BTreeSet<_> = spans.iter().map(|span| &span.trace_id).collect();
    assert_eq!(roots, traces.len());
    for edge in [
        "turn > context",
        "turn > flow",
        "turn > chat small",
        "turn > dacs",
        "turn > gate cost",
        "turn > gate user_approval",
        "turn > run",
        "run > step FILE_WRITE",
        "step FILE_WRITE > gate permission",
    ] {
        assert!(edges.contains(edge), "{edge}: {edges:#?}");
    }
    let chat = spans.iter().find(|span| span.name == "chat small").unwrap();
    let told = attributes(chat);
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "custom"),
        ("gen_ai.request.model", "small"),
        ("gen_ai.usage.input_tokens", "100"),
    ] {
        assert_eq!(told.get(name).map(String::as_str), Some(value), "{told:?}");
    }
    assert_eq!(chat.kind, 3, "a client's");
    let context = spans.iter().find(|span| span.name == "context").map(attributes).unwrap();
    let tokens = |of: &str| context[&format!("wiiiv.prompt.{of}")].parse::<u64>().unwrap();
    assert!(tokens("used_tokens") > 0 && tokens("memory_tokens") == 0, "{context:?}");
    let stages = ["profile_tokens", "summary_tokens", "related_tokens", "recent_dropped"];
    assert!(stages.into_iter().all(|stage| tokens(stage) == 0), "{context:?}");
    assert_eq!(tokens("stages_less"), 0);
    let content = ["gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"];
    assert!(content.iter().all(|name| !told.contains_key(*name)));
}

#[test]
fn a_governed_turn_is_counted_and_traced_without_a_word_of_it() {
    let (runtime, home, collector) = (Runtime::new().unwrap(), Home::new(), Collector::start());
    let model = model(&runtime);
    let server = demo(&home, &model, &collector);
    let asked = format!("Write '{USER_WORDS}' to {FILE}");
    home.run(&["chat", &asked]).ended(7);
    home.approve().ended(0);
    assert_eq!(fs::read_to_string(server.workspace().join(FILE)).unwrap(), USER_WORDS);
    home.run(&["halt", "--project", "demo", "--reason", "smoke"]).ended(0);
    let figures = eventually(|| {
        let (head, figures) = get(&server, "/metrics");
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("text/plain; version=0.0.4"));
        (sum(&figures, "wiiiv_turns_total", &["done"]) > 0.0).then_some(figures)
    });
    check_figures(&figures);
    dashboard::check_metrics(&figures);

    assert_eq!(server.stop(), 0);
    check_spans(&collector.spans());
    let sent = collector.metrics();
    for name in ["gen_ai.client.token.usage", "gen_ai.client.operation.duration", "wiiiv.turns"] {
        assert!(sent.contains(name), "{sent:?}");
    }
    let log = fs::read_to_string(home.path("log")).unwrap();
    assert!(log.contains("TRACE") && log.contains("model asked"), "{log}");
    for secret in [USER_WORDS, MODEL_WORDS, FILE, KEY, HEADER] {
        assert!(!figures.contains(secret), "{secret}: {figures}");
        assert!(!log.contains(secret), "{secret}: {log}");
    }
    collector.with(|all| {
        for one in all {
            assert!(one.head.contains("x-protobuf") && one.head.contains(HEADER), "{}", one.head);
            let text = String::from_utf8_lossy(&one.body);
            assert!(!text.contains("CANARY") && !text.contains(&model.origin()), "{text}");
        }
    });
}

#[test]
fn a_collector_that_never_answers_holds_nothing_up_and_nobody_reads_figures_unasked() {
    let home = Home::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .env("WIIIV__TELEMETRY__INTERVAL_SECONDS", "1");
    let server = Server::start(command);
    home.run(&["chat", "Write 'x' to x.txt"]).ended(7);
    home.approve().ended(0);
    assert_eq!(fs::read_to_string(server.workspace().join("x.txt")).unwrap(), "x");
    // By the standard variable: something was brought, and is held for ever.
    let (held, _) = silent.accept().unwrap();
    home.run(&["chat", "hello"]).ended(0);
    for path in ["/metrics", "/api/v2/metrics"] {
        let (head, _) = get(&server, path);
        assert!(head.starts_with("HTTP/1.1 401 "), "{path}: {head}");
    }
    let begun = Instant::now();
    assert_eq!(server.stop(), 0);
    assert!(begun.elapsed() < CLOSE_TIME_MAX, "{:?}", begun.elapsed());
    drop(held);
}

#[test]
fn an_address_that_is_none_refuses_to_start() {
    let home = Home::new();
    for (name, value, said) in [
        ("OTLP_ENDPOINT", "collector:4318", "telemetry.otlp_endpoint"),
        ("OTLP_ENDPOINT", "http://user:CANARY@127.0.0.1:4318", "headers_file"),
        ("SAMPLING_PERCENT", "101", "telemetry.sampling_percent"),
    ] {
        let mut command = home.command(&["demo", "--json", "--port", "0"]);
        command.env(format!("WIIIV__TELEMETRY__{name}"), value);
        let output = command.output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.contains(said) && !errors.contains("CANARY"), "{errors}");
    }
}
