//! The server is killed again and again in the midst of rotations of its master key: each start goes
//! on with the one that was cut off, and in the end every key opens, under the newest version alone.

use crate::canaries::Parrot;
use crate::doctor::{check, doctor};
use crate::program::{Home, Server};
use crate::server::{PASSWORD, serve};
use secrecy::SecretString;
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use wiiiv_net::{ApiCall, ApiClient};
use wiiiv_vault::random_bytes;

const KILLS: usize = 5;
const KILLS_LONG: usize = 200;
const PROJECTS: usize = 40;
/// Each project has a key of each.
const PROVIDERS: [&str; 4] = ["openai", "anthropic", "ollama", "custom"];
const KEYS: usize = PROJECTS * PROVIDERS.len();
/// From the start of the process to the kill, in milliseconds; some do not come to listen by then.
const LIFE_MAX: u64 = 600;
const OVER_WITHIN: Duration = Duration::from_secs(60);

/// A server with many keys, each for a provider that takes any and remembers it.
struct Ring {
    home: Home,
    provider: Parrot,
    token: SecretString,
    /// What is below this project's path is one key.
    kept: Vec<(String, String)>,
    version: u32,
}

/// Each version has a key of its own: one that was left is not taken again.
fn lay(home: &Home, name: &str, version: u32) {
    let path = home.path(name);
    fs::write(&path, format!("{:08x}", version + 0x5eed).repeat(8)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
}

fn random(below: u64) -> u64 {
    u64::from_le_bytes(*random_bytes::<8>().unwrap()) % below
}

fn command(home: &Home, provider: &Parrot) -> Command {
    let arguments = serve(home, "master.key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("WIIIV__LLM__APPROVED_ORIGINS", provider.origin()).stderr(Stdio::null());
    command
}

impl Ring {
    async fn new() -> Self {
        wiiiv_net::install_tls_provider();
        let (home, provider) = (Home::new(), Parrot::start());
        lay(&home, "master.key", 1);
        lay(&home, "master.key.next", 2);
        let server = Server::start(command(&home, &provider));
        let who = json!({"token": server.text("setup_token"), "name": "ann", "password": PASSWORD});
        let api = ApiClient::new(server.text("url"), None).unwrap();
        let set_up = api.send(ApiCall::post("/api/v2/setup").json(who)).await.unwrap().body;
        let token = SecretString::from(set_up["token"].as_str().unwrap());
        let mut ring = Self { home, provider, token, kept: Vec::new(), version: 1 };
        ring.furnish(&ring.api(&server)).await;
        ring
    }

    async fn furnish(&mut self, api: &ApiClient) {
        for nth in 0..PROJECTS {
            let name = json!({"name": format!("project {nth}")});
            let made = api.send(ApiCall::post("/api/v2/projects").json(name)).await.unwrap().body;
            for provider in PROVIDERS {
                let id = made["id"].as_str().unwrap();
                let path = format!("/api/v2/projects/{id}/keys/{provider}");
                let secret = format!("sk-{nth:03}-{provider}-of-before");
                let key = json!({"secret": secret, "origin": self.provider.origin()});
                api.send(ApiCall::put(&path).json(key)).await.unwrap();
                self.kept.push((path, secret));
            }
        }
    }

    fn api(&self, server: &Server) -> ApiClient {
        ApiClient::new(server.text("url"), Some(self.token.clone())).unwrap()
    }

    fn start(&self) -> Server {
        Server::start(command(&self.home, &self.provider))
    }

    /// With both keys beside each other.
    async fn begin(&self, server: &Server) {
        let begun = self.api(server).send(ApiCall::post("/api/v2/keys/rotate")).await.unwrap();
        assert_eq!((begun.status, &begun.body["version"]), (202, &json!(self.version + 1)));
    }

    /// One life, ended by a signal that cannot be caught: before it listens, or later.
    fn live_and_die(&self) {
        let mut child = command(&self.home, &self.provider).stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random(LIFE_MAX)));
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Rows that wait to be moved, as the data says while no server runs; `None`: the rotation was over.
    fn left(&self) -> Option<u64> {
        let (health, found) = check(&doctor(&self.home, "master.key"), "master_key");
        let over = found.contains("opens nothing any more");
        let (before, _) = found.split_once("` rows wait to be moved").unzip();
        assert!(health == "warn" && (over || before.is_some()), "{found}");
        before.map(|before| before.rsplit('`').next().unwrap().parse().unwrap())
    }

    /// The certificate of a rotation that is over, or is going to be without another kill.
    async fn certified(&mut self) {
        let server = self.start();
        let (api, begun) = (self.api(&server), Instant::now());
        let told = loop {
            let told = api.send(ApiCall::get("/api/v2/keys/rotation")).await.unwrap().body;
            if told["rotation"]["finished_at"].is_string() {
                break told;
            }
            assert!(begun.elapsed() < OVER_WITHIN, "{told}");
            sleep(Duration::from_millis(20));
        };
        let certificate = &told["rotation"]["certificate"];
        let (from, to) = (json!(self.version), json!(self.version + 1));
        assert_eq!((&certificate["from"], &certificate["to"]), (&from, &to), "{told}");
        assert_eq!(certificate["left"], 0, "{told}");
        assert_eq!(certificate["sealed"]["model_key"], json!(KEYS), "{told}");
        assert_eq!(told["version"], to, "{told}");
        self.version += 1;
    }

    /// The old key is no more: what were still under it would never open again.
    fn put_away(&self, and_next: bool) {
        let next = self.home.path("master.key.next");
        fs::rename(&next, self.home.path("master.key")).unwrap();
        if and_next {
            lay(&self.home, "master.key.next", self.version + 1);
        }
    }

    /// Each is opened by a server that holds the newest master key alone, and sent to its provider.
    async fn every_key_opens(&self) {
        let server = self.start();
        let api = self.api(&server);
        for (path, secret) in &self.kept {
            let asked = api.send(ApiCall::post(format!("{path}/verify")).json(json!({}))).await;
            assert_eq!(asked.unwrap().body["verdict"], "ACCEPTED", "{path}");
            assert!(self.provider.was_asked_with(secret), "{path}: another key was sent");
        }
        assert_eq!(server.stop(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_kill_of_the_server_loses_a_key_or_leaves_one_behind() {
    let due = if std::env::var_os("WIIIV_LONG").is_some() { KILLS_LONG } else { KILLS };
    let (mut ring, begun) = (Ring::new().await, Instant::now());
    // What was left to move at each kill that came before the end of a rotation.
    let (mut kills, mut lives) = (Vec::new(), 0);
    while kills.len() < due {
        let server = ring.start();
        ring.begin(&server).await;
        sleep(Duration::from_millis(random(LIFE_MAX / 4)));
        // As any handle of a server goes in these tests: SIGKILL.
        drop(server);
        lives += 1;
        while let Some(left) = ring.left() {
            kills.push(left);
            if kills.len() >= due {
                break;
            }
            ring.live_and_die();
            lives += 1;
        }
        ring.certified().await;
        ring.put_away(kills.len() < due);
    }
    ring.every_key_opens().await;
    let (rotations, took) = (ring.version - 1, begun.elapsed());
    kills.sort_unstable();
    println!(
        "{} of {lives} kills within {rotations} rotations of {KEYS} keys, in {took:?}; left to move: \
         {kills:?}",
        kills.len()
    );
}
