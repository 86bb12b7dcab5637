//! Performs one effect of the flow. Immediate answers return as inputs; a task's answer is a
//! request.

use crate::{
    reply,
    reply_kind::{self, ReplyKind},
    session::{
        Journal, ModelChoice, Session, SessionFault, Work, again::put, authorize::authorize,
        drawing::draw, execution::start_run, form::form, model_call::ask_model,
        personas::deliberate, question::withdraw, watch::look_at_spec,
    },
};
use std::{collections::BTreeSet, mem};
use wiiiv_domain::{
    AnswerFinding, ApprovalBy, EventBody, FlowEffect, FlowInput, ReplyCode, RulingOutcome,
    SlotName, Spec, TaskId, TaskOutcome, TaskType, TurnId,
};
use wiiiv_store::AuditEntry;

impl Session {
    pub async fn perform(
        &mut self,
        turn: TurnId,
        effect: FlowEffect,
    ) -> Result<Vec<FlowInput>, SessionFault> {
        match effect {
            FlowEffect::Propose { turn, why } => {
                let asked = ask_model(self, turn, ModelChoice::first(why)).await?;
                return Ok(asked.into_iter().collect());
            }
            FlowEffect::Deliberate { task, spec } => {
                look_at_spec(self, task, &spec).await?;
                let verdict = deliberate(self, turn, task, &spec).await?;
                return Ok(verdict.into_iter().collect());
            }
            FlowEffect::Authorize { blueprint, digest } => {
                // Where the gates deny it, another one that waits goes on with their ruling.
                let ruling = RulingOutcome::Deny { codes: Vec::new(), under: None };
                self.heed_no(turn, &FlowInput::Ruling { digest, ruling }).await?;
                return authorize(self, turn, blueprint, digest).await;
            }
            FlowEffect::Reply { reply } => self.reply(turn, reply).await?,
            FlowEffect::Ask { task_type, missing, message } => {
                self.ask(turn, task_type, missing, message);
            }
            FlowEffect::ConfirmWorkOrder { task: _, spec } => self.ask_about(turn, &spec),
            FlowEffect::Draw { task, spec } => draw(self, turn, task, spec).await?,
            FlowEffect::Confirm { blueprint, digest } => {
                return put(self, turn, (blueprint, digest), ApprovalBy::Requester).await;
            }
            FlowEffect::SeekApproval { blueprint, digest } => {
                return put(self, turn, (blueprint, digest), ApprovalBy::AnotherPerson).await;
            }
            FlowEffect::Withdraw { blueprint: _, digest } => withdraw(self, digest),
            FlowEffect::Run { execution, digest } => {
                self.work.ran = Some((execution, digest));
                start_run(self, turn, execution)?;
            }
            FlowEffect::CancelWork { task: _, execution } => {
                self.work.cancel(&mut self.journal, execution).await;
            }
            FlowEffect::Suspend { .. } => {}
            FlowEffect::Resume { .. } => self.journal.leave_to_owner(),
            FlowEffect::Close { task, outcome } => {
                close(&mut self.journal, &mut self.work, task, &outcome);
            }
        }
        Ok(Vec::new())
    }

    pub async fn reply(&mut self, turn: TurnId, code: ReplyCode) -> Result<(), SessionFault> {
        let reply = self.conversation.answer_to(code);
        let text = reply::render(self, &reply).await?;
        if let Some(outcome) = ReplyKind::of(&reply).outcome {
            self.work.set_outcome(outcome);
        }
        let by_model = matches!(reply, ReplyCode::Model { .. });
        let foreign = self.conversation.foreign && by_model;
        let answered = self.work.turn.as_mut().filter(|_| by_model);
        let citations =
            answered.map(|turn| std::mem::take(&mut turn.citations)).unwrap_or_default();
        let shown = reply_kind::shows(&reply, &self.flow);
        let findings = findings_of(&mut self.work, &reply);
        self.tell(turn, EventBody::Replied { reply, text, foreign, findings, citations });
        // A preview that is shown again can be approved again.
        if let Some(digest) = shown {
            self.conversation.show(digest);
        }
        Ok(())
    }

    fn ask(&mut self, turn: TurnId, task_type: TaskType, missing: Vec<SlotName>, message: String) {
        let form = form(&self.flow, &self.work.systems.list);
        let text = reply::question(self, task_type, (&missing, form.as_ref()), &message);
        let foreign = self.conversation.foreign && !message.is_empty();
        let form = form.map(Box::new);
        self.work.set_outcome("done");
        self.tell(turn, EventBody::Asked { task_type, missing, message, text, foreign, form });
    }

    fn ask_about(&mut self, turn: TurnId, spec: &Spec) {
        let text = reply::work_order(self, spec);
        let (task_type, missing, message) = (spec.task_type, Vec::new(), String::new());
        let (foreign, form) = (false, None);
        self.work.set_outcome("pending");
        self.tell(turn, EventBody::Asked { task_type, missing, message, text, foreign, form });
    }
}

/// What was found wrong with the answer that this reply gives; told once.
fn findings_of(work: &mut Work, reply: &ReplyCode) -> BTreeSet<AnswerFinding> {
    let is_answer = matches!(reply, ReplyCode::Model { .. } | ReplyCode::Facts { .. });
    let turn = work.turn.as_mut().filter(|_| is_answer);
    turn.map(|turn| mem::take(&mut turn.findings)).unwrap_or_default()
}

fn close(journal: &mut Journal, work: &mut Work, task: TaskId, outcome: &TaskOutcome) {
    match outcome {
        TaskOutcome::Denied => work.set_outcome("denied"),
        TaskOutcome::Cancelled => work.set_outcome("cancelled"),
        TaskOutcome::Failed => work.set_outcome("error"),
        TaskOutcome::Done
        | TaskOutcome::Refused
        | TaskOutcome::Expired
        | TaskOutcome::Abandoned => {}
    }
    work.plans.retain(|_, plan| plan.blueprint.task != task);
    let body = serde_json::json!({"task": task, "outcome": outcome});
    journal.audit(AuditEntry::new("task.closed", body));
}
