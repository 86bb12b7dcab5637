//! What models and runs answer, by message. One that names anything but the current is journalled
//! and ignored.

use crate::{
    audit,
    session::{
        actor::SessionActor,
        propose::{self, Answered, Asked, Next},
        state::{Down, Session},
    },
    telemetry,
};
use kameo::prelude::*;
use wiiiv_domain::{
    Action, CallId, EventBody, ExecutionId, FlowInput, Proposal, ProposalFailure, ProposalOutcome,
    ProviderName, ReplyCode, RunOutcome, StepId, TurnId,
};
use wiiiv_flow::StateName;
use wiiiv_llm::{Completion, ModelError};
use wiiiv_store::{Boundary, Lease, Point, Write};

impl Message<Answered> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, answered: Answered, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        let done = session.answered(answered).await;
        self.after(done).await;
    }
}

/// A run has come to its end; `last` is not written yet, so that it can be made durable together
/// with what follows. INVARIANT: counts only for the session that began the run; one that was
/// restored meanwhile goes on from the attempts on record, under a lease of its own.
pub struct RunEnded {
    pub lease: Lease,
    pub turn: TurnId,
    pub execution: ExecutionId,
    pub outcome: RunOutcome,
    /// Steps that conditions left out.
    pub skipped: Vec<StepId>,
    pub last: Boundary,
}

impl Message<RunEnded> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, ended: RunEnded, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        if session.lease != ended.lease {
            tracing::warn!(execution = %ended.execution, "the end of a run that was let go of");
            return;
        }
        let done = session.run_ended(ended).await;
        self.after(done).await;
    }
}

impl Session {
    async fn answered(&mut self, answered: Answered) -> Result<(), Down> {
        let Answered { turn, call, asked, result, instead } = answered;
        let current =
            self.turn.as_mut().filter(|t| t.call.as_ref().is_some_and(|waits| waits.id == call));
        let Some(current) = current else {
            // Its hold was settled when it was cut off.
            telemetry::settled(asked.provider, asked.terms.currency(), asked.terms.held());
            self.book.audit(audit::stale_answer(turn, "model call"));
            return self.flush(Point::T2).await;
        };
        current.call = None;
        current.secrets = if result.is_ok() { asked.secrets } else { 0 };
        let (spent, failure, beyond) = match &result {
            Ok(done) => (&done.spent, None, done.beyond),
            Err(error) => (&error.spent, Some(error.failure), error.beyond),
        };
        let (usage, amount) = (spent.total(), asked.terms.cost(spent));
        let attempts = result.as_ref().map_or_else(|error| error.attempts, |done| done.attempts);
        self.book.audit(audit::model_called(&audit::Called {
            call,
            turn,
            provider: asked.provider.as_str(),
            model: &asked.model,
            rules: asked.rules,
            prompt: asked.prompt,
            spent,
            charged: audit::Charge { amount, currency: asked.terms.currency() },
            attempts,
            failure,
            key: asked.key,
            another: result.as_ref().ok().and_then(|done| done.another.as_deref()),
            beyond,
            secrets: asked.secrets,
        }));
        telemetry::settled(asked.provider, asked.terms.currency(), amount);
        self.book.write(Write::Settle { call, usage, amount });
        let mut instead = instead;
        if let Err(error) = &result
            && gives_way(&asked, error)
        {
            instead = instead.or_else(|| asked.next.instead.as_deref().cloned());
            if self.falls_back(turn, (call, &asked), error.failure, instead.as_ref()).await? {
                return Ok(());
            }
        }
        let acts = |p: &Proposal| {
            matches!(p.action, Action::Execute | Action::Confirm) || p.action.recall().is_some()
        };
        let proposed = result.as_ref().ok().map(|done| &done.proposal).or(instead.as_ref());
        if asked.foreign && proposed.is_some_and(acts) {
            self.taint().await?;
        }
        self.foreign = asked.foreign;
        let outcome = match (result, instead) {
            (Ok(Completion { proposal, .. }), _) => {
                let proposal = self.in_order(proposal, asked.by_user).await?;
                ProposalOutcome::Proposal { proposal }
            }
            (Err(error), Some(proposal)) => {
                self.degrade(turn, call, &asked, error.failure);
                let proposal = self.in_order(proposal, asked.by_user).await?;
                ProposalOutcome::Proposal { proposal }
            }
            (Err(error), None) => {
                tracing::warn!(session = %self.row.id, failure = ?error.failure, "model failed");
                ProposalOutcome::Failed { failure: error.failure }
            }
        };
        self.feed(turn, FlowInput::Proposed { turn, outcome }).await
    }

    /// Where the policy lists other models, the next one that may be asked is asked, under a permit of
    /// its own. `false`: there is none.
    async fn falls_back(
        &mut self,
        turn: TurnId,
        (call, asked): (CallId, &Asked),
        failure: ProposalFailure,
        instead: Option<&Proposal>,
    ) -> Result<bool, Down> {
        let policy = self.room.policies.current(self.row.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        if policy.project_policy().asking(asked.next.nth + 1).is_none() {
            return Ok(false);
        }
        // What the former call held is free before the next one is judged.
        self.flush(Point::T2).await?;
        let from = (asked.provider, asked.model.as_str());
        for nth in asked.next.nth + 1.. {
            let Some(rules) = policy.project_policy().asking(nth) else { break };
            let why = asked.next.why.clone();
            let next = Next { why, nth, instead: instead.cloned().map(Box::new) };
            if propose::start(self, turn, next).await?.is_none() {
                let to = (rules.llm_provider, rules.model());
                self.book.audit(audit::fell_back(turn, call, from, to, failure));
                self.tell_fallback(turn, (from, to, nth), failure);
                self.flush(Point::T2).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Once a turn for each place of the list.
    fn tell_fallback(
        &mut self,
        turn: TurnId,
        (from, to, nth): ((ProviderName, &str), (ProviderName, &str), usize),
        failure: ProposalFailure,
    ) {
        tracing::warn!(session = %self.row.id, ?failure, "another model is asked");
        let Some(current) = self.turn.as_mut().filter(|current| current.fell_back < nth) else {
            return;
        };
        current.fell_back = nth;
        let reply = ReplyCode::FellBack {
            provider: from.0,
            model: from.1.to_owned(),
            to_provider: to.0,
            to_model: to.1.to_owned(),
            failure,
        };
        let text = self.room.deps.messages.reply(self.language, &reply);
        self.book.event(turn, EventBody::Replied { reply, text, foreign: false });
    }

    /// Said once a turn, and recorded for each call: the model that policy names is not the one
    /// that answers.
    fn degrade(&mut self, turn: TurnId, call: CallId, asked: &Asked, failure: ProposalFailure) {
        tracing::warn!(session = %self.row.id, ?failure, "model not reachable, degraded");
        let Asked { provider, model, .. } = asked;
        self.book.audit(audit::degraded(turn, call, (*provider, model), failure));
        let Some(current) = self.turn.as_mut().filter(|current| !current.degraded) else { return };
        current.degraded = true;
        let (provider, model) = (*provider, model.clone());
        let reply = ReplyCode::Degraded { provider, model, failure };
        let text = self.room.deps.messages.reply(self.language, &reply);
        self.book.event(turn, EventBody::Replied { reply, text, foreign: false });
    }

    async fn run_ended(&mut self, ended: RunEnded) -> Result<(), Down> {
        let RunEnded { lease: _, turn, execution, outcome, skipped, last } = ended;
        self.skipped = skipped.into_iter().map(|step| (execution, step)).collect();
        if self.run.as_ref().is_some_and(|(running, _)| *running == execution) {
            self.run = None;
        }
        self.has_run |= outcome == RunOutcome::Succeeded;
        let mine = self.turn.as_ref().is_some_and(|t| t.id == turn);
        self.in_doubt = (outcome == RunOutcome::Indeterminate).then_some(execution);
        self.book.reopen(last);
        self.feed(turn, FlowInput::Finished { execution, outcome }).await?;
        // A drawing takes its time: how the run ended is durable before it is waited for.
        let waits = self.flow.name() == StateName::Drawing;
        if mine && !waits { Ok(()) } else { self.flush(Point::S2).await }
    }

    /// From outside the conversation: `None` where this run is not in progress here.
    pub async fn cancel_run(&mut self, execution: ExecutionId) -> Result<Option<TurnId>, Down> {
        self.touch();
        let running = self.flow.active().and_then(|task| task.execution);
        if running != Some(execution) {
            return Ok(None);
        }
        let turn = match &self.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(),
        };
        let signal = wiiiv_domain::SignalKind::Cancel;
        let input = FlowInput::Signal(wiiiv_domain::UserSignal { turn, signal });
        self.feed(turn, input).await?;
        self.flush(Point::T2).await?;
        Ok(Some(turn))
    }
}

/// Whether another model may be asked in its stead. One that may have said something would be paid
/// for twice; what went wrong otherwise would go wrong elsewhere too. A fallback that nothing can be
/// sent to, such as one without a key, is passed by.
fn gives_way(asked: &Asked, error: &ModelError) -> bool {
    let is_out = error.unreachable || error.failure == ProposalFailure::RateLimited;
    let is_known = error.spent.known().is_some();
    (is_out && is_known) || (asked.next.nth > 0 && error.attempts == 0)
}
