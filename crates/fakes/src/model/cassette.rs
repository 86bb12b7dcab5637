//! A model server of recorded answers: one server a process, one cassette a run of a scenario.

use super::{
    answer::{is_streamed, respond},
    mode::ModelMode,
    open_streams::OpenStreams,
    personas::is_for_persona,
    provider_answer::ProviderAnswer,
    upstream::Upstream,
    wire,
};
use crate::{loopback::LoopbackServer, shared::Shared};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State},
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    io,
    sync::Arc,
};

/// Cassettes of one server.
const CASSETTES_MAX: usize = 1_000;
/// Request bodies that one cassette keeps, in bytes of text; later ones are only counted.
const REQUEST_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Kept of one answer that is passed on; the rest is passed on and not kept.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The only path with recorded answers.
const CHAT: &str = "v1/chat/completions";

/// One recorded answer of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Only a request whose text holds this is answered; `None` answers any.
    pub mark: Option<String>,
    pub text: String,
}

impl From<String> for Recorded {
    fn from(text: String) -> Self {
        Self { mark: None, text }
    }
}

/// A text stays as it is; every other value becomes its JSON text.
impl From<Value> for Recorded {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => Self::from(text),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => Self::from(value.to_string()),
        }
    }
}

#[derive(Default)]
struct Cassette {
    answers: VecDeque<Recorded>,
    /// Takes the place of the answers while it is set, with the number of requests so far.
    hostile: Option<(ModelMode, usize)>,
    requests: Vec<String>,
    kept_bytes: usize,
    calls: usize,
    /// The bytes that came back for each request that was passed on.
    passed_back: Vec<Vec<u8>>,
}

enum Next {
    Answer(Recorded),
    Behave(ModelMode, usize),
    /// With the index in `passed_back`.
    PassOn(Arc<Upstream>, usize),
    Exhausted {
        calls: usize,
    },
    Unknown,
}

impl Cassette {
    fn next(&mut self, body: &str, upstream: Option<&Arc<Upstream>>) -> Next {
        self.calls += 1;
        if self.kept_bytes + body.len() <= REQUEST_BYTES_MAX {
            self.kept_bytes += body.len();
            self.requests.push(body.to_owned());
        }
        if let Some((mode, nth)) = &mut self.hostile {
            *nth += 1;
            return Next::Behave(mode.clone(), *nth);
        }
        if let Some(upstream) = upstream {
            self.passed_back.push(Vec::new());
            return Next::PassOn(Arc::clone(upstream), self.passed_back.len() - 1);
        }
        // A persona is never answered with what was recorded for somebody else.
        let is_persona = is_for_persona(body);
        let fits = |recorded: &Recorded| match &recorded.mark {
            Some(mark) => body.contains(mark),
            None => !is_persona,
        };
        let at = self.answers.iter().position(fits);
        match at.and_then(|at| self.answers.remove(at)) {
            Some(recorded) => Next::Answer(recorded),
            None => Next::Exhausted { calls: self.calls },
        }
    }
}

#[derive(Default)]
struct CassettesState {
    cassettes: BTreeMap<String, Cassette>,
    streams: OpenStreams,
    /// Answers in place of the recorded answers.
    upstream: Option<Arc<Upstream>>,
}

impl CassettesState {
    fn keep_piece(&mut self, key: &str, nth: usize, piece: &[u8]) {
        let answer = self.cassettes.get_mut(key).and_then(|own| own.passed_back.get_mut(nth));
        if let Some(answer) = answer.filter(|kept| kept.len() + piece.len() <= ANSWER_BYTES_MAX) {
            answer.extend_from_slice(piece);
        }
    }
    fn cassette(&mut self, key: &str) -> io::Result<&mut Cassette> {
        if self.cassettes.len() >= CASSETTES_MAX && !self.cassettes.contains_key(key) {
            return Err(io::Error::other("too many cassettes: take finished ones away"));
        }
        Ok(self.cassettes.entry(key.to_owned()).or_default())
    }
}

pub struct Cassettes {
    server: LoopbackServer,
    state: Shared<CassettesState>,
}

impl Cassettes {
    pub async fn open() -> io::Result<Self> {
        Self::serve(CassettesState::default()).await
    }
    /// Passes every request on to the provider whose interface is at `base`.
    pub async fn before(base: &str) -> io::Result<Self> {
        let upstream = Some(Arc::new(Upstream::at(base)?));
        Self::serve(CassettesState { upstream, ..CassettesState::default() }).await
    }
    async fn serve(state: CassettesState) -> io::Result<Self> {
        let state = Shared::new(state);
        let app = Router::new()
            .route("/{key}/{*path}", post(complete))
            .layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX))
            .with_state(state.clone());
        Ok(Self { server: LoopbackServer::start(0, app).await?, state })
    }
    /// What a policy names as `llmBaseUrl` where requests are passed on.
    #[must_use]
    pub fn passing_url(&self, key: &str) -> String {
        format!("{}/{key}", self.server.url())
    }
    /// Complete answers of the provider, in the order of their requests.
    #[must_use]
    pub fn passed_back(&self, key: &str) -> Vec<ProviderAnswer> {
        let answers = self.read(key, |cassette| cassette.passed_back.clone());
        answers.iter().filter_map(|bytes| ProviderAnswer::read(bytes)).collect()
    }
    /// What a policy names as `llmBaseUrl`. A key is letters, digits, `-` and `_`.
    #[must_use]
    pub fn base_url(&self, key: &str) -> String {
        format!("{}/{key}/v1", self.server.url())
    }
    /// Scheme, host and port: what an administrator approves.
    #[must_use]
    pub fn origin(&self) -> String {
        self.server.url()
    }
    /// Adds answers behind those that wait already.
    pub fn add(&self, key: &str, answers: impl IntoIterator<Item = Recorded>) -> io::Result<()> {
        self.state.with(|state| {
            state.cassette(key)?.answers.extend(answers);
            Ok(())
        })
    }
    /// Forgets the answers that still wait.
    pub fn clear(&self, key: &str) -> io::Result<()> {
        self.state.with(|state| {
            state.cassette(key)?.answers.clear();
            Ok(())
        })
    }
    /// The model behaves so, and the recorded answers wait, until it is set to `None` again.
    pub fn set_hostile(&self, key: &str, mode: Option<ModelMode>) -> io::Result<()> {
        self.state.with(|state| {
            state.cassette(key)?.hostile = mode.map(|mode| (mode, 0));
            Ok(())
        })
    }
    /// Recorded answers that are still unused.
    #[must_use]
    pub fn left(&self, key: &str) -> usize {
        self.read(key, |cassette| cassette.answers.len())
    }
    /// Requests so far.
    #[must_use]
    pub fn calls(&self, key: &str) -> usize {
        self.read(key, |cassette| cassette.calls)
    }
    /// The body of every request, as it came.
    #[must_use]
    pub fn requests(&self, key: &str) -> Vec<String> {
        self.read(key, |cassette| cassette.requests.clone())
    }
    /// Removes the cassette of a finished run.
    pub fn remove(&self, key: &str) {
        self.state.with(|state| state.cassettes.remove(key));
    }
    /// The default of an unknown cassette.
    fn read<T: Default>(&self, key: &str, of: impl FnOnce(&Cassette) -> T) -> T {
        self.state.with(|state| state.cassettes.get(key).map(of).unwrap_or_default())
    }
}

async fn complete(
    State(state): State<Shared<CassettesState>>,
    Path((key, path)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (next, streams) = state.with(|state| {
        let CassettesState { cassettes, streams, upstream } = state;
        let known = upstream.is_some() || path == CHAT;
        let own = cassettes.get_mut(&key).filter(|_| known);
        let next = own.map(|own| own.next(&String::from_utf8_lossy(&body), upstream.as_ref()));
        (next.unwrap_or(Next::Unknown), streams.clone())
    });
    match next {
        Next::PassOn(upstream, nth) => {
            let keep = move |piece: &[u8]| state.with(|state| state.keep_piece(&key, nth, piece));
            upstream.pass_on((&path, uri.query()), &headers, body, keep).await
        }
        Next::Answer(recorded) => wire::completion(&recorded.text, is_streamed(&request)),
        Next::Behave(mode, nth) => respond(mode, nth, &request, &streams).await,
        Next::Exhausted { calls } => {
            failed(&format!("cassette `{key}` has no answer for request number `{calls}`"))
        }
        Next::Unknown => failed(&format!("there is no cassette `{key}` at `{path}`")),
    }
}

fn failed(why: &str) -> Response {
    let error = Json(json!({"error": {"message": why}}));
    (StatusCode::INTERNAL_SERVER_ERROR, error).into_response()
}
