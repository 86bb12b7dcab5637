//! Accepts a message; its turn is streamed in the answer, or followed by the events route.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        event::EventView,
        session::{AcceptedTurn, PostMessage},
    },
    problem::Problem,
    request::{address::IdPath, idempotency::KeptAnswer, payload::Payload},
    routes::sessions::own,
    view::sse::{Feed, events_address},
};
use axum::{
    Extension, Json,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{Lang, SessionId};
use wiiiv_governor::Incoming;

/// With `Accept: text/event-stream` the turn's events until its last one; otherwise its id as soon
/// as it is durable. Behind a turn in progress it waits for that one to end. A yes or a no in words names by
/// `seen` what it answers; it counts for nothing that its author had not seen.
#[utoipa::path(post, path = "/sessions/{id}/messages", tag = "sessions",
    params(("id" = Uuid, Path)), request_body = PostMessage, responses(
    (status = 200, body = EventView, content_type = "text/event-stream"),
    (status = 202, body = AcceptedTurn),
))]
pub(crate) async fn post_message(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    headers: HeaderMap,
    payload: Payload<PostMessage>,
) -> Result<Response, Problem> {
    let (row, who) = own(&caller, id, rules::POST_MESSAGE).await?;
    let PostMessage { text, language, form, seen } = payload.read()?;
    let language = language.map(Lang::from);
    let incoming = match form {
        Some(_) if !text.is_empty() => {
            return Err(Problem::field("text", "words or a form, not both"));
        }
        Some(_) if seen.is_none() => {
            return Err(Problem::field("seen", "needed with `form`: the last event that was seen"));
        }
        Some(form) => Incoming::form(form.into(), language),
        None => Incoming::words(text, language),
    };
    let incoming = incoming.seen(seen);
    // Listens before it speaks, so that nothing of the turn is missed.
    let feed = if wants_events(&headers) {
        Some(Feed::open(&caller, rules::POST_MESSAGE, row, None).await?)
    } else {
        None
    };
    let turn = caller.state.governor().submit(&who, id, incoming).await?;
    let accepted = AcceptedTurn { turn: turn.uuid(), events: events_address(id) };
    let Some(feed) = feed else {
        return Ok((StatusCode::ACCEPTED, Json(accepted)).into_response());
    };
    let body = serde_json::to_value(&accepted).unwrap_or_default();
    let kept = KeptAnswer { status: StatusCode::ACCEPTED, body };
    Ok((Extension(kept), feed.only(turn).stream()).into_response())
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut types = accepted.flat_map(|value| value.split(','));
    types.any(|t| t.split(';').next().unwrap_or_default().trim() == "text/event-stream")
}
