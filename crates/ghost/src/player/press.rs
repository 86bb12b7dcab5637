//! Buttons, as a client presses them: by what the server shows at that moment.

use super::{
    error::PlayError,
    rest::{Rest, text},
    sight::state,
    stage::Talk,
};
use crate::scenario::{Press, Pressed, Who};
use serde_json::{Value, json};
use wiiiv_net::ApiError;

/// From here on it is the server that failed, not the button.
const SERVER_FAULTS_FROM: u16 = 500;

pub(super) enum Sent {
    /// The turn that it began; `None`: the next one that ends.
    Turn(Option<String>),
    NothingWaits,
    Refused(String),
}

pub(super) async fn send(rest: &Rest, talk: &Talk, pressed: &Pressed) -> Result<Sent, PlayError> {
    let sent = match pressed.press {
        Press::Approve => answer(rest, talk, pressed, "approve").await,
        Press::Reject => answer(rest, talk, pressed, "reject").await,
        Press::Cancel => control(rest, talk, json!({ "action": "cancel" })).await,
        Press::Reset => control(rest, talk, json!({ "action": "reset" })).await,
        Press::Why => control(rest, talk, json!({ "action": "why" })).await,
        Press::Again => control(rest, talk, json!({ "action": "again" })).await,
        Press::ListFiles => control(rest, talk, json!({ "action": "list_files" })).await,
        Press::ShowSaved => control(rest, talk, json!({ "action": "show_saved" })).await,
        Press::Switch => switch(rest, talk, pressed).await,
        Press::Happened => resolve(rest, talk, "happened").await,
        Press::DidNotHappen => resolve(rest, talk, "did_not_happen").await,
    };
    match sent {
        Err(PlayError::Api(ApiError::Problem(problem))) if problem.status < SERVER_FAULTS_FROM => {
            Ok(Sent::Refused(problem.code))
        }
        other => other,
    }
}

async fn control(rest: &Rest, talk: &Talk, body: Value) -> Result<Sent, PlayError> {
    let made = rest.post(&format!("/sessions/{}/control", talk.session), body).await?;
    Ok(Sent::Turn(Some(text(&made, "turn")?)))
}

async fn switch(rest: &Rest, talk: &Talk, pressed: &Pressed) -> Result<Sent, PlayError> {
    let standing = rest.get(&format!("/sessions/{}/state", talk.session)).await?;
    let suspended = standing.get("suspended").and_then(Value::as_array);
    let at = pressed.task.and_then(|nth| nth.checked_sub(1)).unwrap_or_default();
    match suspended.and_then(|tasks| tasks.get(at)) {
        Some(task) => {
            let task = text(task, "task")?;
            control(rest, talk, json!({ "action": "switch", "task": task })).await
        }
        None => Ok(Sent::NothingWaits),
    }
}

/// To what was read, by its digest.
async fn answer(
    rest: &Rest,
    talk: &Talk,
    pressed: &Pressed,
    word: &str,
) -> Result<Sent, PlayError> {
    let question = match pressed.question {
        Some(nth) => asked(rest, talk, nth).await?,
        None => match waiting(rest, &talk.session).await? {
            Some(approval) => Some(rest.get(&format!("/approvals/{approval}")).await?),
            None => None,
        },
    };
    let Some(question) = question else { return Ok(Sent::NothingWaits) };
    let named = match pressed.digest_of {
        Some(nth) => asked(rest, talk, nth).await?,
        None => Some(question.clone()),
    };
    let Some(named) = named else { return Ok(Sent::NothingWaits) };
    let mut body = json!({ "digest": text(&named, "digest")? });
    if let (Some(members), Some(reason)) = (body.as_object_mut(), &pressed.reason) {
        members.insert("reason".to_owned(), reason.clone().into());
    }
    let below = format!("/approvals/{}/{word}", text(&question, "id")?);
    let decided = match pressed.by {
        Who::Person => rest.post(&below, body).await?,
        Who::Approver => talk.approver(rest)?.post(&below, body).await?,
    };
    Ok(Sent::Turn(Some(text(&decided, "turn")?)))
}

/// The nth question that was put in this project, from 1.
async fn asked(rest: &Rest, talk: &Talk, nth: usize) -> Result<Option<Value>, PlayError> {
    let newest_first = rest.rows(&format!("/approvals?project={}", talk.project)).await?;
    let at = newest_first.len().checked_sub(nth);
    Ok(at.and_then(|at| newest_first.get(at).cloned()))
}

/// Whether the question that this button answers is still open.
pub(super) async fn is_open(
    rest: &Rest,
    talk: &Talk,
    pressed: &Pressed,
) -> Result<bool, PlayError> {
    match pressed.question {
        None => Ok(waiting(rest, &talk.session).await?.is_some()),
        Some(nth) => {
            let question = asked(rest, talk, nth).await?;
            Ok(question.is_some_and(|question| state(&question) == "pending"))
        }
    }
}

/// The question that waits in the session.
async fn waiting(rest: &Rest, session: &str) -> Result<Option<String>, PlayError> {
    let state = rest.get(&format!("/sessions/{session}/state")).await?;
    Ok(state.pointer("/pending/approval").and_then(Value::as_str).map(str::to_owned))
}

/// A person's word on the step in doubt; the run goes on with it.
async fn resolve(rest: &Rest, talk: &Talk, word: &str) -> Result<Sent, PlayError> {
    let runs = rest.rows(&format!("/projects/{}/executions", talk.project)).await?;
    let Some(run) = runs.iter().find(|run| state(run) == "indeterminate") else {
        return Ok(Sent::NothingWaits);
    };
    let run = text(run, "id")?;
    let detail = rest.get(&format!("/executions/{run}")).await?;
    let attempts = detail.get("attempts").and_then(Value::as_array);
    let doubted = |attempt: &&Value| attempt.get("in_doubt") == Some(&Value::Bool(true));
    let Some(attempt) = attempts.into_iter().flatten().find(doubted) else {
        return Ok(Sent::NothingWaits);
    };
    let below = format!("/executions/{run}/steps/{}/resolve", text(attempt, "step")?);
    rest.post(&below, json!({ "as": word })).await?;
    Ok(Sent::Turn(None))
}
