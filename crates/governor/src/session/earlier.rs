//! The earlier run that a message may refer to.

use crate::session::{Session, SessionFault, records::AskedFor};
use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, SlotName, Slots, TaskType};
use wiiiv_hlx::EarlierRun;

/// Its slots; empty where there is none. The file is that of the last run, also of a write, so that
/// `read that file` finds it; none after a deletion.
pub async fn ran(session: &Session) -> Result<Slots, SessionFault> {
    if !session.work.has_run {
        return Ok(Slots::default());
    }
    let runs = session.journal.records.earlier_runs().await?;
    let (last, answered) = (done_last(session, &runs).await?, wiiiv_hlx::latest(&runs));
    let mut known = match answered {
        Some(execution) => {
            let asked = session.journal.records.asked_for(execution).await?;
            asked.map(|asked| asked.spec.slots.clone())
        }
        None => None,
    }
    .unwrap_or_default();
    if last != answered
        && let Some(last) = last
    {
        let done = session.journal.records.asked_for(last).await?.map(|asked| asked.spec);
        let stays = done.filter(|spec| spec.task_type != TaskType::FileDelete);
        let file = stays.and_then(|spec| spec.slots.get(SlotName::TARGET_PATH).map(str::to_owned));
        known.set(SlotName::TARGET_PATH, file.unwrap_or_default())?;
    }
    Ok(known)
}

/// The last written file that was not deleted since.
pub async fn saved(session: &Session) -> Result<Option<String>, SessionFault> {
    let (records, mut deleted) = (&session.journal.records, BTreeSet::new());
    for run in records.earlier_runs().await?.iter() {
        let Some(AskedFor { spec, .. }) = records.asked_for(run.execution).await? else { continue };
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
        let asked = session.journal.records.asked_for(run.execution).await?;
        if asked.is_some_and(|asked| asked.succeeded) {
            return Ok(Some(run.execution));
        }
    }
    Ok(None)
}
