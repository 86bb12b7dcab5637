//! Earlier runs that a spec refers to: `last`, `last-1`, ... or execution ids, separated by commas.

use super::{input::Input, reason};
use crate::draw::facts::{DrawFacts, EarlierRun, EarlierStep};
use wiiiv_domain::{ExecutionId, NotDrawn, SlotName, Spec};

const LAST: &str = "last";
/// Runs that one plan may refer to.
const SOURCES_MAX: usize = 8;

/// In the order in which they are named; none where the spec refers to nothing.
pub(super) fn inputs(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Input>, NotDrawn> {
    let Some(names) = spec.slots.get(SlotName::SOURCE_RUN) else { return Ok(Vec::new()) };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    if names.len() > SOURCES_MAX {
        return Err(reason::slot(SlotName::SOURCE_RUN, "TOO_MANY_SOURCES"));
    }
    names.into_iter().map(|name| of_run(name, facts)).collect()
}

/// The run that `last` means.
#[must_use]
pub fn latest(earlier: &[EarlierRun]) -> Option<ExecutionId> {
    newest_first(earlier).first().map(|(run, _)| run.execution)
}

/// What stands where a name means no run: it means none later on either.
const NONE: &str = "none";

/// The same names as ids, as of now: what waits before it is drawn means what was the last run when
/// it was asked for.
#[must_use]
pub fn pinned(names: &str, earlier: &[EarlierRun]) -> String {
    let runs = newest_first(earlier);
    let pin = |name: &str| match nth(name) {
        Some(back) => runs.get(back).map_or(NONE.to_owned(), |(run, _)| run.execution.to_string()),
        None => name.to_owned(),
    };
    names.split(',').map(str::trim).map(pin).collect::<Vec<_>>().join(",")
}

fn of_run(name: &str, facts: &DrawFacts<'_>) -> Result<Input, NotDrawn> {
    let unknown = || reason::slot(SlotName::SOURCE_RUN, "UNKNOWN_RUN");
    let (run, step) = match nth(name) {
        Some(back) => newest_first(facts.earlier).into_iter().nth(back).ok_or_else(unknown)?,
        None => {
            let execution: ExecutionId = name.parse().map_err(|_| unknown())?;
            let named = |(run, _): &(&EarlierRun, &EarlierStep)| run.execution == execution;
            newest_first(facts.earlier).into_iter().find(named).ok_or_else(unknown)?
        }
    };
    Ok(Input::of_run(run.execution, step))
}

/// 0 for `last`, 1 for `last-1`.
fn nth(name: &str) -> Option<usize> {
    let rest = name.get(..LAST.len()).filter(|word| word.eq_ignore_ascii_case(LAST));
    match rest.and(name.get(LAST.len()..))? {
        "" => Some(0),
        rest => rest.strip_prefix('-')?.parse().ok(),
    }
}

/// Runs that left a result, each with the last step that holds one.
fn newest_first(earlier: &[EarlierRun]) -> Vec<(&EarlierRun, &EarlierStep)> {
    let mut runs: Vec<_> = earlier.iter().filter_map(with_result).collect();
    runs.sort_by_key(|(run, _)| std::cmp::Reverse((run.finished_at, run.execution)));
    runs
}

fn with_result(run: &EarlierRun) -> Option<(&EarlierRun, &EarlierStep)> {
    Some((run, run.steps.iter().rfind(|step| step.foreign)?))
}
