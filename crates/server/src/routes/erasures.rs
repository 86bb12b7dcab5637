//! Erasure of texts and salts: an administrator's act, with a reason.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        erasure::{EraseTexts, ErasedView, ErasureList, ErasureView},
        text::prose,
    },
    problem::{Problem, ProblemCode},
    request::payload::Payload,
};
use axum::Json;
use wiiiv_domain::{HALT_REASON_CHARS_MAX, Timestamp};
use wiiiv_store::ErasureScope;

/// Erases the texts and salts of a project's or a person's conversations at rest, with their plans: journals, plans,
/// opinions, outputs and previews, for good; the memory and the profiles of that project or person, with their
/// history; and its documents. Digests, codes and audit records stay, and verify as before.
#[utoipa::path(post, path = "/erasures", tag = "audit", request_body = EraseTexts, responses(
    (status = 200, body = ErasedView),
))]
pub(crate) async fn erase_texts(
    caller: Caller,
    payload: Payload<EraseTexts>,
) -> Result<Json<ErasedView>, Problem> {
    caller.administer(rules::ERASE_TEXTS).await?;
    let EraseTexts { project, user, before, reason } = payload.read()?;
    let store = caller.state.store();
    let scope = match (project, user) {
        (Some(project), None) => {
            let known = store.project(project.into()).await?.ok_or(ProblemCode::NotFound)?;
            ErasureScope::Project(known.id)
        }
        (None, Some(user)) => {
            let known = store.user(user.into()).await?.ok_or(ProblemCode::NotFound)?;
            ErasureScope::Person(known.id)
        }
        (Some(_), Some(_)) => {
            return Err(Problem::field("project", "give `project` or `user`, not both"));
        }
        (None, None) => return Err(Problem::field("project", "missing")),
    };
    let day = |text: String| Timestamp::of_utc_day(&text);
    let before = before.map(day).transpose();
    let before = before.map_err(|_| {
        Problem::field("before", "a day of the calendar is written like `2026-01-31`")
    })?;
    let reason = prose("reason", &reason, HALT_REASON_CHARS_MAX, true)?;
    // Asked anew: the body may have come long after the rights were looked at.
    let who = caller.administer(rules::ERASE_TEXTS).await?;
    let documents = caller.state.governor().documents();
    let erased = documents.erase_texts(&who, scope, before, reason).await?;
    let names = caller.state.names().of(store, [who.user()]).await?;
    let name = names.get(&who.user()).map(ToString::to_string);
    Ok(Json(ErasedView::of(erased, name)))
}

/// Newest first, at most 100.
#[utoipa::path(get, path = "/erasures", tag = "audit", responses(
    (status = 200, body = ErasureList),
))]
pub(crate) async fn list_erasures(caller: Caller) -> Result<Json<ErasureList>, Problem> {
    caller.administer(rules::LIST_ERASURES).await?;
    let store = caller.state.store();
    let found = store.erasures().await?;
    let names = caller.state.names().of(store, found.iter().map(|erasure| erasure.by)).await?;
    let view = |erasure: wiiiv_store::Erasure| {
        let name = names.get(&erasure.by).map(ToString::to_string);
        ErasureView::of(erasure, name)
    };
    Ok(Json(ErasureList { items: found.into_iter().map(view).collect() }))
}
