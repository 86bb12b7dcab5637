//! The earlier run that a message may refer to.

use crate::session::{Session, SessionFault};
use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, SlotName, Slots, Spec, TaskType};
use wiiiv_hlx::EarlierRun;
use wiiiv_store::ExecutionState;

/// Its slots; empty where there is none. The file is that of the last run, also of a write, so that
/// `read that file` finds it; none after a deletion.
pub async fn ran(session: &Session) -> Result<Slots, SessionFault> {
    if !session.work.has_run {
        return Ok(Slots::default());
    }
    let runs = session.journal.records.earlier_runs().await?;
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
        known.set(SlotName::TARGET_PATH, file.unwrap_or_default())?;
    }
    Ok(known)
}

/// The last written file that was not deleted since.
pub async fn saved(session: &Session) -> Result<Option<String>, SessionFault> {
    let mut deleted = BTreeSet::new();
    for run in session.journal.records.earlier_runs().await? {
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

/// The last succeeded run: a failed one does not change the file that is meant.
async fn done_last(
    session: &Session,
    runs: &[EarlierRun],
) -> Result<Option<ExecutionId>, SessionFault> {
    for run in runs {
        let row = session.journal.records.execution(run.execution).await?;
        if row.is_some_and(|row| row.state == ExecutionState::Succeeded) {
            return Ok(Some(run.execution));
        }
    }
    Ok(None)
}

async fn asked_for(
    session: &Session,
    execution: ExecutionId,
) -> Result<Option<Spec>, SessionFault> {
    let records = &session.journal.records;
    let Some(row) = records.execution(execution).await? else { return Ok(None) };
    let stored = records.blueprint(row.blueprint).await?;
    Ok(stored.map(|stored| stored.blueprint.spec_snapshot.spec))
}
