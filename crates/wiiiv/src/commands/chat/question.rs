//! The question that waits in a conversation, and a yes to exactly that one.

use super::follow::{End, Turn, follow, follow_turn};
use crate::commands::approvals;
use crate::connection::{required, text};
use crate::failure::Failure;
use serde_json::{Value, json};
use wiiiv_domain::Lang;

/// As the server names who has to answer.
const BY_ANOTHER: &str = "another_person";

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
    let state = turn.connection.get(&format!("/sessions/{}/state", turn.session)).await?;
    Ok(state.get("pending").and_then(Question::of))
}

/// The exact effects, from the plan itself.
pub async fn show(turn: &Turn<'_>, question: &Question) -> Result<(), Failure> {
    let asked = turn.connection.get(&format!("/approvals/{}", question.approval)).await?;
    approvals::print(turn.context, &asked)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
}

/// INVARIANT: an answer goes to the digest that the person has seen here, and to no other. Where
/// somebody else has to say yes it stays words, and the conversation says so.
pub async fn answer(
    turn: &Turn<'_>,
    question: &Question,
    (answer, words): (Answer, &str),
) -> Result<End, Failure> {
    let below = format!("/approvals/{}", question.approval);
    let asked = turn.connection.get(&below).await?;
    let action = match answer {
        Answer::Yes if text(&asked, "by") == BY_ANOTHER => return follow(turn, words).await,
        Answer::Yes => "approve",
        Answer::No => "reject",
    };
    let state = turn.connection.get(&format!("/sessions/{}/state", turn.session)).await?;
    let after = state.get("last_event").and_then(Value::as_u64);
    let after = after.ok_or(Failure::Answer { field: "last_event" })?;
    let language = turn.context.chosen_language.map(Lang::as_str);
    let body = json!({ "digest": question.digest, "language": language });
    let decided = turn.connection.post(&format!("{below}/{action}"), body).await?;
    follow_turn(turn, required(&decided, "turn")?, after).await
}
