//! The service's own work, route by route, as its plan has it.

use super::create::{Create, CreateError};
use super::gate::{LOG_IN, gate, log_in};
use super::plan::{List, Plan, Search, Single};
use super::rows::{FilterError, plain};
use super::service::Desk;
use crate::room::Room;
use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

type Desks = State<Room<Desk>>;

pub fn calls(plan: &'static Plan, room: &Room<Desk>) -> Router {
    let mut router = Router::new().route(LOG_IN, post(log_in)).fallback(nothing);
    for list in plan.lists {
        let answer = async move |State(room): Desks, Query(query): Query<Vec<(String, String)>>| {
            listed(&room, list, &query)
        };
        router = router.route(list.path, get(answer));
    }
    for single in plan.singles {
        let answer =
            async move |State(room): Desks, Path(id): Path<String>| found(&room, single, &id);
        router = router.route(&format!("{}/{{id}}", single.path), get(answer));
    }
    for search in plan.searches {
        let answer = async move |State(room): Desks, body: Bytes| searched(&room, search, &body);
        router = router.route(search.path, post(answer));
    }
    for create in plan.creates {
        let answer = async move |State(room): Desks, body: Bytes| created(&room, create, &body);
        router = router.route(create.path, post(answer));
    }
    router.layer(middleware::from_fn_with_state(room.clone(), gate)).with_state(room.clone())
}

fn listed(room: &Room<Desk>, list: &List, query: &[(String, String)]) -> Response {
    let given = query.iter().map(|(name, value)| (name.as_str(), value.clone()));
    rows(room.with(|desk| desk.rows.select(list.table, list.filters, given)))
}

fn searched(room: &Room<Desk>, search: &Search, body: &[u8]) -> Response {
    let Ok(Value::Object(wanted)) = serde_json::from_slice(body) else {
        return refused(StatusCode::BAD_REQUEST, "the body is a JSON object");
    };
    let mut given = Vec::new();
    for (name, value) in &wanted {
        match plain(value) {
            Some(text) => given.push((name.as_str(), text)),
            None => {
                let told = format!("`{name}` is a text, a number, `true` or `false`");
                return refused(StatusCode::BAD_REQUEST, &told);
            }
        }
    }
    rows(room.with(|desk| desk.rows.select(search.table, search.filters, given)))
}

fn rows(selected: Result<Vec<Value>, FilterError>) -> Response {
    match selected {
        Ok(rows) => Json(rows).into_response(),
        Err(error) => refused(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

fn found(room: &Room<Desk>, single: &Single, id: &str) -> Response {
    match room.with(|desk| desk.rows.one(single.table, id).cloned()) {
        Some(row) => Json(row).into_response(),
        None => refused(StatusCode::NOT_FOUND, "no such row"),
    }
}

fn created(room: &Room<Desk>, create: &Create, body: &[u8]) -> Response {
    let Ok(wanted) = serde_json::from_slice::<Value>(body) else {
        return refused(StatusCode::BAD_REQUEST, &CreateError::NotAnObject.to_string());
    };
    match room.with(|desk| create.perform(&mut desk.rows, &wanted)) {
        Ok(row) => (StatusCode::CREATED, Json(row)).into_response(),
        Err(error) => refused(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
    }
}

async fn nothing() -> Response {
    refused(StatusCode::NOT_FOUND, "no such path")
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
