//! A transition under construction: what state functions read and what they add.

use crate::{
    refusals::Refusals,
    state::FlowState,
    task::Task,
    task_position::{ParkedTask, Question, TaskPosition},
};
use wiiiv_domain::{
    FlowEffect, FlowLimits, JobName, ProposalFailure, ReplyCode, Salt, TaskId, TaskOutcome, TurnId,
    Why,
};

/// The position after the transition. `Stay` leaves it unchanged.
#[expect(clippy::large_enum_variant, reason = "lives for one input, and is moved once")]
pub(crate) enum Next {
    Stay,
    To(TaskPosition),
}

impl Next {
    pub(crate) fn or(self, stay: impl FnOnce() -> TaskPosition) -> TaskPosition {
        match self {
            Self::Stay => stay(),
            Self::To(place) => place,
        }
    }
}

pub(crate) struct Transition<'a> {
    pub(crate) limits: &'a FlowLimits,
    pub(crate) before: &'a TaskPosition,
    pub(crate) salt: Salt,
    pub(crate) suspended: Vec<ParkedTask>,
    pub(crate) queued: Vec<Task>,
    pub(crate) refusals: Refusals,
    /// The task that ended in this transition.
    pub(crate) ended: Option<Ended>,
    effects: Vec<FlowEffect>,
}

pub(crate) struct Ended {
    pub(crate) batch: Option<TurnId>,
    /// The turn that last moved the task.
    pub(crate) turn: TurnId,
    pub(crate) job: JobName,
    pub(crate) outcome: TaskOutcome,
}

impl<'a> Transition<'a> {
    pub(crate) fn from(limits: &'a FlowLimits, state: &'a FlowState) -> Self {
        Self {
            limits,
            before: &state.place,
            salt: state.salt,
            suspended: state.suspended.clone(),
            queued: state.queued.clone(),
            ended: None,
            refusals: state.refusals.clone(),
            effects: Vec::new(),
        }
    }

    pub(crate) fn into(self, place: TaskPosition) -> (FlowState, Vec<FlowEffect>) {
        let Self { salt, suspended, queued, refusals, effects, .. } = self;
        (FlowState { salt, place, suspended, queued, refusals }, effects)
    }

    pub(crate) fn effect(&mut self, effect: FlowEffect) {
        self.effects.push(effect);
    }

    pub(crate) fn reply(&mut self, reply: ReplyCode) {
        self.effect(FlowEffect::Reply { reply });
    }

    /// Replies and changes nothing.
    pub(crate) fn only_reply(&mut self, reply: ReplyCode) -> Next {
        self.reply(reply);
        Next::Stay
    }

    /// The model's words; an empty text is no reply.
    pub(crate) fn say(&mut self, message: String) {
        self.reply(if message.trim().is_empty() {
            ReplyCode::ModelFailed { failure: ProposalFailure::InvalidOutput }
        } else {
            ReplyCode::Model { message }
        });
    }

    pub(crate) fn propose(&mut self, turn: TurnId, why: Why) {
        self.effect(FlowEffect::Propose { turn, why });
    }

    /// Asks for the task's missing slots.
    pub(crate) fn ask(&mut self, task: &Task, message: String) {
        let (task_type, missing) = (task.task_type, task.missing());
        self.effect(FlowEffect::Ask { task_type, missing, message });
    }

    /// Withdraws the question from the person who was asked.
    pub(crate) fn withdraw(&mut self, question: Option<&Question>) {
        if let Some(Question { blueprint, digest, .. }) = question {
            self.effect(FlowEffect::Withdraw { blueprint: *blueprint, digest: *digest });
        }
    }

    pub(crate) fn ended(&mut self, task: &Task, outcome: TaskOutcome) {
        let Task { batch, turn, .. } = *task;
        self.ended = Some(Ended { batch, turn, job: task.name(), outcome });
    }

    /// Whether a task of this id is active, suspended or waiting its turn.
    pub(crate) fn knows(&self, id: TaskId) -> bool {
        let held = self.suspended.iter().map(|held| &held.task);
        let mut tasks = self.before.task().into_iter().chain(held).chain(&self.queued);
        tasks.any(|task| task.id == id)
    }

    /// How many more tasks may be suspended.
    pub(crate) fn capacity(&self) -> usize {
        self.limits.suspended_max.saturating_sub(self.suspended.len() + self.queued.len())
    }
}
