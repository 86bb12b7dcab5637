//! One thing that a user wants, over all its turns and rounds.

use wiiiv_domain::{
    DigestError, Edits, Envelope, JobName, LaterJob, PlanEdit, Proposal, Salt, SlotError, SlotName,
    Slots, Sources, Spec, SpecDigest, TaskId, TaskType, TurnId,
};

/// INVARIANT: `task_type` is never talk; a task begins when something is to be done.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Task {
    pub(crate) id: TaskId,
    /// The turn that last moved it; its further model calls belong to that turn.
    pub(crate) turn: TurnId,
    pub(crate) task_type: TaskType,
    pub(crate) slots: Slots,
    /// Of the values that did not come from the user's words.
    pub(crate) sources: Sources,
    /// Of the values that somebody else than the requester wrote.
    pub(crate) edits: Edits,
    /// The last proposal's own envelope.
    pub(crate) wider: Envelope,
    /// Runs that succeeded.
    pub(crate) rounds: u32,
    /// Failed drawings since the user last spoke.
    pub(crate) drawings: u32,
    /// The spec of the last run.
    pub(crate) ran: Option<SpecDigest>,
    /// The message that asked for it together with other jobs.
    pub(crate) batch: Option<TurnId>,
}

impl Task {
    /// A task with no values of another one.
    pub(crate) fn begin(turn: TurnId, proposal: &Proposal) -> Self {
        Self {
            id: TaskId::from(turn),
            turn,
            task_type: proposal.task_type,
            slots: proposal.slots.clone(),
            sources: proposal.sources.clone(),
            edits: Edits::default(),
            wider: proposal.envelope.clone(),
            rounds: 0,
            drawings: 0,
            ran: None,
            batch: None,
        }
    }

    /// The `nth` further job of a turn's message, from 1; it waits behind the others of `batch`.
    pub(crate) fn later(turn: TurnId, nth: u8, batch: TurnId, job: LaterJob) -> Self {
        let LaterJob { task_type, slots, envelope, sources } = job;
        Self {
            id: TaskId::of_job(turn, nth),
            turn,
            task_type,
            slots,
            sources,
            edits: Edits::default(),
            wider: envelope,
            rounds: 0,
            drawings: 0,
            ran: None,
            batch: Some(batch),
        }
    }

    pub(crate) fn name(&self) -> JobName {
        JobName::of(self.task_type, &self.slots)
    }

    /// The task with the proposal's slots merged into its own; if the type changes, with the
    /// proposal's slots alone.
    pub(crate) fn changed(&self, turn: TurnId, proposal: &Proposal) -> Result<Self, SlotError> {
        let (slots, sources, edits) = if self.task_type == proposal.task_type {
            let slots = self.slots.merged(&proposal.slots)?;
            let sources = self.sources.merged(&proposal.sources, &proposal.slots, &slots);
            let edits = self.edits.kept(&self.slots, &slots);
            (slots, sources, edits)
        } else {
            (proposal.slots.clone(), proposal.sources.clone(), Edits::default())
        };
        let (task_type, wider) = (proposal.task_type, proposal.envelope.clone());
        Ok(Self { turn, task_type, slots, sources, edits, wider, ..self.clone() })
    }

    /// The same with the values of an edit; the spec is that of [`Spec::edited`].
    pub(crate) fn edited(&self, salt: Salt, edit: &PlanEdit) -> Result<Self, SlotError> {
        let Spec { slots, sources, edits, envelope: wider, .. } = self.spec(salt).edited(edit)?;
        Ok(Self { slots, sources, edits, wider, drawings: 0, ..self.clone() })
    }

    pub(crate) fn spec(&self, salt: Salt) -> Spec {
        let spec = Spec::new(salt, self.task_type, self.slots.clone(), &self.wider);
        spec.with_sources(self.sources.clone()).with_edits(self.edits.clone())
    }

    pub(crate) fn spec_digest(&self, salt: Salt) -> Result<SpecDigest, DigestError> {
        self.spec(salt).digest()
    }

    pub(crate) fn missing(&self) -> Vec<SlotName> {
        let names = Spec::missing(self.task_type, &self.slots);
        names.into_iter().filter_map(|name| SlotName::parse(name).ok()).collect()
    }
}
