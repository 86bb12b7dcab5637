//! A yes that is said beforehand: to one exact target or to the exact steps of a plan, for one person, so
//! often, until then and not before its beginning.

use crate::{
    base::policy_snapshot::PolicySnapshot,
    evidence::{
        EvidenceError, Rights, UserEvent, UserEventKind,
        pending_question::{Proposers, may_say_yes},
        sealed::evidence,
    },
    log::{audit_seq::AuditSeq, recorded::Recorded, unrecorded::Unrecorded},
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{
    ApprovalId, ArgPlace, Blueprint, Consensus, Effect, GRANT_SECONDS_MAX, GRANT_USES_MAX, GrantId,
    GrantScope, GrantTerms, GrantedStep, HttpMethod, Node, ProjectId, StepId, StepParams,
    Timestamp, UserId,
};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GrantDocument {
    version: u32,
    terms: GrantTerms,
    granter: UserId,
    rights: Rights,
    at: Timestamp,
    /// Place of the authenticated event that it rests on.
    event: AuditSeq,
}

evidence! {
    /// A person's yes to plans that are not drawn yet.
    GrantGiven(GrantDocument) = "approval grant", version 1
}

/// Why no yes is said beforehand to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotGrantable {
    /// A risky plan is asked about each time.
    #[error("the plan is risky: people are asked about such a plan each time")]
    Risky,
    /// So is this kind of task, what removes something and what runs a program.
    #[error("people are asked about plans of this kind each time")]
    EachTime,
    /// The review did not end in YES.
    #[error("the review did not end in YES: people are asked about such a plan each time")]
    Review,
    /// A value that is not the requester's decides where it goes.
    #[error("a value that the requester did not write decides where it goes")]
    Foreign,
    /// The policy asks several people.
    #[error("the policy asks several people: a yes beforehand is one person's")]
    Several,
    /// The plan has no step of that name.
    #[error("the plan has no such step")]
    NoStep,
    /// The target is not written out in the plan.
    #[error("the plan does not write out exactly where this step goes, or whom its body is for")]
    NotExact,
    /// The number is out of bounds.
    #[error("it counts 1 to `{GRANT_USES_MAX}` times")]
    Uses,
    /// The time is out of bounds.
    #[error("it ends after now, and within 30 days")]
    Expiry,
    /// It would begin before it is given, or not before its end.
    #[error("it begins now or later, and before its end")]
    Beginning,
    /// The person may not say yes to that person's plans.
    #[error("this person may not approve that person's plans here")]
    NotAllowed,
    /// The event is not about it.
    #[error(transparent)]
    Event(#[from] EvidenceError),
}

/// What a yes to this plan, or to one of its steps, says beforehand; or why it cannot.
pub fn scope_of(plan: &Blueprint, step: Option<&StepId>) -> Result<GrantScope, NotGrantable> {
    let review = &plan.spec_snapshot.deliberation;
    if review.risky {
        return Err(NotGrantable::Risky);
    }
    // What an API call removes has the effect of a write.
    let removes =
        |node: &Node| matches!(node.params, StepParams::ApiCall { method: HttpMethod::Delete, .. });
    let changes_much = |node: &Node| node.effect > Effect::Write || removes(node);
    if plan.spec_snapshot.spec.task_type.is_asked_each_time() || plan.nodes.iter().any(changes_much)
    {
        return Err(NotGrantable::EachTime);
    }
    if review.consensus != Consensus::Yes {
        return Err(NotGrantable::Review);
    }
    let Some(step) = step else { return whole(plan) };
    let node = plan.node(step).ok_or(NotGrantable::NoStep)?;
    if is_foreign(plan, node) {
        return Err(NotGrantable::Foreign);
    }
    let target = plan.exact_target(node).ok_or(NotGrantable::NotExact)?;
    Ok(GrantScope::Target { step_type: node.params.step_type(), target })
}

fn whole(plan: &Blueprint) -> Result<GrantScope, NotGrantable> {
    if plan.nodes.iter().any(|node| is_foreign(plan, node)) {
        return Err(NotGrantable::Foreign);
    }
    let step = |node: &Node| GrantedStep {
        step_type: node.params.step_type(),
        // The digest has the body as it is.
        target: plan.exact_target(node).or_else(|| plan.address(node)),
    };
    let steps = plan.nodes.iter().map(step).collect();
    let content = plan.workflow_digest().map_err(|_| EvidenceError::Undigestible)?;
    Ok(GrantScope::Workflow { content, steps })
}

/// A value other than what is written to a file is an output, or did not come from the requester's words.
fn is_foreign(plan: &Blueprint, node: &Node) -> bool {
    let counts = |place: ArgPlace| place != ArgPlace::Content;
    let written = plan.sources.get(&node.id).into_iter().flat_map(|places| places.keys());
    let args = node.params.args();
    let bound = args.iter().filter(|(_, arg)| arg.binding().is_some());
    let mut bound = bound.filter_map(|(name, _)| ArgPlace::of_arg(name));
    written.copied().any(counts) || bound.any(counts)
}

/// The only constructor. The event names the digest of the terms, which are those of this plan or of this
/// step; by the policy in force its author may say yes to such plans of the holder, in their own right: what
/// was lent to them gives none. At each use all of that is ruled on again.
pub fn given(
    event: &Recorded<UserEvent>,
    (plan, step): (&Blueprint, Option<&StepId>),
    terms: GrantTerms,
    policy: &PolicySnapshot,
) -> Result<Unrecorded<GrantGiven>, NotGrantable> {
    if !policy.is_of(event.seal()) {
        return Err(EvidenceError::Foreign.into());
    }
    let said = event.body();
    if (said.project(), plan.project, policy.project())
        != (terms.project, terms.project, terms.project)
    {
        return Err(EvidenceError::OtherProject.into());
    }
    let digest = terms.digest().map_err(|_| EvidenceError::Undigestible)?;
    if *said.kind() != (UserEventKind::Grant { grant: terms.id, digest }) {
        return Err(EvidenceError::OtherSubject.into());
    }
    if terms.scope != scope_of(plan, step)? {
        return Err(EvidenceError::OtherSubject.into());
    }
    let rule = policy.project_policy().approval.rule(false);
    if rule.approvers > 1 {
        return Err(NotGrantable::Several);
    }
    let editors = plan.spec_snapshot.editors();
    let proposed = Proposers { requester: terms.holder, editors: &editors };
    if !may_say_yes(rule.by, proposed, said.user(), said.rights()) {
        return Err(NotGrantable::NotAllowed);
    }
    if !(1..=GRANT_USES_MAX).contains(&terms.uses) {
        return Err(NotGrantable::Uses);
    }
    let (at, end) = (said.at(), terms.expires_at);
    if end <= at || end > at.plus_seconds(GRANT_SECONDS_MAX) {
        return Err(NotGrantable::Expiry);
    }
    // The end is counted from the giving, whenever it begins: a later beginning makes the time shorter.
    if terms.not_before.is_some_and(|from| from < at || from >= end) {
        return Err(NotGrantable::Beginning);
    }
    let given = GrantDocument {
        version: GrantGiven::VERSION,
        terms,
        granter: said.user(),
        rights: said.rights(),
        at,
        event: event.at(),
    };
    Ok(Unrecorded::new(event.seal().clone(), GrantGiven(given)))
}

impl GrantGiven {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> GrantId {
        self.0.terms.id
    }
    /// The project whose plans it is for.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.terms.project
    }
    /// Whose plans it is for.
    #[must_use]
    pub const fn holder(&self) -> UserId {
        self.0.terms.holder
    }
    /// What it says yes to.
    #[must_use]
    pub const fn scope(&self) -> &GrantScope {
        &self.0.terms.scope
    }
    /// How often it counts.
    #[must_use]
    pub const fn uses(&self) -> u32 {
        self.0.terms.uses
    }
    /// Before this it covers nothing; `None`: it has counted since it was given.
    #[must_use]
    pub const fn not_before(&self) -> Option<Timestamp> {
        self.0.terms.not_before
    }
    /// From here on it no longer counts.
    #[must_use]
    pub const fn expires_at(&self) -> Timestamp {
        self.0.terms.expires_at
    }
    /// The question whose plan it was made from.
    #[must_use]
    pub const fn made_from(&self) -> ApprovalId {
        self.0.terms.made_from
    }
    /// Who said yes.
    #[must_use]
    pub const fn granter(&self) -> UserId {
        self.0.granter
    }
    /// Their rights when they said it.
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.0.rights
    }
    /// When they said it.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.0.at
    }
    /// Place of the authenticated event that it rests on.
    #[must_use]
    pub const fn event(&self) -> AuditSeq {
        self.0.event
    }
}
