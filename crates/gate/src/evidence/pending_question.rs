//! A question that waits for a person.

use crate::{
    evidence::{DelegatedRight, DelegationGiven, Principal, Rights},
    log::recorded::Recorded,
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
        may_say_yes(self.by, self.proposers(), who.user(), who.rights())
    }

    /// Whether this person may answer it at all in their own right: say no, or change values of its plan.
    #[must_use]
    pub fn may_be_answered_by(&self, who: &Principal) -> bool {
        let rights = Rights { admin: false, ..who.rights() };
        rights.may_approve() || (who.user() == self.requester && rights.may_request())
    }

    /// Whether this person would be taken as the delegate of that delegation, at that time.
    #[must_use]
    pub fn may_be_given_for(&self, who: UserId, lent: &DelegationGiven, at: Timestamp) -> bool {
        self.is_lent(who, lent, at) && may_say_yes_for(self.by, self.proposers(), who, lent.right())
    }

    /// The same of a no: also to what either of the two wrote values of, and to what the requester alone
    /// confirms.
    fn may_be_refused_for(&self, who: UserId, lent: &DelegationGiven, at: Timestamp) -> bool {
        let right = lent.right();
        let apart = ![who, right.delegator].contains(&self.requester);
        self.is_lent(who, lent, at) && apart && right.rights.answers_for_others()
    }

    fn is_lent(&self, who: UserId, lent: &DelegationGiven, at: Timestamp) -> bool {
        lent.project() == self.project && lent.delegate() == who && lent.right().runs_at(at)
    }

    pub(crate) const fn proposers(&self) -> Proposers<'_> {
        Proposers { requester: self.requester, editors: &self.editors }
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
    pub(crate) const fn request(&self) -> &ApprovalRequest {
        &self.request
    }
    /// Whether a yes of this person would be taken: one of another opening of the gate says nothing.
    #[must_use]
    pub fn may_be_given_by(&self, who: &Principal) -> bool {
        who.is_of(&self.seal) && self.request.may_be_given_by(who)
    }
    /// The same of the delegate of a delegation, which this opening's log holds.
    #[must_use]
    pub fn may_be_given_for(
        &self,
        who: &Principal,
        lent: &Recorded<DelegationGiven>,
        at: Timestamp,
    ) -> bool {
        self.is_of_one_opening(who, lent)
            && self.request.may_be_given_for(who.user(), lent.body(), at)
    }
    /// The same of a no.
    #[must_use]
    pub fn may_be_refused_for(
        &self,
        who: &Principal,
        lent: &Recorded<DelegationGiven>,
        at: Timestamp,
    ) -> bool {
        self.is_of_one_opening(who, lent)
            && self.request.may_be_refused_for(who.user(), lent.body(), at)
    }
    fn is_of_one_opening(&self, who: &Principal, lent: &Recorded<DelegationGiven>) -> bool {
        who.is_of(&self.seal) && lent.is_of(&self.seal)
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

impl Proposers<'_> {
    fn include(self, person: UserId) -> bool {
        person == self.requester || self.editors.contains(&person)
    }
}

/// Whether policy lets this person say yes, checked when the yes is given and when it is used. Who
/// may approve for others may also approve where only the requester is asked, unless somebody else has
/// written values of it: that is the requester's own to confirm. Nobody says yes to what they wrote
/// themselves in another's place. Only roles in the project count: an administrator has none by being one
/// (governance.md 1).
pub(crate) fn may_say_yes(
    by: ApprovalBy,
    proposed: Proposers<'_>,
    approver: UserId,
    rights: Rights,
) -> bool {
    let own = approver == proposed.requester;
    let may_request = Rights { admin: false, ..rights }.may_request();
    match by {
        ApprovalBy::Requester if proposed.editors.is_empty() => {
            rights.answers_for_others() || (own && may_request)
        }
        ApprovalBy::Requester => own && (may_request || rights.answers_for_others()),
        ApprovalBy::AnotherPerson => !proposed.include(approver) && rights.answers_for_others(),
    }
}

/// Whether somebody may say yes in a right that was lent to them, checked at both times too. Four eyes: nobody
/// whose words the plan holds uses it or has lent it. What the requester has to confirm is confirmed by
/// nobody in their place.
pub(crate) fn may_say_yes_for(
    by: ApprovalBy,
    proposed: Proposers<'_>,
    approver: UserId,
    lent: DelegatedRight,
) -> bool {
    let four_eyes = approver != lent.delegator
        && !proposed.include(approver)
        && !proposed.include(lent.delegator);
    let open = match by {
        ApprovalBy::Requester => proposed.editors.is_empty(),
        ApprovalBy::AnotherPerson => true,
    };
    four_eyes && open && lent.rights.answers_for_others()
}
