//! All evidence of one ruling.

use crate::{
    evidence::{ApprovalGiven, Deliberation},
    log::recorded::Recorded,
    standing::{BudgetView, Standing},
};

/// All evidence of one ruling. Opinions and approvals are recorded; budget, halt, risk and taint
/// are plain, and the commit checks them.
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
    /// For subjects that need no opinion and no approval.
    #[must_use]
    pub const fn bare(budget: BudgetView, standing: Standing) -> Self {
        Self { deliberation: None, approvals: Vec::new(), budget, standing }
    }
}
