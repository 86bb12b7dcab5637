//! Every spelling of a forbidden address, as a user would write it: read by `hlx`, ruled on by the
//! gate, sent by the executor. What counts is who connects.

use crate::test_steps::{Bench, bench_over, call};
use axum::{
    Router,
    extract::Query,
    http::{StatusCode, header::LOCATION},
    routing::{any, get},
    serve::ListenerExt as _,
};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    net::{IpAddr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Envelope, HttpMethod, Node, Salt, Slots, Spec, StepOutcome, StepParams, TaskType,
};
use wiiiv_hlx::{DrawFacts, draw};
use wiiiv_net::Resolver;

/// On the egress list of the first test, without `private`: the address guard alone decides.
const NAMED: [&str; 12] = [
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "localhost",
    "allowed.test",
];

/// Somebody who must not be reached, and counts who tries.
struct Victim {
    at: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Victim {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        let listener = listener.tap_io(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let app = Router::new().fallback(any(|| async { "secret" }));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { at, connections }
    }
    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Each part of 127.0.0.1 in each base: 81 spellings of four parts, and those of fewer.
fn dotted() -> Vec<String> {
    let bases: [fn(u32) -> String; 3] =
        [|n| n.to_string(), |n| format!("0{n:o}"), |n| format!("0x{n:x}")];
    let mut hosts = Vec::new();
    for parts in [vec![127, 0, 0, 1], vec![127, 0, 1], vec![127, 1], vec![2_130_706_433]] {
        let mut spelled = vec![String::new()];
        for (place, part) in parts.iter().enumerate() {
            let dot = if place == 0 { "" } else { "." };
            let further = spelled.iter().flat_map(|begun| {
                bases.iter().map(move |base| format!("{begun}{dot}{}", base(*part)))
            });
            spelled = further.collect();
        }
        hosts.extend(spelled);
    }
    hosts
}

/// Everything else that leads to this machine or to its neighbours.
const OTHERS: [&str; 34] = [
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::0.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:FFFF:7F00:0001]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[::]",
    "0.0.0.0",
    "0",
    "0x0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "loc%61lhost",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127\u{3002}0\u{3002}0\u{3002}1",
    "127\u{ff0e}0\u{ff0e}0\u{ff0e}1",
    "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
    "\u{2460}\u{2461}\u{2466}.\u{24ea}.\u{24ea}.\u{2460}",
    "127.000.000.001",
    "00000177.1",
    "allowed.test",
    "user@127.0.0.1",
    "allowed.test@127.0.0.1",
    "127.0.0.2",
    "10.0.0.1",
    "169.254.169.254",
    "2852039166",
    "[::ffff:a9fe:a9fe]",
];

fn forms(port: u16) -> Vec<String> {
    let hosts = dotted().into_iter().chain(OTHERS.map(str::to_owned));
    hosts.map(|host| format!("http://{host}:{port}/latest/meta-data")).collect()
}

/// Every name leads to this machine.
fn to_loopback() -> Resolver {
    Resolver::given(|_| vec![IpAddr::from([127, 0, 0, 1])])
}

fn drawn(url: &str) -> Option<Node> {
    let mut slots = Slots::default();
    for (name, value) in [("intent", "x"), ("domain", url), ("url", url)] {
        slots.set(name, value).ok()?;
    }
    let salt = Salt::from_bytes([7; 16]);
    let spec = Spec::new(salt, TaskType::ApiWorkflow, slots, &Envelope::default());
    let policy = serde_json::from_value(json!({
        "version": 1, "allowedStepTypes": [], "allowedHosts": [], "allowedPaths": [],
        "approval": { "normal": { "by": "requester", "ttlSeconds": 1 },
                      "risky": { "by": "requester", "ttlSeconds": 1 } },
        "dacsStage": "observe", "modelPersonas": "never",
        "tokenBudget": { "perRun": null, "perDay": null }, "llmProvider": "OFFLINE",
    }));
    let own_directories = BTreeSet::new();
    let facts = DrawFacts {
        policy: &policy.unwrap(),
        earlier: &[],
        systems: &[],
        own_directories: &own_directories,
        held: None,
    };
    draw(&spec, &facts).ok()?.into_iter().next()
}

/// Whether the service answered; a plan that is not drawn and a step that is denied do not send.
async fn answered(bench: &Bench, node: Option<Node>) -> bool {
    let Some(node) = node else { return false };
    let Ok(permit) = bench.gate.asked(node, &[], None) else { return false };
    let report = bench.executors.execute(permit, None, &CancellationToken::new()).await;
    matches!(report.outcome, StepOutcome::Success { .. })
}

#[tokio::test]
async fn no_spelling_of_a_forbidden_address_is_connected_to() {
    let victim = Victim::open().await;
    let port = victim.at.port();
    let hosts = NAMED.map(|host| json!({ "host": host, "scheme": "http", "port": port }));
    let bench = bench_over(json!(hosts), to_loopback());
    let forms = forms(port);
    assert!(forms.len() >= 100, "{}", forms.len());
    for form in &forms {
        assert!(!answered(&bench, drawn(form)).await, "{form}");
    }
    assert_eq!(victim.connections(), 0, "of {} forms", forms.len());
}

#[tokio::test]
async fn no_redirect_leads_to_a_forbidden_address() {
    let victim = Victim::open().await;
    let moved = |Query(to): Query<BTreeMap<String, String>>| async move {
        (StatusCode::FOUND, [(LOCATION, to["to"].clone())])
    };
    let app = Router::new().route("/moved", get(moved));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let allowed = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let mut hosts = vec![
        json!({ "host": "127.0.0.1", "scheme": "http", "port": allowed.port(), "private": true }),
    ];
    let victims = NAMED.map(|h| json!({ "host": h, "scheme": "http", "port": victim.at.port() }));
    hosts.extend(victims);
    let bench = bench_over(json!(hosts), to_loopback());
    for form in forms(victim.at.port()).into_iter().filter(|form| form.is_ascii()) {
        let mut node = call(allowed, HttpMethod::Get, "moved");
        if let StepParams::ApiCall { url, .. } = &mut node.params {
            url.query = vec![("to".to_owned(), crate::test_steps::literal(&form))];
        }
        assert!(!answered(&bench, Some(node)).await, "{form}");
    }
    assert_eq!(victim.connections(), 0);
}

#[tokio::test]
async fn a_name_that_turns_between_check_and_call_leads_nowhere_else() {
    let victim = Victim::open().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    // Public in form, and routed nowhere since the 6bone ended.
    let turning = Resolver::given(move |_| match counted.fetch_add(1, Ordering::SeqCst) {
        0 => vec!["3ffe::1".parse().unwrap()],
        _ => vec![IpAddr::from([127, 0, 0, 1])],
    });
    let port = victim.at.port();
    let hosts = json!([{ "host": "turning.test", "scheme": "http", "port": port }]);
    let bench = bench_over(hosts, turning);
    assert!(!answered(&bench, drawn(&format!("http://turning.test:{port}/"))).await);
    assert_eq!((asked.load(Ordering::SeqCst), victim.connections()), (1, 0));
}

#[tokio::test]
async fn what_policy_opens_is_connected_to_in_every_spelling() {
    let service = Victim::open().await;
    let port = service.at.port();
    let open =
        |host: &str| json!({ "host": host, "scheme": "http", "port": port, "private": true });
    let bench = bench_over(json!(["127.0.0.1", "allowed.test"].map(open)), to_loopback());
    let mut forms: Vec<String> = dotted();
    forms.push("allowed.test".to_owned());
    let mut connected = 0;
    for form in forms {
        connected += usize::from(answered(&bench, drawn(&format!("http://{form}:{port}/x"))).await);
    }
    assert!(connected >= 20, "{connected}");
    assert_eq!(service.connections(), connected);
}
