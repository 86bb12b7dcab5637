//! The server of all fake providers, and the log of its requests.

use super::{
    answer_format::{AnswerFormat, refuse},
    chat,
    conduct::Conduct,
    dialect::Dialect,
    embedding_document::DIMENSIONS,
    embeddings, models,
    request_check::{check, check_list},
};
use crate::{loopback::LoopbackServer, shared::Shared};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, io};

/// Keys of one server, and requests that are kept of each.
const KEYS_MAX: usize = 1_000;
const CALLS_MAX: usize = 1_000;
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// All bodies that are kept; a later request is kept without its body.
const KEPT_BYTES_MAX: usize = 64 * 1024 * 1024;

#[derive(Default)]
struct RequestLog {
    calls: BTreeMap<String, Vec<Value>>,
    bytes: usize,
    /// Of so many answers to come, so many numbers of each vector.
    odd: Option<(usize, usize)>,
}

pub struct FakeProvider {
    server: LoopbackServer,
    log: Shared<RequestLog>,
}

impl FakeProvider {
    /// Port 0 takes a free one.
    pub async fn open(port: u16) -> io::Result<Self> {
        let log = Shared::new(RequestLog::default());
        let app = Router::new()
            .route("/{key}/calls", get(calls))
            .route("/{key}/{conduct}/{dialect}/{*path}", post(answer).get(list))
            .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
            .with_state(log.clone());
        Ok(Self { server: LoopbackServer::start(port, app).await?, log })
    }

    /// Requests under that key, as `/<key>/calls` lists them.
    #[must_use]
    pub fn calls(&self, key: &str) -> Vec<Value> {
        self.log.with(|log| log.calls.get(key).cloned().unwrap_or_default())
    }

    /// Vectors of the next so many answers have these dimensions, under whichever key.
    pub fn set_dimensions(&self, dimensions: usize, answers: usize) {
        self.log.with(|log| log.odd = Some((answers, dimensions)));
    }

    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
}

/// The program: prints its address, and ends when its standard input is closed.
pub async fn run_provider() -> io::Result<()> {
    let provider = FakeProvider::open(0).await?;
    println!("listening at {}", provider.url());
    let until_closed = || io::copy(&mut io::stdin(), &mut io::sink());
    tokio::task::spawn_blocking(until_closed).await.map_err(io::Error::other)?.map(|_| ())
}

async fn calls(State(log): State<Shared<RequestLog>>, Path(key): Path<String>) -> Json<Vec<Value>> {
    Json(log.with(|log| log.calls.get(&key).cloned().unwrap_or_default()))
}

async fn answer(
    State(log): State<Shared<RequestLog>>,
    Path((key, conduct, dialect, path)): Path<(String, String, String, String)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (conduct, dialect) = match parse(&conduct, &dialect) {
        Ok((conduct, dialect)) => (conduct, dialect.for_path(&path)),
        Err(unknown) => return unknown.into_response(),
    };
    let length = body.len();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let nth = log.with(|log| log.keep(&key, (&path, &headers, &body), length));
    let target = format!("{path}?{}", uri.query().unwrap_or_default());
    match check(dialect, &target, &headers, &body) {
        Ok(()) if embeddings::is_path(&path) => {
            let dimensions = log.with(RequestLog::dimensions);
            embeddings::answer(conduct, (dialect, &body, dimensions), (&key, nth)).await
        }
        Ok(()) => chat::answer(conduct, AnswerFormat::of(dialect, &body), (&key, nth)).await,
        Err(refusal) => refuse(dialect, &refusal),
    }
}

/// Lists the provider's models.
async fn list(
    State(log): State<Shared<RequestLog>>,
    Path((key, conduct, dialect, path)): Path<(String, String, String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let (conduct, dialect) = match parse(&conduct, &dialect) {
        Ok(parsed) => parsed,
        Err(unknown) => return unknown.into_response(),
    };
    let query = uri.query().unwrap_or_default();
    let target = format!("{path}?{query}");
    let nth = log.with(|log| log.keep(&key, (&target, &headers, &Value::Null), 0));
    match check_list(dialect, (&path, query), &headers) {
        Ok(()) => models::answer(conduct, dialect, (&key, nth)).await,
        Err(refusal) => refuse(dialect, &refusal),
    }
}

fn parse(conduct: &str, dialect: &str) -> Result<(Conduct, Dialect), (StatusCode, &'static str)> {
    let parsed = conduct.parse().ok().zip(dialect.parse().ok());
    parsed.ok_or((StatusCode::IM_A_TEAPOT, "no such conduct or dialect"))
}

impl RequestLog {
    /// Of the answer that is due.
    fn dimensions(&mut self) -> usize {
        match &mut self.odd {
            Some((answers, dimensions)) if *answers > 0 => {
                *answers -= 1;
                *dimensions
            }
            _ => DIMENSIONS,
        }
    }

    /// The request's number under its key, from 1.
    fn keep(&mut self, key: &str, request: (&str, &HeaderMap, &Value), length: usize) -> usize {
        let (path, headers, body) = request;
        if self.calls.len() >= KEYS_MAX && !self.calls.contains_key(key) {
            self.calls.pop_first();
        }
        let calls = self.calls.entry(key.to_owned()).or_default();
        if calls.len() < CALLS_MAX {
            let headers: BTreeMap<&str, &str> = headers
                .iter()
                .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
                .collect();
            let fits = self.bytes.saturating_add(length) <= KEPT_BYTES_MAX;
            self.bytes += if fits { length } else { 0 };
            calls.push(json!({"path": path, "headers": headers, "body": fits.then_some(body)}));
        }
        calls.len()
    }
}
