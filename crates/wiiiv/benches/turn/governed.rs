//! W-turn: the real server with 100 projects, a sealed key and a model that answers at once.

use crate::{
    load::{Round, Stop},
    options::THIS_BUILD,
    process::Process,
};
use futures::{StreamExt as _, stream};
use rusqlite::Connection;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::{
    ops::Range,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_net::{ApiCall, ApiClient, ApiError};

pub const PROJECTS: usize = 100;
/// Sessions of one round at least: its turns go round them, so that none grows long.
const SESSIONS_MIN: usize = 32;
/// Only the prompt of a turn's second call reports on a run, in a fenced block of this label.
const REPORT_MARK: &str = " FACTS\\n";
const TRIES_MAX: usize = 16;
/// One person may follow 32 answers at a time, keep 2,000 conversations and have 6,000 plans drawn in an hour:
/// 256 connections take eight, the curve of idle sessions twelve, that of audit rows fourteen.
const PEOPLE: usize = 16;
const POLL: Duration = Duration::from_millis(5);
/// A run that has not ended by then never will.
const POLLS_MAX: usize = 2_000;
const PASSWORD: &str = "a long bench password";
pub const TEXT: &str = "read fact.txt";

/// The first call of a turn is answered with a tool call, the second with text.
pub async fn model() -> FakeModel {
    let read = json!({
        "action": "EXECUTE", "taskType": "FILE_READ", "message": "",
        "slots": {"targetPath": "fact.txt"}, "taskSwitch": {"kind": "stay"},
    });
    answering(&read).await
}

/// Each call is answered with text.
pub async fn chat_model() -> FakeModel {
    answering(&words()).await
}

fn words() -> Value {
    json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "done", "slots": {}})
}

/// So to the first call of a turn, and to one about a run with text.
async fn answering(first: &Value) -> FakeModel {
    let mode = ModelMode::OnMark {
        mark: REPORT_MARK.to_owned(),
        with: words().to_string(),
        without: first.to_string(),
    };
    let model = FakeModel::spawn(mode).await.expect("a model");
    model.keep_calls(0);
    model
}

pub struct Governed {
    pub process: Process,
    pub client: ApiClient,
    people: Vec<ApiClient>,
    pub database: PathBuf,
    project: String,
    token: SecretString,
}

/// A conversation, and who opened it.
pub struct Session {
    id: String,
    client: ApiClient,
}

impl Governed {
    pub async fn start(binary: impl AsRef<Path>, model: &FakeModel, folder: &Path) -> Self {
        Self::with_projects(PROJECTS, binary, model, folder).await
    }

    pub async fn with_projects(
        projects: usize,
        binary: impl AsRef<Path>,
        model: &FakeModel,
        folder: &Path,
    ) -> Self {
        let process = Process::start(serve(binary.as_ref(), model, folder));
        let token = process.announced["setup_token"].as_str().expect("a setup token").to_owned();
        let client = client_of(&process);
        let account = json!({"token": token, "name": "bench", "password": PASSWORD});
        let made = client.send(ApiCall::post("/setup").json(account)).await.expect("set up").body;
        let token = SecretString::from(text(&made["token"]));
        let client = client.with_token(token.clone());
        let made = client.send(ApiCall::get("/projects")).await.expect("projects").body;
        let project = text(&made["items"][0]["id"]);
        let database = folder.join("wiiiv.db");
        assert!(database.exists(), "`{}` is not the database", database.display());
        let mut people = vec![client.clone()];
        for nth in 1..PEOPLE {
            people.push(member(&client, &project, &format!("person-{nth}")).await);
        }
        let governed = Self { process, client, people, database, project, token };
        governed.furnish(model, projects).await;
        governed
    }

    /// The server ends at once and another one starts over its folder.
    pub fn restarted(self, model: &FakeModel) -> Self {
        let Self { process, database, project, token, .. } = self;
        drop(process);
        let folder = database.parent().expect("its folder");
        let process = Process::start(serve(Path::new(THIS_BUILD), model, folder));
        let client = client_of(&process).with_token(token.clone());
        let people = vec![client.clone()];
        Self { process, client, people, database, project, token }
    }

    /// The file that the turns read, the other projects, the model and its key.
    async fn furnish(&self, model: &FakeModel, projects: usize) {
        let writer = self.session(&self.client).await;
        self.turn(&writer, "write 'a fact' to fact.txt").await;
        self.approve().await;
        self.open_projects(1..projects).await;
        self.change_policy(|policy| {
            policy["llmProvider"] = json!("CUSTOM");
            policy["llmBaseUrl"] = json!(model.base_url());
            policy["tokenBudget"] = json!({"perRun": null, "perDay": null});
        })
        .await;
        let key = json!({"secret": "sk-bench-0000000000000001", "origin": model.origin()});
        let call = ApiCall::put(format!("/projects/{}/keys/custom", self.project)).json(key);
        self.client.send(call).await.expect("a key");
    }

    /// Turns are read by the built-in model from now on.
    pub async fn go_offline(&self) {
        self.change_policy(|policy| policy["llmProvider"] = json!("OFFLINE")).await;
    }

    /// A folder and a name each: none is the file that the turns read.
    pub async fn add_fine_rules(&self, count: usize) {
        let rule = |nth: usize| {
            let about = match nth % 2 {
                0 => format!("resource in Folder::\"kept/{nth}\""),
                _ => "resource".to_owned(),
            };
            let when = match nth % 2 {
                0 => String::new(),
                _ => format!(
                    " when {{ resource has path && resource.path like \"*/{nth}.secret\" }}"
                ),
            };
            format!(
                "@id(\"rule-{nth}\")\nforbid (principal, action == Action::\"FILE_READ\", {about}){when};\n"
            )
        };
        let rules: String = (0..count).map(rule).collect();
        self.change_policy(|policy| policy["fineRules"] = json!(rules)).await;
    }

    /// Everybody who talks writes as much into a memory of their own: it goes into each prompt of theirs.
    pub async fn keep_in_mind(&self, chars: usize) {
        let mut kept: String = "- prices are in KRW\n".chars().cycle().take(chars - 1).collect();
        // White space at the end would not be kept.
        kept.push('.');
        for person in &self.people {
            let me = person.send(ApiCall::get("/auth/me")).await.expect("a person").body;
            let path = format!("/users/{}/memory", text(&me["user"]));
            let read = person.send(ApiCall::get(&path)).await.expect("the memory");
            let call = ApiCall::put(&path).json(json!({"text": kept}));
            let call = call.if_match(read.etag.expect("an ETag"));
            let written = person.send(call).await.expect("the new memory").body;
            assert_eq!(written["chars"], chars, "all of it is kept");
        }
    }

    async fn change_policy(&self, change: impl FnOnce(&mut Value)) {
        let path = format!("/projects/{}/policy", self.project);
        let read = self.client.send(ApiCall::get(&path)).await.expect("the policy");
        let mut policy = read.body["policy"].clone();
        change(&mut policy);
        let change = json!({"policy": policy, "reason": "bench"});
        let call = ApiCall::put(&path).json(change).if_match(read.etag.expect("an ETag"));
        self.client.send(call).await.expect("the new policy");
    }

    /// The one question there is; comes back when its run has ended.
    async fn approve(&self) {
        let pending = self.client.send(ApiCall::get("/approvals?state=pending")).await;
        let asked = pending.expect("the questions").body["items"][0].clone();
        let path = format!("/approvals/{}/approve", text(&asked["id"]));
        let yes = ApiCall::post(path).json(json!({"digest": asked["digest"]}));
        self.client.send(yes).await.expect("a yes");
        let path = format!("/projects/{}/executions", self.project);
        let mut state = None;
        for _ in 0..POLLS_MAX {
            let runs = self.client.send(ApiCall::get(&path)).await.expect("the runs").body;
            state = runs["items"][0]["state"].as_str().map(str::to_owned);
            if !matches!(state.as_deref(), None | Some("running")) {
                break;
            }
            tokio::time::sleep(POLL).await;
        }
        assert_eq!(state.as_deref(), Some("succeeded"), "the run that writes `fact.txt`");
    }

    pub async fn open_projects(&self, numbers: Range<usize>) {
        for nth in numbers {
            let call = ApiCall::post("/projects").json(json!({"name": format!("project {nth}")}));
            self.client.send(call).await.expect("a project");
        }
    }

    async fn session(&self, client: &ApiClient) -> Session {
        let path = format!("/projects/{}/sessions", self.project);
        let open = || client.send(ApiCall::post(&path).json(json!({"title": "b"})));
        let mut made = open().await;
        // The server closes a connection that is idle while the other side is measured, and the
        // client may learn that only when it uses it.
        for _ in 1..TRIES_MAX {
            if matches!(made, Err(ApiError::Unreachable { .. })) {
                made = open().await;
            }
        }
        Session { id: text(&made.expect("a session").body["id"]), client: client.clone() }
    }

    /// Fresh ones for a round of so many connections. Each has had one turn: its lease is taken and
    /// its actor is in memory.
    pub async fn sessions(&self, connections: usize) -> Vec<Session> {
        let sessions = self.open_sessions(connections.max(SESSIONS_MIN)).await;
        stream::iter(&sessions).for_each_concurrent(16, |session| self.turn(session, TEXT)).await;
        sessions
    }

    /// All by the person who set the server up.
    pub async fn own_sessions(&self, count: usize) -> Vec<Session> {
        stream::iter(0..count).map(|_| self.session(&self.client)).buffered(16).collect().await
    }

    /// Neighbours by the same person.
    pub async fn open_sessions(&self, count: usize) -> Vec<Session> {
        let opener = |nth| &self.people[nth * self.people.len() / count];
        stream::iter(0..count).map(|nth| self.session(opener(nth))).buffered(16).collect().await
    }

    /// Each connection has its share of the sessions, and its turns go round them: a session has
    /// one turn at a time.
    pub async fn round(&self, sessions: &[Session], connections: usize, stop: Stop) -> Round {
        let share = sessions.len() / connections;
        assert!(share > 0, "more connections than sessions");
        Round::run(&self.process, connections, stop, |connection, nth| {
            self.turn(&sessions[connection * share + nth % share], TEXT)
        })
        .await
    }

    async fn turn(&self, session: &Session, text: &str) {
        let last = self.said(session, text).await;
        assert!(matches!(last.as_str(), "done" | "pending"), "the turn ended as `{last}`");
    }

    /// The last event's name.
    pub async fn said(&self, session: &Session, text: &str) -> String {
        let path = format!("/sessions/{}/messages", session.id);
        let call = ApiCall::post(path).json(json!({"text": text}));
        let mut events = session.client.events(call, None).await.expect("events");
        let mut last = None;
        while let Some(event) = events.next().await {
            last = Some(event.expect("an event"));
        }
        last.expect("an event").event
    }

    /// The first request to a session wakes it.
    pub async fn looked_at(&self, session: &Session) {
        let call = ApiCall::get(format!("/sessions/{}/state", session.id));
        self.client.send(call).await.expect("the session");
    }

    pub fn audit_rows(&self) -> i64 {
        let connection = Connection::open(&self.database).expect("the database");
        let count = "SELECT COUNT(*) FROM audit_record";
        connection.query_row(count, [], |row| row.get(0)).expect("a count")
    }

    /// Moves the write-ahead log into the database file, whose size comes back.
    pub fn checkpointed_bytes(&self) -> f64 {
        let connection = Connection::open(&self.database).expect("the database");
        connection.busy_timeout(Duration::from_secs(5)).expect("a timeout");
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        connection.query_row(checkpoint, [], |_| Ok(())).expect("a checkpoint");
        std::fs::metadata(&self.database).expect("the database").len() as f64
    }
}

fn serve(binary: &Path, model: &FakeModel, folder: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .args(["serve", "--json"])
        .env("WIIIV__KEYS__MASTER", "11".repeat(32))
        .env("WIIIV__SERVER__LISTEN", "127.0.0.1:0")
        .env("WIIIV__SERVER__DATA_DIR", folder)
        .env("WIIIV__LOG__LEVEL", "error")
        .env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    command
}

fn client_of(process: &Process) -> ApiClient {
    ApiClient::new(&format!("{}/api/v2", process.url()), None).expect("a client")
}

async fn member(client: &ApiClient, project: &str, name: &str) -> ApiClient {
    let account = json!({"name": name, "password": PASSWORD});
    let call = ApiCall::post("/users").json(account.clone());
    let made = client.send(call).await.expect("a person").body;
    let members = format!("/projects/{project}/members");
    let read = client.send(ApiCall::get(&members)).await.expect("the members");
    let call = ApiCall::put(format!("{members}/{}", text(&made["id"])));
    let call = call.json(json!({"roles": ["editor"]})).if_match(read.etag.expect("an ETag"));
    client.send(call).await.expect("a member");
    let entered = client.send(ApiCall::post("/auth/login").json(account)).await.expect("a log-in");
    client.with_token(SecretString::from(text(&entered.body["token"])))
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
