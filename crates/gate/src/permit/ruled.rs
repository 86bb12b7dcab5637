//! A decision before its commit.

use crate::{
    case::Case,
    facts::{GateFacts, SubjectFacts},
    findings::{ApprovalBasis, Findings, Hold, Refusal as Refused, UsedGrant},
    log::record::DecisionRecord,
    permit::{
        authorized::Authorized,
        claim::{ApprovalKey, Claim, GrantKey, Guard, HoldLine},
        committed::Committed,
        seal::{Seal, Tie},
    },
    subject::sealed::{Key, Subject},
};
use std::{collections::BTreeMap, fmt};
use wiiiv_domain::{DenyCode, GateName, SystemName, Timestamp, UserId};

/// Every denial, the reported one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    denials: Vec<(GateName, DenyCode)>,
    refusals: Vec<Refused>,
}

impl Denied {
    /// The codes alone.
    #[must_use]
    pub fn codes(&self) -> Vec<DenyCode> {
        self.denials.iter().map(|(_, code)| *code).collect()
    }
    /// Each gate with its code.
    #[must_use]
    pub fn denials(&self) -> &[(GateName, DenyCode)] {
        &self.denials
    }
    /// What the permission gate refused, place by place.
    #[must_use]
    pub fn refusals(&self) -> &[Refused] {
        &self.refusals
    }
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("denied:")?;
        self.denials.iter().try_for_each(|(_, code)| write!(f, " `{code}`"))
    }
}

/// Why a ruling gives no permit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The commit belongs to another ruling or another opening.
    #[error("this commit is not of this ruling")]
    ForeignCommit,
    /// A gate denied.
    #[error("{0}")]
    Denied(Denied),
}

/// A subject with its decision. A commit turns it into a permit, or it is withdrawn.
#[must_use = "sealed by its commit, or withdrawn"]
#[derive(Debug)]
pub struct Ruled<T: Subject> {
    seal: Seal,
    tie: Tie,
    subject: T,
    outcome: Result<T::Trail, Denied>,
}

impl<T: Subject> Ruled<T> {
    /// The only constructor of a permit; it needs the commit of this ruling.
    pub fn seal(self, done: Committed) -> Result<Authorized<T>, Refusal> {
        if !done.answers(&self.seal, &self.tie) {
            return Err(Refusal::ForeignCommit);
        }
        let trail = self.outcome.map_err(Refusal::Denied)?;
        Ok(Authorized::new(self.seal, done.at(), trail, self.subject))
    }
    /// Returns the subject without a permit, after a refused commit.
    #[must_use]
    pub fn withdraw(self) -> T {
        self.subject
    }
    /// The denials; `None` if every gate allowed.
    #[must_use]
    pub fn denied(&self) -> Option<&Denied> {
        self.outcome.as_ref().err()
    }
    /// The subject, to be read.
    #[must_use]
    pub const fn peek(&self) -> &T {
        &self.subject
    }
}

/// Evaluates, and makes a claim and its ruling with one tie.
pub(crate) fn decide<T: Subject>(case: Case<'_>, subject: T, now: Timestamp) -> (Claim, Ruled<T>) {
    let (facts, rules) = (&case.judged.facts, case.policy.rules(case.judged.by));
    let mut findings = crate::evaluate::evaluate(facts, rules, now);
    if case.policy.is_over(now) {
        // Nobody has put the policy before it back yet.
        findings.permission.refuse_whole(DenyCode::EvidenceMismatch, case.policy.number());
    }
    let outcome = T::clear(Key::new(), &findings, &case.start).ok_or_else(|| Denied {
        denials: findings.denials(),
        refusals: findings.permission.refusals.clone(),
    });
    let record = DecisionRecord::of(&case, &findings, now);
    let systems = subject.systems(Key::new(), &case.start);
    let guard = outcome.is_ok().then(|| guard(&case, &findings, systems));
    let (seal, tie) = (case.seal.clone(), Tie::new());
    let claim = Claim::new(seal.clone(), tie.clone(), record, guard);
    (claim, Ruled { seal, tie, subject, outcome })
}

fn guard(case: &Case<'_>, findings: &Findings, systems: BTreeMap<SystemName, u64>) -> Guard {
    let hold = match &findings.cost.hold {
        Hold::Stands(execution) => vec![HoldLine::StillHeld(*execution)],
        Hold::Take(lines) => lines
            .iter()
            .map(|line| HoldLine::Take {
                window: line.window.clone(),
                amount: findings.cost.estimate,
                cap: line.cap,
            })
            .collect(),
    };
    Guard {
        policy: (case.policy.project(), case.policy.version()),
        until: case.policy.until(),
        standing: case.judged.facts.standing,
        requester: requester(&case.judged.facts),
        systems,
        start: case.start.clone(),
        consume: consumed(&case.judged.facts, &findings.approval.basis),
        grants: granted(&case.judged.facts, &findings.approval.basis),
        hold,
    }
}

fn requester(facts: &GateFacts) -> Option<UserId> {
    match &facts.subject {
        SubjectFacts::Blueprint(plan) => Some(plan.requester),
        SubjectFacts::Step(_) | SubjectFacts::ModelCall(_) => None,
    }
}

/// One for each question; nearly always the plan has one.
fn consumed(facts: &GateFacts, basis: &ApprovalBasis) -> Vec<ApprovalKey> {
    let SubjectFacts::Blueprint(plan) = &facts.subject else { return Vec::new() };
    let (blueprint, digest, requester) = (plan.blueprint, plan.digest, plan.requester);
    match basis {
        ApprovalBasis::Given { approval, others, .. } => {
            let mut counts = BTreeMap::from([(*approval, 1_u8)]);
            for other in others {
                *counts.entry(other.approval).or_default() += 1;
            }
            let key = |(id, approvers)| ApprovalKey { id, blueprint, digest, requester, approvers };
            counts.into_iter().map(key).collect()
        }
        ApprovalBasis::NotAsked
        | ApprovalBasis::NotRequired { .. }
        | ApprovalBasis::PreApproved { .. }
        | ApprovalBasis::GivenToExecution { .. }
        | ApprovalBasis::Missing
        | ApprovalBasis::ForeignTarget => Vec::new(),
    }
}

fn granted(facts: &GateFacts, basis: &ApprovalBasis) -> Vec<GrantKey> {
    let (SubjectFacts::Blueprint(plan), ApprovalBasis::PreApproved { grants }) =
        (&facts.subject, basis)
    else {
        return Vec::new();
    };
    let (holder, blueprint, digest) = (plan.requester, plan.blueprint, plan.digest);
    let key = |used: &UsedGrant| {
        let UsedGrant { grant: id, granter, taken } = *used;
        GrantKey { id, holder, granter, blueprint, digest, taken }
    };
    grants.iter().map(key).collect()
}
