//! What is wrong with a reading.

use super::file::Utterance;
use std::{collections::BTreeMap, fmt};
use wiiiv_domain::{Effect, Slots, Spec, TaskType};
use wiiiv_language::{ReadSignal, Reading};

#[derive(Debug)]
pub struct Fault {
    what: String,
    expected: String,
    read: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?} and not {:?}", self.what, self.expected, self.read)
    }
}

/// Fully right: signal, task type, stated slots, absent slots, jobs and what was left out.
pub fn judge(utterance: &Utterance, reading: &Reading) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut same = |what: &str, expected: &str, read: &str| {
        if expected != read {
            let (expected, read) = (expected.to_owned(), read.to_owned());
            faults.push(Fault { what: what.to_owned(), expected, read });
        }
    };
    same("signal", &utterance.signal, &signal(reading.signal));
    same("task", &utterance.task, name(reading.task_type));
    compare(&utterance.slots, &reading.slots, &mut same);
    for slot in &utterance.absent {
        same(slot, "", reading.slots.get(slot).unwrap_or_default());
    }
    if let Some(left) = &utterance.left {
        same("left", &left.join(" / "), &reading.left.join(" / "));
    }
    let jobs = if utterance.jobs.is_empty() { 1 } else { utterance.jobs.len() };
    same("jobs", &jobs.to_string(), &(reading.later.len() + 1).to_string());
    for (job, read) in utterance.jobs.iter().skip(1).zip(&reading.later) {
        same("later task", &job.task, read.task_type.as_str());
        compare(&job.slots, &read.slots, &mut same);
    }
    faults
}

fn compare(
    expected: &BTreeMap<String, String>,
    read: &Slots,
    same: &mut impl FnMut(&str, &str, &str),
) {
    for (slot, value) in expected {
        same(slot, value, read.get(slot).unwrap_or_default());
    }
}

fn name(task: Option<TaskType>) -> &'static str {
    task.map_or("NONE", TaskType::as_str)
}

/// `leave_out 1`: which of them.
pub fn signal(signal: ReadSignal) -> String {
    let name = match signal {
        ReadSignal::Affirm => "affirm",
        ReadSignal::Deny => "deny",
        ReadSignal::Cancel => "cancel",
        ReadSignal::LeaveOut(at) => return format!("leave_out {at}"),
        ReadSignal::Modify => "modify",
        ReadSignal::FollowUp => "follow_up",
        ReadSignal::Remember => "remember",
        ReadSignal::Reset => "reset",
        ReadSignal::Say => "say",
    };
    name.to_owned()
}

/// A task that would change something, is whole and sure enough to be previewed, and that the
/// table does not have there.
pub fn unasked_effect(utterance: &Utterance, reading: &Reading) -> Option<TaskType> {
    /// Less sure than this, it is asked about.
    const CONFIDENCE_MIN: f32 = 0.4;
    let first = reading.task_type.map(|task| (task, &reading.slots));
    let later = reading.later.iter().map(|job| (job.task_type, &job.slots));
    let told = |task: TaskType| {
        utterance.task == task.as_str()
            || utterance.jobs.iter().any(|job| job.task == task.as_str())
    };
    let changes = |task: TaskType, slots: &Slots| {
        let own = task.default_effect().is_some_and(|effect| effect > Effect::Read);
        own || slots.get("method").is_some_and(|method| !matches!(method, "GET" | "HEAD"))
    };
    let mut jobs = first.into_iter().chain(later);
    let unasked = jobs.find(|(task, slots)| {
        changes(*task, slots) && Spec::missing(*task, slots).is_empty() && !told(*task)
    });
    unasked.map(|(task, _)| task).filter(|_| reading.confidence >= CONFIDENCE_MIN)
}
