//! What was asked for and what was tried, to be compared with what is to be done. In memory alone: a
//! restart forgets it, and the score stays.

use std::collections::{BTreeSet, VecDeque};
use wiiiv_domain::{
    Consensus, Effect, Envelope, FlowInput, NotDrawn, RulingOutcome, SlotName, Slots, TaskId,
    TaskType,
};
use wiiiv_gate::Attempt;
use wiiiv_language::{ReadSignal, Reading};

/// Attempts that are remembered.
const ATTEMPTS_MAX: usize = 16;
/// Tasks whose drift was counted.
const TASKS_MAX: usize = 64;

#[derive(Default)]
pub struct Conduct {
    /// The greatest effect that the user's last request asks for; `None`: its words do not say, as those for a
    /// service rarely do.
    asked: Option<Effect>,
    attempts: VecDeque<Attempt>,
    /// Their drift counted already.
    drifted: BTreeSet<TaskId>,
}

impl Conduct {
    pub const fn asked(&self) -> Option<Effect> {
        self.asked
    }

    /// A message that asks for nothing leaves what was asked for.
    pub fn hear(&mut self, reading: &Reading) {
        let first = reading.task_type.map(|task| effect_of(task, &reading.slots));
        let later = reading.later.iter().map(|job| effect_of(job.task_type, &job.slots));
        let asked = first.into_iter().chain(later).flatten().max();
        // Words for a service rarely say whether it is read or changed.
        let tasks =
            reading.task_type.into_iter().chain(reading.later.iter().map(|job| job.task_type));
        let calls = tasks.into_iter().any(|task| {
            matches!(task, TaskType::ApiWorkflow | TaskType::DbQuery | TaskType::WorkflowRun)
        });
        let unclear = calls || !reading.left.is_empty() || reading.lost.is_some();
        match (asked, reading.signal) {
            (Some(effect), _) if !unclear => self.asked = Some(effect),
            (Some(_), _) | (None, ReadSignal::Say) => self.asked = None,
            (None, _) => {}
        }
    }

    /// Whether this is the first time for the task.
    pub fn drifts(&mut self, task: TaskId) -> bool {
        if self.drifted.len() >= TASKS_MAX {
            self.drifted.pop_first();
        }
        self.drifted.insert(task)
    }

    /// Oldest first, with this one.
    pub fn try_now(&mut self, attempt: Attempt) -> &[Attempt] {
        if self.attempts.len() >= ATTEMPTS_MAX {
            self.attempts.pop_front();
        }
        self.attempts.push_back(attempt);
        self.attempts.make_contiguous()
    }

    /// A ladder counts once.
    pub fn forget_attempts(&mut self) {
        self.attempts.clear();
    }

    /// What was tried last is refused. The user's own no is none: people change their minds.
    pub fn note(&mut self, input: &FlowInput) {
        let refused = match input {
            FlowInput::Verdict { consensus, .. } => *consensus == Consensus::No,
            FlowInput::NotDrawable { reasons, .. } => {
                reasons.iter().any(|reason| matches!(reason, NotDrawn::Denied { .. }))
            }
            FlowInput::Ruling { ruling, .. } => matches!(ruling, RulingOutcome::Deny { .. }),
            FlowInput::Refused { .. } => true,
            FlowInput::Signal(_)
            | FlowInput::Proposed { .. }
            | FlowInput::Shadowed { .. }
            | FlowInput::Drawn { .. }
            | FlowInput::Approved { .. }
            | FlowInput::Expired { .. }
            | FlowInput::Edited { .. }
            | FlowInput::Regrounded { .. }
            | FlowInput::Finished { .. } => false,
        };
        if let Some(last) = self.attempts.back_mut().filter(|_| refused) {
            last.refused = true;
        }
    }
}

fn effect_of(task: TaskType, slots: &Slots) -> Option<Effect> {
    let saves = slots.get(SlotName::SAVE) == Some("true");
    let effect = Envelope::narrowest(task, slots).greatest_effect();
    if saves { effect.max(Some(Effect::Write)) } else { effect }
}
