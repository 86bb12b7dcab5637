//! W-turn against W-bare: what a governed turn costs beside the two model calls that it makes.
//!
//! `cargo xtask bench turn` (add `--profile dev` for the dev build). The governed server is the real
//! binary over a SQLite file with `synchronous = full`; the bare one is this program in a second
//! process that makes the same two upstream calls. Both are asked in turn, round by round; CPU time
//! is read from `/proc/PID/stat`. The model answers at once: first a tool call (FILE_READ, which no
//! policy asks a person about), then words.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot go on ends with the reason"
)]

use futures::StreamExt as _;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
    time::Instant,
};
use wiiiv_ghost::{Bare, FakeModel, ModelMode};
use wiiiv_net::{ApiCall, ApiClient};

const ROUNDS: usize = 5;
const TURNS_PER_ROUND: usize = 48;
const CONNECTIONS: [usize; 2] = [1, 16];
/// Kernel clock ticks a second, as `/proc` counts them.
const TICKS_PER_SECOND: f64 = 100.0;
const BARE: &str = "WIIIV_BENCH_BARE";

fn main() {
    wiiiv_net::install_tls_provider();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match std::env::var(BARE) {
        Ok(upstream) => runtime.block_on(bare(&upstream)),
        Err(_) => runtime.block_on(bench()),
    }
}

/// The same two calls, and nothing else.
async fn bare(upstream: &str) {
    let bare = Bare::open(upstream, 2).await.expect("it listens");
    println!("{}", json!({"url": bare.url()}));
    std::future::pending::<()>().await;
}

struct Server {
    child: Child,
    said: Value,
}

impl Server {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("its first line");
        Self { said: serde_json::from_str(&line).expect("JSON"), child }
    }
    fn url(&self) -> &str {
        self.said["url"].as_str().expect("a URL")
    }
    /// User and system time so far, in seconds.
    fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("the process's own figures");
        let fields: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| fields[at].parse::<f64>().expect("ticks");
        (ticks(11) + ticks(12)) / TICKS_PER_SECOND
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct House {
    server: Server,
    client: ApiClient,
    sessions: Vec<String>,
}

async fn house(model: &FakeModel, folder: &std::path::Path) -> House {
    let key = "11".repeat(32);
    let mut command = Command::new(env!("CARGO_BIN_EXE_wiiiv"));
    command
        .args(["serve", "--json"])
        .env("WIIIV__KEYS__MASTER", key)
        .env("WIIIV__SERVER__LISTEN", "127.0.0.1:0")
        .env("WIIIV__SERVER__DATA_DIR", folder)
        .env("WIIIV__LOG__LEVEL", "error")
        .env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let server = Server::start(command);
    let token = server.said["setup_token"].as_str().expect("a setup token").to_owned();
    let client = ApiClient::new(&format!("{}/api/v2", server.url()), None).expect("a client");
    let account = json!({"token": token, "name": "bench", "password": "a long bench password"});
    let made = client.send(ApiCall::post("/setup").json(account)).await.expect("set up").body;
    let bearer = made["token"].as_str().expect("a token").to_owned();
    let client = client.with_token(SecretString::from(bearer));
    let projects = client.send(ApiCall::get("/projects")).await.expect("projects").body;
    let project = projects["items"][0]["id"].as_str().expect("a project").to_owned();
    let writer = session(&client, &project).await;
    turn(&client, &writer, "write 'a fact' to fact.txt").await;
    turn(&client, &writer, "yes").await;
    let path = format!("/projects/{project}/policy");
    let read = client.send(ApiCall::get(&path)).await.expect("the policy");
    let mut policy = read.body["policy"].clone();
    policy["llmProvider"] = json!("CUSTOM");
    policy["llmBaseUrl"] = json!(model.base_url());
    policy["tokenBudget"] = json!({"perRun": null, "perDay": null});
    let change = json!({"policy": policy, "reason": "bench"});
    let call = ApiCall::put(&path).json(change).if_match(read.etag.expect("an ETag"));
    client.send(call).await.expect("the new policy");
    let mut sessions = Vec::new();
    for _ in 0..*CONNECTIONS.iter().max().expect("some") {
        sessions.push(session(&client, &project).await);
    }
    House { server, client, sessions }
}

async fn session(client: &ApiClient, project: &str) -> String {
    let call = ApiCall::post(format!("/projects/{project}/sessions")).json(json!({"title": "b"}));
    let made = client.send(call).await.expect("a session").body;
    made["id"].as_str().expect("an id").to_owned()
}

async fn turn(client: &ApiClient, session: &str, text: &str) {
    let call = ApiCall::post(format!("/sessions/{session}/messages")).json(json!({"text": text}));
    let mut events = client.events(call, None).await.expect("events");
    let mut last = String::new();
    while let Some(event) = events.next().await {
        last = event.expect("an event").event;
    }
    assert!(matches!(last.as_str(), "done" | "pending"), "the turn ended as `{last}`");
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Latencies in milliseconds and CPU microseconds a turn.
struct Round {
    latency_ms: Vec<f64>,
    cpu_us: f64,
}

async fn round<F, T>(server: &Server, connections: usize, act: F) -> Round
where
    F: Fn(usize) -> T,
    T: Future<Output = ()>,
{
    let before = server.cpu();
    let each = TURNS_PER_ROUND.div_ceil(connections);
    let one = |connection: usize| {
        let act = &act;
        async move {
            let mut latencies = Vec::new();
            for _ in 0..each {
                let start = Instant::now();
                act(connection).await;
                latencies.push(start.elapsed().as_secs_f64() * 1_000.0);
            }
            latencies
        }
    };
    let all = futures::future::join_all((0..connections).map(one)).await;
    let latency_ms: Vec<f64> = all.into_iter().flatten().collect();
    let cpu_us = (server.cpu() - before) * 1e6 / latency_ms.len() as f64;
    Round { latency_ms, cpu_us }
}

/// What one durable commit costs on this disk: 4 KiB appended and synchronised.
fn commit_floor(folder: &std::path::Path) -> f64 {
    let mut file = std::fs::File::create(folder.join("floor")).expect("a file");
    let figures = (0..200).map(|_| {
        let start = Instant::now();
        file.write_all(&[7; 4096]).expect("written");
        file.sync_data().expect("synchronised");
        start.elapsed().as_secs_f64() * 1e6
    });
    median(figures.collect())
}

async fn counters(client: &ApiClient) -> (f64, f64) {
    let info = client.send(ApiCall::get("/info")).await.expect("info").body;
    let figure = |name: &str| info["store"][name].as_f64().expect("a counter");
    (figure("commits"), figure("boundaries"))
}

async fn bench() {
    let read = json!({
        "action": "EXECUTE", "taskType": "FILE_READ", "message": "",
        "slots": {"targetPath": "fact.txt"}, "taskSwitch": {"kind": "stay"},
    });
    let words = json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "done"});
    let mode = ModelMode::OnMark {
        mark: "begin Facts".to_owned(),
        with: words.to_string(),
        without: read.to_string(),
    };
    let model = FakeModel::spawn(mode).await.expect("a model");
    let folder = tempfile::tempdir().expect("a folder");
    let house = house(&model, folder.path()).await;
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(BARE, model.origin());
    let bare = Server::start(command);
    let plain = ApiClient::new(bare.url(), None).expect("a client");
    println!("commit floor (4 KiB, fdatasync): {:.0} µs", commit_floor(folder.path()));
    for connections in CONNECTIONS {
        let (mut bare_rounds, mut turn_rounds) = (Vec::new(), Vec::new());
        let (commits, boundaries) = counters(&house.client).await;
        for _ in 0..ROUNDS {
            bare_rounds.push(
                round(&bare, connections, |_| async {
                    plain.send(ApiCall::post("/turn").json(json!({}))).await.expect("an answer");
                })
                .await,
            );
            turn_rounds.push(
                round(&house.server, connections, |at| {
                    turn(&house.client, &house.sessions[at], "read fact.txt")
                })
                .await,
            );
        }
        let after = counters(&house.client).await;
        let turns = turn_rounds.iter().map(|r| r.latency_ms.len()).sum::<usize>() as f64;
        report(connections, bare_rounds, turn_rounds);
        println!(
            "  commits a turn {:.2}, boundaries a turn {:.2}",
            (after.0 - commits) / turns,
            (after.1 - boundaries) / turns,
        );
    }
}

fn report(connections: usize, bare: Vec<Round>, turn: Vec<Round>) {
    let cpu = |rounds: &[Round]| median(rounds.iter().map(|r| r.cpu_us).collect());
    let wall =
        |rounds: &[Round]| median(rounds.iter().flat_map(|r| r.latency_ms.clone()).collect());
    let (bare_cpu, turn_cpu) = (cpu(&bare), cpu(&turn));
    let (bare_ms, turn_ms) = (wall(&bare), wall(&turn));
    println!("{connections} connection(s), medians of {ROUNDS} interleaved rounds:");
    println!("  bare     {bare_ms:8.2} ms   {bare_cpu:8.0} µs CPU a turn");
    println!("  governed {turn_ms:8.2} ms   {turn_cpu:8.0} µs CPU a turn");
    println!("  ratio    {:8.2}      {:8.2}", turn_ms / bare_ms, turn_cpu / bare_cpu);
}
