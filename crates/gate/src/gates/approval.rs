//! Whether a yes is needed, and whether it was given.

use crate::{
    base::policy::Policy,
    evidence::{
        DelegatedRight,
        pending_question::{Proposers, may_say_yes, may_say_yes_for},
    },
    facts::{ApprovalFacts, PlanFacts},
    findings::{Answer, ApprovalBasis, ApprovalFinding, CountedYes, NotRequired},
    gates::{
        foreign::{goes_where_a_value_says, is_barred},
        grant::{self, YesRule},
    },
};
use wiiiv_domain::{
    ApprovalBy, ApprovalRule, Asks, Confirmation, DenyCode, Effect, Timestamp, UserId,
};

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
    let mut nearest: Option<(u8, DenyCode)> = None;
    let mut allowed: Vec<CountedYes> = Vec::new();
    for approval in &plan.approvals {
        match shortfall(approval, plan, by, now) {
            None => allowed.push(CountedYes {
                approval: approval.id,
                approver: approval.approver,
                on_behalf_of: approval.on_behalf.map(DelegatedRight::on_behalf_of),
            }),
            short => nearest = nearest.max(short),
        }
    }
    let counted = of_different_people(&allowed, usize::from(approvers.max(1)));
    if counted.len() >= usize::from(approvers)
        && let Some((first, others)) = counted.split_first()
    {
        let (CountedYes { approval, approver, on_behalf_of }, others) = (*first, others.to_vec());
        let basis = ApprovalBasis::Given { approval, approver, on_behalf_of, others };
        return ApprovalFinding { answer: Answer::Allow, basis };
    }
    if let Some(grants) = grant::cover(plan, YesRule { by, approvers, tainted }, policy, now) {
        let basis = ApprovalBasis::PreApproved { grants };
        return ApprovalFinding { answer: Answer::Allow, basis };
    }
    let none = match (plan.delegation_ended, taint) {
        (true, _) => DenyCode::DelegationEnded,
        (false, true) => DenyCode::TaintedArgument,
        (false, false) => DenyCode::ApprovalMissing,
    };
    let code = nearest.map_or(none, |(_, code)| code);
    ApprovalFinding { answer: Answer::Deny(code), basis: ApprovalBasis::Missing }
}

/// A person counts once, by whatever token, and so does a right, whoever uses it: the most yeses of which no
/// two share either, as far as so many are needed. Of more than are needed the first do.
fn of_different_people(allowed: &[CountedYes], needed: usize) -> Vec<CountedYes> {
    let mut counted = Vec::new();
    for yes in allowed {
        let again = counted.iter().any(|one: &CountedYes| one.approver == yes.approver);
        if !again && counted.len() < needed {
            count(allowed, yes.approver, &mut Vec::new(), &mut counted);
        }
    }
    counted
}

/// Counts one yes of this person, where a right is free for it or whoever has that can use another one.
fn count(
    allowed: &[CountedYes],
    person: UserId,
    tried: &mut Vec<UserId>,
    counted: &mut Vec<CountedYes>,
) -> bool {
    for yes in allowed.iter().filter(|yes| yes.approver == person) {
        let right = yes.in_right_of();
        if tried.contains(&right) {
            continue;
        }
        tried.push(right);
        let user = counted.iter().position(|one| one.in_right_of() == right);
        let Some((at, other)) = user.and_then(|at| Some((at, counted.get(at)?.approver))) else {
            counted.push(*yes);
            return true;
        };
        // Where it can, its other yes is behind the others: this one takes the place.
        if count(allowed, other, tried, counted)
            && let Some(place) = counted.get_mut(at)
        {
            *place = *yes;
            return true;
        }
    }
    false
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
    if approval.expires_at <= now || approval.on_behalf.is_some_and(|lent| !lent.runs_at(now)) {
        return Some((2, DenyCode::ApprovalExpired));
    }
    let proposed = Proposers { requester: plan.requester, editors: &plan.editors };
    let allowed = match approval.on_behalf {
        None => may_say_yes(by, proposed, approval.approver, approval.rights),
        Some(lent) => may_say_yes_for(by, proposed, approval.approver, lent),
    };
    (!allowed).then_some((3, DenyCode::ApproverNotAllowed))
}
