//! Rights to approve that members of a project lend to others, for a time.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        delegation::{DelegationList, DelegationView, GiveDelegation, instant},
        text::label,
    },
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath},
        payload::Payload,
    },
    state::now,
};
use axum::{Json, http::StatusCode};
use wiiiv_domain::{DELEGATION_REASON_CHARS_MAX, DelegationId, ProjectId, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::{Delegation, NewDelegation};

/// What the caller lent and was lent; of an owner of the project, or an administrator, all. At most 100.
#[utoipa::path(get, path = "/projects/{id}/approval-delegations", tag = "approvals",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = DelegationList),
))]
pub(crate) async fn list_approval_delegations(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<DelegationList>, Problem> {
    let who = caller.enter(id, rules::LIST_APPROVAL_DELEGATIONS).await?;
    let rights = who.rights();
    let of = Some(who.user()).filter(|_| !(rights.owner || rights.admin));
    let found = caller.state.store().delegations(id, of).await?;
    Ok(Json(DelegationList { items: views(&caller, &who, &found).await? }))
}

/// Lends the caller's own right to approve in this project to another member. What was lent to the caller
/// cannot be lent on.
#[utoipa::path(post, path = "/projects/{id}/approval-delegations", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = GiveDelegation, responses(
    (status = 201, body = DelegationView),
))]
pub(crate) async fn give_approval_delegation(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<GiveDelegation>,
) -> Result<(StatusCode, Json<DelegationView>), Problem> {
    let who = caller.enter(id, rules::GIVE_APPROVAL_DELEGATION).await?;
    let GiveDelegation { to, from, until, reason } = payload.read()?;
    let from = from.map(|from| instant("from", &from)).transpose()?;
    let until = instant("until", &until)?;
    let reason = label("reason", &reason, DELEGATION_REASON_CHARS_MAX)?;
    let new = NewDelegation { to: to.into(), from, until, reason };
    let given = caller.state.governor().delegations().give(&who, id, new).await?;
    Ok((StatusCode::CREATED, Json(view(&caller, &who, given).await?)))
}

/// Ends it before its time: by either of the two, or by an owner of the project. To anybody else it is not
/// there.
#[utoipa::path(delete, path = "/projects/{id}/approval-delegations/{delegation}", tag = "approvals",
    params(("id" = Uuid, Path), ("delegation" = Uuid, Path)), responses(
    (status = 200, body = DelegationView),
))]
pub(crate) async fn end_approval_delegation(
    caller: Caller,
    PairPath(id, delegation): PairPath<ProjectId, DelegationId>,
) -> Result<Json<DelegationView>, Problem> {
    let who = caller.enter(id, rules::END_APPROVAL_DELEGATION).await?;
    // A delegate may have no other role than one to look.
    caller.change_account().await?;
    let ended = caller.state.governor().delegations().end(&who, id, delegation).await?;
    Ok(Json(view(&caller, &who, ended).await?))
}

async fn view(
    caller: &Caller,
    who: &Principal,
    one: Delegation,
) -> Result<DelegationView, Problem> {
    let view = views(caller, who, std::slice::from_ref(&one)).await?.pop();
    view.ok_or_else(|| ProblemCode::Internal.into())
}

async fn views(
    caller: &Caller,
    who: &Principal,
    found: &[Delegation],
) -> Result<Vec<DelegationView>, Problem> {
    let state = &caller.state;
    let people = found.iter().flat_map(|one| {
        [Some(one.delegator), Some(one.delegate), one.ended.map(|(by, _)| by)].into_iter().flatten()
    });
    let names = state.names().of(state.store(), people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let (now, owns) = (now(), who.rights().owner);
    let may_end = |one: &Delegation| owns || [one.delegator, one.delegate].contains(&who.user());
    let view = |one: &Delegation| DelegationView::of(one, now, may_end(one), &name);
    Ok(found.iter().map(view).collect())
}
