//! A real server on a folder that outlives it, and a shop beside it. It is asked over REST, ended
//! in the middle of things, and started again.

use crate::program::Home;
use futures::StreamExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::future::Future;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};
use wiiiv_fakes::{FakeModel, Shop};
use wiiiv_net::{ApiCall, ApiClient, ApiError};
use wiiiv_verify::{PublicKey, Report};

/// Whatever has not happened by then does not happen.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);
pub const MASTER_KEY: &str = "4bf92f3577b34da6a3ce929d0e0e47364bf92f3577b34da6a3ce929d0e0e4736";
const SIGABRT: i32 = 6;
/// Room for every call of a test.
const TOKENS_A_DAY: u64 = 100_000_000;

pub struct Host {
    home: Home,
    pub shop: Shop,
    running: Running,
    api: ApiClient,
    token: SecretString,
    project: String,
    /// Of a model that an administrator approved.
    origin: Option<String>,
    starts: u32,
}

struct Running {
    process: Child,
    errors: PathBuf,
    url: String,
    setup_token: Option<String>,
}

impl Host {
    /// Set up with the token that it printed; its owner's project knows the shop. `fault`: the
    /// boundary at which it is going to abort.
    pub async fn start(fault: Option<&str>) -> Self {
        Self::start_with(fault, None).await
    }

    /// The project asks this model, which its budget counts.
    pub async fn counted(fault: &str, model: &FakeModel) -> Self {
        Self::start_with(Some(fault), Some(model)).await
    }

    async fn start_with(fault: Option<&str>, model: Option<&FakeModel>) -> Self {
        wiiiv_net::install_tls_provider();
        let home = Home::new();
        let shop = Shop::open(0).await.unwrap();
        let origin = model.map(FakeModel::origin);
        let running = Running::start(&home, (fault, origin.as_deref()), 1).await;
        let api = ApiClient::new(&running.url, None).unwrap();
        let who = json!({
            "token": running.setup_token.as_deref().unwrap(),
            "name": "owner",
            "password": "correct horse battery",
        });
        let set_up = api.send(ApiCall::post("/api/v2/setup").json(who)).await.unwrap().body;
        let token = SecretString::from(set_up["token"].as_str().unwrap());
        let api = api.with_token(token.clone());
        let project = text(&set_up, "personal_project");
        let host = Self { home, shop, running, api, token, project, origin, starts: 1 };
        host.set_policy(model).await;
        host
    }

    /// The shop may be called, in one version of the policy with all else.
    async fn set_policy(&self, model: Option<&FakeModel>) {
        let path = format!("/api/v2/projects/{}/policy", self.project);
        let current = self.api.send(ApiCall::get(&path)).await.unwrap();
        let mut policy = current.body["policy"].clone();
        let (ip, port) = (self.shop.address().ip().to_string(), self.shop.address().port());
        let rule = json!({ "host": ip, "scheme": "http", "port": port, "private": true });
        policy["allowedHosts"].as_array_mut().unwrap().push(rule);
        if let Some(model) = model {
            policy["llmProvider"] = json!("CUSTOM");
            policy["llmBaseUrl"] = json!(model.base_url());
            policy["governorModel"] = json!("m");
            policy["tokenBudget"]["perDay"] = json!(TOKENS_A_DAY);
        }
        let change = json!({ "policy": policy, "reason": "the shop may be called" });
        let put = ApiCall::put(path).json(change).if_match(current.etag.unwrap());
        self.api.send(put).await.unwrap();
    }

    /// On the same folder, and without a fault.
    pub async fn again(mut self) -> Self {
        self.starts += 1;
        self.running =
            Running::start(&self.home, (None, self.origin.as_deref()), self.starts).await;
        self.api = ApiClient::new(&self.running.url, Some(self.token.clone())).unwrap();
        self
    }

    /// Waits for the abort and shows that it happened at exactly this boundary.
    pub async fn aborted_at(&mut self, fault: &str) {
        let status = self.running.ended().await;
        let said = self.running.errors();
        assert_eq!(status.signal(), Some(SIGABRT), "{fault}: {status:?}, {said}");
        assert!(said.contains(&format!("fault reached: {fault}\n")), "{fault}: {said}");
    }

    /// Once more on the same folder, until a fault that it reaches by itself, maybe before it listens.
    pub async fn aborts_by_itself_at(&mut self, fault: &str) {
        self.starts += 1;
        let of = (Some(fault), self.origin.as_deref());
        self.running = Running::spawn(&self.home, of, self.starts);
        self.aborted_at(fault).await;
    }

    /// As a power cut takes a process: nothing is said to it.
    pub async fn kill(&mut self) {
        self.running.process.kill().await.unwrap();
    }

    /// As a service manager stops it; its folder stays.
    pub async fn stop(&mut self) {
        let id = self.running.process.id().unwrap().to_string();
        Command::new("kill").args(["-TERM", &id]).status().await.unwrap();
        let status = self.running.ended().await;
        assert!(status.success(), "{status:?}, {}", self.running.errors());
    }

    pub fn client(&self) -> Client {
        let (api, project) = (self.api.clone(), self.project.clone());
        Client { api, project, token: self.token.clone() }
    }

    /// The same person, at the server as it runs now.
    pub fn client_of(&self, person: &Client) -> Client {
        let token = person.token.clone();
        let api = self.api.clone().with_token(token.clone());
        Client { api, project: self.project.clone(), token }
    }

    pub fn data(&self) -> PathBuf {
        self.home.path("data")
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    pub fn file(&self, path: &str) -> Option<String> {
        let workspaces = self.data().join("workspaces").join(&self.project);
        fs::read_to_string(workspaces.join(path)).ok()
    }
}

impl Running {
    async fn start(home: &Home, of: (Option<&str>, Option<&str>), nth: u32) -> Self {
        let mut running = Self::spawn(home, of, nth);
        let mut line = String::new();
        let mut output = BufReader::new(running.process.stdout.take().unwrap());
        timeout(PATIENCE, output.read_line(&mut line)).await.unwrap().unwrap();
        let ready: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{error}: {}", running.errors()));
        running.url = text(&ready, "url");
        running.setup_token = ready["setup_token"].as_str().map(str::to_owned);
        running
    }

    /// It does not say yet where it listens.
    fn spawn(home: &Home, (fault, origin): (Option<&str>, Option<&str>), nth: u32) -> Self {
        let data = home.path("data").display().to_string();
        let errors = home.path(&format!("errors-{nth}"));
        let arguments = ["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir", &data];
        let mut command = home.command(&arguments);
        command.env("WIIIV__KEYS__MASTER", MASTER_KEY);
        if let Some(fault) = fault {
            command.env("WIIIV__FAULTS__ABORT_AT", fault);
        }
        if let Some(origin) = origin {
            command.env("WIIIV__LLM__APPROVED_ORIGINS", origin);
        }
        command.stdout(Stdio::piped()).stderr(File::create(&errors).unwrap());
        let process = Command::from(command).kill_on_drop(true).spawn().unwrap();
        Self { process, errors, url: String::new(), setup_token: None }
    }

    async fn ended(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.process.wait()).await.expect("it is to end by itself").unwrap()
    }

    fn errors(&self) -> String {
        fs::read_to_string(&self.errors).unwrap()
    }
}

/// What a person does, who has lost the connection more than once.
#[derive(Clone)]
pub struct Client {
    api: ApiClient,
    project: String,
    token: SecretString,
}

impl Client {
    pub fn project(&self) -> &str {
        &self.project
    }

    /// By which the server knows who it is.
    pub fn token(&self) -> &str {
        self.token.expose_secret()
    }

    pub async fn get(&self, path: &str) -> Result<Value, ApiError> {
        Ok(self.api.send(ApiCall::get(format!("/api/v2{path}"))).await?.body)
    }

    pub async fn post(&self, path: &str, body: Value) -> Result<Value, ApiError> {
        let call = ApiCall::post(format!("/api/v2{path}")).json(body);
        Ok(self.api.send(call).await?.body)
    }

    pub async fn session(&self) -> Result<String, ApiError> {
        let made = self.post(&format!("/projects/{}/sessions", self.project), json!({})).await?;
        Ok(text(&made, "id"))
    }

    /// Somebody else, with one role in the project.
    pub async fn member(&self, name: &str, role: &str) -> Self {
        let password = "correct horse battery";
        let who = json!({ "name": name, "password": password, "admin": false });
        let user = text(&self.post("/users", who).await.unwrap(), "id");
        let login = json!({ "name": name, "password": password });
        let token = text(&self.post("/auth/login", login).await.unwrap(), "token");
        let members = format!("/api/v2/projects/{}/members", self.project);
        let listed = self.api.send(ApiCall::get(&members)).await.unwrap();
        let put = ApiCall::put(format!("{members}/{user}")).json(json!({ "roles": [role] }));
        self.api.send(put.if_match(listed.etag.unwrap())).await.unwrap();
        let token = SecretString::from(token);
        let api = self.api.clone().with_token(token.clone());
        Self { api, project: self.project.clone(), token }
    }

    pub async fn change_policy(&self, change: impl FnOnce(&mut Value)) {
        let path = format!("/api/v2/projects/{}/policy", self.project);
        let current = self.api.send(ApiCall::get(&path)).await.unwrap();
        let mut policy = current.body["policy"].clone();
        change(&mut policy);
        let body = json!({ "policy": policy, "reason": "as the test has it" });
        self.api.send(ApiCall::put(path).json(body).if_match(current.etag.unwrap())).await.unwrap();
    }

    /// Proposes a change of the policy for an hour.
    pub async fn propose_override(&self, change: impl FnOnce(&mut Value)) -> Value {
        let below = format!("/api/v2/projects/{}", self.project);
        let current = self.api.send(ApiCall::get(format!("{below}/policy"))).await.unwrap();
        let mut policy = current.body["policy"].clone();
        change(&mut policy);
        let body = json!({
            "policy": policy, "scope": "window", "ttl_seconds": 3600, "reason": "as the test has it",
        });
        let call = ApiCall::post(format!("{below}/overrides")).json(body);
        self.api.send(call.if_match(current.etag.unwrap())).await.unwrap().body
    }

    /// By somebody who has seen all of the conversation. The turn, as soon as it is durable.
    pub async fn say(&self, session: &str, words: &str) -> Result<String, ApiError> {
        let state = self.get(&format!("/sessions/{session}/state")).await?;
        let path = format!("/sessions/{session}/messages");
        let message = json!({ "text": words, "seen": state["last_event"] });
        let accepted = self.post(&path, message).await?;
        Ok(text(&accepted, "turn"))
    }

    /// Newest first.
    pub async fn plans(&self) -> Result<Vec<Value>, ApiError> {
        self.list(&format!("/projects/{}/blueprints?", self.project)).await
    }

    /// Newest first, read from the store: no session wakes up for it.
    pub async fn executions(&self) -> Result<Vec<Value>, ApiError> {
        self.list(&format!("/projects/{}/executions?", self.project)).await
    }

    /// Newest first, read from the store.
    pub async fn questions(&self, state: &str) -> Result<Vec<Value>, ApiError> {
        let project = &self.project;
        self.list(&format!("/approvals?project={project}&state={state}")).await
    }

    /// What was said in it, read from the journal.
    pub async fn history(&self, session: &str) -> Result<Vec<Value>, ApiError> {
        self.list(&format!("/sessions/{session}/history?")).await
    }

    /// Records of one kind, newest first.
    pub async fn records(&self, kind: &str) -> Result<Vec<Value>, ApiError> {
        self.list(&format!("/projects/{}/audit?kind={kind}", self.project)).await
    }

    /// Every page of a list; `path` has a query.
    async fn list(&self, path: &str) -> Result<Vec<Value>, ApiError> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}&limit=100{cursor}")).await?;
            found.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return Ok(found),
            }
        }
    }

    /// A yes to what was asked; the turn that it began.
    pub async fn approve(&self, question: &Value) -> Result<String, ApiError> {
        let path = format!("/approvals/{}/approve", text(question, "id"));
        let decided = self.post(&path, json!({ "digest": question["digest"] })).await?;
        Ok(text(&decided, "turn"))
    }

    /// What the session asks, when it does.
    pub async fn asked(&self, session: &str) -> Result<Value, ApiError> {
        until("question", async || self.question_of(session).await.transpose()).await
    }

    /// The session's newest run, when it is over.
    pub async fn over(&self, session: &str) -> Result<Value, ApiError> {
        let look = async || {
            let runs = match self.executions().await {
                Ok(runs) => runs,
                Err(error) => return Some(Err(error)),
            };
            let run = runs.into_iter().find(|run| run["session"] == session);
            run.filter(|run| run["state"] != "running").map(Ok)
        };
        until("end of the run", look).await
    }

    async fn question_of(&self, session: &str) -> Result<Option<Value>, ApiError> {
        let state = self.get(&format!("/sessions/{session}/state")).await?;
        let Some(id) = state["pending"]["approval"].as_str() else { return Ok(None) };
        self.get(&format!("/approvals/{id}")).await.map(Some)
    }

    /// The chain of the project, whole, checked against the server's key by code that shares
    /// nothing with it.
    pub async fn verified(&self) -> Verified {
        let path = format!("/api/v2/audit/{}/export", self.project);
        let mut pieces = self.api.download(ApiCall::get(path)).await.unwrap();
        let mut export = Vec::new();
        while let Some(piece) = pieces.next().await {
            export.extend_from_slice(&piece.unwrap());
        }
        let keys = self.get("/audit/keys").await.unwrap();
        let key = text(&keys["items"][0], "public_key");
        let given = PublicKey::parse(&key).unwrap();
        let report = wiiiv_verify::verify(export.as_slice(), Some(&given), None).unwrap();
        assert_eq!(report.unsigned_tail, 0, "{report:?}");
        Verified { export, key, report }
    }
}

pub struct Verified {
    pub export: Vec<u8>,
    /// As in a key file.
    pub key: String,
    pub report: Report,
}

pub fn text(of: &Value, field: &str) -> String {
    of[field].as_str().unwrap_or_else(|| panic!("no `{field}` in {of}")).to_owned()
}

/// Asks again until there is something.
pub async fn until<T, F>(what: &str, mut look: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let found = timeout(PATIENCE, async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            sleep(LOOK_EVERY).await;
        }
    });
    found.await.unwrap_or_else(|_| panic!("no {what} within {PATIENCE:?}"))
}
