//! The open question of a conversation, and a yes to exactly that one.

use crate::{
    commands::{approvals, chat::turn::Turn},
    connection::text,
    failure::Failure,
};
use serde_json::Value;

/// As the server names who has to answer.
pub const BY_ANOTHER: &str = "another_person";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub approval: String,
    pub digest: String,
}

impl Question {
    /// From whatever names both.
    pub fn of(value: &Value) -> Option<Self> {
        let (approval, digest) = (text(value, "approval"), text(value, "digest"));
        let whole = !approval.is_empty() && !digest.is_empty();
        whole.then(|| Self { approval: approval.to_owned(), digest: digest.to_owned() })
    }
}

/// What waits for a person in this conversation now.
pub async fn pending(turn: &Turn<'_>) -> Result<Option<Question>, Failure> {
    Ok(turn.state().await?.get("pending").and_then(Question::of))
}

/// The question itself; whether whoever sits here may answer it is kept.
pub async fn read(turn: &Turn<'_>, question: &Question) -> Result<Value, Failure> {
    let asked = turn.connection.get(&format!("/approvals/{}", question.approval)).await?;
    let may = asked.get("may_approve").and_then(Value::as_bool);
    turn.may_answer.set(may.unwrap_or(true));
    Ok(asked)
}

/// The exact effects, from the plan itself.
pub async fn show(turn: &Turn<'_>, question: &Question) -> Result<(), Failure> {
    let asked = read(turn, question).await?;
    approvals::print(turn.context, &asked)
}
