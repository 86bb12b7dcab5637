//! Performs a person's act and collects the events of the turn.

use super::press::{Sent, send};
use crate::{
    harness::{Conversation, PlayError, RestClient, follow, until_end},
    scenario::{Act, Wait},
};
use serde_json::Value;

pub(super) enum TurnResult {
    /// The events of the turn, the last one included.
    Turn(Vec<Value>),
    /// A button has nothing to act on.
    NothingWaits,
    /// The server refused the button, with this code.
    Refused(String),
}

/// `after`: the number of the last event so far.
pub(super) async fn act(
    rest: &RestClient,
    conversation: &Conversation,
    act: &Act,
    after: u64,
) -> Result<TurnResult, PlayError> {
    let session = &conversation.session;
    match act {
        Act::Say(words) => {
            let events = rest.say(session, words, after).await?;
            until_end(events, None, rest.turn_within()).await.map(TurnResult::Turn)
        }
        Act::Press(pressed) => match send(rest, conversation, pressed).await? {
            Sent::Turn(turn) => {
                follow(rest, session, after, turn.as_deref()).await.map(TurnResult::Turn)
            }
            Sent::NothingWaits => Ok(TurnResult::NothingWaits),
            Sent::Refused(code) => Ok(TurnResult::Refused(code)),
        },
        Act::Wait(Wait::Expiry) => follow(rest, session, after, None).await.map(TurnResult::Turn),
    }
}
