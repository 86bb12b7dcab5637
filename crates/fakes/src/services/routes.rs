//! The routes of a service, made from its plan.

use super::{
    create::create,
    create_body::CreateError,
    middleware::{LOG_IN_PATH, log_and_authenticate, log_in},
    plan::{Create, List, Plan, Search, Single},
    rows::{FilterError, plain},
    service_state::ServiceState,
};
use crate::shared::Shared;
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

type Service = State<Shared<ServiceState>>;

pub fn routes(plan: &'static Plan, state: &Shared<ServiceState>) -> Router {
    let mut router = Router::new().route(LOG_IN_PATH, post(log_in)).fallback(no_such_path);
    for list in plan.lists {
        let answer = async move |State(state): Service,
                                 Query(query): Query<Vec<(String, String)>>| {
            listed(&state, list, &query)
        };
        router = router.route(list.path, get(answer));
    }
    for single in plan.singles {
        let answer =
            async move |State(state): Service, Path(id): Path<String>| found(&state, single, &id);
        router = router.route(&format!("{}/{{id}}", single.path), get(answer));
    }
    for search in plan.searches {
        let answer =
            async move |State(state): Service, body: Bytes| searched(&state, search, &body);
        router = router.route(search.path, post(answer));
    }
    for form in plan.creates {
        let answer = async move |State(state): Service, body: Bytes| created(&state, form, &body);
        router = router.route(form.path, post(answer));
    }
    let layer = middleware::from_fn_with_state(state.clone(), log_and_authenticate);
    router.layer(layer).with_state(state.clone())
}

fn listed(state: &Shared<ServiceState>, list: &List, query: &[(String, String)]) -> Response {
    let given = query.iter().map(|(name, value)| (name.as_str(), value.clone()));
    rows(state.with(|state| state.rows.select(list.table, list.filters, given)))
}

fn searched(state: &Shared<ServiceState>, search: &Search, body: &[u8]) -> Response {
    let Ok(Value::Object(wanted)) = serde_json::from_slice(body) else {
        return refused(StatusCode::BAD_REQUEST, "the body is a JSON object");
    };
    let mut given = Vec::new();
    for (name, value) in &wanted {
        match plain(value) {
            Some(text) => given.push((name.as_str(), text)),
            None => {
                let why = format!("`{name}` is a text, a number, `true` or `false`");
                return refused(StatusCode::BAD_REQUEST, &why);
            }
        }
    }
    rows(state.with(|state| state.rows.select(search.table, search.filters, given)))
}

fn rows(selected: Result<Vec<Value>, FilterError>) -> Response {
    match selected {
        Ok(rows) => Json(rows).into_response(),
        Err(error) => refused(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

fn found(state: &Shared<ServiceState>, single: &Single, id: &str) -> Response {
    match state.with(|state| state.rows.one(single.table, id).cloned()) {
        Some(row) => Json(row).into_response(),
        None => refused(StatusCode::NOT_FOUND, "no such row"),
    }
}

fn created(state: &Shared<ServiceState>, form: &Create, body: &[u8]) -> Response {
    let Ok(wanted) = serde_json::from_slice::<Value>(body) else {
        return refused(StatusCode::BAD_REQUEST, &CreateError::NotAnObject.to_string());
    };
    match state.with(|state| create(form, &mut state.rows, &wanted)) {
        Ok(row) => (StatusCode::CREATED, Json(row)).into_response(),
        Err(error) => refused(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
    }
}

async fn no_such_path() -> Response {
    refused(StatusCode::NOT_FOUND, "no such path")
}

fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
