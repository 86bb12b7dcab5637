//! Journal events as they come.

use super::{error::PlayError, rest::Rest};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_net::{EventStream, SseEvent};

/// A turn that has not ended by then does not end.
pub(super) const TURN_WITHIN: Duration = Duration::from_secs(60);
/// The same of a real model. Its server gives up after two minutes for one proposal, and a turn may take
/// several: a slow model is to fail there and be judged, and not here and be an error of the player.
pub(super) const LIVE_TURN_WITHIN: Duration = Duration::from_secs(360);
const LAST: &str = "ended";
/// Words of a reply that is still being written.
pub(crate) const DELTA: &str = "delta";

/// `turn`: whose end it is to be; `None`: of the next one that ends.
pub(super) async fn follow(
    rest: &Rest,
    session: &str,
    after: u64,
    turn: Option<&str>,
) -> Result<Vec<Value>, PlayError> {
    // What is followed had been accepted.
    let cut_off =
        |error: PlayError| if error.is_loss() { PlayError::CutOff(Vec::new()) } else { error };
    let events = rest.events(session, after).await.map_err(cut_off)?;
    until_last(events, turn, rest.turn_within()).await
}

pub(super) async fn until_last(
    mut stream: EventStream,
    turn: Option<&str>,
    within: Duration,
) -> Result<Vec<Value>, PlayError> {
    let mut heard = Vec::new();
    match timeout(within, listen(&mut stream, turn, &mut heard)).await {
        Ok(Ok(true)) => Ok(heard),
        Ok(Ok(false)) => Err(PlayError::CutOff(heard)),
        Ok(Err(error)) if error.is_loss() => Err(PlayError::CutOff(heard)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(PlayError::Late { what: "end of a turn", seconds: within.as_secs() }),
    }
}

/// `false`: the stream ended before the turn did.
async fn listen(
    stream: &mut EventStream,
    turn: Option<&str>,
    heard: &mut Vec<Value>,
) -> Result<bool, PlayError> {
    while let Some(event) = stream.next().await {
        let seen = read(&event?)?;
        let text = |name: &str| seen.get(name).and_then(Value::as_str);
        let of_turn = turn.is_none() || text("turn") == turn;
        let last = of_turn && text("event") == Some(LAST);
        keep(heard, seen);
        if last {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Words that follow one another are one text: what is looked for may stand across two of them.
fn keep(heard: &mut Vec<Value>, seen: Value) {
    let words = |event: &Value| {
        let is_delta = event.get("event").and_then(Value::as_str) == Some(DELTA);
        event.get("text").and_then(Value::as_str).filter(|_| is_delta).map(str::to_owned)
    };
    let before = heard.last().and_then(|last| Some((last.get("turn").cloned(), words(last)?)));
    match (before, words(&seen)) {
        (Some((turn, before)), Some(more)) if turn == seen.get("turn").cloned() => {
            heard.pop();
            heard.push(json!({ "event": DELTA, "turn": turn, "text": before + &more }));
        }
        (Some(_) | None, Some(_) | None) => heard.push(seen),
    }
}

/// A journal event, or words of a reply that is still being written: these stand in no journal.
fn read(event: &SseEvent) -> Result<Value, PlayError> {
    let told = || PlayError::Told(event.data.clone());
    let mut seen: Value = serde_json::from_str(&event.data).map_err(|_| told())?;
    if event.event == DELTA
        && let Some(members) = seen.as_object_mut()
    {
        members.insert("event".to_owned(), DELTA.into());
    }
    if seen.get("event").is_some() { Ok(seen) } else { Err(told()) }
}

pub(super) fn number(event: &Value) -> u64 {
    event.get("seq").and_then(Value::as_u64).unwrap_or_default()
}

/// Number of the last of them.
pub(super) fn last_number(events: &[Value]) -> u64 {
    events.iter().map(number).max().unwrap_or_default()
}

/// What stands in the journal, of what was heard.
pub(super) fn journalled(heard: &[Value]) -> impl Iterator<Item = &Value> {
    heard.iter().filter(|event| number(event) > 0)
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
        let event = next.ok_or_else(|| PlayError::CutOff(Vec::new()))??;
        keep(&mut events, read(&event)?);
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_within_their_turn_and_no_event_is_lost() {
        let words = |turn: &str, text: &str| json!({ "event": DELTA, "turn": turn, "text": text });
        let event = json!({ "event": "reply", "seq": 3, "turn": "a" });
        let mut heard = Vec::new();
        for seen in [words("a", "저장"), words("a", "했습니다"), words("b", "네"), event.clone()]
        {
            keep(&mut heard, seen);
        }
        assert_eq!(heard, [words("a", "저장했습니다"), words("b", "네"), event.clone()]);
        assert_eq!(journalled(&heard).collect::<Vec<_>>(), [&event]);
    }
}
