//! Model providers as their published interfaces have them, as a program of its own: it holds
//! every request against its provider's own rules, and behaves as its address says.
//!
//! `http://host/<key>/<conduct>/<dialect>/...` is a provider's base: what was asked under `<key>`
//! is told at `http://host/<key>/calls`.

mod anthropic;
mod conduct;
mod dialect;
mod embeddings;
mod google;
mod models;
mod openai;
mod responses;
mod stream;
mod voice;

use crate::{room::Room, served::Served};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
pub use conduct::Conduct;
pub use dialect::Dialect;
use serde_json::{Value, json};
use std::{collections::BTreeMap, io};

/// Keys of one server, and calls that are kept of each.
const KEYS_MAX: usize = 1_000;
const CALLS_MAX: usize = 1_000;
/// Of one request, and of all requests that are kept, in bytes. Past that a call is counted, and its
/// body is not kept.
const BODY_BYTES_MAX: usize = 1024 * 1024;
const KEPT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What it answers with unless it misbehaves, and what it says that it used.
pub const PROVIDER_SAYS: &str = "안녕하세요. 무엇을 도와드릴까요? 파일도 쓸 수 있습니다.";
pub const PROVIDER_USED: (u64, u64) = (100, 20);
/// The file that it proposes to read, where its address makes it act.
pub const PROVIDER_READS: &str = "notes.md";
/// The only key that it knows.
pub const PROVIDER_KEY: &str = "sk-canary-7b1f0c5d9e2a";

#[derive(Default)]
struct Asked {
    calls: BTreeMap<String, Vec<Value>>,
    bytes: usize,
}

pub struct FakeProvider {
    served: Served,
}

impl FakeProvider {
    /// Port 0 takes a free one.
    pub async fn open(port: u16) -> io::Result<Self> {
        let app = Router::new()
            .route("/{key}/calls", get(calls))
            .route("/{key}/{conduct}/{dialect}/{*path}", post(answer).get(list))
            .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
            .with_state(Room::of(Asked::default()));
        Ok(Self { served: Served::on(port, app).await? })
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.served.url()
    }
}

/// As a program: prints its address, and ends when nobody holds its standard input any more.
pub async fn run_provider() -> io::Result<()> {
    let provider = FakeProvider::open(0).await?;
    println!("listening at {}", provider.url());
    let held = || io::copy(&mut io::stdin(), &mut io::sink());
    tokio::task::spawn_blocking(held).await.map_err(io::Error::other)?.map(|_| ())
}

async fn calls(State(room): State<Room<Asked>>, Path(key): Path<String>) -> Json<Vec<Value>> {
    Json(room.with(|asked| asked.calls.get(&key).cloned().unwrap_or_default()))
}

async fn answer(
    State(room): State<Room<Asked>>,
    Path((key, conduct, dialect, path)): Path<(String, String, String, String)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (conduct, dialect) = match named(&conduct, &dialect) {
        Ok((conduct, dialect)) => (conduct, dialect.at(&path)),
        Err(unknown) => return unknown.into_response(),
    };
    let length = body.len();
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let nth = room.with(|asked| asked.keep(&key, (&path, &headers, &body), length));
    let target = format!("{path}?{}", uri.query().unwrap_or_default());
    match dialect.check(&target, &headers, &body) {
        Ok(()) if embeddings::is_asked(&path) => {
            embeddings::behave(conduct, (dialect, &body), (&key, nth)).await
        }
        Ok(()) => conduct.answer(dialect.voice(&body), (&key, nth)).await,
        Err(refusal) => dialect.refuse(&refusal),
    }
}

/// Of the models that it serves.
async fn list(
    State(room): State<Room<Asked>>,
    Path((key, conduct, dialect, path)): Path<(String, String, String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let (conduct, dialect) = match named(&conduct, &dialect) {
        Ok(named) => named,
        Err(unknown) => return unknown.into_response(),
    };
    let query = uri.query().unwrap_or_default();
    let target = format!("{path}?{query}");
    let nth = room.with(|asked| asked.keep(&key, (&target, &headers, &Value::Null), 0));
    match dialect.check_list((&path, query), &headers) {
        Ok(()) => models::behave(conduct, dialect, (&key, nth)).await,
        Err(refusal) => dialect.refuse(&refusal),
    }
}

fn named(conduct: &str, dialect: &str) -> Result<(Conduct, Dialect), (StatusCode, &'static str)> {
    let known = conduct.parse().ok().zip(dialect.parse().ok());
    known.ok_or((StatusCode::IM_A_TEAPOT, "no such conduct or dialect"))
}

impl Asked {
    /// Which one it is under its key, from 1.
    fn keep(&mut self, key: &str, seen: (&str, &HeaderMap, &Value), length: usize) -> usize {
        let (path, headers, body) = seen;
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
