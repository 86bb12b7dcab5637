//! The answer to a question, and its outcome.

use crate::{
    commands::chat::{
        follow::{End, follow, follow_turn},
        halted,
        question::{BY_ANOTHER, Question},
        turn::Turn,
    },
    connection::{required, text},
    failure::Failure,
};
use serde_json::{Value, json};
use wiiiv_domain::Lang;

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
    let after = turn.state().await?.get("last_event").and_then(Value::as_u64);
    let after = after.ok_or(Failure::Answer { field: "last_event" })?;
    let language = turn.context.chosen_language.map(Lang::as_str);
    let body = json!({ "digest": question.digest, "language": language });
    let decided = match turn.connection.post(&format!("{below}/{action}"), body).await {
        Err(refused) if halted::is_refusal(&refused) => {
            // The refusal is told also where the halts are not to be had.
            if let Ok(halts) = halted::now(turn).await {
                halted::tell(turn, &halts)?;
            }
            return Err(refused);
        }
        decided => decided?,
    };
    follow_turn(turn, required(&decided, "turn")?, after).await
}
