//! What a person does in a turn, and its events until the last one.

use super::{
    error::PlayError,
    events::{follow, until_last},
    press::{Sent, send},
    rest::Rest,
    stage::Talk,
};
use crate::scenario::{Act, Wait};
use serde_json::Value;

pub(super) enum Acted {
    /// Events of the turn, the last one among them.
    Turn(Vec<Value>),
    /// A button was to be pressed, and there is nothing that it could be about.
    NothingWaits,
    /// The server refused the button, with this code.
    Refused(String),
}

/// `after`: number of the last event that was seen.
pub(super) async fn act(
    rest: &Rest,
    talk: &Talk,
    act: &Act,
    after: u64,
) -> Result<Acted, PlayError> {
    let session = &talk.session;
    match act {
        Act::Say(words) => {
            let events = rest.say(session, words).await?;
            until_last(events, None, rest.turn_within()).await.map(Acted::Turn)
        }
        Act::Press(pressed) => match send(rest, talk, pressed).await? {
            Sent::Turn(turn) => {
                follow(rest, session, after, turn.as_deref()).await.map(Acted::Turn)
            }
            Sent::NothingWaits => Ok(Acted::NothingWaits),
            Sent::Refused(code) => Ok(Acted::Refused(code)),
        },
        Act::Wait(Wait::Expiry) => follow(rest, session, after, None).await.map(Acted::Turn),
    }
}
