//! The kill switch: a conversation, a project or the server is halted and resumed.

use crate::{
    access::{
        authorization::{self as rules, Rule},
        caller::Caller,
    },
    dto::{
        halt::{HaltList, HaltReason, HaltView},
        text::label,
    },
    problem::{Problem, ProblemCode},
    request::{address::IdPath, payload::Payload},
    view::halts::halt_views,
};
use axum::{Json, http::StatusCode};
use wiiiv_domain::{HALT_REASON_CHARS_MAX, HaltScope, ProjectId, SessionId};
use wiiiv_gate::Principal;

/// What is halted of what concerns the caller: the server, projects, and conversations of the caller's
/// own or in projects of theirs; for an administrator all. At most 100.
#[utoipa::path(get, path = "/halts", tag = "halts", responses((status = 200, body = HaltList)))]
pub(crate) async fn list_halts(caller: Caller) -> Result<Json<HaltList>, Problem> {
    let administrates = caller.account.rights().may_halt();
    let halts = caller.state.store().halts_concerning(caller.user(), administrates).await?;
    Ok(Json(HaltList { items: halt_views(&caller, halts).await? }))
}

/// Halts a conversation: nothing new begins in it, and what is in flight is stopped.
#[utoipa::path(post, path = "/sessions/{id}/halt", tag = "halts", params(("id" = Uuid, Path)),
    request_body = HaltReason, responses(
    (status = 200, body = HaltView),
))]
pub(crate) async fn halt_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    payload: Payload<HaltReason>,
) -> Result<Json<HaltView>, Problem> {
    let (scope, who) = session(&caller, id, rules::HALT_SESSION).await?;
    halt(&caller, &who, scope, &payload).await
}

/// Lets a conversation go on. Nothing in it begins by itself. What somebody else halted, its owner does
/// not resume.
#[utoipa::path(post, path = "/sessions/{id}/resume", tag = "halts", params(("id" = Uuid, Path)),
    request_body = HaltReason, responses(
    (status = 204),
))]
pub(crate) async fn resume_session(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    payload: Payload<HaltReason>,
) -> Result<StatusCode, Problem> {
    let (scope, who) = session(&caller, id, rules::RESUME_SESSION).await?;
    resume(&caller, &who, scope, &payload).await
}

/// Halts every conversation of a project.
#[utoipa::path(post, path = "/projects/{id}/halt", tag = "halts", params(("id" = Uuid, Path)),
    request_body = HaltReason, responses(
    (status = 200, body = HaltView),
))]
pub(crate) async fn halt_project(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<HaltReason>,
) -> Result<Json<HaltView>, Problem> {
    let who = project(&caller, id, rules::HALT_PROJECT).await?;
    halt(&caller, &who, HaltScope::Project(id), &payload).await
}

/// Lets a project go on. Nothing in it begins by itself.
#[utoipa::path(post, path = "/projects/{id}/resume", tag = "halts", params(("id" = Uuid, Path)),
    request_body = HaltReason, responses(
    (status = 204),
))]
pub(crate) async fn resume_project(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<HaltReason>,
) -> Result<StatusCode, Problem> {
    let who = project(&caller, id, rules::RESUME_PROJECT).await?;
    resume(&caller, &who, HaltScope::Project(id), &payload).await
}

/// Halts everything on this server. It stays halted over a restart.
#[utoipa::path(post, path = "/server/halt", tag = "halts", request_body = HaltReason, responses(
    (status = 200, body = HaltView),
))]
pub(crate) async fn halt_server(
    caller: Caller,
    payload: Payload<HaltReason>,
) -> Result<Json<HaltView>, Problem> {
    let who = caller.administer(rules::HALT_SERVER).await?;
    halt(&caller, &who, HaltScope::Server, &payload).await
}

/// Lets the server go on. Nothing on it begins by itself.
#[utoipa::path(post, path = "/server/resume", tag = "halts", request_body = HaltReason, responses(
    (status = 204),
))]
pub(crate) async fn resume_server(
    caller: Caller,
    payload: Payload<HaltReason>,
) -> Result<StatusCode, Problem> {
    let who = caller.administer(rules::RESUME_SERVER).await?;
    resume(&caller, &who, HaltScope::Server, &payload).await
}

/// To whoever may not stop it, it is not there.
async fn session(
    caller: &Caller,
    id: SessionId,
    rule: &Rule,
) -> Result<(HaltScope, Principal), Problem> {
    let row = caller.state.store().conversation(id).await?.filter(|row| !row.removed);
    let row = row.ok_or(ProblemCode::NotFound)?;
    let who = caller.judge((row.project, row.owner), rule).await?;
    Ok((HaltScope::Session { project: row.project, session: id }, who))
}

/// An administrator has that role in a project that is not there too.
async fn project(caller: &Caller, id: ProjectId, rule: &Rule) -> Result<Principal, Problem> {
    let who = caller.enter(id, rule).await?;
    caller.state.store().project(id).await?.ok_or(ProblemCode::NotFound)?;
    Ok(who)
}

fn reason(payload: &Payload<HaltReason>) -> Result<String, Problem> {
    label("reason", &payload.read()?.reason, HALT_REASON_CHARS_MAX)
}

async fn halt(
    caller: &Caller,
    who: &Principal,
    scope: HaltScope,
    payload: &Payload<HaltReason>,
) -> Result<Json<HaltView>, Problem> {
    let reason = reason(payload)?;
    let halt = caller.state.governor().halts().halt(who, scope, &reason).await?;
    let view = halt_views(caller, vec![halt]).await?.pop();
    view.map(Json).ok_or_else(|| ProblemCode::Internal.into())
}

async fn resume(
    caller: &Caller,
    who: &Principal,
    scope: HaltScope,
    payload: &Payload<HaltReason>,
) -> Result<StatusCode, Problem> {
    let reason = reason(payload)?;
    caller.state.governor().halts().resume(who, scope, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
