//! Events of a session as clients see them, with the names of persons.

use crate::{
    dto::event::{Cast, EventView},
    problem::Problem,
    state::AppState,
};
use wiiiv_domain::{SessionEvent, UserId};

/// `owner`: of the session.
pub(crate) async fn event_views(
    state: &AppState,
    owner: UserId,
    events: &[(u64, &SessionEvent)],
) -> Result<Vec<EventView>, Problem> {
    let mut people = Vec::new();
    for (_, event) in events {
        people.extend(EventView::people(event).into_iter().flatten());
    }
    let names = state.names().of(state.store(), people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let cast = Cast { owner, name: &name, messages: state.governor().messages() };
    Ok(events.iter().map(|(seq, event)| EventView::of(*seq, event, &cast)).collect())
}
