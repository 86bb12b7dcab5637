//! Plans, as an approver reads them.

use crate::{
    clock,
    message::SubmitError,
    preview::{self, Outlook},
    qualification,
    review::{self, Reviewed},
    runtime::Runtime,
};
use std::sync::Arc;
use wiiiv_domain::{Blueprint, SessionId, TurnId};
use wiiiv_gate::{ApprovalRequest, Known, PendingQuestion, Reason};
use wiiiv_hlx::Preview;

#[derive(Clone, Copy)]
pub struct Plans<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
}

impl<'a> Plans<'a> {
    /// INVARIANT: the plan that is shown is the one that a yes to this digest is for.
    pub(super) async fn plan(self, asked: &ApprovalRequest) -> Result<Blueprint, SubmitError> {
        let stored = self.runtime.deps.store.blueprint(asked.blueprint).await?;
        let plan = stored.ok_or(SubmitError::NotFound)?.blueprint;
        let same = plan.digest().is_ok_and(|digest| digest == asked.digest);
        let why = || format!("blueprint `{}` is not as it was drawn", asked.blueprint);
        same.then_some(plan).ok_or_else(|| SubmitError::Unavailable(why()))
    }

    /// Rendered from the plan and its files' current content, never from a model's prose.
    pub async fn preview(self, asked: &PendingQuestion) -> Result<Preview, SubmitError> {
        let plan = self.plan(asked).await?;
        let systems = self.runtime.systems.current(plan.project).await?;
        let shown = preview::preview(self.runtime.clone(), plan, systems).await;
        shown.ok_or_else(|| SubmitError::Unavailable("the preview ended early".to_owned()))
    }

    /// The gates' findings before an approval; it permits nothing.
    pub async fn forecast(self, asked: &ApprovalRequest) -> Result<Outlook, SubmitError> {
        let plan = self.plan(asked).await?;
        let unavailable = |why: String| SubmitError::Unavailable(why);
        let policy = self.runtime.policies.current(plan.project).await;
        let policy = policy.map_err(|e| unavailable(e.to_string()))?;
        let deps = &self.runtime.deps;
        let standing = deps.store.standing(plan.session).await?;
        let task = plan.spec_snapshot.spec.task_type;
        let (of, rules) = ((plan.project, standing, task), policy.policy_for(task));
        let standing = qualification::judged(deps, of, rules.project_policy()).await?;
        let opinions = deps.store.opinions_on(plan.project, &plan.spec_snapshot.spec).await?;
        // Whoever looks is asked already, or was.
        let known = Known { standing: &standing, opinions: opinions.as_ref(), grants: &[] };
        let found = deps.keeper.forecast(&plan, &policy, known, clock::now());
        let findings = found.map_err(|e| unavailable(e.to_string()))?;
        Ok(Outlook { findings, currency: rules.currency() })
    }

    /// The reviews of a turn, in order, also of a turn without a plan.
    pub async fn reviewed(
        self,
        session: SessionId,
        turn: TurnId,
    ) -> Result<Vec<Reviewed>, SubmitError> {
        let store = &self.runtime.deps.store;
        let row = store.session(session).await?.ok_or(SubmitError::NotFound)?;
        let found = review::of_turn(store, &self.runtime.config.flow, &row, turn).await?;
        found.ok_or(SubmitError::NotFound)
    }

    /// The meaning of a reviewer's concern.
    #[must_use]
    pub fn concern(self, code: &str) -> Option<&'a Reason> {
        self.runtime.deps.keeper.reason(code)
    }
}
