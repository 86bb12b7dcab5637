//! The run that a message may refer to.

use crate::session::{
    draw,
    state::{Down, Session},
};
use wiiiv_domain::Slots;

/// What it was asked for; nothing where there is none, or where it cannot be told any more.
pub async fn ran(session: &Session) -> Result<Slots, Down> {
    if !session.has_run {
        return Ok(Slots::default());
    }
    let store = &session.room.deps.store;
    let runs = draw::earlier(session).await?;
    let Some(execution) = wiiiv_hlx::latest(&runs) else { return Ok(Slots::default()) };
    let Some(row) = store.execution(execution).await? else { return Ok(Slots::default()) };
    let stored = store.blueprint(row.blueprint).await?;
    Ok(stored.map(|stored| stored.blueprint.spec_snapshot.spec.slots).unwrap_or_default())
}
