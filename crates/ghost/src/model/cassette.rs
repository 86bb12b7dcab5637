//! A model server of recorded answers: one for a whole process, one cassette a scenario's run.

use super::answer::{OpenStreams, is_streamed, respond};
use super::mode::ModelMode;
use super::wire;
use crate::room::Room;
use crate::served::Served;
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    io,
};

/// Cassettes of one server.
const CASSETTES_MAX: usize = 1_000;
/// Request bodies that one cassette keeps, in bytes of text; later ones are counted only.
const REQUEST_BYTES_MAX: usize = 16 * 1024 * 1024;

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
}

enum Next {
    Say(Recorded),
    Behave(ModelMode, usize),
    Exhausted { asked: usize },
    Unknown,
}

impl Cassette {
    fn next(&mut self, body: &str) -> Next {
        self.asked += 1;
        if self.kept_bytes + body.len() <= REQUEST_BYTES_MAX {
            self.kept_bytes += body.len();
            self.requests.push(body.to_owned());
        }
        if let Some((mode, nth)) = &mut self.hostile {
            *nth += 1;
            return Next::Behave(mode.clone(), *nth);
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
}

impl Shelf {
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
        let room = Room::of(Shelf::default());
        let app = Router::new()
            .route("/{key}/v1/chat/completions", post(complete))
            .with_state(room.clone());
        Ok(Self { served: Served::on(0, app).await?, room })
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
    Path(key): Path<String>,
    body: Bytes,
) -> Response {
    let Ok(asked) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (next, streams) = room.with(|shelf| {
        let own = shelf.cassettes.get_mut(&key);
        let next = own.map(|own| own.next(&String::from_utf8_lossy(&body)));
        (next.unwrap_or(Next::Unknown), shelf.streams.clone())
    });
    match next {
        Next::Say(recorded) => wire::words(&recorded.text, is_streamed(&asked)),
        Next::Behave(mode, nth) => respond(mode, nth, &asked, &streams).await,
        Next::Exhausted { asked } => {
            failed(&format!("cassette `{key}` has no answer for request number `{asked}`"))
        }
        Next::Unknown => failed(&format!("there is no cassette `{key}`")),
    }
}

fn failed(why: &str) -> Response {
    let told = Json(json!({"error": {"message": why}}));
    (StatusCode::INTERNAL_SERVER_ERROR, told).into_response()
}
