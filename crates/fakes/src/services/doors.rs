//! Doors for tests over HTTP: the log, the rows, a fresh start, faults on demand.
//!
//! INVARIANT: doors have an address of their own. A client of the service reaches none of them
//! through the service, and every call that reaches the service is in its log.

use super::{
    call::{CallLog, ServiceCall},
    fault::Fault,
    service_state::ServiceState,
};
use crate::{loopback::LoopbackServer, shared::Shared};
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use std::io;

type Service = State<Shared<ServiceState>>;

/// The doors end with this handle.
pub struct Doors(LoopbackServer);

impl Doors {
    pub(super) async fn to_service(port: u16, state: Shared<ServiceState>) -> io::Result<Self> {
        let app = Router::new()
            .route("/log", get(log))
            .route("/rows/{table}", get(rows))
            .route("/reset", post(reset))
            .route("/expire", post(expire))
            .route("/fault", post(fault))
            .with_state(state);
        LoopbackServer::start(port, app).await.map(Self)
    }
    pub(super) async fn to_log(port: u16, log: Shared<CallLog>) -> io::Result<Self> {
        let app = Router::new().route("/log", get(site_log)).with_state(log);
        LoopbackServer::start(port, app).await.map(Self)
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.0.url()
    }
}

async fn log(State(state): Service) -> Json<Vec<ServiceCall>> {
    Json(state.with(|state| state.log.all()))
}

async fn site_log(State(log): State<Shared<CallLog>>) -> Json<Vec<ServiceCall>> {
    Json(log.with(|log| log.all()))
}

async fn rows(State(state): Service, Path(table): Path<String>) -> Json<Vec<Value>> {
    Json(state.with(|state| state.rows.table(&table).to_vec()))
}

async fn reset(State(state): Service) -> StatusCode {
    state.with(ServiceState::reset);
    StatusCode::NO_CONTENT
}

async fn expire(State(state): Service) -> StatusCode {
    state.with(|state| state.access.expire());
    StatusCode::NO_CONTENT
}

async fn fault(State(state): Service, body: Bytes) -> Response {
    let refused =
        |why: String| (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response();
    let wanted = match serde_json::from_slice::<Fault>(&body) {
        Ok(wanted) => wanted,
        Err(error) => return refused(error.to_string()),
    };
    match state.with(|state| state.faults.add(wanted)) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => refused(error.to_string()),
    }
}
