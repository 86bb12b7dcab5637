//! The inbox: open questions, and a person's answer to exactly one digest.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        approval::{
            AnswersFor, ApprovalDetail, ApprovalView, ApprovalsQuery, Approve, DecidedView,
            PreviewState, Reject, RevokeApproval, StateName, WaitingView, YesView,
        },
        edit::{EditApproval, ValueView},
        forecast::Forecast,
        session::LanguageName,
        text::prose,
    },
    limits::REASON_CHARS_MAX,
    problem::{Problem, ProblemCode, WANTED, refusal::internal},
    request::{
        address::IdPath,
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::AppState,
    view::{
        edits::{edits, value, wanted},
        inbox::{inbox, views},
        waiting::WaitingFeed,
    },
};
use axum::{
    Json,
    extract::OriginalUri,
    response::{IntoResponse as _, Response},
};
use serde_json::Value;
use std::collections::BTreeSet;
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, BlueprintDigest, DelegationId, Lang};
use wiiiv_gate::Principal;
use wiiiv_governor::{Answering, DecideError, Decided, Decision};
use wiiiv_store::{ApprovalRow, ApprovalState, EscalationRow};

/// The caller's own questions, those of projects that the caller owns or approves for, and what a
/// delegation lends to the caller: what waits, and what they have answered. Newest first.
#[utoipa::path(get, path = "/approvals", tag = "approvals", params(ApprovalsQuery), responses(
    (status = 200, body = Page<ApprovalView>),
))]
pub(crate) async fn list_approvals(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<ApprovalsQuery>,
) -> Result<Response, Problem> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let rows = inbox(&caller, &query, page.page()?).await?;
    let seen = views(&caller.state, rows).await?;
    let cursor = |(row, _): &(ApprovalRow, _)| row.request.id.to_string();
    Ok(Page::of(seen, page.limit()?, cursor, |(_, view)| view).answer(&uri))
}

/// As the audit tells, or refused.
async fn seen(
    caller: &Caller,
    id: ApprovalId,
    rule: &rules::Rule,
) -> Result<(ApprovalRow, Principal), Problem> {
    let entered = entered(caller, id, rule).await?;
    caller.state.store().examine_question(id).await?;
    Ok(entered)
}

async fn entered(
    caller: &Caller,
    id: ApprovalId,
    rule: &rules::Rule,
) -> Result<(ApprovalRow, Principal), Problem> {
    let row = caller.state.store().approval(id).await?.ok_or(ProblemCode::NotFound)?;
    let who = answerer(caller, &row, rule).await?;
    Ok((row, who))
}

/// Whoever may answer it, by a right of their own or by one that was lent to them, and whoever asked.
async fn answerer(
    caller: &Caller,
    row: &ApprovalRow,
    rule: &rules::Rule,
) -> Result<Principal, Problem> {
    let lent = is_lent(caller, row).await?;
    caller.answer((row.request.project, row.request.requester), rule, lent).await
}

/// Whoever has said a yes, and in whose right one was said, with any role and also where that right is gone, as it only
/// restricts; and whoever may answer, who is told that there is none of theirs. A token that may only look takes nothing
/// back.
async fn revoker(caller: &Caller, row: &ApprovalRow) -> Result<Principal, Problem> {
    if !has_answered(caller, row).await? && !is_answered_for(caller, row).await? {
        return answerer(caller, row, rules::REVOKE_APPROVAL).await;
    }
    caller.change_account().await?;
    caller.enter(row.request.project, rules::GET_PROJECT).await
}

async fn has_answered(caller: &Caller, row: &ApprovalRow) -> Result<bool, Problem> {
    if row.decided_by == Some(caller.user()) {
        return Ok(true);
    }
    // Only a question to several people has other yeses than the one in its row.
    let several = row.request.approvers > 1;
    Ok(several && caller.state.store().has_joined(row.request.id, caller.user()).await?)
}

async fn is_answered_for(caller: &Caller, row: &ApprovalRow) -> Result<bool, Problem> {
    if row.on_behalf_of.is_some_and(|lent| lent.delegator == caller.user()) {
        return Ok(true);
    }
    let several = row.request.approvers > 1;
    Ok(several && caller.state.store().is_joined_for(row.request.id, caller.user()).await?)
}

/// What a delegation lends: what waits, and what the caller has answered. To a delegate everything
/// else is not there, whether they look at it or try to answer it.
async fn is_lent(caller: &Caller, row: &ApprovalRow) -> Result<bool, Problem> {
    Ok(row.state == ApprovalState::Pending || has_answered(caller, row).await?)
}

/// Whoever may answer, and administrators where it was escalated to them: they look, and answer nothing.
async fn looked_at(caller: &Caller, id: ApprovalId) -> Result<(ApprovalRow, Principal), Problem> {
    let row = caller.state.store().approval(id).await?.ok_or(ProblemCode::NotFound)?;
    let is_told = |of: EscalationRow| of.done_at.is_some() && of.due.to.has_administrators();
    let who = match row.escalation.filter(|of| is_told(*of)) {
        Some(_) if caller.account.rights().admin => caller.oversee(row.request.project).await?,
        Some(_) | None => answerer(caller, &row, rules::GET_APPROVAL).await?,
    };
    caller.state.store().examine_question(id).await?;
    Ok((row, who))
}

/// Server-sent events named `waiting`: what waits for the caller, at once and whenever it changes.
#[utoipa::path(get, path = "/approvals/events", tag = "approvals", responses(
    (status = 200, body = WaitingView, content_type = "text/event-stream"),
))]
pub(crate) async fn approval_events(caller: Caller) -> Result<Response, Problem> {
    Ok(WaitingFeed::open(&caller)?.stream().into_response())
}

/// The question with its preview.
#[utoipa::path(get, path = "/approvals/{id}", tag = "approvals", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = ApprovalDetail),
))]
pub(crate) async fn get_approval(
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
) -> Result<Json<ApprovalDetail>, Problem> {
    let state = &caller.state;
    let (row, who) = looked_at(&caller, id).await?;
    let may_approve = row.request.may_be_given_by(&who);
    let standing_in = if may_approve { None } else { standing_in(state, &who, &row).await? };
    let (preview, preview_state, preview_words) = shown(state, &row).await?;
    let forecast = match preview_state {
        PreviewState::Gone => None,
        PreviewState::Current | PreviewState::Recorded | PreviewState::Words => {
            let outlook = state.governor().plans().forecast(&row.request).await?;
            Some(Forecast::of(&outlook, row.state))
        }
    };
    let reason = reason(state, &row).await?;
    let may_revoke = may_revoke(&caller, &row).await?;
    let values = values(state, &row, &who).await?;
    let plan = state.store().blueprint_row(row.request.blueprint).await?;
    let plan = plan.ok_or(ProblemCode::Internal)?;
    let edits = edits(state, row.session, plan.task).await?;
    let grantable = state.governor().grants().offer(&who, &row).await?.map(Into::into);
    let mut seen = views(state, vec![row]).await?;
    let (_, approval) = seen.pop().ok_or(ProblemCode::Internal)?;
    let right = standing_in.as_ref().map_or(who.user().uuid(), |lent| lent.delegator);
    let said_yes = has_said_yes(&approval, (who.user().uuid(), right));
    Ok(Json(ApprovalDetail {
        approval,
        preview,
        preview_state,
        preview_words,
        forecast,
        may_approve: (may_approve || standing_in.is_some()) && !said_yes,
        answers_for: standing_in.filter(|_| !said_yes),
        said_yes,
        may_revoke,
        may_edit: !values.is_empty(),
        values,
        edits,
        reason,
        grantable,
    }))
}

/// What was said last of it.
async fn reason(state: &AppState, row: &ApprovalRow) -> Result<Option<String>, Problem> {
    // What took its end without anybody has no reason, whoever took back a yes before.
    if row.decided_by.is_none() {
        return Ok(None);
    }
    Ok(state.store().answer_reason(row.session, row.request.id).await?)
}

/// The caller has a yes to take back, and this token may.
async fn may_revoke(caller: &Caller, row: &ApprovalRow) -> Result<bool, Problem> {
    let said = caller.state.governor().may_revoke(caller.user(), row).await?;
    Ok(said && revoker(caller, row).await.is_ok())
}

/// A person has, or somebody else in the same right, and others have to, too. Where enough yeses count and the
/// question still waits, since one of them did not for a while, a further one completes it.
fn has_said_yes(approval: &ApprovalView, (who, right): (Uuid, Uuid)) -> bool {
    let right_of = |yes: &YesView| yes.on_behalf_of.unwrap_or(yes.user);
    let (own, others): (Vec<&YesView>, Vec<&YesView>) = approval
        .approved_by
        .iter()
        .filter(|yes| yes.counts)
        .partition(|yes| yes.user == who || right_of(yes) == right);
    let others: BTreeSet<Uuid> = others.into_iter().map(right_of).collect();
    let is_short = others.len() + 1 < usize::from(approval.approvers);
    approval.state == StateName::Pending && !own.is_empty() && is_short
}

/// What the caller may change, while the question waits.
async fn values(
    state: &AppState,
    row: &ApprovalRow,
    who: &Principal,
) -> Result<Vec<ValueView>, Problem> {
    if row.state != ApprovalState::Pending || !row.request.may_be_answered_by(who) {
        return Ok(Vec::new());
    }
    let found = state.governor().edits().values(&row.request).await?;
    Ok(found.into_iter().map(|one| value(state.governor(), one)).collect())
}

/// Whom the caller would answer for, where not for themselves.
async fn standing_in(
    state: &AppState,
    who: &Principal,
    row: &ApprovalRow,
) -> Result<Option<AnswersFor>, Problem> {
    if row.state != ApprovalState::Pending {
        return Ok(None);
    }
    let asked = state.store().question(row.request.project, row.request.id).await?;
    let asked = asked.ok_or(ProblemCode::NotFound)?;
    let lent = state.governor().delegations().used_by(who, &asked).await?;
    let names = state.names().of(state.store(), lent.map(|lent| lent.delegator)).await?;
    Ok(lent.map(|lent| AnswersFor {
        delegation: lent.delegation.uuid(),
        delegator: lent.delegator.uuid(),
        delegator_name: names.get(&lent.delegator).map(ToString::to_string),
    }))
}

type PreviewParts = (Option<Value>, PreviewState, Option<String>);

/// What a decision would be about, or was about: today's files say nothing of what was approved.
async fn shown(state: &AppState, row: &ApprovalRow) -> Result<PreviewParts, Problem> {
    let (project, id) = (row.request.project, row.request.id);
    match row.state {
        ApprovalState::Pending => {
            let asked = state.store().question(project, id).await?.ok_or(ProblemCode::NotFound)?;
            // Somebody has changed the row since it was read.
            if *asked != row.request {
                return Err(ProblemCode::Unavailable.into());
            }
            let preview = state.governor().plans().preview(&asked).await?;
            let preview = serde_json::to_value(preview).map_err(|_| ProblemCode::Internal)?;
            return Ok((Some(preview), PreviewState::Current, None));
        }
        ApprovalState::Approved
        | ApprovalState::Rejected
        | ApprovalState::Expired
        | ApprovalState::Withdrawn
        | ApprovalState::Edited
        | ApprovalState::Consumed => {}
    }
    if let Some(text) = state.store().shown_preview(project, id).await? {
        let preview = serde_json::from_str(&text).map_err(|error| internal(&error))?;
        return Ok((Some(preview), PreviewState::Recorded, None));
    }
    let words = state.store().shown_words(row.session, id).await?;
    let from = if words.is_some() { PreviewState::Words } else { PreviewState::Gone };
    Ok((None, from, words))
}

/// A yes to this digest, which counts once. It waits for no turn: it is on record when it is answered, and `waits_for`
/// names the turn in progress that comes to it.
#[utoipa::path(post, path = "/approvals/{id}/approve", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = Approve, responses(
    (status = 200, body = DecidedView),
))]
pub(crate) async fn approve(
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<Approve>,
) -> Result<Json<DecidedView>, Problem> {
    let (_, who) = seen(&caller, id, rules::APPROVE).await?;
    let Approve { digest, language, delegation } = payload.read()?;
    let digest = digest_of(&digest)?;
    let answering = answering(language, delegation);
    decide(&caller.state, &who, id, (Decision::Approve { digest }, answering)).await
}

/// A no to this digest.
#[utoipa::path(post, path = "/approvals/{id}/reject", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = Reject, responses(
    (status = 200, body = DecidedView),
))]
pub(crate) async fn reject(
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<Reject>,
) -> Result<Json<DecidedView>, Problem> {
    let (_, who) = entered(&caller, id, rules::REJECT).await?;
    let Reject { digest, reason, language, delegation } = payload.read()?;
    let reason = prose("reason", &reason, REASON_CHARS_MAX, false)?;
    let decision = Decision::Reject { digest: digest_of(&digest)?, reason };
    decide(&caller.state, &who, id, (decision, answering(language, delegation))).await
}

/// Takes back a yes of the caller's, or one that was said on the caller's behalf. While others have to join it, it is as
/// if it had not been said, and may be said again; while its execution goes on, that is stopped. One that was not used
/// yet becomes a no. Not by whoever asked for the work, who cancels the execution.
#[utoipa::path(post, path = "/approvals/{id}/revoke", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = RevokeApproval, responses(
    (status = 200, body = DecidedView),
))]
pub(crate) async fn revoke_approval(
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<RevokeApproval>,
) -> Result<Json<DecidedView>, Problem> {
    let store = caller.state.store();
    let row = store.approval(id).await?.ok_or(ProblemCode::NotFound)?;
    let who = revoker(&caller, &row).await?;
    store.examine_question(id).await?;
    let reason = prose("reason", &payload.read()?.reason, REASON_CHARS_MAX, true)?;
    decide(&caller.state, &who, id, (Decision::Revoke { reason }, Answering::default())).await
}

fn answering(language: Option<LanguageName>, delegation: Option<Uuid>) -> Answering {
    Answering { language: language.map(Lang::from), delegation: delegation.map(DelegationId::from) }
}

/// Other values for this digest's plan, in place of an answer: the question is closed, and what takes the
/// place of its plan is reviewed, ruled on and asked about anew. Not by somebody who stands in: what was lent is
/// to say yes or no.
#[utoipa::path(post, path = "/approvals/{id}/edit", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = EditApproval, responses(
    (status = 200, body = DecidedView),
))]
pub(crate) async fn edit_approval(
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<EditApproval>,
) -> Result<Json<DecidedView>, Problem> {
    let (_, who) = seen(&caller, id, rules::EDIT_APPROVAL).await?;
    let body = payload.read()?;
    let edit = wanted(&body, digest_of(&body.digest)?)?;
    let (state, language) = (&caller.state, body.language.map(Lang::from));
    let done = state.governor().edits().submit(language, &who, id, edit).await;
    answered(state, id, "edit", done).await
}

async fn decide(
    state: &AppState,
    who: &Principal,
    id: ApprovalId,
    (decision, answering): (Decision, Answering),
) -> Result<Json<DecidedView>, Problem> {
    let wanted = match &decision {
        Decision::Approve { .. } => "approve",
        Decision::Reject { .. } => "reject",
        Decision::Edit(_) => "edit",
        Decision::Revoke { .. } => "revoke",
    };
    let done = state.governor().decide_in(answering, who, id, decision).await;
    answered(state, id, wanted, done).await
}

/// Whoever comes second is told who answered, and when, and what comes of it where they wanted something else.
async fn answered(
    state: &AppState,
    id: ApprovalId,
    wanted: &str,
    done: Result<Decided, DecideError>,
) -> Result<Json<DecidedView>, Problem> {
    match done {
        Ok(decided) => Ok(Json(DecidedView::from(decided))),
        Err(error @ DecideError::AlreadyDecided { .. }) => {
            let problem = Problem::from(error);
            let row = state.store().approval(id).await?.ok_or(ProblemCode::NotFound)?;
            let (Some(by), Some(at)) = (row.decided_by, row.decided_at) else {
                return Err(problem);
            };
            let names = state.names().of(state.store(), [by]).await?;
            let name = names.get(&by).map(ToString::to_string);
            let problem = problem.with(WANTED, wanted);
            let problem = problem.with("decided_by", by.to_string());
            let problem = problem.with("decided_at", at.to_string());
            Err(problem.with("decided_by_name", name))
        }
        Err(error) => Err(error.into()),
    }
}

fn digest_of(text: &str) -> Result<BlueprintDigest, Problem> {
    text.parse().map_err(|_| Problem::field("digest", "expected 64 hexadecimal digits"))
}
