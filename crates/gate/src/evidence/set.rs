//! Everything that one ruling is given.

use crate::{
    evidence::{ApprovalGiven, Deliberation},
    recorded::Recorded,
    standing::{BudgetView, Standing},
};

/// Opinions and approvals are recorded. Budget, halt, risk and taint are plain: the commit holds
/// them to the truth.
#[derive(Debug)]
pub struct EvidenceSet {
    /// Opinions of the model personas, if they were asked.
    pub deliberation: Option<Recorded<Deliberation>>,
    /// Approvals of the plan; none, where none is needed yet.
    pub approvals: Vec<Recorded<ApprovalGiven>>,
    /// What the budget windows hold.
    pub budget: BudgetView,
    /// The session's standing, as the store has it.
    pub standing: Standing,
}

impl EvidenceSet {
    /// For what no person and no persona is asked about.
    #[must_use]
    pub const fn bare(budget: BudgetView, standing: Standing) -> Self {
        Self { deliberation: None, approvals: Vec::new(), budget, standing }
    }
}
