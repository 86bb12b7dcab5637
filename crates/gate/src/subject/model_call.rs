//! One model call, described by its worst case.

use super::sealed::{Given, Key, Sealed};
use crate::{
    context::{Mismatch, Purpose},
    facts::{CallFacts, SubjectFacts},
    findings::Findings,
    permit::{
        cleared::{CallTrail, Cleared},
        start::Start,
    },
};
use std::collections::BTreeMap;
use wiiiv_domain::{
    CallId, ModelSlot, ProjectId, ProviderName, SessionId, SystemName, TaskId, TaskType, TurnId,
    UserId,
};

/// A request for a permit: `complete` refuses a prompt larger than the held amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelCall {
    /// Id of the call; its hold and its settlement carry it.
    pub call: CallId,
    /// The project that it is made in.
    pub project: ProjectId,
    /// The session that it is made in.
    pub session: SessionId,
    /// The person whose budget it counts in.
    pub user: UserId,
    /// The task that it serves.
    pub task: TaskId,
    /// The turn that asks.
    pub turn: TurnId,
    /// Its use; the permit is valid for this use only.
    pub slot: ModelSlot,
    /// The provider.
    pub provider: ProviderName,
    /// The model, as the provider calls it.
    pub model: String,
    /// Input tokens of the whole context plan.
    pub max_input_tokens: u64,
    /// The most output tokens of one attempt.
    pub max_output_tokens: u64,
    /// Attempts that may cost something, the repair included.
    pub attempts: u32,
}

impl Sealed for ModelCall {
    fn project(&self) -> ProjectId {
        self.project
    }
    fn session(&self) -> SessionId {
        self.session
    }
    fn task_type(&self) -> Option<TaskType> {
        None
    }
    fn facts(&self, _: Key, given: &Given<'_>) -> Result<(SubjectFacts, Start), Mismatch> {
        match given.purpose {
            Purpose::Call => {}
            Purpose::Start(_) | Purpose::Resume(_) => return Err(Mismatch::Purpose),
        }
        if given.evidence.deliberation.is_some() || !given.evidence.approvals.is_empty() {
            return Err(Mismatch::OtherSubject);
        }
        let facts = CallFacts {
            call: self.call,
            user: self.user,
            task: self.task,
            turn: self.turn,
            slot: self.slot,
            provider: self.provider,
            model: self.model.clone(),
            max_input_tokens: self.max_input_tokens,
            max_output_tokens: self.max_output_tokens,
            attempts: self.attempts,
        };
        Ok((SubjectFacts::ModelCall(facts), Start::Call(self.call)))
    }
    fn systems(&self, _: Key, _: &Start) -> BTreeMap<SystemName, u64> {
        BTreeMap::new()
    }
    fn clear(_: Key, findings: &Findings, _: &Start) -> Option<CallTrail> {
        Some(CallTrail { permission: Cleared::by(findings)?, cost: Cleared::by(findings)? })
    }
}
