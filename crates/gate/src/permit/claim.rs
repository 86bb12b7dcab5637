//! What a ruling writes, and the conditions that must hold at the commit.

use crate::{
    evidence::ExecutionStarted,
    log::record::DecisionRecord,
    permit::{
        cap::Cap,
        seal::{Seal, Tie},
        start::Start,
    },
    standing::Standing,
};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Amount, ApprovalId, BlueprintDigest, BlueprintId, BudgetWindow, ExecutionId, GrantId,
    PolicyVersionId, ProjectId, SystemName, Timestamp, UserId,
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
    /// `None` for a denial, which writes its record only.
    #[must_use]
    pub const fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }
    /// The evidence that this commit makes: the run begins.
    #[must_use]
    pub fn started(&self) -> Option<ExecutionStarted> {
        match &self.guard.as_ref()?.start {
            Start::Execution { execution, blueprint, digest, takes } => {
                Some(ExecutionStarted::new(*execution, (*blueprint, *digest), *takes))
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

/// Conditions of the commit; each line is one conditional statement (permits.md 2).
#[derive(Debug, PartialEq, Eq)]
pub struct Guard {
    /// The version that must still be in force, and its project.
    pub policy: (ProjectId, PolicyVersionId),
    /// That version is an override: the commit must be before this instant.
    pub until: Option<Timestamp>,
    /// The standing that was judged: its number and its content.
    pub standing: Standing,
    /// The plan's requester, who must still have the right to ask; `None` if no plan starts.
    pub requester: Option<UserId>,
    /// Revisions of registrations that must still hold: those of the plan that begins, or the one
    /// that the step calls. A resumed run checks them step by step.
    pub systems: BTreeMap<SystemName, u64>,
    /// What begins or goes on with this commit.
    pub start: Start,
    /// Approvals to consume; empty if none is needed, and when a run resumes.
    pub consume: Vec<ApprovalKey>,
    /// Grants to use; empty unless the plan rests on them.
    pub grants: Vec<GrantKey>,
    /// In the order in which rows are locked.
    pub hold: Vec<HoldLine>,
}

/// The grant as it must be to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantKey {
    /// The grant.
    pub id: GrantId,
    /// Whose plans it must be for.
    pub holder: UserId,
    /// Who must still be somebody whose yes counts.
    pub granter: UserId,
    /// The plan that uses it.
    pub blueprint: BlueprintId,
    /// Digest of that plan.
    pub digest: BlueprintDigest,
    /// So many of its uses, which must be left.
    pub taken: u32,
}

/// The approval row as it must be to be consumed.
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
    /// How many people's yeses to it the ruling counted: so many must still be people who may.
    pub approvers: u8,
}

/// What the commit must do about the budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HoldLine {
    /// Hold this amount in the window, if it fits under the cap.
    Take {
        /// The window to hold in.
        window: BudgetWindow,
        /// How much to hold.
        amount: Amount,
        /// The cap that it must fit under.
        cap: Cap,
    },
    /// The hold that this run took when it began must still exist.
    StillHeld(ExecutionId),
    /// Covered by that run's hold; the windows are not charged again.
    From(ExecutionId),
}
