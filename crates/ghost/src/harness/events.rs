//! Reads the events of a session: streamed until a turn ends, or from the journal.

use super::{
    error::PlayError,
    rest_client::{RestClient, TURN_WITHIN},
};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_net::{EventStream, SseEvent};

const LAST: &str = "ended";
/// A part of a reply that is still being written. The journal has no such event.
pub(crate) const DELTA: &str = "delta";

/// Streams events until `turn` ends; `None`: until the next turn ends.
pub(crate) async fn follow(
    rest: &RestClient,
    session: &str,
    after: u64,
    turn: Option<&str>,
) -> Result<Vec<Value>, PlayError> {
    // The request that began the turn was accepted.
    let cut_off = |error: PlayError| {
        if error.is_connection_loss() { PlayError::CutOff(Vec::new()) } else { error }
    };
    let events = rest.events(session, after).await.map_err(cut_off)?;
    until_end(events, turn, rest.turn_within()).await
}

pub(crate) async fn until_end(
    mut stream: EventStream,
    turn: Option<&str>,
    within: Duration,
) -> Result<Vec<Value>, PlayError> {
    let mut events = Vec::new();
    match timeout(within, read_until_end(&mut stream, turn, &mut events)).await {
        Ok(Ok(true)) => Ok(events),
        Ok(Ok(false)) => Err(PlayError::CutOff(events)),
        Ok(Err(error)) if error.is_connection_loss() => Err(PlayError::CutOff(events)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(PlayError::Late { what: "end of a turn", seconds: within.as_secs() }),
    }
}

/// `false`: the stream ended before the turn did.
async fn read_until_end(
    stream: &mut EventStream,
    turn: Option<&str>,
    events: &mut Vec<Value>,
) -> Result<bool, PlayError> {
    while let Some(event) = stream.next().await {
        let event = parse(&event?)?;
        let text = |name: &str| event.get(name).and_then(Value::as_str);
        let of_turn = turn.is_none() || text("turn") == turn;
        let last = of_turn && text("event") == Some(LAST);
        append(events, event);
        if last {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Joins consecutive parts of a reply, because a searched text may extend over two of them.
fn append(events: &mut Vec<Value>, event: Value) {
    let part = |event: &Value| {
        let is_delta = event.get("event").and_then(Value::as_str) == Some(DELTA);
        event.get("text").and_then(Value::as_str).filter(|_| is_delta).map(str::to_owned)
    };
    let before = events.last().and_then(|last| Some((last.get("turn").cloned(), part(last)?)));
    match (before, part(&event)) {
        (Some((turn, before)), Some(more)) if turn == event.get("turn").cloned() => {
            events.pop();
            events.push(json!({ "event": DELTA, "turn": turn, "text": before + &more }));
        }
        (Some(_) | None, Some(_) | None) => events.push(event),
    }
}

/// A journal event, or a part of a reply. An event without a name is the server's report of a fault.
fn parse(event: &SseEvent) -> Result<Value, PlayError> {
    let fault = || PlayError::ServerFault(event.data.clone());
    let mut parsed: Value = serde_json::from_str(&event.data).map_err(|_| fault())?;
    if event.event == DELTA
        && let Some(members) = parsed.as_object_mut()
    {
        members.insert("event".to_owned(), DELTA.into());
    }
    if parsed.get("event").is_some() { Ok(parsed) } else { Err(fault()) }
}

pub(crate) fn number(event: &Value) -> u64 {
    event.get("seq").and_then(Value::as_u64).unwrap_or_default()
}

/// The number of the last journal event among them.
pub(crate) fn last_number(events: &[Value]) -> u64 {
    events.iter().map(number).max().unwrap_or_default()
}

/// Those events that the journal has as well.
pub(crate) fn journalled(events: &[Value]) -> impl Iterator<Item = &Value> {
    events.iter().filter(|event| number(event) > 0)
}

/// Every event of the session so far.
pub(crate) async fn journal(rest: &RestClient, session: &str) -> Result<Vec<Value>, PlayError> {
    let state = rest.get(&format!("/sessions/{session}/state")).await?;
    let last = state.get("last_event").and_then(Value::as_u64);
    let last = last.ok_or_else(|| PlayError::answer("last_event", &state))?;
    let (mut events, mut stream) = (Vec::new(), rest.events(session, 0).await?);
    while last_number(&events) < last {
        let late = PlayError::Late { what: "event of the journal", seconds: TURN_WITHIN.as_secs() };
        let next = timeout(TURN_WITHIN, stream.next()).await.map_err(|_| late)?;
        let event = next.ok_or_else(|| PlayError::CutOff(Vec::new()))??;
        append(&mut events, parse(&event)?);
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_within_their_turn_and_no_event_is_lost() {
        let part = |turn: &str, text: &str| json!({ "event": DELTA, "turn": turn, "text": text });
        let event = json!({ "event": "reply", "seq": 3, "turn": "a" });
        let mut events = Vec::new();
        for next in [part("a", "저장"), part("a", "했습니다"), part("b", "네"), event.clone()]
        {
            append(&mut events, next);
        }
        assert_eq!(events, [part("a", "저장했습니다"), part("b", "네"), event.clone()]);
        assert_eq!(journalled(&events).collect::<Vec<_>>(), [&event]);
    }
}
