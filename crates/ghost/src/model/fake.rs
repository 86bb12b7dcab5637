//! A model server of one mode.

use super::answer::{OpenStreams, respond};
use super::mode::ModelMode;
use crate::room::Room;
use crate::served::Served;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::Value;
use std::io;

const CALLS_MAX: usize = 10_000;

#[derive(Debug, Clone)]
pub struct ModelCall {
    pub body: Value,
    pub authorization: Option<String>,
}

struct Desk {
    mode: ModelMode,
    calls: Vec<ModelCall>,
    calls_max: usize,
    answered: usize,
    streams: OpenStreams,
}

pub struct FakeModel {
    served: Served,
    room: Room<Desk>,
}

impl FakeModel {
    pub async fn spawn(mode: ModelMode) -> io::Result<Self> {
        Self::spawn_at(0, mode).await
    }
    /// At this very port: a server that has died comes back there.
    pub async fn spawn_at(port: u16, mode: ModelMode) -> io::Result<Self> {
        let streams = OpenStreams::default();
        let room =
            Room::of(Desk { mode, calls: Vec::new(), calls_max: CALLS_MAX, answered: 0, streams });
        let app =
            Router::new().route("/v1/chat/completions", post(complete)).with_state(room.clone());
        Ok(Self { served: Served::on(port, app).await?, room })
    }
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.served.address().port()
    }
    /// What a policy names as `llmBaseUrl`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.served.url())
    }
    /// Scheme, host and port: what an administrator approves.
    #[must_use]
    pub fn origin(&self) -> String {
        self.served.url()
    }
    pub fn set_mode(&self, mode: ModelMode) {
        self.room.with(|desk| {
            desk.mode = mode;
            desk.answered = 0;
        });
    }
    #[must_use]
    pub fn calls(&self) -> Vec<ModelCall> {
        self.room.with(|desk| desk.calls.clone())
    }
    /// Keeps at most this many calls from now on. A benchmark keeps none.
    pub fn keep_calls(&self, max: usize) {
        self.room.with(|desk| {
            desk.calls_max = max;
            desk.calls.truncate(max);
        });
    }
    /// Requests since the mode was set.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.room.with(|desk| desk.answered)
    }
    /// Answers that have no end, and that somebody still waits for.
    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.room.with(|desk| desk.streams.count())
    }
}

async fn complete(State(room): State<Room<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    let Ok(asked) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let authorization = headers.get(header::AUTHORIZATION);
    let authorization = authorization.and_then(|key| Some(key.to_str().ok()?.to_owned()));
    let (mode, nth, streams) = room.with(|desk| {
        if desk.calls.len() < desk.calls_max {
            desk.calls.push(ModelCall { body: asked.clone(), authorization });
        }
        desk.answered += 1;
        (desk.mode.clone(), desk.answered, desk.streams.clone())
    });
    respond(mode, nth, &asked, &streams).await
}
