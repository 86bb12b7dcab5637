//! Wire forms of delegations: rights to approve that members of a project lend to others.

use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_hlx::neutralise;
use wiiiv_store::Delegation;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GiveDelegation {
    /// Another member of the project.
    pub to: Uuid,
    /// RFC 3339; left out: from now on.
    #[serde(default)]
    #[schema(format = DateTime)]
    pub from: Option<String>,
    /// RFC 3339, at most 30 days after the beginning.
    #[schema(format = DateTime)]
    pub until: String,
    /// 1 to 500 characters on one line, for everybody concerned.
    pub reason: String,
}

/// A point in time of a body.
pub(crate) fn instant(field: &str, text: &str) -> Result<Timestamp, Problem> {
    let wrong = |_| Problem::field(field, "expected a time such as `2026-12-24T18:00:00Z`");
    text.parse().map_err(wrong)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DelegationState {
    /// It begins later.
    Planned,
    /// It can be used.
    InForce,
    /// Within its time, but whoever lent the right may not approve any more, or the other is no member.
    Suspended,
    /// Its time is over.
    Over,
    /// It was ended before.
    Ended,
}

impl DelegationState {
    fn of(delegation: &Delegation, now: Timestamp) -> Self {
        match delegation {
            Delegation { ended: Some(_), .. } => Self::Ended,
            Delegation { until, .. } if *until <= now => Self::Over,
            Delegation { in_force: true, .. } => Self::InForce,
            Delegation { from, .. } if *from > now => Self::Planned,
            Delegation { .. } => Self::Suspended,
        }
    }

    const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Ended)
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DelegationView {
    pub id: Uuid,
    /// Whose right it is.
    pub delegator: Uuid,
    pub delegator_name: Option<String>,
    /// Who may use it.
    pub delegate: Uuid,
    pub delegate_name: Option<String>,
    pub from: String,
    pub until: String,
    /// A person's own words.
    pub reason: String,
    pub given_at: String,
    pub state: DelegationState,
    /// Who ended it before its time.
    pub ended_by: Option<Uuid>,
    pub ended_by_name: Option<String>,
    pub ended_at: Option<String>,
    /// By the caller.
    pub may_end: bool,
}

impl DelegationView {
    /// `may_end`: the caller is one of the two, or owns the project.
    pub(crate) fn of(
        delegation: &Delegation,
        now: Timestamp,
        may_end: bool,
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Self {
        let state = DelegationState::of(delegation, now);
        let ended = delegation.ended;
        Self {
            id: delegation.id.uuid(),
            delegator: delegation.delegator.uuid(),
            delegator_name: name(delegation.delegator),
            delegate: delegation.delegate.uuid(),
            delegate_name: name(delegation.delegate),
            from: delegation.from.to_string(),
            until: delegation.until.to_string(),
            reason: neutralise(&delegation.reason),
            given_at: delegation.given_at.to_string(),
            state,
            ended_by: ended.map(|(by, _)| by.uuid()),
            ended_by_name: ended.and_then(|(by, _)| name(by)),
            ended_at: ended.map(|(_, at)| at.to_string()),
            may_end: may_end && !state.is_over(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DelegationList {
    /// Those that are not over first, then the newest; at most 100.
    pub items: Vec<DelegationView>,
}
