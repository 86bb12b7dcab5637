//! A model server of recorded answers: one for a whole process, one cassette a scenario's run.

use super::answer::{OpenStreams, is_streamed, respond};
use super::heard::Heard;
use super::mode::ModelMode;
use super::upstream::Upstream;
use super::wire;
use crate::room::Room;
use crate::served::Served;
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
/// Request bodies that one cassette keeps, in bytes of text; later ones are counted only.
const REQUEST_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Of one answer that is passed on; what is longer is heard as far as this.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The one path at which recorded answers are given.
const CHAT: &str = "v1/chat/completions";

/// What the model said once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Answers only a request whose text holds this; None answers any.
    pub mark: Option<String>,
    pub text: String,
}

impl From<String> for Recorded {
    fn from(text: String) -> Self {
        Self { mark: None, text }
    }
}

/// An object is said as its JSON text, a text as it is.
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
    /// In place of the answers, as long as it is there.
    hostile: Option<(ModelMode, usize)>,
    requests: Vec<String>,
    kept_bytes: usize,
    asked: usize,
    /// What was sent in answer to each request that was passed on, as far as it came.
    answered: Vec<Vec<u8>>,
}

enum Next {
    Say(Recorded),
    Behave(ModelMode, usize),
    /// As which of its requests, from 0.
    PassOn(Arc<Upstream>, usize),
    Exhausted {
        asked: usize,
    },
    Unknown,
}

impl Cassette {
    fn next(&mut self, body: &str, upstream: Option<&Arc<Upstream>>) -> Next {
        self.asked += 1;
        if self.kept_bytes + body.len() <= REQUEST_BYTES_MAX {
            self.kept_bytes += body.len();
            self.requests.push(body.to_owned());
        }
        if let Some((mode, nth)) = &mut self.hostile {
            *nth += 1;
            return Next::Behave(mode.clone(), *nth);
        }
        if let Some(upstream) = upstream {
            self.answered.push(Vec::new());
            return Next::PassOn(Arc::clone(upstream), self.answered.len() - 1);
        }
        let fits = |recorded: &Recorded| recorded.mark.as_ref().is_none_or(|m| body.contains(m));
        let at = self.answers.iter().position(fits);
        match at.and_then(|at| self.answers.remove(at)) {
            Some(recorded) => Next::Say(recorded),
            None => Next::Exhausted { asked: self.asked },
        }
    }
}

#[derive(Default)]
struct Shelf {
    cassettes: BTreeMap<String, Cassette>,
    streams: OpenStreams,
    /// Asked in place of what is recorded.
    upstream: Option<Arc<Upstream>>,
}

impl Shelf {
    fn hear(&mut self, key: &str, nth: usize, piece: &[u8]) {
        let own = self.cassettes.get_mut(key).and_then(|own| own.answered.get_mut(nth));
        if let Some(answered) = own.filter(|held| held.len() + piece.len() <= ANSWER_BYTES_MAX) {
            answered.extend_from_slice(piece);
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
    served: Served,
    room: Room<Shelf>,
}

impl Cassettes {
    pub async fn open() -> io::Result<Self> {
        Self::serve(Shelf::default()).await
    }
    /// What is asked here is passed on to the provider whose interface is at `base`.
    pub async fn before(base: &str) -> io::Result<Self> {
        let upstream = Some(Arc::new(Upstream::at(base)?));
        Self::serve(Shelf { upstream, ..Shelf::default() }).await
    }
    async fn serve(shelf: Shelf) -> io::Result<Self> {
        let room = Room::of(shelf);
        let app = Router::new()
            .route("/{key}/{*path}", post(complete))
            .layer(DefaultBodyLimit::max(REQUEST_BYTES_MAX))
            .with_state(room.clone());
        Ok(Self { served: Served::on(0, app).await?, room })
    }
    /// What a policy names as `llmBaseUrl` where requests are passed on.
    #[must_use]
    pub fn passing_url(&self, key: &str) -> String {
        format!("{}/{key}", self.served.url())
    }
    /// Answers that came to their end, in the order in which they were asked for.
    #[must_use]
    pub fn heard(&self, key: &str) -> Vec<Heard> {
        let of = |shelf: &mut Shelf| Some(shelf.cassettes.get(key)?.answered.clone());
        let answered = self.room.with(|shelf| of(shelf).unwrap_or_default());
        answered.iter().filter_map(|bytes| Heard::read(bytes)).collect()
    }
    /// What a policy names as `llmBaseUrl`. A key is letters, digits, `-` and `_`.
    #[must_use]
    pub fn base_url(&self, key: &str) -> String {
        format!("{}/{key}/v1", self.served.url())
    }
    /// Scheme, host and port: what an administrator approves.
    #[must_use]
    pub fn origin(&self) -> String {
        self.served.url()
    }
    /// Behind the answers that wait already.
    pub fn add(&self, key: &str, answers: impl IntoIterator<Item = Recorded>) -> io::Result<()> {
        self.room.with(|shelf| {
            shelf.cassette(key)?.answers.extend(answers);
            Ok(())
        })
    }
    /// Forgets the answers that still wait.
    pub fn clear(&self, key: &str) -> io::Result<()> {
        self.room.with(|shelf| {
            shelf.cassette(key)?.answers.clear();
            Ok(())
        })
    }
    /// Until it is `None` again, the model behaves so and the recorded answers wait.
    pub fn set_hostile(&self, key: &str, mode: Option<ModelMode>) -> io::Result<()> {
        self.room.with(|shelf| {
            shelf.cassette(key)?.hostile = mode.map(|mode| (mode, 0));
            Ok(())
        })
    }
    /// Recorded answers that nobody asked for yet.
    #[must_use]
    pub fn left(&self, key: &str) -> usize {
        self.room.with(|shelf| shelf.cassettes.get(key).map_or(0, |own| own.answers.len()))
    }
    /// How often the model was asked.
    #[must_use]
    pub fn asked(&self, key: &str) -> usize {
        self.room.with(|shelf| shelf.cassettes.get(key).map_or(0, |own| own.asked))
    }
    /// The body of every request, as it came.
    #[must_use]
    pub fn requests(&self, key: &str) -> Vec<String> {
        let of = |shelf: &mut Shelf| Some(shelf.cassettes.get(key)?.requests.clone());
        self.room.with(|shelf| of(shelf).unwrap_or_default())
    }
    /// Takes a finished run's cassette off the shelf.
    pub fn take_away(&self, key: &str) {
        self.room.with(|shelf| shelf.cassettes.remove(key));
    }
}

async fn complete(
    State(room): State<Room<Shelf>>,
    Path((key, path)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(asked) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (next, streams) = room.with(|shelf| {
        let Shelf { cassettes, streams, upstream } = shelf;
        // No other path is asked of a recorded model.
        let known = upstream.is_some() || path == CHAT;
        let own = cassettes.get_mut(&key).filter(|_| known);
        let next = own.map(|own| own.next(&String::from_utf8_lossy(&body), upstream.as_ref()));
        (next.unwrap_or(Next::Unknown), streams.clone())
    });
    match next {
        Next::PassOn(upstream, nth) => {
            let heard = move |piece: &[u8]| room.with(|shelf| shelf.hear(&key, nth, piece));
            upstream.pass_on((&path, uri.query()), &headers, body, heard).await
        }
        Next::Say(recorded) => wire::words(&recorded.text, is_streamed(&asked)),
        Next::Behave(mode, nth) => respond(mode, nth, &asked, &streams).await,
        Next::Exhausted { asked } => {
            failed(&format!("cassette `{key}` has no answer for request number `{asked}`"))
        }
        Next::Unknown => failed(&format!("there is no cassette `{key}` at `{path}`")),
    }
}

fn failed(why: &str) -> Response {
    let told = Json(json!({"error": {"message": why}}));
    (StatusCode::INTERNAL_SERVER_ERROR, told).into_response()
}
