//! The keeper's own data, fixed at opening.

use crate::rules::{DacsRules, RiskRules};
use wiiiv_domain::{ExecutorMeta, PriceTable, StepType};

/// The keeper's own data, fixed at opening: no caller can replace it by more lenient data.
#[derive(Debug, Clone)]
pub struct BaseBook {
    /// Every executor of this build, as its own code declares it.
    pub executors: Vec<ExecutorMeta>,
    /// The rules of the review.
    pub dacs: DacsRules,
    /// The rules of risk.
    pub risk: RiskRules,
    /// The server's prices; a policy's are laid over them.
    pub prices: PriceTable,
}

impl BaseBook {
    pub(crate) fn executor_for(&self, step: StepType) -> Option<&ExecutorMeta> {
        self.executors.iter().find(|e| e.step_types.contains(&step))
    }
}
