//! Doors for tests over HTTP: the log, the rows, a fresh start, faults on demand.
//!
//! INVARIANT: they stand at an address of their own. Whoever may call a service reaches none of
//! them through it, and everything that does reach the service stands in its log.

use super::call::{CallLog, ServiceCall};
use super::fault::Fault;
use super::service::Desk;
use crate::room::Room;
use crate::served::Served;
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

type Desks = State<Room<Desk>>;

/// Closed with this handle.
pub struct Doors(Served);

impl Doors {
    pub(super) async fn to_desk(port: u16, room: Room<Desk>) -> io::Result<Self> {
        let app = Router::new()
            .route("/log", get(log))
            .route("/rows/{table}", get(rows))
            .route("/reset", post(reset))
            .route("/expire", post(expire))
            .route("/fault", post(fault))
            .with_state(room);
        Served::on(port, app).await.map(Self)
    }
    pub(super) async fn to_log(port: u16, log: Room<CallLog>) -> io::Result<Self> {
        let app = Router::new().route("/log", get(visits)).with_state(log);
        Served::on(port, app).await.map(Self)
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.0.url()
    }
}

async fn log(State(room): Desks) -> Json<Vec<ServiceCall>> {
    Json(room.with(|desk| desk.log.all()))
}

async fn visits(State(log): State<Room<CallLog>>) -> Json<Vec<ServiceCall>> {
    Json(log.with(|log| log.all()))
}

async fn rows(State(room): Desks, Path(table): Path<String>) -> Json<Vec<Value>> {
    Json(room.with(|desk| desk.rows.table(&table).to_vec()))
}

async fn reset(State(room): Desks) -> StatusCode {
    room.with(Desk::reset);
    StatusCode::NO_CONTENT
}

async fn expire(State(room): Desks) -> StatusCode {
    room.with(|desk| desk.access.expire());
    StatusCode::NO_CONTENT
}

async fn fault(State(room): Desks, body: Bytes) -> Response {
    let told =
        |why: String| (StatusCode::BAD_REQUEST, Json(json!({ "error": why }))).into_response();
    let wanted = match serde_json::from_slice::<Fault>(&body) {
        Ok(wanted) => wanted,
        Err(error) => return told(error.to_string()),
    };
    match room.with(|desk| desk.faults.add(wanted)) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => told(error.to_string()),
    }
}
