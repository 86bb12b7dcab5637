//! Overrides: a version that two people put in force for a while, and the one that ends it.

use super::{PolicyVersion, PolicyVersionDocument, check_follows, later, made};
use crate::{
    evidence::{EvidenceError, UserEvent, UserEventKind},
    log::{recorded::Recorded, unrecorded::Unrecorded},
};
use wiiiv_domain::{
    ContentDigest, OVERRIDE_SECONDS_MAX, OVERRIDE_SECONDS_MIN, OverrideEnd, OverrideMark,
    OverrideProposal, OverrideScope, PolicyDocument, ProjectPolicy, TemporaryPolicy, Timestamp,
};

/// The digest that proposing and approving an override name.
pub fn proposal_digest(proposal: &OverrideProposal) -> Result<ContentDigest, EvidenceError> {
    ContentDigest::of(proposal).map_err(|_| EvidenceError::Undigestible)
}

/// Whether it may override this version: for a time within bounds, never the stage, never a quorum, and
/// never another override. One that leaves every rule as it is would be two people's yes to nothing.
pub fn check_proposal(
    proposal: &OverrideProposal,
    current: &PolicyDocument,
) -> Result<(), EvidenceError> {
    if (proposal.version, proposal.project, proposal.on)
        != (OverrideProposal::VERSION, current.project, current.id)
    {
        return Err(EvidenceError::OtherSubject);
    }
    if current.temporary().is_some() {
        return Err(EvidenceError::OverrideRuns);
    }
    if !(OVERRIDE_SECONDS_MIN..=OVERRIDE_SECONDS_MAX).contains(&proposal.ttl_seconds) {
        return Err(EvidenceError::OverrideTime);
    }
    if proposal.policy == current.policy {
        return Err(EvidenceError::OverrideUnchanged);
    }
    if proposal.policy.dacs_stage != current.policy.dacs_stage {
        return Err(EvidenceError::StageEdited);
    }
    match current.policy.keeps_quorum(&proposal.policy) {
        true => Ok(()),
        false => Err(EvidenceError::QuorumLowered),
    }
}

/// The version that an override is, from the approval on: proposed by one person, approved by another.
/// Both may approve, and who proposed may edit the policy.
pub fn overridden(
    (proposed, approved): (&Recorded<UserEvent>, &Recorded<UserEvent>),
    proposal: &OverrideProposal,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    if !current.is_of(approved.seal()) || !current.is_of(proposed.seal()) {
        return Err(EvidenceError::Foreign);
    }
    let before = current.body().document();
    check_proposal(proposal, before)?;
    let (first, second) = (proposed.body(), approved.body());
    if first.project() != proposal.project || second.project() != proposal.project {
        return Err(EvidenceError::OtherProject);
    }
    let (
        UserEventKind::ProposeOverride { digest: one },
        UserEventKind::ApproveOverride { digest: two },
    ) = (first.kind(), second.kind())
    else {
        return Err(EvidenceError::OtherSubject);
    };
    let named = proposal_digest(proposal)?;
    if *one != named || *two != named {
        return Err(EvidenceError::StaleDigest);
    }
    if first.user() == second.user() {
        return Err(EvidenceError::SamePerson);
    }
    let may = first.rights().may_edit_policy() && first.rights().may_approve();
    if !may || !second.rights().may_approve() {
        return Err(EvidenceError::NotAllowed);
    }
    let due = temporary(proposal, &before.policy, second.at());
    let same = document.author == Some(first.user())
        && document.reason == proposal.reason
        && document.policy == proposal.policy
        && document.at == second.at()
        && document.of_override == Some(OverrideMark::Temporary(due));
    if !same {
        return Err(EvidenceError::OtherSubject);
    }
    check_follows(&document, current)?;
    let PolicyVersion(version) = made(document, Some(approved.at()))?;
    let version = PolicyVersionDocument { proposed: Some(proposed.at()), ..version };
    Ok(Unrecorded::new(approved.seal().clone(), PolicyVersion(version)))
}

/// What a version says of the override that it is, from that approval on.
#[must_use]
pub fn temporary(
    proposal: &OverrideProposal,
    before: &ProjectPolicy,
    from: Timestamp,
) -> TemporaryPolicy {
    TemporaryPolicy {
        id: proposal.id,
        scope: proposal.scope,
        until: from.plus_seconds(i64::from(proposal.ttl_seconds)),
        before: Box::new(before.clone()),
    }
}

/// The version that ends an override: the rules before it, to the letter. A person's event where a person
/// ends it, and none where its time is over or its one run has ended.
pub fn restored(
    event: Option<&Recorded<UserEvent>>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let now = current.body().document();
    let temporary = now.temporary().ok_or(EvidenceError::NoOverride)?;
    let Some(OverrideMark::Restored { id, end }) = document.of_override else {
        return Err(EvidenceError::OtherSubject);
    };
    if id != temporary.id || document.policy != *temporary.before {
        return Err(EvidenceError::OtherSubject);
    }
    let right = match (end, event) {
        (OverrideEnd::Expired, None) => temporary.is_over(document.at),
        (OverrideEnd::Used, None) => temporary.scope == OverrideScope::Request,
        (OverrideEnd::Ended, Some(event)) => return ended(event, document, current),
        (OverrideEnd::Ended, None) | (OverrideEnd::Expired | OverrideEnd::Used, Some(_)) => false,
    };
    if !right || document.author.is_some() {
        return Err(EvidenceError::OtherSubject);
    }
    check_follows(&document, current)?;
    Ok(Unrecorded::new(current.seal().clone(), made(document, None)?))
}

fn ended(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let UserEventKind::EndOverride { digest } = event.body().kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    if !event.body().rights().may_edit_policy() {
        return Err(EvidenceError::NotAllowed);
    }
    let version = later(event, document, current, *digest)?;
    Ok(Unrecorded::new(event.seal().clone(), version))
}
