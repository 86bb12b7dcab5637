//! Rights to approve that members of a project lend to others.

use crate::{runtime::Runtime, session::capacity::capacity};
use std::sync::Arc;
use wiiiv_domain::{DelegationId, OnBehalfOf, ProjectId};
use wiiiv_gate::{PendingQuestion, Principal};
use wiiiv_store::{Delegation, DelegationRefused, NewDelegation, StoreError};

#[derive(Clone, Copy)]
pub struct Delegations<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
}

impl Delegations<'_> {
    /// Of the person's own right, in a project of theirs.
    pub async fn give(
        self,
        who: &Principal,
        project: ProjectId,
        new: NewDelegation,
    ) -> Result<Delegation, DelegationRefused> {
        let given = self.runtime.deps.store.delegate_approvals(who, project, new).await?;
        self.runtime.hub.questions_changed();
        Ok(given)
    }

    /// Whose right this person would say yes to that question in, where it is another person's.
    pub async fn used_by(
        self,
        who: &Principal,
        asked: &PendingQuestion,
    ) -> Result<Option<OnBehalfOf>, StoreError> {
        let found = capacity(&self.runtime.deps.store, asked, who, (true, None)).await?;
        Ok(found.unwrap_or(None))
    }

    /// By either of the two, or an owner of the project.
    pub async fn end(
        self,
        who: &Principal,
        project: ProjectId,
        id: DelegationId,
    ) -> Result<Delegation, DelegationRefused> {
        let ended = self.runtime.deps.store.end_delegation(who, project, id).await?;
        self.runtime.hub.questions_changed();
        Ok(ended)
    }
}
