//! One effect of the flow, performed. What it answers at once comes back as inputs; what takes
//! time is started and answers by message.

use crate::{
    audit, clock, kept, reply,
    run::CancelSteps,
    session::{
        draw,
        propose::{self, Next},
        state::{Down, Session},
        turn::Turn,
    },
    telemetry,
};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, BlueprintId, Consensus, EventBody, ExecutionId,
    FlowEffect, FlowInput, Grounds, ReplyCode, Spec, TaskId, TaskOutcome, TurnId,
};
use wiiiv_gate::ApprovalRequest;
use wiiiv_store::{AuditEntry, Write};

impl Session {
    pub async fn perform(
        &mut self,
        turn: TurnId,
        effect: FlowEffect,
    ) -> Result<Vec<FlowInput>, Down> {
        match effect {
            FlowEffect::Propose { turn, why } => {
                Ok(Vec::from_iter(propose::start(self, turn, Next::first(why)).await?))
            }
            FlowEffect::Reply { reply } => self.reply(turn, reply).await,
            FlowEffect::Ask { task_type, missing, message } => {
                let form = self.form();
                let text = reply::question(self, task_type, (&missing, form.as_ref()), &message);
                let foreign = self.foreign && !message.is_empty();
                self.expired = None;
                self.asking = true;
                self.said(false, &kept::question(&message, &text, foreign));
                self.outcome("done");
                let form = form.map(Box::new);
                let asked = EventBody::Asked { task_type, missing, message, text, foreign, form };
                self.book.event(turn, asked);
                Ok(Vec::new())
            }
            FlowEffect::Deliberate { task, spec } => self.deliberate(task, &spec).await,
            FlowEffect::Draw { task, spec } => {
                draw::start(self, turn, task, spec).await?;
                Ok(Vec::new())
            }
            FlowEffect::ConfirmWorkOrder { task: _, spec } => {
                let text = reply::work_order(self, &spec);
                self.expired = None;
                self.asking = true;
                self.said(false, &text);
                self.outcome("pending");
                let (task_type, missing, message) = (spec.task_type, Vec::new(), String::new());
                let (foreign, form) = (false, None);
                let asked = EventBody::Asked { task_type, missing, message, text, foreign, form };
                self.book.event(turn, asked);
                Ok(Vec::new())
            }
            FlowEffect::Confirm { blueprint, digest } => {
                self.ask_person(turn, blueprint, digest, ApprovalBy::Requester).await?;
                Ok(Vec::new())
            }
            FlowEffect::SeekApproval { blueprint, digest } => {
                self.ask_person(turn, blueprint, digest, ApprovalBy::AnotherPerson).await?;
                Ok(Vec::new())
            }
            FlowEffect::Withdraw { blueprint: _, digest } => {
                self.withdraw(digest);
                Ok(Vec::new())
            }
            FlowEffect::Authorize { blueprint, digest } => {
                self.authorize(turn, blueprint, digest).await
            }
            FlowEffect::Run { execution, digest: _ } => {
                self.start_run(turn, execution)?;
                Ok(Vec::new())
            }
            FlowEffect::CancelWork { task: _, execution } => {
                self.cancel_work(execution).await;
                Ok(Vec::new())
            }
            FlowEffect::Suspend { .. } | FlowEffect::Resume { .. } => Ok(Vec::new()),
            FlowEffect::Close { task, outcome } => {
                self.close(task, &outcome);
                Ok(Vec::new())
            }
        }
    }

    async fn reply(&mut self, turn: TurnId, code: ReplyCode) -> Result<Vec<FlowInput>, Down> {
        let code = self.told(code);
        let text = reply::render(self, &code).await?;
        match &code {
            ReplyCode::Unavailable
            | ReplyCode::ModelFailed { .. }
            | ReplyCode::RunFailed { .. } => self.outcome("error"),
            ReplyCode::Denied { .. }
            | ReplyCode::DacsNo { .. }
            | ReplyCode::NotDrawable { .. }
            | ReplyCode::JobsDeclined { .. }
            | ReplyCode::TooManyJobs { .. }
            | ReplyCode::Stale { .. } => self.outcome("denied"),
            ReplyCode::Waiting { .. } | ReplyCode::RunIndeterminate { .. } => {
                self.outcome("pending");
            }
            ReplyCode::Model { .. }
            | ReplyCode::Told { .. }
            | ReplyCode::Facts { .. }
            | ReplyCode::Cancelled
            | ReplyCode::NothingToCancel
            | ReplyCode::Refused
            | ReplyCode::NothingToConfirm
            | ReplyCode::Expired { .. }
            | ReplyCode::RunCancelled { .. }
            | ReplyCode::RoundLimit
            | ReplyCode::TooManyTasks { .. }
            | ReplyCode::JobsTaken { .. }
            | ReplyCode::JobClosed { .. }
            | ReplyCode::JobsDropped { .. }
            | ReplyCode::JobsLeftOut { .. }
            | ReplyCode::StillWaits { .. }
            | ReplyCode::Degraded { .. }
            | ReplyCode::FellBack { .. }
            | ReplyCode::Busy
            | ReplyCode::CannotRemember
            | ReplyCode::NeedsRevision { .. }
            | ReplyCode::Reopened { .. }
            | ReplyCode::Reset
            | ReplyCode::Resumed { .. }
            | ReplyCode::UnknownTask => {}
        }
        let foreign = self.foreign && matches!(code, ReplyCode::Model { .. });
        self.said(false, &kept::reply(&code, &text, foreign));
        // A question that is shown again is the last preview again.
        self.shown = reply::reply_shows(self, &code);
        self.asking |= self.shown.is_some();
        self.expired = reply::expired(&code);
        self.note_end(&code);
        self.book.event(turn, EventBody::Replied { reply: code, text, foreign });
        Ok(Vec::new())
    }

    /// Whoever answers a question that ran out meanwhile is told that, not that nothing waits.
    fn told(&self, code: ReplyCode) -> ReplyCode {
        match (code, self.expired) {
            (ReplyCode::NothingToConfirm, Some(digest)) => ReplyCode::Expired { digest },
            (code, _) => code,
        }
    }

    /// Rule personas, on every EXECUTE, once. Whether the verdict binds is policy's stage.
    pub async fn deliberate(&mut self, task: TaskId, spec: &Spec) -> Result<Vec<FlowInput>, Down> {
        let digest = spec.digest().map_err(|e| Down(e.to_string()))?;
        let room = self.room.clone();
        let policy = room.policies.current(self.row.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        let standing = room.deps.store.standing(self.row.id).await?;
        let span = telemetry::dacs(self.turn.as_ref());
        let result = room.deps.keeper.deliberate(spec, &policy, &standing);
        let binds = room.deps.keeper.binds(&result, &policy);
        telemetry::deliberated(&span, &result, binds);
        drop(span);
        self.book.audit(audit::deliberated(self.row.id, task, digest, &result, binds));
        let (consensus, concerns) = (result.consensus, result.concerns());
        let grounds = Grounds { rules: result.rules, policy: policy.version() };
        let under = (consensus == Consensus::No).then_some(grounds);
        self.keep_verdict(digest, result);
        Ok(vec![if binds || consensus == Consensus::Yes {
            FlowInput::Verdict { spec: digest, consensus, concerns, under }
        } else {
            FlowInput::Shadowed { spec: digest, consensus }
        }])
    }

    /// T1: one question a digest. The preview is rendered from the plan, never from model prose.
    async fn ask_person(
        &mut self,
        turn: TurnId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
        by: ApprovalBy,
    ) -> Result<(), Down> {
        let plan = self.plan(blueprint, digest).await?;
        let policy = self.room.policies.current(self.row.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        let rules = policy.project_policy().approval;
        let risky = plan.spec_snapshot.deliberation.risky;
        let ttl_seconds = if risky { rules.risky.ttl_seconds } else { rules.normal.ttl_seconds };
        let now = clock::now();
        let request = ApprovalRequest {
            id: clock::fresh::<ApprovalId>(),
            blueprint,
            digest,
            requester: plan.spec_snapshot.requester,
            project: self.row.project,
            by,
            expires_at: now.plus_seconds(i64::from(ttl_seconds)),
        };
        let (text, preview) = reply::preview(self, &plan, digest, by).await?;
        self.said(false, kept::sentences(&text));
        self.asking = true;
        self.outcome("pending");
        self.shown = Some(digest);
        self.expired = None;
        let approval = request.id;
        if let Some(kept) = self.plans.get_mut(&digest) {
            kept.approval = Some(approval);
        }
        let body = serde_json::json!({
            "approval": approval, "blueprint": blueprint, "digest": digest, "by": by,
            "expiresAt": request.expires_at, "requester": request.requester,
        });
        self.book.audit(AuditEntry { kind: "approval.asked".to_owned(), body });
        self.book.write(Write::AskApproval { request, preview });
        self.book.event(turn, EventBody::Previewed { approval, blueprint, digest, text });
        Ok(())
    }

    /// The question is void: nobody can say yes to it any more.
    pub fn withdraw(&mut self, digest: BlueprintDigest) {
        let asked = self.plans.get(&digest).and_then(|plan| plan.approval);
        if let Some(id) = asked.filter(|id| !self.book.closes(*id)) {
            self.book.audit(audit::approval("withdrawn", id, digest, None));
            self.book.write(Write::WithdrawApproval { id });
        }
        if self.shown == Some(digest) {
            self.shown = None;
        }
    }

    /// Model call, commit or step: whatever is in flight. What has happened stays recorded.
    async fn cancel_work(&mut self, execution: Option<ExecutionId>) {
        if let Some(turn) = self.turn.take() {
            self.settle_in_full(&turn);
            self.turn = Some(turn.afresh());
        }
        if let (Some(execution), Some((running, actor))) = (execution, &self.run)
            && *running == execution
        {
            let _ = actor.tell(CancelSteps).await;
        }
    }

    /// A call that was cut off has cost nobody knows how much: its hold is spent.
    pub fn settle_in_full(&mut self, turn: &Turn) {
        if let Some(call) = &turn.call {
            let amount = call.held.amount;
            let usage = wiiiv_domain::Usage {
                input_tokens: amount.tokens,
                output_tokens: 0,
                estimated: true,
            };
            self.book.audit(audit::model_cut_off(turn.id, call));
            self.book.write(Write::Settle { call: call.id, usage, amount });
        }
    }

    fn close(&mut self, task: TaskId, outcome: &TaskOutcome) {
        match outcome {
            TaskOutcome::Denied => self.outcome("denied"),
            TaskOutcome::Cancelled => self.outcome("cancelled"),
            TaskOutcome::Failed => self.outcome("error"),
            TaskOutcome::Done
            | TaskOutcome::Refused
            | TaskOutcome::Expired
            | TaskOutcome::Abandoned => {}
        }
        self.plans.retain(|_, p| p.blueprint.task != task);
        let body = serde_json::json!({"task": task, "outcome": outcome});
        self.book.audit(AuditEntry { kind: "task.closed".to_owned(), body });
    }
}
