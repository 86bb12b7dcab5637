//! Events of a session, live and from the journal.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{event::EventView, session::EventsQuery},
    problem::Problem,
    request::{
        address::IdPath,
        page::{Page, PageQuery},
        query::Params,
    },
    routes::sessions::own,
    state::AppState,
    view::{
        journal::event_views,
        sse::{Feed, last_event},
    },
};
use axum::{
    extract::OriginalUri,
    http::{HeaderMap, Uri},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{SessionId, UserId};

/// Server-sent events. Ids are `turn:seq`; `Last-Event-ID` or `?after=` brings what was missed.
/// A turn's last event is named `done`, `error`, `denied`, `pending` or `cancelled`; `delta` holds
/// words of a reply that is still being written and has no id. `halts`, without an id too, holds what of
/// the conversation, its project or the server is halted, each time that one is halted or resumed.
#[utoipa::path(get, path = "/sessions/{id}/events", tag = "sessions",
    params(("id" = Uuid, Path), EventsQuery, ("Last-Event-ID" = Option<String>, Header)),
    responses(
    (status = 200, body = EventView, content_type = "text/event-stream"),
))]
pub(crate) async fn session_events(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    Params(query): Params<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (row, _) = own(&caller, id, rules::SESSION_EVENTS).await?;
    let after = last_event(&headers)?.or(query.after);
    let feed = Feed::open(&caller, rules::SESSION_EVENTS, row, after).await?;
    Ok(feed.stream().into_response())
}

/// What was said and asked, oldest first. A page may hold fewer rows than its limit: it covers that
/// many events, of which not all are part of the conversation.
#[utoipa::path(get, path = "/sessions/{id}/history", tag = "sessions",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<EventView>),
))]
pub(crate) async fn session_history(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let (row, _) = own(&caller, id, rules::SESSION_HISTORY).await?;
    journal_page(&caller.state, (id, row.owner), &uri, &query, EventView::is_said).await
}

/// A page of journal events, of which only some are shown.
pub(crate) async fn journal_page(
    state: &AppState,
    (session, owner): (SessionId, UserId),
    uri: &Uri,
    query: &PageQuery,
    shown: impl Fn(&EventView) -> bool,
) -> Result<Response, Problem> {
    let limit = query.limit()?;
    let from = query.after::<u64>()?.unwrap_or_default().saturating_add(1);
    let rows = state.store().journal_page(session, from, query.rows()?).await?;
    let events: Vec<_> = rows.iter().map(|(seq, event)| (*seq, event)).collect();
    let rows = event_views(state, owner, &events).await?;
    let mut page = Page::of(rows, limit, |view| view.seq.to_string(), |view| view);
    page.items.retain(shown);
    Ok(page.answer(uri))
}
