//! The risk of sessions: looked at, and cleared by a person with the role.

use crate::{
    message::ClearError,
    runtime::Runtime,
    session::{ClearRisk, Request},
    sessions::Sessions,
};
use std::sync::Arc;
use wiiiv_domain::{SessionId, UserId};
use wiiiv_gate::{Principal, RiskRules, StandingSeq};
use wiiiv_store::{SessionRisk, StoreError};

#[derive(Clone, Copy)]
pub struct Risks<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
    pub(super) sessions: &'a Sessions,
}

impl Risks<'_> {
    /// Thresholds, and what a signal's code means.
    #[must_use]
    pub fn rules(&self) -> &RiskRules {
        self.runtime.deps.keeper.risk_rules()
    }

    /// Sessions on hold that concern this person.
    pub async fn holds(
        self,
        user: UserId,
        administrates: bool,
    ) -> Result<Vec<SessionRisk>, StoreError> {
        let from = self.runtime.deps.keeper.risk_rules().hold_from();
        self.runtime.deps.store.held_sessions(user, administrates, from).await
    }

    /// By an approver, an owner of the project or an administrator, never by who began the session. `seen`:
    /// refused where the standing is another by now.
    pub async fn clear(
        self,
        who: &Principal,
        session: SessionId,
        reason: &str,
        seen: Option<StandingSeq>,
    ) -> Result<SessionRisk, ClearError> {
        let store = &self.runtime.deps.store;
        let row = store.conversation(session).await?.filter(|row| !row.removed);
        let here = self.runtime.deps.keeper.knows(who);
        let row = row.filter(|row| here && who.project() == Some(row.project));
        let row = row.filter(|_| who.rights().may_see()).ok_or(ClearError::NotFound)?;
        let own = row.owner == who.user();
        match (who.rights().may_approve(), own) {
            (true, false) => {}
            (true, true) => return Err(ClearError::Own),
            (false, true) => return Err(ClearError::NotAllowed),
            (false, false) => return Err(ClearError::NotFound),
        }
        let (who, reason) = (who.clone(), reason.to_owned());
        let ask = |answer| Request::ClearRisk(Box::new(ClearRisk { who, reason, seen, answer }));
        self.sessions.ask(session, ask).await?
    }
}
