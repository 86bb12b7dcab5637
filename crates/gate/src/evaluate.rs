//! The one evaluator, for forecasts, shadow, replay and `rule`. It makes no permit.

use crate::{
    base::policy::Policy,
    facts::{GateFacts, PlanFacts, SubjectFacts},
    findings::{Answer, ApprovalBasis, ApprovalFinding, CostFinding, DacsFinding, Findings, Hold},
    gates::{approval, cost, dacs, foreign, permission},
};
use wiiiv_domain::{Amount, Asks, Timestamp};

/// Gives all four answers; the subject decides which gates are asked (permits.md 1).
#[must_use]
pub fn evaluate(facts: &GateFacts, policy: &Policy, now: Timestamp) -> Findings {
    match &facts.subject {
        SubjectFacts::Blueprint(plan) => Findings {
            dacs: dacs::of_plan(plan, policy),
            approval: approval::of_plan(plan, facts.standing.tainted, policy, now),
            permission: permission::of_plan(facts, plan, policy, now),
            cost: cost::of_plan(facts, plan, policy, now),
        },
        SubjectFacts::Step(step) => Findings {
            dacs: dacs_not_asked(),
            approval: approval_not_asked(),
            permission: permission::of_step(facts, step, policy, now),
            cost: CostFinding {
                answer: Answer::NotAsked,
                estimate: Amount::ZERO,
                hold: Hold::Take(Vec::new()),
            },
        },
        SubjectFacts::ModelCall(call) => Findings {
            dacs: dacs_not_asked(),
            approval: approval_not_asked(),
            permission: permission::of_call(facts, call, policy),
            cost: cost::of_call(facts, call, policy, now),
        },
    }
}

/// Whose yes the policy asks for, nobody's where it was said beforehand; `Refused` where another gate denies
/// whatever anybody answers.
pub(crate) fn asks(findings: &Findings, plan: &PlanFacts, tainted: bool, policy: &Policy) -> Asks {
    let others = [findings.dacs.answer, findings.permission.answer, findings.cost.answer];
    let denied = others.into_iter().any(|answer| answer.denial().is_some());
    if denied || foreign::is_barred(plan, policy) {
        return Asks::Refused;
    }
    if matches!(findings.approval.basis, ApprovalBasis::PreApproved { .. }) {
        return Asks::Nothing;
    }
    approval::asked(plan, tainted, policy).asks()
}

const fn dacs_not_asked() -> DacsFinding {
    DacsFinding { answer: Answer::NotAsked, would_deny: None, consensus: None, binding: false }
}

const fn approval_not_asked() -> ApprovalFinding {
    ApprovalFinding { answer: Answer::NotAsked, basis: ApprovalBasis::NotAsked }
}
