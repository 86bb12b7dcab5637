//! One session, one actor: a journal, a conversation, work and a flow. Requests become inputs of
//! the flow; effects of the flow are performed one by one.
//!
//! The methods of [`Session`] are the sequence of a turn alone: it begins in `message`, `decision` or
//! `interrupt`; it is stepped, committed and ended here; `effects` says which function performs what, and `queued_no`
//! what is left out before.

mod actor;
mod again;
mod answered;
mod append_base;
mod authorize;
mod beside;
pub mod call;
pub mod capacity;
mod conduct;
mod consult;
mod consultation;
mod consulted;
mod conversation;
mod decision;
mod drawing;
mod earlier;
mod earlier_result;
mod edit;
mod effects;
mod embed;
mod execution;
mod fault;
mod form;
mod granted;
mod halt;
pub mod held_answer;
mod interrupt;
mod journal;
mod memory;
mod message;
mod model_answer;
mod model_call;
mod older;
pub mod panel;
mod pending_boundary;
mod personas;
mod profile;
mod prompt;
mod provenance;
mod question;
mod queued_no;
mod quiet;
mod quorum;
mod recall;
mod records;
mod registered;
mod request;
mod restore;
mod revoke;
mod risk;
mod risk_clear;
mod ruling;
mod second_look;
mod seen;
mod slot_refusal;
mod step_results;
pub mod task_position;
mod trial;
mod turn;
mod turn_meaning;
mod turn_vectors;
mod watch;
mod work;

use crate::{runtime::Runtime, telemetry};
pub use actor::SessionActor;
pub use authorize::{Authorization, OnRecord};
pub use call::{CallReport, Charge, ModelChoice, ModelResult, SentCall};
pub use conversation::Conversation;
pub use edit::fits;
pub use fault::SessionFault;
pub use journal::{Journal, SessionWriter};
use kameo::actor::WeakRecipient;
pub use model_call::Sending;
pub use request::{
    Answer, ClearRisk, Decide, DrawResult, Drawing, EmbedAnswer, EmbedRequest, Entry,
    Interpretation, LeftOut, LookResult, ModelAnswer, Opening, PersonaAnswer, Request, RunEnded,
    SecondLook, Shut, Tried, Wanted,
};
pub use ruling::{Case, Verdict};
use std::{collections::VecDeque, sync::Arc};
pub use turn::Turn;
use wiiiv_domain::{EventBody, FlowEffect, FlowInput, TurnId, ValueSources};
use wiiiv_flow::FlowState;
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

impl Stepped {
    fn of(runtime: &Runtime, flow: &FlowState, input: FlowInput) -> Self {
        let (next, effects) = wiiiv_flow::step(&runtime.config.flow, flow, input.clone());
        let (input, reviews) = (Box::new(input), conduct::reviewed(&effects));
        let (state, memories) = (next.hash(), ValueSources::default());
        let event = EventBody::Input { input, state, reviews, memories };
        Self { event, next, effects }
    }
}

impl Session {
    /// A text of the catalogue, in the conversation's language.
    pub fn text(&self, key: &str, values: &[(&str, String)]) -> String {
        self.runtime.deps.messages.told(self.conversation.language, key, values)
    }

    fn stepped(&self, input: FlowInput) -> Stepped {
        let is_answer = matches!(input, FlowInput::Proposed { .. });
        let mut stepped = Stepped::of(&self.runtime, &self.flow, input);
        if let (true, EventBody::Input { memories, .. }) = (is_answer, &mut stepped.event) {
            *memories = self.conversation.read.memories();
        }
        stepped
    }

    fn step(&mut self, turn: TurnId, input: FlowInput) -> Vec<FlowEffect> {
        let span = telemetry::flow(self.work.span());
        let Stepped { event, next, effects } = self.stepped(input.clone());
        self.flow = next;
        self.work.conduct.note(&input);
        self.conversation.note_wish(&input, self.flow.active().as_ref());
        telemetry::stepped(&span, &self.flow, effects.len());
        drop(span);
        self.journal.event(turn, event);
        effects
    }

    /// Steps the flow and performs its effects, until an answer from outside is awaited.
    async fn feed(&mut self, turn: TurnId, input: FlowInput) -> Result<(), SessionFault> {
        self.drive(turn, vec![input]).await
    }

    /// The same for effects whose input is journalled already.
    async fn follow(&mut self, turn: TurnId, effects: Vec<FlowEffect>) -> Result<(), SessionFault> {
        let inputs = self.perform_all(turn, effects).await?;
        self.drive(turn, inputs).await
    }

    /// Returns the inputs that follow.
    async fn perform_all(
        &mut self,
        turn: TurnId,
        effects: Vec<FlowEffect>,
    ) -> Result<Vec<FlowInput>, SessionFault> {
        let mut inputs = Vec::new();
        for effect in effects {
            inputs.extend(Box::pin(self.perform(turn, effect)).await?);
        }
        Ok(inputs)
    }

    async fn drive(&mut self, turn: TurnId, inputs: Vec<FlowInput>) -> Result<(), SessionFault> {
        let mut inputs = VecDeque::from(inputs);
        // A model asked in a later turn answers to the one that last moved its task.
        let turn = self.work.turn.as_ref().map_or(turn, |current| current.id);
        for _ in 0..INPUTS_MAX {
            let Some(input) = inputs.pop_front() else { break };
            self.heed_no(turn, &input).await?;
            let effects = self.step(turn, input);
            inputs.extend(self.perform_all(turn, effects).await?);
        }
        self.rest().await
    }

    /// Ends the turn where nothing is awaited any more.
    async fn rest(&mut self) -> Result<(), SessionFault> {
        // A run in doubt waits for a person, while the flow is at it.
        let doubt = self.work.in_doubt.is_some()
            && self.work.in_doubt == task_position::current_run(&self.flow);
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
        self.journal.note_ended(turn.id, outcome);
        self.work.results = None;
        let point = if outcome == "pending" { Point::T1 } else { Point::T2 };
        self.flush(point).await?;
        telemetry::turn_ended(&turn.span, turn.begun, outcome);
        self.embed_older_turns();
        Ok(())
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
}
