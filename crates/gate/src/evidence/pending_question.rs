//! A question that waits for a person.

use crate::{
    evidence::{Principal, Rights},
    permit::seal::Seal,
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ops::Deref};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, BlueprintId, ProjectId, Timestamp, UserId,
};

/// A question to be asked: plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRequest {
    /// Id of the question.
    pub id: ApprovalId,
    /// The plan that it is about.
    pub blueprint: BlueprintId,
    /// Digest of that plan.
    pub digest: BlueprintDigest,
    /// Who asked for the plan.
    pub requester: UserId,
    /// The plan's project.
    pub project: ProjectId,
    /// Whose yes counts.
    pub by: ApprovalBy,
    /// How many different people have to say yes.
    #[serde(default = "one")]
    pub approvers: u8,
    /// Who wrote values of the plan in place of an answer to an earlier one: their yes does not count.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub editors: BTreeSet<UserId>,
    /// From here on no answer counts.
    pub expires_at: Timestamp,
}

const fn one() -> u8 {
    1
}

impl ApprovalRequest {
    /// Whether a yes of this person would be taken, as far as policy goes.
    #[must_use]
    pub fn may_be_given_by(&self, who: &Principal) -> bool {
        let proposed = Proposers { requester: self.requester, editors: &self.editors };
        may_say_yes(self.by, proposed, who.user(), who.rights())
    }

    /// Whether this person may answer it at all: say no, or change values of its plan.
    #[must_use]
    pub fn may_be_answered_by(&self, who: &Principal) -> bool {
        let rights = Rights { admin: false, ..who.rights() };
        rights.may_approve() || (who.user() == self.requester && rights.may_request())
    }
}

/// A question as its row holds it. INVARIANT: made by [`crate::Registrar::asked`] only, which the
/// store alone has, so no caller can bring a more lenient question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingQuestion {
    seal: Seal,
    request: ApprovalRequest,
}

impl PendingQuestion {
    pub(crate) fn new(seal: Seal, request: ApprovalRequest) -> Self {
        Self { seal, request }
    }
    pub(crate) const fn seal(&self) -> &Seal {
        &self.seal
    }
    /// Whether a yes of this person would be taken: one of another opening of the gate says nothing.
    #[must_use]
    pub fn may_be_given_by(&self, who: &Principal) -> bool {
        who.is_of(&self.seal) && self.request.may_be_given_by(who)
    }
}

impl Deref for PendingQuestion {
    type Target = ApprovalRequest;
    fn deref(&self) -> &ApprovalRequest {
        &self.request
    }
}

/// Whose words a plan holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proposers<'a> {
    pub(crate) requester: UserId,
    /// Who wrote values of it in the requester's place.
    pub(crate) editors: &'a BTreeSet<UserId>,
}

/// Whether policy lets this person say yes, checked when the yes is given and when it is used. Who
/// may approve for others may also approve where only the requester is asked, unless somebody else has
/// written values of it: that is the requester's own to confirm. Nobody says yes to what they wrote
/// themselves in another's place. Only roles in the project count: an administrator has none by being one
/// (governance.md 1).
pub(crate) fn may_say_yes(
    by: ApprovalBy,
    Proposers { requester, editors }: Proposers<'_>,
    approver: UserId,
    rights: Rights,
) -> bool {
    let rights = Rights { admin: false, ..rights };
    let own = approver == requester;
    match by {
        ApprovalBy::Requester if editors.is_empty() => {
            rights.may_approve() || (own && rights.may_request())
        }
        ApprovalBy::Requester => own && (rights.may_request() || rights.may_approve()),
        ApprovalBy::AnotherPerson => !own && !editors.contains(&approver) && rights.may_approve(),
    }
}
