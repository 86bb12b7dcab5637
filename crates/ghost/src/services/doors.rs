//! Doors for tests over HTTP: the log, the rows, a fresh start, faults on demand.

use super::call::ServiceCall;
use super::fault::Fault;
use super::service::Desk;
use crate::room::Room;
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

type Desks = State<Room<Desk>>;

pub fn doors(room: Room<Desk>) -> Router {
    Router::new()
        .route("/__log", get(log))
        .route("/__rows/{table}", get(rows))
        .route("/__reset", post(reset))
        .route("/__expire", post(expire))
        .route("/__fault", post(fault))
        .with_state(room)
}

async fn log(State(room): Desks) -> Json<Vec<ServiceCall>> {
    Json(room.with(|desk| desk.log.all()))
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
