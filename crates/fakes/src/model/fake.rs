//! A model server with one mode for all requests.

use super::{answer::respond, mode::ModelMode, open_streams::OpenStreams, personas::Addressee};
use crate::loopback::{LoopbackServer, header_text};
use crate::shared::Shared;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::post,
};
use serde_json::Value;
use std::{collections::BTreeMap, io};

/// Calls that are kept unless a test says otherwise; later ones are only counted.
const CALLS_MAX: usize = 10_000;

#[derive(Debug, Clone)]
pub struct ModelCall {
    pub body: Value,
    pub authorization: Option<String>,
}

struct FakeModelState {
    mode: ModelMode,
    calls: Vec<ModelCall>,
    calls_max: usize,
    answered: usize,
    /// Of those, the ones of each addressee.
    each: BTreeMap<Addressee, usize>,
    streams: OpenStreams,
}

pub struct FakeModel {
    server: LoopbackServer,
    state: Shared<FakeModelState>,
}

impl FakeModel {
    pub async fn spawn(mode: ModelMode) -> io::Result<Self> {
        Self::spawn_at(0, mode).await
    }
    /// At a given port, so that a server which was dropped can come back there.
    pub async fn spawn_at(port: u16, mode: ModelMode) -> io::Result<Self> {
        let streams = OpenStreams::default();
        let calls = Vec::new();
        let (each, calls_max) = (BTreeMap::new(), CALLS_MAX);
        let state = FakeModelState { mode, calls, calls_max, answered: 0, each, streams };
        let state = Shared::new(state);
        let app =
            Router::new().route("/v1/chat/completions", post(complete)).with_state(state.clone());
        Ok(Self { server: LoopbackServer::start(port, app).await?, state })
    }
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.server.address().port()
    }
    /// What a policy names as `llmBaseUrl`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.server.url())
    }
    /// Scheme, host and port: what an administrator approves.
    #[must_use]
    pub fn origin(&self) -> String {
        self.server.url()
    }
    pub fn set_mode(&self, mode: ModelMode) {
        self.state.with(|state| {
            state.mode = mode;
            state.answered = 0;
            state.each.clear();
        });
    }
    #[must_use]
    pub fn calls(&self) -> Vec<ModelCall> {
        self.state.with(|state| state.calls.clone())
    }
    /// Keeps at most this many calls from now on. A benchmark keeps none.
    pub fn keep_calls(&self, max: usize) {
        self.state.with(|state| {
            state.calls_max = max;
            state.calls.truncate(max);
        });
    }
    /// Requests since the mode was set.
    #[must_use]
    pub fn answered(&self) -> usize {
        self.state.with(|state| state.answered)
    }
    /// Answers that have no end and whose client still waits.
    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.state.with(|state| state.streams.count())
    }
}

async fn complete(
    State(state): State<Shared<FakeModelState>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let authorization = header_text(&headers, "authorization").map(str::to_owned);
    let (mode, nth, streams) = state.with(|state| {
        if state.calls.len() < state.calls_max {
            state.calls.push(ModelCall { body: request.clone(), authorization });
        }
        state.answered += 1;
        let (mode, nth) = match &state.mode {
            ModelMode::Personas(personas) => {
                let addressee = Addressee::of(&request);
                let nth = state.each.entry(addressee).or_default();
                *nth += 1;
                (personas.as_ref().clone().mode(addressee), *nth)
            }
            mode => (mode.clone(), state.answered),
        };
        (mode, nth, state.streams.clone())
    });
    respond(mode, nth, &request, &streams).await
}
