//! What the keeper knows of its own and nobody can bring kinder.

use crate::rules::{DacsRules, RiskRules};
use wiiiv_domain::{ExecutorMeta, PriceTable, StepType};

/// What the keeper knows of its own and nobody can bring kinder: fixed at opening.
#[derive(Debug, Clone)]
pub struct BaseBook {
    pub executors: Vec<ExecutorMeta>,
    pub dacs: DacsRules,
    pub risk: RiskRules,
    pub prices: PriceTable,
}

impl BaseBook {
    pub(crate) fn executor_for(&self, step: StepType) -> Option<&ExecutorMeta> {
        self.executors.iter().find(|e| e.step_types.contains(&step))
    }
}
