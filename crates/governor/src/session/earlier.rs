//! The earlier run that a message may refer to.

use crate::session::{
    SessionFault,
    records::{AskedFor, Records},
};
use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, SlotName, Slots, Sources, TaskType, ValueSources};
use wiiiv_hlx::EarlierRun;

/// Its slots; empty where there is none. The file is that of the last run, also of a write, so that
/// `read that file` finds it; none after a deletion.
pub async fn ran(records: &Records) -> Result<Slots, SessionFault> {
    let runs = records.earlier_runs().await?;
    let (last, answered) = (done_last(records, &runs).await?, wiiiv_hlx::latest(&runs));
    let mut known = match answered {
        Some(execution) => {
            let asked = records.asked_for(execution).await?;
            asked.map(|asked| asked.spec.slots.clone())
        }
        None => None,
    }
    .unwrap_or_default();
    if last != answered
        && let Some(last) = last
    {
        let done = records.asked_for(last).await?.map(|asked| asked.spec);
        let stays = done.filter(|spec| spec.task_type != TaskType::FileDelete);
        let file = stays.and_then(|spec| spec.slots.get(SlotName::TARGET_PATH).map(str::to_owned));
        known.set(SlotName::TARGET_PATH, file.unwrap_or_default())?;
    }
    Ok(known)
}

/// Of the slots that [`ran`] gives.
pub async fn sources(records: &Records) -> Result<ValueSources, SessionFault> {
    let runs = records.earlier_runs().await?;
    let mut found = ValueSources::default();
    let shown = [done_last(records, &runs).await?, wiiiv_hlx::latest(&runs)];
    for execution in shown.into_iter().flatten() {
        if let Some(asked) = records.asked_for(execution).await? {
            found.extend([&asked.spec.sources.all()]);
        }
    }
    Ok(found)
}

/// The last written file that was not deleted since, and where its name came from.
pub async fn saved(records: &Records) -> Result<Option<(String, Sources)>, SessionFault> {
    let mut deleted = BTreeSet::new();
    for run in records.earlier_runs().await?.iter() {
        let Some(AskedFor { spec, .. }) = records.asked_for(run.execution).await? else { continue };
        let Some(path) = spec.slots.get(SlotName::TARGET_PATH).map(str::to_owned) else { continue };
        match spec.task_type {
            TaskType::FileRead => {}
            TaskType::FileDelete => {
                deleted.insert(path);
            }
            _ if deleted.contains(&path) => {}
            _ => {
                let of_path = SlotName::parse(SlotName::TARGET_PATH).ok();
                let mut sources = Sources::default();
                if let (Some(name), Some(from)) = (of_path, spec.sources.get(SlotName::TARGET_PATH))
                {
                    sources.set(name, from.clone());
                }
                return Ok(Some((path, sources)));
            }
        }
    }
    Ok(None)
}

/// The last succeeded run: a failed one does not change the file that is meant.
async fn done_last(
    records: &Records,
    runs: &[EarlierRun],
) -> Result<Option<ExecutionId>, SessionFault> {
    for run in runs {
        let asked = records.asked_for(run.execution).await?;
        if asked.is_some_and(|asked| asked.succeeded) {
            return Ok(Some(run.execution));
        }
    }
    Ok(None)
}
