//! A right to approve that one person lends to another in a project, for a time.

use crate::{
    evidence::{EvidenceError, Rights, UserEvent, UserEventKind, sealed::evidence},
    log::{audit_seq::AuditSeq, recorded::Recorded, unrecorded::Unrecorded},
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{DELEGATION_DAYS_MAX, DelegationId, OnBehalfOf, ProjectId, Timestamp, UserId};

const DAY_SECONDS: i64 = 24 * 60 * 60;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DelegationDocument {
    version: u32,
    id: DelegationId,
    project: ProjectId,
    delegator: UserId,
    rights: Rights,
    delegate: UserId,
    from: Timestamp,
    until: Timestamp,
    at: Timestamp,
    /// Place of the authenticated event that it rests on.
    event: AuditSeq,
}

evidence! {
    /// One person's right to approve, lent to another.
    DelegationGiven(DelegationDocument) = "delegation", version 1
}

/// A right that is another person's, as it was lent. Plain data: it proves nothing by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DelegatedRight {
    /// The delegation that lends it.
    pub delegation: DelegationId,
    /// The person whose right it is.
    pub delegator: UserId,
    /// Their own rights when they lent it.
    pub rights: Rights,
    /// Before this it may not be used.
    pub from: Timestamp,
    /// From here on it may not be used.
    pub until: Timestamp,
}

impl DelegatedRight {
    /// Whose right it is, and by which delegation.
    #[must_use]
    pub const fn on_behalf_of(self) -> OnBehalfOf {
        OnBehalfOf { delegation: self.delegation, delegator: self.delegator }
    }
    /// Within its window.
    pub(crate) fn runs_at(self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }
}

/// The only constructor. What is lent is the right of whoever the event is of: nobody lends what was lent
/// to them.
pub fn given(event: &Recorded<UserEvent>) -> Result<Unrecorded<DelegationGiven>, EvidenceError> {
    let said = event.body();
    let UserEventKind::Delegate { delegation, to, from, until } = said.kind() else {
        return Err(EvidenceError::OtherSubject);
    };
    if !said.rights().answers_for_others() || *to == said.user() {
        return Err(EvidenceError::NotAllowed);
    }
    let longest = from.plus_seconds(DELEGATION_DAYS_MAX * DAY_SECONDS);
    if *from < said.at() || *until <= *from || *until > longest {
        return Err(EvidenceError::Window);
    }
    let given = DelegationDocument {
        version: DelegationGiven::VERSION,
        id: *delegation,
        project: said.project(),
        delegator: said.user(),
        rights: said.rights(),
        delegate: *to,
        from: *from,
        until: *until,
        at: said.at(),
        event: event.at(),
    };
    Ok(Unrecorded::new(event.seal().clone(), DelegationGiven(given)))
}

impl DelegationGiven {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> DelegationId {
        self.0.id
    }
    /// The project that it is for, and no other.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.project
    }
    /// Whose right it is.
    #[must_use]
    pub const fn delegator(&self) -> UserId {
        self.0.delegator
    }
    /// Who may use it.
    #[must_use]
    pub const fn delegate(&self) -> UserId {
        self.0.delegate
    }
    /// When it was lent.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.0.at
    }
    /// The right, with its window.
    #[must_use]
    pub const fn right(&self) -> DelegatedRight {
        DelegatedRight {
            delegation: self.0.id,
            delegator: self.0.delegator,
            rights: self.0.rights,
            from: self.0.from,
            until: self.0.until,
        }
    }
}
