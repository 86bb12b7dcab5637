//! A server over a whole governor: its router, an administrator, an owner with a project, a real shop.

use crate::call::{Answer, TestRequest};
use axum::Router;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot};
use wiiiv_domain::{ProjectId, ProjectPolicy, ProviderName};
use wiiiv_fakes::Shop;
use wiiiv_governor::{EnvironmentKeys, Governor};
use wiiiv_net::{ApiClient, Origin};
use wiiiv_server::{
    AppState, Demo, DemoLinks, LocalPlaces, MetricsSource, ModelPlaces, NextKey, ServerConfig, Ui,
    router, serve,
};
use wiiiv_store::{Role, Store};
pub use wiiiv_testkit::{Person, now, token};
use wiiiv_testkit::{Setup, default_profile, person, policy};
use wiiiv_vault::ApiKey;

/// What has not happened by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct TestServer {
    pub governor: Governor,
    pub shop: Shop,
    /// An administrator, without a role in anybody's project.
    pub admin: Person,
    /// Owns `project`.
    pub owner: Person,
    pub project: ProjectId,
    folder: Arc<TempDir>,
    pub router: Router,
    state: AppState,
}

/// As if the server had been started with it.
const ENVIRONMENT_KEY: &str = "sk-CANARY-environment-0001";

fn environment() -> EnvironmentKeys {
    let key = ApiKey::parse(&SecretString::from(ENVIRONMENT_KEY)).unwrap();
    EnvironmentKeys::new([(ProviderName::OpenAi, key)].into())
}

fn setup(approved: &[Origin]) -> Setup {
    let origins = approved.iter().map(ToString::to_string).collect();
    Setup { origins, memory: true, environment: environment(), ..Setup::default() }
}

/// A page and a script of its own stand for the built interface.
const UI: [(&str, &[u8]); 2] =
    [("index.html", b"<!doctype html><title>wiiiv</title>"), ("assets/app-1.js", &[b' '; 2048])];

fn config(new_project_policy: ProjectPolicy, demo: Option<Demo>) -> ServerConfig {
    // A port that nobody listens on.
    let nobody = "127.0.0.1:9".parse().unwrap();
    let local = LocalPlaces { ollama: nobody, lm_studio: nobody, vllm: nobody };
    ServerConfig {
        new_project_policy,
        secure_cookies: false,
        build: "test".to_owned(),
        open_files: 1 << 16,
        ui: Ui::of(&UI),
        models: ModelPlaces { approved: Vec::new(), keys: BTreeSet::new(), local },
        next_key: NextKey::new(|| Ok(None)),
        demo,
        figures: MetricsSource::new(|| "wiiiv_up 1\n".to_owned(), false),
    }
}

impl TestServer {
    /// Before its administrator exists.
    pub async fn bare() -> (Router, Governor, Arc<TempDir>) {
        let setup = setup(&[]);
        let governor = setup.start().await;
        let config = config(default_profile(), None);
        let router = router(AppState::new(governor.clone(), config));
        (router, governor, setup.folder)
    }

    pub async fn new() -> Self {
        Self::with(|config| config).await
    }

    /// Signs its owner in by links.
    pub async fn demo() -> (Self, DemoLinks) {
        let links = DemoLinks::default();
        (Self::with(|config| config).await.into_demo(links.clone()), links)
    }

    fn into_demo(self, links: DemoLinks) -> Self {
        let demo = Some(Demo { user: self.owner.user, project: self.project, links });
        let state = AppState::new(self.governor.clone(), config(policy(&self.shop), demo));
        Self { router: router(state.clone()), state, ..self }
    }

    pub async fn with(change: impl FnOnce(ServerConfig) -> ServerConfig) -> Self {
        Self::open(change, &[]).await
    }

    /// Where an administrator approved these origins of models.
    pub async fn approving(approved: &[Origin]) -> Self {
        Self::open(|config| config, approved).await
    }

    async fn open(change: impl FnOnce(ServerConfig) -> ServerConfig, approved: &[Origin]) -> Self {
        let setup = setup(approved);
        let (governor, folder) = (setup.start().await, setup.folder);
        let shop = Shop::open(0).await.unwrap();
        let new_project_policy = policy(&shop);
        let store = governor.store();
        let admin = person(store, "admin", true, new_project_policy.clone()).await;
        let owner = person(store, "owner", false, new_project_policy.clone()).await;
        let made = store.create_project("work", owner.user, new_project_policy.clone()).await;
        let project = made.unwrap().body().document().project;
        let state = AppState::new(governor.clone(), change(config(new_project_policy, None)));
        let router = router(state.clone());
        Self { governor, shop, admin, owner, project, folder, router, state }
    }

    pub fn store(&self) -> &Store {
        self.governor.store()
    }

    pub async fn person(&self, name: &str) -> Person {
        person(self.store(), name, false, policy(&self.shop)).await
    }

    pub async fn member(&self, name: &str, role: Role) -> Person {
        let person = self.person(name).await;
        let roles = BTreeSet::from([role]);
        self.store().set_roles(self.project, person.user, roles, self.owner.user).await.unwrap();
        person
    }

    /// In this process, without a socket.
    pub async fn send(&self, asked: TestRequest) -> Answer {
        asked.send(&self.router).await
    }

    /// The head alone: a stream has no end.
    pub async fn status(&self, asked: TestRequest) -> u16 {
        asked.status(&self.router).await
    }

    pub async fn get(&self, who: &Person, path: &str) -> Answer {
        self.send(TestRequest::new("GET", path).by(&who.token)).await
    }

    pub async fn post(&self, who: &Person, path: &str, body: Value) -> Answer {
        self.send(TestRequest::new("POST", path).by(&who.token).json(&body)).await
    }

    /// Over a socket, as another process would; ends with the sender.
    pub async fn listen(&self) -> (String, oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let state = self.state.clone();
        tokio::spawn(serve(listener, state, async move {
            let _ = stopped.await;
        }));
        (address, stop)
    }

    pub fn client(address: &str, who: &Person) -> ApiClient {
        let token = SecretString::from(who.token.as_str());
        ApiClient::new(&format!("{address}/api/v2"), Some(token)).unwrap()
    }

    pub async fn session(&self, who: &Person, project: ProjectId) -> String {
        let path = format!("/projects/{project}/sessions");
        let answer = self.post(who, &path, json!({"title": "test"})).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.body["id"].as_str().expect("an id").to_owned()
    }

    /// Says it and reads the turn's stream to its last event: names and data.
    pub async fn say(&self, who: &Person, session: &str, text: &str) -> Vec<(String, Value)> {
        let seen = self.newest(session).await;
        self.post_words(who, session, json!({"text": text, "seen": seen})).await
    }

    /// The number of the conversation's last event: all of it is on the screen.
    pub async fn newest(&self, session: &str) -> u64 {
        self.store().next_seq(session.parse().expect("an id")).await.unwrap() - 1
    }

    /// A message as it is; the turn's stream to its last event.
    pub async fn post_words(
        &self,
        who: &Person,
        session: &str,
        message: Value,
    ) -> Vec<(String, Value)> {
        let asked = TestRequest::new("POST", &format!("/sessions/{session}/messages"))
            .by(&who.token)
            .header("accept", "text/event-stream")
            .json(&message);
        let answer = tokio::time::timeout(PATIENCE, self.send(asked)).await;
        let answer = answer.expect("the turn must end");
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.events()
    }

    /// Asks for a file, so that a question waits: the approval and its digest.
    pub async fn question(&self, who: &Person, session: &str, file: &str) -> (String, String) {
        let text = format!("write 'hello' to the file {file}");
        let events = self.say(who, session, &text).await;
        let preview = events.iter().find(|(name, _)| name == "preview");
        let (_, preview) = preview.unwrap_or_else(|| panic!("no preview in {events:#?}"));
        let of = |name: &str| preview[name].as_str().expect("text").to_owned();
        (of("approval"), of("digest"))
    }

    pub async fn approve(&self, who: &Person, approval: &str, digest: &str) -> Answer {
        let path = format!("/approvals/{approval}/approve");
        self.post(who, &path, json!({"digest": digest})).await
    }

    /// Waits for the newest execution to come to an end.
    pub async fn executed(&self, who: &Person) -> Value {
        let path = format!("/projects/{}/executions?limit=1", self.project);
        let wait = async {
            loop {
                let answer = self.get(who, &path).await;
                let newest = answer.body["items"][0].clone();
                if newest["finished_at"].is_string() {
                    return newest;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("the execution must end")
    }

    pub fn file(&self, path: &str) -> Option<String> {
        let project = self.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::read_to_string(project.join(path)).ok()
    }

    /// As it stood there before anybody asked.
    pub fn put(&self, path: &str, text: &str) {
        let project = self.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::create_dir_all(&project).unwrap();
        std::fs::write(project.join(path), text).unwrap();
    }
}
