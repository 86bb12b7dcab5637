//! A service with a log-in of its own, as a registered system would be.

use crate::permit::SYSTEM_REVISION;
use axum::{
    Json, Router,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse as _, Response},
    routing::{any, post},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::net::TcpListener;
use wiiiv_domain::System;
use wiiiv_exec::SystemAccess;
use wiiiv_vault::Credential;

pub const USER: &str = "canary-user";

#[derive(Default)]
struct Log {
    secret: String,
    log_ins: usize,
    /// The only token that is taken; any where it is empty.
    valid: String,
    /// Authorization and idempotency key of every call but log-ins.
    calls: Vec<(String, Option<String>, Option<String>)>,
    away: String,
}

#[derive(Clone)]
pub struct Service {
    pub at: SocketAddr,
    log: Arc<Mutex<Log>>,
}

type Shared = State<Arc<Mutex<Log>>>;

impl Service {
    pub async fn open(secret: &str) -> Self {
        let log = Arc::new(Mutex::new(Log { secret: secret.to_owned(), ..Log::default() }));
        let app = Router::new()
            .route("/login", post(log_in))
            .route("/moved-login", post(|| async { moved("/login") }))
            .route("/echo/{*rest}", any(call))
            .route("/away", any(call))
            .route("/secret", any(call))
            .route("/secret/{*rest}", any(call))
            .with_state(log.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let at = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { at, log }
    }
    fn log<T>(&self, look: impl FnOnce(&mut Log) -> T) -> T {
        look(&mut self.log.lock().expect("a log"))
    }
    pub fn log_ins(&self) -> usize {
        self.log(|log| log.log_ins)
    }
    pub fn calls(&self) -> Vec<(String, Option<String>, Option<String>)> {
        self.log(|log| log.calls.clone())
    }
    /// Every token so far is turned away from now on; `forever`: the next ones too.
    pub fn revoke(&self, forever: bool) {
        let valid = if forever { "nobody" } else { "the next" };
        self.log(|log| log.valid = valid.to_owned());
    }
    pub fn accept_any(&self) {
        self.log(|log| log.valid.clear());
    }
    pub fn lead_away(&self, to: String) {
        self.log(|log| log.away = to);
    }
    pub fn system(&self, name: &str, authentication: Value) -> System {
        let document = json!({
            "version": 1, "name": name,
            "baseUrl": { "scheme": "http", "host": "127.0.0.1", "port": self.at.port() },
            "operations": [
                { "id": "one", "method": "GET", "path": "/echo/{id}" },
                { "id": "all", "method": "GET", "path": "/echo/all" },
                { "id": "order", "method": "POST", "path": "/echo/orders" },
                { "id": "away", "method": "GET", "path": "/away" }
            ],
            "authentication": authentication, "risk": "LOW",
        });
        serde_json::from_value(document).expect("a system")
    }
    pub fn access(&self, name: &str, authentication: Value) -> SystemAccess {
        let secret = self.log(|log| log.secret.clone());
        let credential = Credential::new(USER.into(), secret.into()).expect("a credential");
        SystemAccess {
            system: Arc::new(self.system(name, authentication)),
            revision: SYSTEM_REVISION,
            credential: Some(credential),
            credential_revision: 1,
        }
    }
}

pub fn by_log_in() -> Value {
    json!({
        "kind": "log_in", "path": "/login", "usernameField": "user", "passwordField": "pass",
        "tokenPointer": "/data/token",
    })
}

fn moved(to: &str) -> Response {
    (StatusCode::FOUND, [(LOCATION, to.to_owned())]).into_response()
}

async fn log_in(State(log): Shared, Json(given): Json<Value>) -> Response {
    let mut log = log.lock().expect("a log");
    log.log_ins += 1;
    if given != json!({ "user": USER, "pass": log.secret }) {
        return (StatusCode::FORBIDDEN, log.secret.clone()).into_response();
    }
    let token = format!("canary-token-{}-{}", log.secret.len(), log.log_ins);
    if log.valid != "nobody" {
        log.valid.clone_from(&token);
    }
    Json(json!({ "data": { "token": token } })).into_response()
}

async fn call(State(log): Shared, headers: HeaderMap, request: Request) -> Response {
    let mut log = log.lock().expect("a log");
    let seen = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let authorization = seen("authorization");
    let path = request.uri().path().to_owned();
    log.calls.push((path.clone(), authorization.clone(), seen("idempotency-key")));
    let token = authorization.as_deref().and_then(|text| text.strip_prefix("Bearer "));
    if !log.valid.is_empty() && token != Some(&log.valid) {
        return (StatusCode::UNAUTHORIZED, "who?").into_response();
    }
    if path == "/away" {
        return moved(&log.away);
    }
    // A service that says too much.
    let shown = authorization.clone().unwrap_or_default();
    let all = json!({
        "authorization": shown,
        "secret": log.secret,
        "basic": STANDARD.encode(format!("{USER}:{}", log.secret)),
        "nested": STANDARD.encode(format!("x{}y", log.secret)),
        "key": seen("x-api-key"),
        "hex": hex::encode(&log.secret),
        "user": USER,
    });
    let kind = format!("application/json; by={}", log.secret.replace(['"', ' '], ""));
    ([("content-type", kind)], all.to_string()).into_response()
}
