//! The state of one session's conversation. It has no serde: a replay of its inputs restores it, from the
//! beginning or from a point where all that it remembers are refused specs.

use crate::{
    refusals::Refusals,
    task::Task,
    task_position::{ParkedTask, TaskPosition},
    view::TaskView,
};
use std::fmt;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, Grounds, RefusedSpecs, Salt, Spec, StateName, TurnId,
};

/// The conversation's state: the active task, suspended and queued ones, and refused specs.
#[derive(Clone, PartialEq, Eq)]
pub struct FlowState {
    pub(crate) salt: Salt,
    pub(crate) place: TaskPosition,
    /// Longest suspended first.
    pub(crate) suspended: Vec<ParkedTask>,
    /// Jobs that wait for those before them in their message, in its order.
    pub(crate) queued: Vec<Task>,
    pub(crate) refusals: Refusals,
}

impl FlowState {
    /// The state of a session that has just begun.
    #[must_use]
    pub fn new(salt: Salt) -> Self {
        Self::quiet(salt, RefusedSpecs::default())
    }

    /// The state of a session without tasks, in which these were refused.
    #[must_use]
    pub const fn quiet(salt: Salt, refused: RefusedSpecs) -> Self {
        Self {
            salt,
            place: TaskPosition::Listening,
            suspended: Vec::new(),
            queued: Vec::new(),
            refusals: Refusals(refused),
        }
    }

    /// The state's name, as the API shows it.
    #[must_use]
    pub const fn name(&self) -> StateName {
        self.place.name()
    }

    /// The active task; `None` while the session is listening.
    #[must_use]
    pub fn active(&self) -> Option<TaskView<'_>> {
        TaskView::of_place(&self.place)
    }

    /// Longest suspended first.
    pub fn suspended(&self) -> impl ExactSizeIterator<Item = TaskView<'_>> {
        self.suspended.iter().map(TaskView::of_held)
    }

    /// Jobs that have not been begun, the next of each message first.
    pub fn queued(&self) -> impl ExactSizeIterator<Item = TaskView<'_>> {
        self.queued.iter().map(TaskView::of_queued)
    }

    /// The turn whose model call has not been answered yet.
    #[must_use]
    pub const fn proposing(&self) -> Option<TurnId> {
        match &self.place {
            TaskPosition::Proposing { turn, .. } => Some(*turn),
            TaskPosition::Listening
            | TaskPosition::Resting(_)
            | TaskPosition::Deliberating { .. }
            | TaskPosition::Drawing { .. }
            | TaskPosition::Authorizing { .. }
            | TaskPosition::Running { .. } => None,
        }
    }

    /// The active task's spec; a restart reviews it, draws it or asks about it again.
    #[must_use]
    pub fn spec(&self) -> Option<Spec> {
        self.place.task().map(|task| task.spec(self.salt))
    }

    /// The plan that the gates are ruling on; they are asked again after a restart.
    #[must_use]
    pub const fn authorizing(&self) -> Option<(BlueprintId, BlueprintDigest)> {
        match &self.place {
            TaskPosition::Authorizing { question, .. } => {
                Some((question.blueprint, question.digest))
            }
            TaskPosition::Listening
            | TaskPosition::Proposing { .. }
            | TaskPosition::Resting(_)
            | TaskPosition::Deliberating { .. }
            | TaskPosition::Drawing { .. }
            | TaskPosition::Running { .. } => None,
        }
    }

    /// There is no task: of [`FlowState::quiet`] with the same refused specs a replay may begin with the
    /// next input.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.place == TaskPosition::Listening && self.suspended.is_empty() && self.queued.is_empty()
    }

    /// At most [`wiiiv_domain::FlowLimits::refused_max`] closed, and as many reopened.
    #[must_use]
    pub const fn refused(&self) -> &RefusedSpecs {
        &self.refusals.0
    }

    /// The state itself, or the one it returns to after a model call.
    #[must_use]
    pub const fn rests_at(&self) -> StateName {
        self.place.rest_name()
    }

    /// Whether a spec was refused and is still closed.
    #[must_use]
    pub fn has_refused(&self) -> bool {
        self.refusals.count() > 0
    }

    /// Whether a spec was refused here under other grounds than these.
    #[must_use]
    pub fn refused_otherwise(&self, now: Grounds) -> bool {
        self.refusals.differ_from(now)
    }
}

/// Hides slots, which are the user's content.
impl fmt::Debug for FlowState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowState")
            .field("name", &self.name())
            .field("task", &self.place.task().map(|task| task.id))
            .field("suspended", &self.suspended.len())
            .field("queued", &self.queued.len())
            .field("refused", &self.refusals.count())
            .field("hash", &self.hash())
            .finish()
    }
}
