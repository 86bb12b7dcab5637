//! The run that a message may refer to.

use crate::session::{
    draw,
    state::{Down, Session},
};
use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, SlotName, Slots, Spec, TaskType};
use wiiiv_hlx::EarlierRun;
use wiiiv_store::ExecutionState;

/// What it was asked for; nothing where there is none, or where it cannot be told any more. The file
/// is that of whatever was done last: a write leaves no result that could be referred to, and yet
/// `read that file` means the file that it wrote. A file that was deleted is none any more.
pub async fn ran(session: &Session) -> Result<Slots, Down> {
    if !session.has_run {
        return Ok(Slots::default());
    }
    let runs = draw::earlier(session).await?;
    let (last, answered) = (done_last(session, &runs).await?, wiiiv_hlx::latest(&runs));
    let mut known = match answered {
        Some(execution) => asked_for(session, execution).await?.map(|spec| spec.slots),
        None => None,
    }
    .unwrap_or_default();
    if last != answered
        && let Some(last) = last
    {
        let done = asked_for(session, last).await?;
        let stays = done.filter(|spec| spec.task_type != TaskType::FileDelete);
        let file = stays.and_then(|spec| spec.slots.get(SlotName::TARGET_PATH).map(str::to_owned));
        let set = known.set(SlotName::TARGET_PATH, file.unwrap_or_default());
        set.map_err(|error| Down(error.to_string()))?;
    }
    Ok(known)
}

/// The file that was written last, and is not known to be deleted since.
pub async fn saved(session: &Session) -> Result<Option<String>, Down> {
    let mut deleted = BTreeSet::new();
    for run in draw::earlier(session).await? {
        let Some(spec) = asked_for(session, run.execution).await? else { continue };
        let Some(path) = spec.slots.get(SlotName::TARGET_PATH).map(str::to_owned) else { continue };
        match spec.task_type {
            TaskType::FileRead => {}
            TaskType::FileDelete => {
                deleted.insert(path);
            }
            _ if deleted.contains(&path) => {}
            _ => return Ok(Some(path)),
        }
    }
    Ok(None)
}

/// What failed has changed nothing that is known of: it leaves the file that was meant before.
async fn done_last(session: &Session, runs: &[EarlierRun]) -> Result<Option<ExecutionId>, Down> {
    for run in runs {
        let row = session.room.deps.store.execution(run.execution).await?;
        if row.is_some_and(|row| row.state == ExecutionState::Succeeded) {
            return Ok(Some(run.execution));
        }
    }
    Ok(None)
}

async fn asked_for(session: &Session, execution: ExecutionId) -> Result<Option<Spec>, Down> {
    let store = &session.room.deps.store;
    let Some(row) = store.execution(execution).await? else { return Ok(None) };
    let stored = store.blueprint(row.blueprint).await?;
    Ok(stored.map(|stored| stored.blueprint.spec_snapshot.spec))
}
