//! One version of a project's policy, saved by a person with the right to.

use crate::{
    base::policy::Policy,
    evidence::{EvidenceError, UserEvent, UserEventKind, sealed::evidence},
    log::{audit_seq::AuditSeq, recorded::Recorded, unrecorded::Unrecorded},
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{DigestError, PolicyDigest, PolicyDocument, PriceTable};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PolicyVersionDocument {
    version: u32,
    document: PolicyDocument,
    /// The authenticated event; `None` for the first, which the server made with the project.
    event: Option<AuditSeq>,
}

evidence! {
    /// One version of a project's policy.
    PolicyVersion(PolicyVersionDocument) = "policy version", version 1
}

/// The digest that an `EditPolicy` event names.
pub fn digest(document: &PolicyDocument) -> Result<PolicyDigest, DigestError> {
    PolicyDigest::of(document)
}

/// The version that a new project starts with. It has no author.
pub fn initial(document: PolicyDocument) -> Result<PolicyVersion, EvidenceError> {
    if document.author.is_some() || document.number != 1 {
        return Err(EvidenceError::OtherSubject);
    }
    made(document, None)
}

/// The only constructor of later versions.
pub fn edited(
    event: &Recorded<UserEvent>,
    document: PolicyDocument,
) -> Result<Unrecorded<PolicyVersion>, EvidenceError> {
    let said = event.body();
    let UserEventKind::EditPolicy { digest: named } = said.kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    if said.project() != document.project {
        return Err(EvidenceError::OtherProject);
    }
    if document.author != Some(said.user()) || document.number < 2 {
        return Err(EvidenceError::OtherSubject);
    }
    if !said.rights().may_edit_policy() {
        return Err(EvidenceError::NotAllowed);
    }
    if digest(&document).map_err(|_| EvidenceError::Undigestible)? != *named {
        return Err(EvidenceError::StaleDigest);
    }
    let version = made(document, Some(event.at()))?;
    Ok(Unrecorded::new(event.seal().clone(), version))
}

fn made(document: PolicyDocument, event: Option<AuditSeq>) -> Result<PolicyVersion, EvidenceError> {
    // A version that does not compile would leave the project without a policy.
    Policy::compile(document.policy.clone(), &PriceTable::default())?;
    let version = PolicyVersion::VERSION;
    Ok(PolicyVersion(PolicyVersionDocument { version, document, event }))
}

impl PolicyVersion {
    /// The version, with its rules.
    #[must_use]
    pub const fn document(&self) -> &PolicyDocument {
        &self.0.document
    }
    /// Place of the authenticated event; `None` for a project's first version.
    #[must_use]
    pub const fn event(&self) -> Option<AuditSeq> {
        self.0.event
    }
}
