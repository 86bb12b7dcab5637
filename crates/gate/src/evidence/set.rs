//! All evidence of one ruling.

use crate::{
    evidence::{ApprovalGiven, Deliberation, GrantGiven},
    log::recorded::Recorded,
    standing::{BudgetView, Standing},
};

/// A grant, and how often it was used: that is plain, and the commit checks it.
#[derive(Debug)]
pub struct GrantUses {
    /// The grant.
    pub given: Recorded<GrantGiven>,
    /// So often.
    pub used: u32,
}

impl GrantUses {
    /// How often it still counts.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.given.body().uses().saturating_sub(self.used)
    }
}

/// All evidence of one ruling. Opinions, approvals and grants are recorded; uses, budget, halt, risk and
/// taint are plain, and the commit checks them.
#[derive(Debug)]
pub struct EvidenceSet {
    /// Opinions of the model personas, if they were asked.
    pub deliberation: Option<Recorded<Deliberation>>,
    /// Approvals of the plan; none, where none is needed yet.
    pub approvals: Vec<Recorded<ApprovalGiven>>,
    /// Another one was given in a right that is lent no more. It gives a denial its reason, and allows nothing.
    pub delegation_ended: bool,
    /// Grants that its requester holds.
    pub grants: Vec<GrantUses>,
    /// What the budget windows hold.
    pub budget: BudgetView,
    /// The session's standing, as the store has it.
    pub standing: Standing,
}

impl EvidenceSet {
    /// For subjects that need no opinion and no approval.
    #[must_use]
    pub const fn bare(budget: BudgetView, standing: Standing) -> Self {
        Self {
            deliberation: None,
            approvals: Vec::new(),
            delegation_ended: false,
            grants: Vec::new(),
            budget,
            standing,
        }
    }
}
