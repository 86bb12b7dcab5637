//! Whether a yes is needed, and whether it was given.

use crate::{
    base::policy::Policy,
    evidence::pending_question::{Proposers, may_say_yes},
    facts::{ApprovalFacts, PlanFacts},
    findings::{Answer, ApprovalBasis, ApprovalFinding, CountedYes, NotRequired},
    gates::{
        foreign::{goes_where_a_value_says, is_barred},
        grant::{self, YesRule},
    },
};
use wiiiv_domain::{ApprovalBy, ApprovalRule, Asks, Confirmation, DenyCode, Effect, Timestamp};

/// The approval that policy requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requirement {
    Nobody(NotRequired),
    /// `taint`: required only because a value did not come from the user's words.
    /// `approvers`: of so many different people.
    Somebody {
        by: ApprovalBy,
        approvers: u8,
        taint: bool,
    },
}

impl Requirement {
    pub(crate) const fn asks(self) -> Asks {
        match self {
            Self::Nobody(_) => Asks::Nothing,
            Self::Somebody { by: ApprovalBy::Requester, .. } => Asks::Requester,
            Self::Somebody { by: ApprovalBy::AnotherPerson, .. } => Asks::AnotherPerson,
        }
    }
}

/// A risky plan always needs a yes, and so does one that somebody else than its requester wrote a value
/// of. So does a plan under `never` in a tainted turn, or whose target did not come from the user's words: a
/// GET can carry data out.
pub(crate) fn asked(plan: &PlanFacts, tainted: bool, policy: &Policy) -> Requirement {
    let rules = policy.project_policy();
    let confirmation = rules.confirmation_of(plan.task_type);
    let ApprovalRule { by, approvers, .. } = rules.approval.rule(plan.risk.risky);
    let reads = plan.nodes.iter().all(|n| n.effect.max(n.acts) == Effect::Read);
    let waived = match confirmation {
        Confirmation::Always => None,
        Confirmation::UnlessRead => reads.then_some(NotRequired::ReadsOnly),
        Confirmation::Risky => Some(NotRequired::NotRisky),
        Confirmation::Never => Some(NotRequired::Never),
    };
    match waived.filter(|_| !plan.risk.risky && plan.editors.is_empty()) {
        None => Requirement::Somebody { by, approvers, taint: false },
        Some(_) if plan.nodes.iter().any(|n| goes_where_a_value_says(n, tainted)) => {
            Requirement::Somebody { by, approvers, taint: true }
        }
        Some(reason) => Requirement::Nobody(reason),
    }
}

pub(crate) fn of_plan(
    plan: &PlanFacts,
    tainted: bool,
    policy: &Policy,
    now: Timestamp,
) -> ApprovalFinding {
    if let Some((execution, digest)) = plan.resumes {
        let stale = (digest != plan.digest).then_some(DenyCode::ApprovalStaleDigest);
        let basis = ApprovalBasis::GivenToExecution { execution };
        return ApprovalFinding { answer: Answer::of(stale), basis };
    }
    if is_barred(plan, policy) {
        let basis = ApprovalBasis::ForeignTarget;
        return ApprovalFinding { answer: Answer::Deny(DenyCode::TaintedArgument), basis };
    }
    let (by, approvers, taint) = match asked(plan, tainted, policy) {
        Requirement::Nobody(reason) => {
            let basis = ApprovalBasis::NotRequired { reason };
            return ApprovalFinding { answer: Answer::Allow, basis };
        }
        Requirement::Somebody { by, approvers, taint } => (by, approvers, taint),
    };
    let mut nearest = if taint { DenyCode::TaintedArgument } else { DenyCode::ApprovalMissing };
    let mut progress = 0;
    let mut counted: Vec<CountedYes> = Vec::new();
    for approval in &plan.approvals {
        match shortfall(approval, plan, by, now) {
            // A person counts once, by whatever token; of more than are needed the first do.
            None => {
                let yes = CountedYes { approval: approval.id, approver: approval.approver };
                let again = counted.iter().any(|one| one.approver == yes.approver);
                if !again && counted.len() < usize::from(approvers.max(1)) {
                    counted.push(yes);
                }
            }
            Some((passed, code)) if passed > progress => (progress, nearest) = (passed, code),
            Some(_) => {}
        }
    }
    if counted.len() >= usize::from(approvers)
        && let Some((first, others)) = counted.split_first()
    {
        let CountedYes { approval, approver } = *first;
        let basis = ApprovalBasis::Given { approval, approver, others: others.to_vec() };
        return ApprovalFinding { answer: Answer::Allow, basis };
    }
    if let Some(grants) = grant::cover(plan, YesRule { by, approvers, tainted }, policy, now) {
        let basis = ApprovalBasis::PreApproved { grants };
        return ApprovalFinding { answer: Answer::Allow, basis };
    }
    ApprovalFinding { answer: Answer::Deny(nearest), basis: ApprovalBasis::Missing }
}

/// Why this yes does not count, and how many checks it passed; of several, the one that passed most
/// is reported. Of too few that all count, that one is missing.
fn shortfall(
    approval: &ApprovalFacts,
    plan: &PlanFacts,
    by: ApprovalBy,
    now: Timestamp,
) -> Option<(u8, DenyCode)> {
    if approval.digest != plan.digest {
        return Some((1, DenyCode::ApprovalStaleDigest));
    }
    if approval.expires_at <= now {
        return Some((2, DenyCode::ApprovalExpired));
    }
    let proposed = Proposers { requester: plan.requester, editors: &plan.editors };
    let allowed = may_say_yes(by, proposed, approval.approver, approval.rights);
    (!allowed).then_some((3, DenyCode::ApproverNotAllowed))
}
