//! One session, one actor: a journal, a conversation, work and a flow. Requests become inputs of
//! the flow; effects of the flow are performed one by one.

mod actor;
mod again;
mod append_base;
mod authorize;
pub mod call;
mod conversation;
mod decision;
mod drawing;
mod earlier;
mod earlier_result;
mod effects;
mod execution;
mod fault;
mod form;
mod halt;
mod interrupt;
mod journal;
mod message;
mod model_answer;
mod model_call;
mod pending_boundary;
mod prompt;
mod question;
mod quiet;
mod recall;
mod records;
mod registered;
mod request;
mod restore;
mod risk;
mod ruling;
mod seen;
mod slot_refusal;
mod step_results;
pub mod task_position;
mod trial;
mod turn;
mod work;

use crate::{
    audit, clock,
    message::{SessionView, TaskSummary},
    runtime::Runtime,
    telemetry,
};
pub use actor::SessionActor;
pub use authorize::{Authorization, OnRecord};
pub use call::{Charge, ModelChoice, ModelResult, SentCall};
pub use conversation::{Conversation, Line};
pub use fault::SessionFault;
pub use journal::{Journal, SessionWriter};
use kameo::actor::WeakRecipient;
pub use model_call::Sending;
pub use request::{
    Answer, Decide, DrawResult, Drawing, Entry, Interpretation, ModelAnswer, Opening, Request,
    RunEnded, Shut, Tried, Wanted,
};
pub use ruling::{Case, Verdict};
use std::{collections::VecDeque, sync::Arc};
pub use turn::Turn;
use wiiiv_domain::{EventBody, FlowEffect, FlowInput, TurnId};
use wiiiv_flow::{FlowState, TaskView};
use wiiiv_gate::PolicySnapshot;
use wiiiv_store::Point;
pub use work::{Plan, Trying, Work};

/// Inputs that one request may cause at once; the flow's own bounds end it long before.
const INPUTS_MAX: usize = 64;

pub struct Session {
    pub runtime: Arc<Runtime>,
    /// Where tasks and runs of this session answer.
    inbox: WeakRecipient<Request>,
    pub journal: Journal,
    pub conversation: Conversation,
    pub work: Work,
    pub flow: FlowState,
}

/// A step of the flow that has not been taken yet.
struct Stepped {
    event: EventBody,
    next: FlowState,
    effects: Vec<FlowEffect>,
}

impl Session {
    pub async fn policy(&self) -> Result<Arc<PolicySnapshot>, SessionFault> {
        Ok(self.runtime.policies.current(self.journal.row.project).await?)
    }

    pub fn view(&self) -> SessionView {
        let summary = |task: TaskView<'_>| TaskSummary {
            task: task.id,
            task_type: task.task_type,
            state: task.state,
        };
        let asked = task_position::asked(&self.flow);
        let pending = asked.and_then(|digest| {
            let approval = self.work.approval(digest)?;
            Some((approval, digest))
        });
        SessionView {
            state: self.flow.name(),
            active: self.flow.active().map(summary),
            suspended: self.flow.suspended().chain(self.flow.queued()).map(summary).collect(),
            pending,
            queued: self.work.queue.len(),
            form: self.form(),
        }
    }

    /// A text of the catalogue, in the conversation's language.
    pub fn text(&self, key: &str, values: &[(&str, String)]) -> String {
        self.runtime.deps.messages.told(self.conversation.language, key, values)
    }

    fn stepped(&self, input: FlowInput) -> Stepped {
        let limits = self.runtime.config.flow;
        let (next, effects) = wiiiv_flow::step(&limits, &self.flow, input.clone());
        let event = EventBody::Input { input: Box::new(input), state: next.hash() };
        Stepped { event, next, effects }
    }

    fn step(&mut self, turn: TurnId, input: FlowInput) -> Vec<FlowEffect> {
        let span = telemetry::flow(self.work.span());
        let Stepped { event, next, effects } = self.stepped(input.clone());
        self.flow = next;
        self.conversation.note_wish(&input, self.flow.active().as_ref());
        telemetry::stepped(&span, &self.flow, effects.len());
        drop(span);
        self.journal.event(turn, event);
        effects
    }

    /// Steps the flow and performs its effects, until an answer from outside is awaited.
    async fn feed(&mut self, turn: TurnId, input: FlowInput) -> Result<(), SessionFault> {
        self.drive(turn, VecDeque::from([input])).await
    }

    /// The same for effects whose input is journalled already.
    async fn follow(&mut self, turn: TurnId, effects: Vec<FlowEffect>) -> Result<(), SessionFault> {
        let mut inputs = VecDeque::new();
        for effect in effects {
            inputs.extend(self.perform(turn, effect).await?);
        }
        self.drive(turn, inputs).await
    }

    async fn drive(
        &mut self,
        turn: TurnId,
        mut inputs: VecDeque<FlowInput>,
    ) -> Result<(), SessionFault> {
        // A model asked in a later turn answers to the one that last moved its task.
        let turn = self.work.turn.as_ref().map_or(turn, |current| current.id);
        for _ in 0..INPUTS_MAX {
            let Some(input) = inputs.pop_front() else { break };
            for effect in self.step(turn, input) {
                inputs.extend(self.perform(turn, effect).await?);
            }
        }
        self.rest().await
    }

    /// Ends the turn where nothing is awaited any more.
    async fn rest(&mut self) -> Result<(), SessionFault> {
        // A run in doubt waits for a person, while the flow is at it.
        let doubt = self.work.in_doubt.is_some() && self.work.in_doubt == self.current_run();
        if task_position::is_busy(&self.flow) && !doubt {
            return Ok(());
        }
        if let Some(ended) = self.work.turn.take() {
            self.end(&ended, ended.outcome).await?;
        }
        Ok(())
    }

    /// T2, or T1 where a question was put.
    async fn end(&mut self, turn: &Turn, outcome: &'static str) -> Result<(), SessionFault> {
        self.note_ended(turn, outcome);
        self.work.results = None;
        let point = if outcome == "pending" { Point::T1 } else { Point::T2 };
        self.flush(point).await?;
        telemetry::turn_ended(&turn.span, turn.begun, outcome);
        Ok(())
    }

    fn note_ended(&mut self, turn: &Turn, outcome: &'static str) {
        self.journal.event(turn.id, EventBody::TurnEnded { outcome: outcome.to_owned() });
        self.journal.audit(audit::turn_ended(turn.id, outcome));
    }

    /// Makes everything that was gathered durable.
    async fn flush(&mut self, point: Point) -> Result<(), SessionFault> {
        let between_turns = self.work.turn.is_none().then_some(&self.flow);
        if let Some(numbered) = self.journal.flush(point, between_turns).await? {
            self.conversation.sight.note(numbered);
        }
        Ok(())
    }

    /// Journals a reply, a question or a preview, and adds it to the conversation.
    fn tell(&mut self, turn: TurnId, body: EventBody) {
        self.conversation.note(&body);
        self.journal.event(turn, body);
    }

    fn fresh_turn(&mut self) -> TurnId {
        let id = clock::fresh();
        self.work.turn = Some(Turn::new(id, &self.journal.row));
        self.journal.by = None;
        id
    }

    /// The turn in progress, or one of its own.
    fn open_turn(&mut self) -> TurnId {
        match &self.work.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(),
        }
    }
}
