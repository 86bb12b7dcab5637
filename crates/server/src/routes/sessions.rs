//! Conversations: begin, list, look, and the buttons beside them.

use crate::{
    address::IdPath,
    authorization::{
        CONTROL_SESSION, CREATE_SESSION, GET_SESSION, LIST_SESSIONS, Rule, SESSION_STATE,
    },
    caller::Caller,
    dto::{
        problem::ProblemBody,
        session::{
            ControlAction, ControlledTurn, CreateSession, PostControl, SessionView, SessionsQuery,
            StateView,
        },
        text::prose,
    },
    limits::SEARCH_CHARS_MAX,
    page::Page,
    payload::Payload,
    problem::{Problem, ProblemCode},
    query::Params,
    state::{AppState, now},
};
use axum::{
    Json,
    extract::{OriginalUri, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{ProjectId, SessionId};
use wiiiv_gate::Principal;
use wiiiv_governor::Control;
use wiiiv_store::{SessionFilter, SessionRow, SessionsFound, TITLE_CHARS_MAX};

/// The session, for who may see it.
pub(crate) async fn own(
    state: &AppState,
    caller: &Caller,
    id: SessionId,
    rule: &Rule,
) -> Result<(SessionRow, Principal), Problem> {
    let row = state.store().session(id).await?.ok_or(ProblemCode::NotFound)?;
    let who = caller.converse(&row, rule).await?;
    Ok((row, who))
}

/// Begins a conversation, which stays in this project for life.
#[utoipa::path(post, path = "/projects/{id}/sessions", tag = "sessions",
    params(("id" = Uuid, Path)), request_body = CreateSession, responses(
    (status = 201, body = SessionView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn create_session(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<CreateSession>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, CREATE_SESSION).await?;
    let title = prose("title", &payload.read()?.title, TITLE_CHARS_MAX, false)?;
    let row = state.store().create_session(id, who.user(), &title, now()).await?;
    let location = format!("/api/v2/sessions/{}", row.id);
    let view = SessionView::of(row, None);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(view)).into_response())
}

/// The caller's own, newest activity first.
#[utoipa::path(get, path = "/projects/{id}/sessions", tag = "sessions",
    params(("id" = Uuid, Path), SessionsQuery), responses(
    (status = 200, body = Page<SessionView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_sessions(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<SessionsQuery>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, LIST_SESSIONS).await?;
    let page = query.page();
    let text = query.q.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if text.is_some_and(|text| text.chars().count() > SEARCH_CHARS_MAX) {
        return Err(Problem::new(ProblemCode::InvalidQuery).with("parameter", "q"));
    }
    let filter = SessionFilter {
        project: id,
        owner: who.user(),
        text: text.map(str::to_owned),
        before: page.after()?,
        limit: page.rows()?,
    };
    let SessionsFound { rows, rest } = state.store().sessions(&filter).await?;
    let mut seen = Vec::new();
    for row in rows {
        let first = state.store().first_message(row.id).await?;
        seen.push((row, first));
    }
    let cursor = |(row, _): &(SessionRow, _)| row.activity().to_string();
    let page = Page::of(seen, page.limit()?, cursor, |(row, first)| SessionView::of(row, first));
    Ok(page.going_on_at(rest.map(|at| at.to_string())).answer(&uri))
}

/// One conversation.
#[utoipa::path(get, path = "/sessions/{id}", tag = "sessions", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = SessionView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn get_session(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<Json<SessionView>, Problem> {
    let (row, _) = own(&state, &caller, id, GET_SESSION).await?;
    let first = state.store().first_message(id).await?;
    Ok(Json(SessionView::of(row, first)))
}

/// What it is doing now.
#[utoipa::path(get, path = "/sessions/{id}/state", tag = "sessions", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = StateView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn session_state(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<Json<StateView>, Problem> {
    own(&state, &caller, id, SESSION_STATE).await?;
    let next = state.store().next_seq(id).await?;
    let view = state.governor().state(id).await?;
    Ok(Json(StateView::of(view, next.saturating_sub(1))))
}

/// Cancel, switch or reset; cancel and reset do not wait for the turn in progress.
#[utoipa::path(post, path = "/sessions/{id}/control", tag = "sessions",
    params(("id" = Uuid, Path)), request_body = PostControl, responses(
    (status = 202, body = ControlledTurn),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn control_session(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    payload: Payload<PostControl>,
) -> Result<(StatusCode, Json<ControlledTurn>), Problem> {
    let (_, who) = own(&state, &caller, id, CONTROL_SESSION).await?;
    let PostControl { action, task } = payload.read()?;
    let control = match (action, task) {
        (ControlAction::Cancel, None) => Control::Cancel,
        (ControlAction::Reset, None) => Control::Reset,
        (ControlAction::Switch, Some(task)) => Control::Switch(task.into()),
        (ControlAction::Switch, None) => return Err(Problem::field("task", "missing")),
        (ControlAction::Cancel | ControlAction::Reset, Some(_)) => {
            return Err(Problem::field("task", "goes with `switch` alone"));
        }
    };
    let turn = state.governor().control(&who, id, control).await?;
    Ok((StatusCode::ACCEPTED, Json(ControlledTurn { turn: turn.uuid() })))
}
