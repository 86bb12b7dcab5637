//! The caller's profile in a project: what they told of themselves, by the schema that its policy switches on. Somebody
//! else's has no address.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::profile::{ProfileSchemaView, ProfileVersionView, ProfileView, PutProfile, UndoProfile},
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath},
        etag::{etag, if_match},
        idempotency::KeptAnswer,
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::now,
    view::profile::with_changes,
};
use axum::{
    Extension, Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use std::sync::Arc;
use wiiiv_context::{keeps_secret, profile_schema};
use wiiiv_domain::{ProfileChange, ProfileEdit, ProfileName, ProfileSchema, ProjectId};
use wiiiv_gate::Principal;
use wiiiv_store::{ProfileAct, ProfileAuthor, ProfileOwner, ProfileRow};

/// Its version is the `ETag`: 0 where nothing was ever told, or the project has no profiles.
#[utoipa::path(get, path = "/projects/{id}/profile", tag = "profile", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn get_profile(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_PROFILE).await?;
    let (schema, row) = current(&caller, id).await?;
    Ok(answer(ProfileView::of(schema.as_deref(), row.as_ref(), &[], now())))
}

/// Changes slots, if it is still the version in `If-Match`: `"0"` where nothing was ever told. All of the changes are made
/// or none. What concerns safety, or contradicts what is there, waits for a yes instead, under `pending`. A value that holds a
/// key or a password is refused (`MEMORY_SECRET`).
#[utoipa::path(put, path = "/projects/{id}/profile", tag = "profile",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PutProfile,
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn put_profile(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<PutProfile>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PUT_PROFILE).await?;
    let expected = if_match(&headers)?;
    let changes = payload.read()?.changes()?;
    if changes.iter().any(keeps_secret) {
        return Err(ProblemCode::MemorySecret.into());
    }
    carried_out(&caller, &who, (ProfileAct::Change(changes), expected)).await
}

/// The caller's own here, by every schema, for good and with its history.
#[utoipa::path(delete, path = "/projects/{id}/profile", tag = "profile",
    params(("id" = Uuid, Path)), responses(
    (status = 204),
))]
pub(crate) async fn erase_profile(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<StatusCode, Problem> {
    let who = taker(&caller, id, rules::ERASE_PROFILE).await?;
    caller.state.store().erase_profile(ProfileAuthor::of(&who)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Clears one slot; what was there stays in the history. Of a slot of safety it waits for a yes.
#[utoipa::path(delete, path = "/projects/{id}/profile/slots/{slot}", tag = "profile",
    params(("id" = Uuid, Path), ("slot" = String, Path), ("If-Match" = String, Header)),
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn clear_profile_slot(
    caller: Caller,
    PairPath(id, slot): PairPath<ProjectId, ProfileName>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::CLEAR_PROFILE_SLOT).await?;
    let expected = if_match(&headers)?;
    let act = ProfileAct::Change(vec![ProfileChange { slot, edit: ProfileEdit::Clear }]);
    carried_out(&caller, &who, (act, expected)).await
}

/// A yes to a change that waits. What it contradicts, or takes back, goes. Whoever may tell nothing more says it to an undo that
/// goes back, and to nothing else. Sent again with its `Idempotency-Key` it answers the `ETag` alone.
#[utoipa::path(post, path = "/projects/{id}/profile/pending/{change}/accept", tag = "profile",
    params(("id" = Uuid, Path), ("change" = u64, Path), ("If-Match" = String, Header)),
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn accept_profile_change(
    caller: Caller,
    PairPath(id, change): PairPath<ProjectId, u64>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let who = taker(&caller, id, rules::ACCEPT_PROFILE_CHANGE).await?;
    let expected = if_match(&headers)?;
    carried_out(&caller, &who, (ProfileAct::Accept(change), expected)).await
}

/// A no to a change that waits. Sent again with its `Idempotency-Key` it answers the `ETag` alone.
#[utoipa::path(post, path = "/projects/{id}/profile/pending/{change}/drop", tag = "profile",
    params(("id" = Uuid, Path), ("change" = u64, Path), ("If-Match" = String, Header)),
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn drop_profile_change(
    caller: Caller,
    PairPath(id, change): PairPath<ProjectId, u64>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let who = taker(&caller, id, rules::DROP_PROFILE_CHANGE).await?;
    let expected = if_match(&headers)?;
    carried_out(&caller, &who, (ProfileAct::Drop(change), expected)).await
}

/// Brings the values of an older version back, as a new version. Those of slots of safety wait for a yes, as any change of
/// them does. Done once more it brings back what was undone. Sent again with its `Idempotency-Key` it answers the `ETag` alone.
#[utoipa::path(post, path = "/projects/{id}/profile/undo", tag = "profile",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = UndoProfile,
    responses(
    (status = 200, body = ProfileView, headers(("ETag" = String))),
))]
pub(crate) async fn undo_profile(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<UndoProfile>,
) -> Result<Response, Problem> {
    let who = taker(&caller, id, rules::UNDO_PROFILE).await?;
    let expected = if_match(&headers)?;
    let act = ProfileAct::Restore(payload.read()?.to);
    carried_out(&caller, &who, (act, expected)).await
}

/// Newest first, with what each changed; the newest 100 are kept.
#[utoipa::path(get, path = "/projects/{id}/profile/versions", tag = "profile",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<ProfileVersionView>),
))]
pub(crate) async fn list_profile_versions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_PROFILE_VERSIONS).await?;
    let (limit, store) = (query.limit()?, caller.state.store());
    let (before, rows) = (query.after()?, query.rows()?);
    let rows = match schema(&caller, id).await? {
        // The row behind the page is also what its last version is compared with.
        Some(schema) => store.profile_versions(&owner(&caller, id, &schema), before, rows).await?,
        None => Vec::new(),
    };
    let names = caller.state.names().of(store, rows.iter().map(|row| row.author)).await?;
    let page = Page::of(
        with_changes(rows),
        limit,
        |(row, _)| row.version.to_string(),
        |(row, changes)| {
            let name = names.get(&row.author).map(ToString::to_string);
            ProfileVersionView::of(&row, name, changes)
        },
    );
    Ok(page.answer(&uri))
}

/// As a file.
#[utoipa::path(get, path = "/projects/{id}/profile/export", tag = "profile",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = ProfileView),
))]
pub(crate) async fn export_profile(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::EXPORT_PROFILE).await?;
    let (schema, row) = current(&caller, id).await?;
    let view = ProfileView::of(schema.as_deref(), row.as_ref(), &[], now());
    let name = format!("attachment; filename=\"profile-{id}.json\"");
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(view)).into_response())
}

/// The schema of the project's profiles.
#[utoipa::path(get, path = "/projects/{id}/profile/schema", tag = "profile",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = ProfileSchemaView),
))]
pub(crate) async fn get_profile_schema(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<ProfileSchemaView>, Problem> {
    caller.enter(id, rules::GET_PROFILE_SCHEMA).await?;
    let schema = schema(&caller, id).await?.ok_or(ProblemCode::ProfileOff)?;
    Ok(Json(ProfileSchemaView::from(schema.as_ref())))
}

/// Whoever takes back what they told, which any member may; a token that only looks takes nothing back.
async fn taker(
    caller: &Caller,
    project: ProjectId,
    rule: &rules::Rule,
) -> Result<Principal, Problem> {
    let who = caller.enter(project, rule).await?;
    caller.change_account().await?;
    Ok(who)
}

/// As the policy in force has it.
async fn schema(caller: &Caller, id: ProjectId) -> Result<Option<Arc<ProfileSchema>>, Problem> {
    let recorded = caller.state.governor().policies().in_force(id).await?;
    let policy = recorded.body().document().general();
    Ok(policy.profile_schema.as_ref().and_then(profile_schema))
}

fn owner(caller: &Caller, project: ProjectId, schema: &ProfileSchema) -> ProfileOwner {
    ProfileOwner { person: caller.user(), project, schema: schema.name.clone() }
}

async fn current(
    caller: &Caller,
    id: ProjectId,
) -> Result<(Option<Arc<ProfileSchema>>, Option<ProfileRow>), Problem> {
    let Some(schema) = schema(caller, id).await? else { return Ok((None, None)) };
    let row = caller.state.store().profile(&owner(caller, id, &schema)).await?;
    Ok((Some(schema), row))
}

async fn carried_out(
    caller: &Caller,
    who: &Principal,
    (act, expected): (ProfileAct, u64),
) -> Result<Response, Problem> {
    let project = who.project().ok_or(ProblemCode::NotFound)?;
    let schema = schema(caller, project).await?.ok_or(ProblemCode::ProfileOff)?;
    let (store, author) = (caller.state.store(), ProfileAuthor::of(who));
    let changed = store.change_profile(author, Arc::clone(&schema), act, Some(expected)).await?;
    let (row, done) = (changed.row, changed.done);
    // What is sealed there must not lie in the clear until a key is forgotten: sent again, the version is the answer.
    let kept = KeptAnswer { status: StatusCode::OK, body: Value::Null };
    let view = ProfileView::of(Some(&schema), row.as_ref(), &done, now());
    Ok((Extension(kept), answer(view)).into_response())
}

fn answer(view: ProfileView) -> Response {
    (etag(view.version), Json(view)).into_response()
}
