//! Presses buttons as a client does: by what the server shows at that moment.

use super::snapshot::state;
use crate::{
    harness::{Conversation, PlayError, RestClient, required_text},
    scenario::{Press, Pressed, Who},
};
use serde_json::{Value, json};
use wiiiv_net::ApiError;

/// From this status on the server has failed; below it the button was refused.
const SERVER_FAULTS_FROM: u16 = 500;

pub(super) enum Sent {
    /// The turn that the button began; `None`: the next turn that ends.
    Turn(Option<String>),
    NothingWaits,
    Refused(String),
}

pub(super) async fn send(
    rest: &RestClient,
    conversation: &Conversation,
    pressed: &Pressed,
) -> Result<Sent, PlayError> {
    let sent = match pressed.press {
        Press::Approve => answer(rest, conversation, pressed, "approve").await,
        Press::Reject => answer(rest, conversation, pressed, "reject").await,
        Press::Edit => answer(rest, conversation, pressed, "edit").await,
        Press::Cancel => control(rest, conversation, json!({ "action": "cancel" })).await,
        Press::Reset => control(rest, conversation, json!({ "action": "reset" })).await,
        Press::Why => control(rest, conversation, json!({ "action": "why" })).await,
        Press::Again => control(rest, conversation, json!({ "action": "again" })).await,
        Press::ListFiles => control(rest, conversation, json!({ "action": "list_files" })).await,
        Press::ShowSaved => control(rest, conversation, json!({ "action": "show_saved" })).await,
        Press::Switch => switch(rest, conversation, pressed).await,
        Press::Happened => resolve(rest, conversation, "happened").await,
        Press::DidNotHappen => resolve(rest, conversation, "did_not_happen").await,
    };
    match sent {
        Err(PlayError::Api(ApiError::Problem(problem))) if problem.status < SERVER_FAULTS_FROM => {
            Ok(Sent::Refused(problem.code))
        }
        other => other,
    }
}

async fn control(
    rest: &RestClient,
    conversation: &Conversation,
    body: Value,
) -> Result<Sent, PlayError> {
    let made = rest.post(&format!("/sessions/{}/control", conversation.session), body).await?;
    Ok(Sent::Turn(Some(required_text(&made, "turn")?)))
}

async fn switch(
    rest: &RestClient,
    conversation: &Conversation,
    pressed: &Pressed,
) -> Result<Sent, PlayError> {
    let standing = rest.get(&format!("/sessions/{}/state", conversation.session)).await?;
    let suspended = standing.get("suspended").and_then(Value::as_array);
    let at = pressed.task.and_then(|nth| nth.checked_sub(1)).unwrap_or_default();
    match suspended.and_then(|tasks| tasks.get(at)) {
        Some(task) => {
            let task = required_text(task, "task")?;
            control(rest, conversation, json!({ "action": "switch", "task": task })).await
        }
        None => Ok(Sent::NothingWaits),
    }
}

/// Approves, rejects or edits the plan of a question by its digest.
async fn answer(
    rest: &RestClient,
    conversation: &Conversation,
    pressed: &Pressed,
    word: &str,
) -> Result<Sent, PlayError> {
    let question = asked(rest, conversation, pressed.question).await?;
    let Some(question) = question else { return Ok(Sent::NothingWaits) };
    let named = match pressed.digest_of {
        Some(nth) => nth_question(rest, conversation, nth).await?,
        None => Some(question.clone()),
    };
    let Some(named) = named else { return Ok(Sent::NothingWaits) };
    let (digest, reason) = (required_text(&named, "digest")?, pressed.reason.as_deref());
    let body = match pressed.press {
        Press::Edit => {
            let note = reason.unwrap_or_default();
            json!({ "digest": digest, "changes": pressed.changes, "note": note })
        }
        Press::Reject => json!({ "digest": digest, "reason": reason.unwrap_or_default() }),
        _ => json!({ "digest": digest }),
    };
    let below = format!("/approvals/{}/{word}", required_text(&question, "id")?);
    let decided = match pressed.by {
        Who::Person => rest.post(&below, body).await?,
        Who::Approver => conversation.approver(rest)?.post(&below, body).await?,
        Who::SecondApprover => conversation.second_approver(rest)?.post(&below, body).await?,
        Who::StandIn => conversation.stand_in(rest)?.post(&below, body).await?,
    };
    Ok(Sent::Turn(Some(required_text(&decided, "turn")?)))
}

/// The nth question of this project, from 1; `None`: the one that waits in the session.
pub(super) async fn asked(
    rest: &RestClient,
    conversation: &Conversation,
    nth: Option<usize>,
) -> Result<Option<Value>, PlayError> {
    if let Some(nth) = nth {
        return nth_question(rest, conversation, nth).await;
    }
    match waiting(rest, &conversation.session).await? {
        Some(approval) => Ok(Some(rest.get(&format!("/approvals/{approval}")).await?)),
        None => Ok(None),
    }
}

/// The yes of the nth other person, from 0: the turn that it begins.
pub(super) async fn join(
    rest: &RestClient,
    conversation: &Conversation,
    question: &Value,
    nth: usize,
) -> Result<String, PlayError> {
    let body = json!({ "digest": required_text(question, "digest")? });
    let below = format!("/approvals/{}/approve", required_text(question, "id")?);
    let decided = conversation.nth_approver(rest, nth)?.post(&below, body).await?;
    required_text(&decided, "turn")
}

/// The nth question of this project, from 1.
async fn nth_question(
    rest: &RestClient,
    conversation: &Conversation,
    nth: usize,
) -> Result<Option<Value>, PlayError> {
    let newest_first = rest.rows(&format!("/approvals?project={}", conversation.project)).await?;
    let at = newest_first.len().checked_sub(nth);
    Ok(at.and_then(|at| newest_first.get(at).cloned()))
}

/// Whether the question that this button answers is still open.
pub(super) async fn is_open(
    rest: &RestClient,
    conversation: &Conversation,
    pressed: &Pressed,
) -> Result<bool, PlayError> {
    match pressed.question {
        None => Ok(waiting(rest, &conversation.session).await?.is_some()),
        Some(nth) => {
            let question = nth_question(rest, conversation, nth).await?;
            Ok(question.is_some_and(|question| state(&question) == "pending"))
        }
    }
}

/// The waiting question of the session.
async fn waiting(rest: &RestClient, session: &str) -> Result<Option<String>, PlayError> {
    let state = rest.get(&format!("/sessions/{session}/state")).await?;
    Ok(state.pointer("/pending/approval").and_then(Value::as_str).map(str::to_owned))
}

/// A person's decision on the step in doubt, with which the run continues.
async fn resolve(
    rest: &RestClient,
    conversation: &Conversation,
    word: &str,
) -> Result<Sent, PlayError> {
    let runs = rest.rows(&format!("/projects/{}/executions", conversation.project)).await?;
    let Some(run) = runs.iter().find(|run| state(run) == "indeterminate") else {
        return Ok(Sent::NothingWaits);
    };
    let run = required_text(run, "id")?;
    let detail = rest.get(&format!("/executions/{run}")).await?;
    let attempts = detail.get("attempts").and_then(Value::as_array);
    let in_doubt = |attempt: &&Value| attempt.get("in_doubt") == Some(&Value::Bool(true));
    let Some(attempt) = attempts.into_iter().flatten().find(in_doubt) else {
        return Ok(Sent::NothingWaits);
    };
    let below = format!("/executions/{run}/steps/{}/resolve", required_text(attempt, "step")?);
    rest.post(&below, json!({ "as": word })).await?;
    Ok(Sent::Turn(None))
}
