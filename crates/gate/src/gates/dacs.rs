//! Recounts the recorded verdict by the rules of today.

use crate::{
    base::policy::Policy,
    facts::{DacsFacts, PlanFacts},
    findings::{Answer, DacsFinding},
};
use wiiiv_domain::{Consensus, DacsSource, DacsStage, DenyCode, ModelPersonas};

/// Whether model personas have to be asked: of a risky spec that the rule personas do not refuse.
pub(crate) const fn asks_models(policy: &Policy, risky: bool, rules: Consensus) -> bool {
    let asks = match policy.project_policy().model_personas {
        ModelPersonas::Never => false,
        ModelPersonas::Risky => risky,
    };
    asks && !matches!(rules, Consensus::No)
}

/// A verdict binds where the stage is `enforce`, and where the spec is risky in any stage.
pub(crate) const fn binds(stage: DacsStage, risky: bool) -> bool {
    match stage {
        DacsStage::Enforce => true,
        DacsStage::Observe => risky,
    }
}

pub(crate) fn of_plan(plan: &PlanFacts, policy: &Policy) -> DacsFinding {
    let binding = binds(policy.project_policy().dacs_stage, plan.risk.risky);
    let code = refusal(&plan.dacs, asks_models(policy, plan.risk.risky, plan.dacs.recounted));
    let forged = code == Some(DenyCode::EvidenceMismatch);
    let denied = if binding || forged { code } else { None };
    DacsFinding {
        answer: Answer::of(denied),
        would_deny: if denied.is_none() { code } else { None },
        consensus: Some(effective(&plan.dacs)),
        binding,
    }
}

/// The most severe of the recorded and the recounted results.
fn effective(dacs: &DacsFacts) -> Consensus {
    dacs.counted.max(dacs.recounted).max(dacs.model.unwrap_or(Consensus::Yes))
}

/// In precedence order: a snapshot that contradicts itself, a verdict by other rules or without its
/// opinions, a more severe recount, then the verdict itself.
fn refusal(dacs: &DacsFacts, asks_models: bool) -> Option<DenyCode> {
    if dacs.claimed != dacs.counted {
        return Some(DenyCode::EvidenceMismatch);
    }
    let unheard = match dacs.source {
        // Under a policy that was tightened since, or of a plan that became risky.
        DacsSource::RulesOnly => asks_models,
        DacsSource::RulesAndModel => dacs.model.is_none(),
    };
    if dacs.judged_by != dacs.rules || unheard {
        return Some(DenyCode::DacsMissing);
    }
    if effective(dacs) > dacs.counted {
        return Some(DenyCode::DacsRevision);
    }
    match dacs.counted {
        Consensus::Yes => None,
        Consensus::Revision => Some(DenyCode::DacsRevision),
        Consensus::No => Some(DenyCode::DacsNo),
    }
}
