//! One opening, three parts that share its seal.

use crate::{
    keeper::GateKeeper,
    registrar::Registrar,
    rules::{DacsRules, RiskRules},
    seal::Seal,
    verifier::Verifier,
};
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

/// The registrar moves into the store, the verifier to whoever executes.
#[derive(Debug)]
pub struct Opened {
    pub keeper: GateKeeper,
    pub registrar: Registrar,
    pub verifier: Verifier,
}

/// Once, in `main`.
#[must_use]
pub fn open(base: BaseBook) -> Opened {
    let seal = Seal::of(base);
    Opened {
        keeper: GateKeeper::of(seal.clone()),
        registrar: Registrar::of(seal.clone()),
        verifier: Verifier::of(seal),
    }
}
