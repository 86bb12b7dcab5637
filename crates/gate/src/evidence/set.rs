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
    pub deliberation: Option<Recorded<Deliberation>>,
    pub approvals: Vec<Recorded<ApprovalGiven>>,
    pub budget: BudgetView,
    pub standing: Standing,
}

impl EvidenceSet {
    /// For what no person and no persona is asked about.
    #[must_use]
    pub const fn bare(budget: BudgetView, standing: Standing) -> Self {
        Self { deliberation: None, approvals: Vec::new(), budget, standing }
    }
}
