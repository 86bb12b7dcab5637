//! A yes to one blueprint, one digest and one requester.

use crate::{
    evidence::{
        DelegatedRight, DelegationGiven, EvidenceError, PendingQuestion, Rights, UserEvent,
        UserEventKind, pending_question::may_say_yes, sealed::evidence,
    },
    log::{audit_seq::AuditSeq, recorded::Recorded, unrecorded::Unrecorded},
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, DelegationId, OnBehalfOf, ProjectId, Timestamp,
    UserId,
};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ApprovalDocument {
    version: u32,
    id: ApprovalId,
    project: ProjectId,
    blueprint: BlueprintId,
    digest: BlueprintDigest,
    requester: UserId,
    approver: UserId,
    rights: Rights,
    at: Timestamp,
    expires_at: Timestamp,
    /// Place of the authenticated event that it rests on.
    event: AuditSeq,
    /// The right that it was said in, where that is another person's.
    // A yes from before this field keeps its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_behalf: Option<DelegatedRight>,
}

evidence! {
    /// A person's yes to one plan.
    ApprovalGiven(ApprovalDocument) = "approval", version 1
}

/// The only constructor of a yes in one's own right. `asked` comes from its row; the event names what its
/// author saw.
pub fn given(
    event: &Recorded<UserEvent>,
    asked: &PendingQuestion,
) -> Result<Unrecorded<ApprovalGiven>, EvidenceError> {
    if named(event, asked)?.is_some() {
        return Err(EvidenceError::OtherSubject);
    }
    let said = event.body();
    if !may_say_yes(asked.by, asked.proposers(), said.user(), said.rights()) {
        return Err(EvidenceError::NotAllowed);
    }
    Ok(document(event, asked, None))
}

/// The only constructor of a yes on behalf of somebody else, by the delegation that the event names.
pub fn given_for(
    event: &Recorded<UserEvent>,
    asked: &PendingQuestion,
    lent: &Recorded<DelegationGiven>,
) -> Result<Unrecorded<ApprovalGiven>, EvidenceError> {
    if !lent.is_of(asked.seal()) {
        return Err(EvidenceError::Foreign);
    }
    if named(event, asked)? != Some(lent.body().id()) {
        return Err(EvidenceError::OtherSubject);
    }
    let said = event.body();
    if !asked.request().may_be_given_for(said.user(), lent.body(), said.at()) {
        return Err(EvidenceError::NotAllowed);
    }
    Ok(document(event, asked, Some(lent.body().right())))
}

/// The delegation that a yes to this question names.
fn named(
    event: &Recorded<UserEvent>,
    asked: &PendingQuestion,
) -> Result<Option<DelegationId>, EvidenceError> {
    if !event.is_of(asked.seal()) {
        return Err(EvidenceError::Foreign);
    }
    let said = event.body();
    let UserEventKind::Approve { approval, blueprint, digest, delegation } = said.kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    if (*approval, *blueprint) != (asked.id, asked.blueprint) {
        return Err(EvidenceError::OtherSubject);
    }
    if said.project() != asked.project {
        return Err(EvidenceError::OtherProject);
    }
    if *digest != asked.digest {
        return Err(EvidenceError::StaleDigest);
    }
    if said.at() >= asked.expires_at {
        return Err(EvidenceError::Expired { at: asked.expires_at.to_string() });
    }
    Ok(*delegation)
}

fn document(
    event: &Recorded<UserEvent>,
    asked: &PendingQuestion,
    on_behalf: Option<DelegatedRight>,
) -> Unrecorded<ApprovalGiven> {
    let said = event.body();
    let given = ApprovalDocument {
        version: ApprovalGiven::VERSION,
        id: asked.id,
        project: asked.project,
        blueprint: asked.blueprint,
        digest: asked.digest,
        requester: asked.requester,
        approver: said.user(),
        rights: said.rights(),
        at: said.at(),
        expires_at: asked.expires_at,
        event: event.at(),
        on_behalf,
    };
    Unrecorded::new(event.seal().clone(), ApprovalGiven(given))
}

/// The same yes for another drawing of the same plan, after a run of it that ended before anything
/// began. Digest, person and expiry stay the same; the gates refuse a plan of another digest.
pub fn taken_up(
    given: &Recorded<ApprovalGiven>,
    (id, blueprint): (ApprovalId, BlueprintId),
) -> Unrecorded<ApprovalGiven> {
    let document = ApprovalDocument { id, blueprint, ..given.body().0 };
    Unrecorded::new(given.seal().clone(), ApprovalGiven(document))
}

impl ApprovalGiven {
    /// Id of the question that was answered.
    #[must_use]
    pub const fn id(&self) -> ApprovalId {
        self.0.id
    }
    /// The plan's project.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.project
    }
    /// The plan that was approved.
    #[must_use]
    pub const fn blueprint(&self) -> BlueprintId {
        self.0.blueprint
    }
    /// Digest of that plan.
    #[must_use]
    pub const fn digest(&self) -> BlueprintDigest {
        self.0.digest
    }
    /// Who asked for the plan.
    #[must_use]
    pub const fn requester(&self) -> UserId {
        self.0.requester
    }
    /// Who said yes.
    #[must_use]
    pub const fn approver(&self) -> UserId {
        self.0.approver
    }
    /// The approver's rights when they said yes.
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.0.rights
    }
    /// The right that it was said in, where that is another person's.
    #[must_use]
    pub const fn on_behalf(&self) -> Option<DelegatedRight> {
        self.0.on_behalf
    }
    /// Whose right that is.
    #[must_use]
    pub fn on_behalf_of(&self) -> Option<OnBehalfOf> {
        self.0.on_behalf.map(DelegatedRight::on_behalf_of)
    }
    /// When the yes was said.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.0.at
    }
    /// From here on the yes no longer counts.
    #[must_use]
    pub const fn expires_at(&self) -> Timestamp {
        self.0.expires_at
    }
    /// Place of the authenticated event that it rests on.
    #[must_use]
    pub const fn event(&self) -> AuditSeq {
        self.0.event
    }
}
