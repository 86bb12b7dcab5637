//! Journal events as they come.

use super::{error::PlayError, rest::Rest};
use futures::StreamExt as _;
use serde_json::Value;
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_net::{EventStream, SseEvent};

/// A turn that has not ended by then does not end.
const TURN_WITHIN: Duration = Duration::from_secs(60);
const LAST: &str = "ended";

/// `turn`: whose end it is to be; `None`: of the next one that ends.
pub(super) async fn follow(
    rest: &Rest,
    session: &str,
    after: u64,
    turn: Option<&str>,
) -> Result<Vec<Value>, PlayError> {
    until_last(rest.events(session, after).await?, turn).await
}

pub(super) async fn until_last(
    mut stream: EventStream,
    turn: Option<&str>,
) -> Result<Vec<Value>, PlayError> {
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

pub(super) fn number(event: &Value) -> u64 {
    event.get("seq").and_then(Value::as_u64).unwrap_or_default()
}

/// Number of the last of them.
pub(super) fn last_number(events: &[Value]) -> u64 {
    events.iter().map(number).max().unwrap_or_default()
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
