//! Conversations: begin, list, read, and their buttons.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        session::{
            ControlAction, ControlledTurn, CreateSession, PatchSession, PostControl, SessionView,
            SessionsQuery, StateView,
        },
        text::prose,
    },
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        page::{Page, PageQuery},
        payload::Payload,
        query::{Params, searched},
    },
    state::{AppState, now},
    view::{halts::halts_over, risk::risk_of},
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use std::sync::Arc;
use wiiiv_domain::{ProjectId, Recall, SessionId, StateName};
use wiiiv_gate::Principal;
use wiiiv_governor::{Control, SessionView as Standing};
use wiiiv_store::{SessionChange, SessionFilter, SessionRow, SessionsFound, TITLE_CHARS_MAX};

/// The session, for who may see it; when it was last active is [`view`]'s to say.
pub(crate) async fn own(
    caller: &Caller,
    id: SessionId,
    rule: &rules::Rule,
) -> Result<(Arc<SessionRow>, Principal), Problem> {
    let row = caller.state.store().conversation(id).await?.filter(|row| !row.removed);
    let row = row.ok_or(ProblemCode::NotFound)?;
    let who = caller.converse(&row, rule).await?;
    Ok((row, who))
}

/// The session, for who began it and for the roles of the rule.
pub(crate) async fn overseen(
    caller: &Caller,
    id: SessionId,
    rule: &rules::Rule,
) -> Result<(Arc<SessionRow>, Principal), Problem> {
    let row = caller.state.store().conversation(id).await?.filter(|row| !row.removed);
    let row = row.ok_or(ProblemCode::NotFound)?;
    let who = caller.judge((row.project, row.owner), rule).await?;
    Ok((row, who))
}

/// Begins a conversation, which stays in this project for life.
#[utoipa::path(post, path = "/projects/{id}/sessions", tag = "sessions",
    params(("id" = Uuid, Path)), request_body = CreateSession, responses(
    (status = 201, body = SessionView),
))]
pub(crate) async fn create_session(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<CreateSession>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::CREATE_SESSION).await?;
    let title = prose("title", &payload.read()?.title, TITLE_CHARS_MAX, false)?;
    let row = caller.state.store().create_session(id, who.user(), &title, now()).await?;
    let location = format!("/api/v2/sessions/{}", row.id);
    let view = SessionView::of(row, None, false);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(view)).into_response())
}

/// The caller's own, newest activity first.
#[utoipa::path(get, path = "/projects/{id}/sessions", tag = "sessions",
    params(("id" = Uuid, Path), SessionsQuery), responses(
    (status = 200, body = Page<SessionView>),
))]
pub(crate) async fn list_sessions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<SessionsQuery>,
) -> Result<Response, Problem> {
    let state = &caller.state;
    let who = caller.enter(id, rules::LIST_SESSIONS).await?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let text = searched(query.q.as_deref())?;
    let filter = SessionFilter {
        project: id,
        owner: who.user(),
        text,
        pinned: query.pinned,
        before: page.after()?,
        limit: page.rows()?,
    };
    let SessionsFound { rows, rest } = state.store().sessions(&filter).await?;
    let ids: Vec<SessionId> = rows.iter().map(|row| row.id).collect();
    let waiting = state.store().waiting_sessions(&ids).await?;
    let mut seen = Vec::new();
    for row in rows {
        let first = state.store().first_message(&row).await?;
        seen.push((row, first));
    }
    let cursor = |(row, _): &(SessionRow, _)| row.activity().to_string();
    let item = |(row, first): (SessionRow, _)| {
        let waits = waiting.contains(&row.id);
        SessionView::of(row, first, waits)
    };
    let page = Page::of(seen, page.limit()?, cursor, item);
    Ok(page.going_on_at(rest.map(|at| at.to_string())).answer(&uri))
}

/// One conversation.
#[utoipa::path(get, path = "/sessions/{id}", tag = "sessions", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = SessionView),
))]
pub(crate) async fn get_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<Json<SessionView>, Problem> {
    let (row, _) = own(&caller, id, rules::GET_SESSION).await?;
    let halts = Some(halts_over(&caller, row.project, Some(id)).await?);
    let risk = Some(risk_of(&caller, id).await?);
    Ok(Json(SessionView { halts, risk, ..view(&caller.state, id).await? }))
}

async fn view(state: &AppState, id: SessionId) -> Result<SessionView, Problem> {
    let row = state.store().session(id).await?.ok_or(ProblemCode::NotFound)?;
    let first = state.store().first_message(&row).await?;
    let waiting = state.store().waiting_sessions(&[row.id]).await?;
    let waits = waiting.contains(&row.id);
    Ok(SessionView::of(row, first, waits))
}

/// Names or pins a conversation; what is left out stays as it is.
#[utoipa::path(patch, path = "/sessions/{id}", tag = "sessions", params(("id" = Uuid, Path)),
    request_body = PatchSession, responses(
    (status = 200, body = SessionView),
))]
pub(crate) async fn patch_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    payload: Payload<PatchSession>,
) -> Result<Json<SessionView>, Problem> {
    own(&caller, id, rules::PATCH_SESSION).await?;
    let PatchSession { title, pinned } = payload.read()?;
    let title = title.map(|title| prose("title", &title, TITLE_CHARS_MAX, false)).transpose()?;
    let change = SessionChange { title, pinned, removed: false };
    caller.state.store().change_session(id, change, now()).await?;
    view(&caller.state, id).await.map(Json)
}

/// Removes a conversation from its owner's lists. What waits in it is given up first; while a run of
/// it goes on or waits for a person's word, or a message waits for its turn, it stays. Runs, plans
/// and audit records stay as they are.
#[utoipa::path(delete, path = "/sessions/{id}", tag = "sessions", params(("id" = Uuid, Path)),
    responses(
    (status = 204),
))]
pub(crate) async fn delete_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<StatusCode, Problem> {
    let (_, who) = own(&caller, id, rules::DELETE_SESSION).await?;
    give_up(&caller.state, &who, id).await?;
    let change = SessionChange { removed: true, ..SessionChange::default() };
    caller.state.store().change_session(id, change, now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whatever waits in it; refused where something is at work that a reset does not end.
async fn give_up(state: &AppState, who: &Principal, id: SessionId) -> Result<(), Problem> {
    let standing = state.governor().state(id).await?;
    let commits = matches!(standing.state, StateName::Authorizing | StateName::Running);
    if commits || standing.queued > 0 || runs(state, id).await? {
        return Err(ProblemCode::SessionBusy.into());
    }
    if is_at_rest(&standing) {
        return Ok(());
    }
    state.governor().control(who, id, Control::Reset).await?;
    // A decision or a message may have come in between.
    let left = state.governor().state(id).await?;
    if is_at_rest(&left) && !runs(state, id).await? {
        Ok(())
    } else {
        Err(ProblemCode::SessionBusy.into())
    }
}

fn is_at_rest(standing: &Standing) -> bool {
    let waits = standing.queued > 0 || !standing.suspended.is_empty();
    standing.state == StateName::Listening && !waits
}

async fn runs(state: &AppState, id: SessionId) -> Result<bool, Problem> {
    Ok(!state.store().unfinished_executions(id).await?.is_empty())
}

/// What it is doing now.
#[utoipa::path(get, path = "/sessions/{id}/state", tag = "sessions", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = StateView),
))]
pub(crate) async fn session_state(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<Json<StateView>, Problem> {
    own(&caller, id, rules::SESSION_STATE).await?;
    let next = caller.state.store().next_seq(id).await?;
    let view = caller.state.governor().state(id).await?;
    Ok(Json(StateView::of(view, next.saturating_sub(1))))
}

/// A button of the conversation; cancel and reset do not wait for the turn in progress.
#[utoipa::path(post, path = "/sessions/{id}/control", tag = "sessions",
    params(("id" = Uuid, Path)), request_body = PostControl, responses(
    (status = 202, body = ControlledTurn),
))]
pub(crate) async fn control_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    payload: Payload<PostControl>,
) -> Result<(StatusCode, Json<ControlledTurn>), Problem> {
    let (_, who) = own(&caller, id, rules::CONTROL_SESSION).await?;
    let PostControl { action, task } = payload.read()?;
    let control = match (action, task) {
        (ControlAction::Cancel, None) => Control::Cancel,
        (ControlAction::Reset, None) => Control::Reset,
        (ControlAction::Why, None) => Control::Recall(Recall::Why),
        (ControlAction::Again, None) => Control::Recall(Recall::Again),
        (ControlAction::ListFiles, None) => Control::Recall(Recall::ListFiles),
        (ControlAction::ShowSaved, None) => Control::Recall(Recall::ShowSaved),
        (ControlAction::Switch, Some(task)) => Control::Switch(task.into()),
        (ControlAction::Switch, None) => return Err(Problem::field("task", "missing")),
        (_, Some(_)) => {
            return Err(Problem::field("task", "goes with `switch` alone"));
        }
    };
    let turn = caller.state.governor().control(&who, id, control).await?;
    Ok((StatusCode::ACCEPTED, Json(ControlledTurn { turn: turn.uuid() })))
}
