//! What a person does in a turn, and its events until the last one.

use super::{
    error::PlayError,
    rest::{Rest, text},
};
use crate::scenario::{Act, Press};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_net::{EventStream, SseEvent};

/// A turn that has not ended by then does not end.
const TURN_WITHIN: Duration = Duration::from_secs(60);
const LAST: &str = "ended";

pub(super) enum Acted {
    /// Events of the turn, the last one among them.
    Turn(Vec<Value>),
    /// A yes or a no was to be given, and nothing waits for one.
    NothingWaits,
}

/// `after`: number of the last event that was seen.
pub(super) async fn act(
    rest: &Rest,
    session: &str,
    act: &Act,
    after: u64,
) -> Result<Acted, PlayError> {
    match act {
        Act::Say(words) => {
            let events = rest.say(session, words).await?;
            until_last(events, None).await.map(Acted::Turn)
        }
        Act::Press(Press::Approve) => answer(rest, session, "approve", after).await,
        Act::Press(Press::Reject) => answer(rest, session, "reject", after).await,
        Act::Press(Press::Cancel) => {
            let below = format!("/sessions/{session}/control");
            let made = rest.post(&below, json!({ "action": "cancel" })).await?;
            follow(rest, session, after, &text(&made, "turn")?).await.map(Acted::Turn)
        }
    }
}

/// To what was read, by its digest.
async fn answer(rest: &Rest, session: &str, word: &str, after: u64) -> Result<Acted, PlayError> {
    let Some(approval) = waiting(rest, session).await? else { return Ok(Acted::NothingWaits) };
    let question = rest.get(&format!("/approvals/{approval}")).await?;
    let digest = text(&question, "digest")?;
    let below = format!("/approvals/{approval}/{word}");
    let decided = rest.post(&below, json!({ "digest": digest })).await?;
    follow(rest, session, after, &text(&decided, "turn")?).await.map(Acted::Turn)
}

/// The question that waits in the session.
pub(super) async fn waiting(rest: &Rest, session: &str) -> Result<Option<String>, PlayError> {
    let state = rest.get(&format!("/sessions/{session}/state")).await?;
    Ok(state.pointer("/pending/approval").and_then(Value::as_str).map(str::to_owned))
}

pub(super) async fn follow(
    rest: &Rest,
    session: &str,
    after: u64,
    turn: &str,
) -> Result<Vec<Value>, PlayError> {
    until_last(rest.events(session, after).await?, Some(turn)).await
}

/// `turn`: whose end it is to be; else of the only one that the stream tells of.
async fn until_last(mut stream: EventStream, turn: Option<&str>) -> Result<Vec<Value>, PlayError> {
    let read = async {
        let mut events = Vec::new();
        while let Some(event) = stream.next().await {
            let Some(seen) = read(&event?)? else { continue };
            let text = |name: &str| seen.get(name).and_then(Value::as_str);
            let of_turn = turn.is_none() || text("turn") == turn;
            let last = of_turn && text("event") == Some(LAST);
            events.push(seen);
            if last {
                return Ok(events);
            }
        }
        Err(PlayError::CutOff)
    };
    let late = PlayError::Late { what: "end of a turn", seconds: TURN_WITHIN.as_secs() };
    timeout(TURN_WITHIN, read).await.map_err(|_| late)?
}

/// A journal event. Words of a reply that is still being written are passed over: it follows.
fn read(event: &SseEvent) -> Result<Option<Value>, PlayError> {
    if event.event == "delta" {
        return Ok(None);
    }
    let told = || PlayError::Told(event.data.clone());
    let seen: Value = serde_json::from_str(&event.data).map_err(|_| told())?;
    if seen.get("event").is_some() { Ok(Some(seen)) } else { Err(told()) }
}

/// Number of the last of them.
pub(super) fn last_number(events: &[Value]) -> u64 {
    let numbers = events.iter().filter_map(|event| event.get("seq").and_then(Value::as_u64));
    numbers.max().unwrap_or_default()
}

/// Every event of the session until now.
pub(super) async fn journal(rest: &Rest, session: &str) -> Result<Vec<Value>, PlayError> {
    let state = rest.get(&format!("/sessions/{session}/state")).await?;
    let last = state.get("last_event").and_then(Value::as_u64);
    let last = last.ok_or_else(|| PlayError::answer("last_event", &state))?;
    let (mut events, mut stream) = (Vec::new(), rest.events(session, 0).await?);
    while last_number(&events) < last {
        let late = PlayError::Late { what: "event of the journal", seconds: TURN_WITHIN.as_secs() };
        let next = timeout(TURN_WITHIN, stream.next()).await.map_err(|_| late)?;
        let event = next.ok_or(PlayError::CutOff)??;
        events.extend(read(&event)?);
    }
    Ok(events)
}
