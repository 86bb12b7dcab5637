//! Changing values of a plan that waits for an answer, in place of a yes or a no.

use crate::{
    message::{Answering, ApprovalEdit, DecideError, Decided, Decision},
    runtime::Runtime,
    session::{Decide, Request, fits},
    sessions::Sessions,
};
use std::sync::Arc;
use wiiiv_domain::{ApprovalId, Lang, SlotName};
use wiiiv_gate::{ApprovalRequest, Principal};
use wiiiv_store::{ApprovalState, StoreError};

#[derive(Clone, Copy)]
pub struct Edits<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
    pub(super) sessions: &'a Sessions,
}

impl Edits<'_> {
    /// The values that can be changed, as they are in the plan: none where its text is no longer kept.
    pub async fn values(
        self,
        asked: &ApprovalRequest,
    ) -> Result<Vec<(SlotName, String)>, StoreError> {
        let stored = self.runtime.deps.store.blueprint(asked.blueprint).await?;
        let plan = stored.map(|stored| stored.blueprint);
        let plan = plan.filter(|plan| plan.digest().is_ok_and(|digest| digest == asked.digest));
        let spec = plan.map(|plan| plan.spec_snapshot.spec);
        Ok(spec.map(|spec| wiiiv_hlx::editable(&spec.slots)).unwrap_or_default())
    }

    /// Answered when it is on record; the changed plan is then decided anew. `language` as of a decision.
    pub async fn submit(
        self,
        language: Option<Lang>,
        who: &Principal,
        approval: ApprovalId,
        edit: ApprovalEdit,
    ) -> Result<Decided, DecideError> {
        let row = self.sessions.asked(who, approval).await?;
        // Anything else is the session's to refuse, which knows better what became of the question.
        let waits = row.state == ApprovalState::Pending && row.request.digest == edit.digest;
        if waits && row.request.may_be_answered_by(who) {
            fits(self.runtime, &row, who.user(), &edit.slots).await?;
        }
        let (session, who, decision) = (row.session, who.clone(), Decision::Edit(edit));
        // In their own right: nobody edits on behalf of somebody else (ADR 0048).
        let answering = Answering { language, delegation: None };
        let ask =
            |answer| Request::Decide(Box::new(Decide { who, row, decision, answering, answer }));
        self.sessions.ask(session, ask).await?
    }
}
