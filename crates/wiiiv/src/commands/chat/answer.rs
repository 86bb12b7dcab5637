//! The answer to a question, and its outcome.

use crate::{
    commands::{
        chat::{
            follow::{End, follow, follow_turn},
            halted,
            question::{BY_ANOTHER, Question},
            turn::Turn,
        },
        outcome,
    },
    connection::{required, text},
    exit::Exit,
    failure::Failure,
    texts::fill,
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
    if answer == Answer::Yes && text(&decided, "state") == "approved" {
        approved(turn, &below, (&decided, after)).await
    } else {
        follow_turn(turn, required(&decided, "turn")?, after).await
    }
}

/// A yes beside a turn in progress has its effect there: that turn is followed, and what it left is said.
async fn approved(
    turn: &Turn<'_>,
    below: &str,
    (decided, after): (&Value, u64),
) -> Result<End, Failure> {
    let (own, waits_for) = (required(decided, "turn")?, text(decided, "waits_for"));
    if waits_for.is_empty() {
        return follow_turn(turn, own, after).await;
    }
    let texts = turn.context.texts_in(turn.language.get());
    let said_yes = fill(outcome::approved(&texts.approvals, decided), &[("turn", own)]);
    turn.context.output.aside(&said_yes)?;
    let end = follow_turn(turn, waits_for, after).await?;
    let row = turn.connection.get(below).await?;
    let Some((said, exit)) = outcome::unused(&texts.approvals, &row) else { return Ok(end) };
    turn.context.output.aside(&said)?;
    // What was asked in its place can be answered, and whoever interrupts it wants no more.
    if matches!(end, End::Pending(Some(_)) | End::Interrupted) {
        return Ok(end);
    }
    Ok(if exit == Exit::Denied { End::Denied } else { End::Undecided })
}
