//! What a ruling wants written, and what must still be true at that instant.

use crate::{
    cap::Cap,
    evidence::ExecutionStarted,
    record::DecisionRecord,
    seal::{Seal, Tie},
    standing::Standing,
    start::Start,
};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Amount, ApprovalId, BlueprintDigest, BlueprintId, BudgetWindow, ExecutionId, PolicyVersionId,
    ProjectId, SystemName, UserId,
};

/// No Clone: a claim is committed once.
#[must_use = "a ruling that is not committed permits nothing"]
#[derive(Debug)]
pub struct Claim {
    seal: Seal,
    tie: Tie,
    record: Box<DecisionRecord>,
    guard: Option<Guard>,
}

impl Claim {
    pub(crate) fn new(seal: Seal, tie: Tie, record: DecisionRecord, guard: Option<Guard>) -> Self {
        Self { seal, tie, record: Box::new(record), guard }
    }
    /// The decision, to be written to the audit.
    #[must_use]
    pub fn record(&self) -> &DecisionRecord {
        &self.record
    }
    /// `None` for a denial: its record is written and nothing else.
    #[must_use]
    pub const fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }
    /// The evidence that the commit of this claim witnesses: this execution, and no other, begins.
    #[must_use]
    pub fn started(&self) -> Option<ExecutionStarted> {
        match &self.guard.as_ref()?.start {
            Start::Execution { execution, blueprint, digest } => {
                Some(ExecutionStarted::new(*execution, *blueprint, *digest))
            }
            Start::Resume { .. } | Start::Step { .. } | Start::Call(_) => None,
        }
    }
    pub(crate) fn is_of(&self, seal: &Seal) -> bool {
        self.seal.same(seal)
    }
    pub(crate) fn into_tie(self) -> Tie {
        self.tie
    }
}

/// Each line is one conditional statement of the commit (permits.md 2).
#[derive(Debug, PartialEq, Eq)]
pub struct Guard {
    /// The version that must still be in force, and its project.
    pub policy: (ProjectId, PolicyVersionId),
    /// As it was judged: its number, and what stands behind the number.
    pub standing: Standing,
    /// Whose plan it is, which still has to be somebody who may ask for it; `None`: no plan starts.
    pub requester: Option<UserId>,
    /// Registrations that still have to be of these revisions: those of the plan that begins, or the
    /// one that the step speaks to. A run that goes on is asked step by step.
    pub systems: BTreeMap<SystemName, u64>,
    /// What begins or goes on with this commit.
    pub start: Start,
    /// Empty where none is needed, and when resuming.
    pub consume: Vec<ApprovalKey>,
    /// In the order in which the rows are taken.
    pub hold: Vec<HoldLine>,
}

/// The approval row as it must stand to be consumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalKey {
    /// The approval to consume.
    pub id: ApprovalId,
    /// The plan that it must be for.
    pub blueprint: BlueprintId,
    /// The digest that it must be for.
    pub digest: BlueprintDigest,
    /// The requester that it must name.
    pub requester: UserId,
}

/// What the commit must do about the budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldLine {
    /// Hold this much of the window, if it still fits under the cap of the guarded policy version.
    Take {
        /// The window to hold in.
        window: BudgetWindow,
        /// How much to hold.
        amount: Amount,
        /// The cap that it must fit under.
        cap: Cap,
    },
    /// The hold that this execution took when it began must still stand.
    StillHeld(ExecutionId),
    /// Drawn on that execution's hold, never on the windows again.
    From(ExecutionId),
}
