//! One version of a project's policy, saved by a person with the right to.

pub mod temporary;

use crate::{
    base::policy::Policy,
    evidence::{EvidenceError, UserEvent, UserEventKind, sealed::evidence},
    log::{audit_seq::AuditSeq, recorded::Recorded, unrecorded::Unrecorded},
    rollout::Earned,
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{
    DacsStage, DigestError, PolicyDigest, PolicyDocument, PriceTable, ProjectPolicy,
};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PolicyVersionDocument {
    version: u32,
    document: PolicyDocument,
    /// The authenticated event; `None` for the first, which the server made with the project, and where
    /// an override ended by itself.
    event: Option<AuditSeq>,
    /// Of an override, the event of who proposed it; `event` is its approval.
    // A version from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proposed: Option<AuditSeq>,
}

evidence! {
    /// One version of a project's policy.
    PolicyVersion(PolicyVersionDocument) = "policy version", version 1
}

/// The digest that an event names which makes a version.
pub fn digest(document: &PolicyDocument) -> Result<PolicyDigest, DigestError> {
    PolicyDigest::of(document)
}

/// The version that a new project starts with. It has no author.
pub fn initial(document: PolicyDocument) -> Result<PolicyVersion, EvidenceError> {
    if document.author.is_some() || document.number != 1 || document.of_override.is_some() {
        return Err(EvidenceError::OtherSubject);
    }
    made(document, None)
}

/// A later version by an edit of the one in force. Its stage is that one's.
pub fn edited(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let UserEventKind::EditPolicy { digest } = event.body().kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    if !event.body().rights().may_edit_policy() {
        return Err(EvidenceError::NotAllowed);
    }
    check_lasting(&document, current)?;
    let version = later(event, document, current, *digest)?;
    if version.0.document.policy.dacs_stage != stage(current) {
        return Err(EvidenceError::StageEdited);
    }
    Ok(Unrecorded::new(event.seal().clone(), version))
}

/// A later version that differs from the one in force in its stage alone: `enforce`.
pub fn promoted(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
    _earned: Earned,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let UserEventKind::Promote { digest } = event.body().kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    switched(event, document, current, (*digest, DacsStage::Enforce))
}

/// The same, back to `observe`.
pub fn demoted(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let UserEventKind::Demote { digest } = event.body().kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    switched(event, document, current, (*digest, DacsStage::Observe))
}

fn switched(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
    (named, to): (PolicyDigest, DacsStage),
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    if !event.body().rights().may_switch_stage() {
        return Err(EvidenceError::NotAllowed);
    }
    check_lasting(&document, current)?;
    let due = ProjectPolicy { dacs_stage: to, ..current.body().document().policy.clone() };
    if document.policy != due || stage(current) == to {
        return Err(EvidenceError::OtherSubject);
    }
    let version = later(event, document, current, named)?;
    Ok(Unrecorded::new(event.seal().clone(), version))
}

const fn stage(version: &Recorded<PolicyVersion>) -> DacsStage {
    version.body().document().policy.dacs_stage
}

/// While an override runs, nothing else changes the policy: what would come back at its end is settled.
fn check_lasting(
    document: &PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<(), EvidenceError> {
    if current.body().document().temporary().is_some() {
        return Err(EvidenceError::OverrideRuns);
    }
    match document.of_override {
        None => Ok(()),
        Some(_) => Err(EvidenceError::OtherSubject),
    }
}

/// What holds for every version after the first that a person makes.
fn later(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
    current: &Recorded<PolicyVersion>,
    named: PolicyDigest,
) -> Result<PolicyVersion, EvidenceError> {
    if !current.is_of(event.seal()) {
        return Err(EvidenceError::Foreign);
    }
    let said = event.body();
    check_follows(&document, current)?;
    if said.project() != document.project {
        return Err(EvidenceError::OtherProject);
    }
    if document.author != Some(said.user()) {
        return Err(EvidenceError::OtherSubject);
    }
    if digest(&document).map_err(|_| EvidenceError::Undigestible)? != named {
        return Err(EvidenceError::StaleDigest);
    }
    made(document, Some(event.at()))
}

fn check_follows(
    document: &PolicyDocument,
    current: &Recorded<PolicyVersion>,
) -> Result<(), EvidenceError> {
    let before = current.body().document();
    if before.project != document.project {
        return Err(EvidenceError::OtherProject);
    }
    match document.number > before.number {
        true => Ok(()),
        false => Err(EvidenceError::OtherSubject),
    }
}

fn made(document: PolicyDocument, event: Option<AuditSeq>) -> Result<PolicyVersion, EvidenceError> {
    // A version that does not compile would leave the project without a policy.
    Policy::compile(document.policy.clone(), &PriceTable::default())?;
    let version = PolicyVersion::VERSION;
    Ok(PolicyVersion(PolicyVersionDocument { version, document, event, proposed: None }))
}

impl PolicyVersion {
    /// The version, with its rules.
    #[must_use]
    pub const fn document(&self) -> &PolicyDocument {
        &self.0.document
    }
    /// Place of the authenticated event; `None` for a project's first version, and where an override
    /// ended by itself.
    #[must_use]
    pub const fn event(&self) -> Option<AuditSeq> {
        self.0.event
    }
    /// Of an override: place of the event of who proposed it.
    #[must_use]
    pub const fn proposed(&self) -> Option<AuditSeq> {
        self.0.proposed
    }
}
