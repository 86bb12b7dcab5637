//! A model's answer. An answer to another call than the one in flight is journalled and ignored.

use crate::{
    audit,
    session::{ModelAnswer, ModelChoice, SentCall, Session, SessionFault, Turn},
    telemetry,
};
use wiiiv_domain::{
    Action, EventBody, FlowInput, Proposal, ProposalFailure, ProposalOutcome, ReplyCode,
};
use wiiiv_llm::ModelError;
use wiiiv_store::{Point, Write};

impl Session {
    pub async fn model_answered(&mut self, answer: ModelAnswer) -> Result<(), SessionFault> {
        let ModelAnswer { sent, result, mut instead } = answer;
        let waits = |turn: &&mut Turn| turn.call.as_ref().is_some_and(|call| call.id == sent.id);
        let Some(current) = self.work.turn.as_mut().filter(waits) else {
            // Its hold was settled when it was cut off.
            telemetry::settled(sent.provider, sent.held());
            self.journal.audit(audit::stale_answer(sent.turn, "model call"));
            return self.flush(Point::T2).await;
        };
        current.call = None;
        current.secrets = if result.is_ok() { sent.secrets } else { 0 };
        let spent = result.as_ref().map_or_else(|error| &error.spent, |done| &done.spent);
        let (usage, charge) = (spent.total(), sent.cost(spent));
        self.journal.audit(audit::model_called(&sent, &result, charge));
        telemetry::settled(sent.provider, charge);
        self.journal.write(Write::Settle { call: sent.id, usage, amount: charge.amount });
        if let Err(error) = &result
            && gives_way(&sent, error)
        {
            instead = instead.or_else(|| sent.choice.instead.as_deref().cloned());
            if self.falls_back(&sent, error.failure, instead.as_ref()).await? {
                return Ok(());
            }
        }
        let proposed = result.as_ref().ok().map(|done| &done.proposal).or(instead.as_ref());
        if sent.foreign && proposed.is_some_and(acts) {
            self.taint().await?;
        }
        self.conversation.foreign = sent.foreign;
        let turn = sent.turn;
        let proposal = match (result, instead) {
            (Ok(done), _) => done.proposal,
            (Err(error), Some(proposal)) => {
                self.degrade(&sent, error.failure);
                proposal
            }
            (Err(ModelError { failure, .. }), None) => {
                tracing::warn!(session = %self.journal.row.id, ?failure, "model failed");
                let outcome = ProposalOutcome::Failed { failure };
                return self.feed(turn, FlowInput::Proposed { turn, outcome }).await;
            }
        };
        let proposal = self.in_order(proposal, sent.by_user).await?;
        let outcome = ProposalOutcome::Proposal { proposal };
        self.feed(turn, FlowInput::Proposed { turn, outcome }).await
    }

    /// Asks the policy's next model that accepts a call, under a permit of its own. `false`: none
    /// does.
    async fn falls_back(
        &mut self,
        sent: &SentCall,
        failure: ProposalFailure,
        instead: Option<&Proposal>,
    ) -> Result<bool, SessionFault> {
        let policy = self.policy().await?;
        if policy.project_policy().asking(sent.choice.nth + 1).is_none() {
            return Ok(false);
        }
        // Releases the former hold before the next ruling.
        self.flush(Point::T2).await?;
        for nth in sent.choice.nth + 1.. {
            let Some(rules) = policy.project_policy().asking(nth) else { break };
            let why = sent.choice.why.clone();
            let choice = ModelChoice { why, nth, instead: instead.cloned().map(Box::new) };
            if self.ask_model(sent.turn, choice).await?.is_none() {
                let to = (rules.llm_provider, rules.model());
                self.journal.audit(audit::fell_back(sent, to, failure));
                let reply = ReplyCode::FellBack {
                    provider: sent.provider,
                    model: sent.model.clone(),
                    to_provider: to.0,
                    to_model: to.1.to_owned(),
                    failure,
                };
                tracing::warn!(session = %self.journal.row.id, ?failure, "another model is asked");
                let turn = self.work.turn.as_mut();
                if let Some(current) = turn.filter(|turn| turn.fell_back < nth) {
                    // Once a turn for each fallback.
                    current.fell_back = nth;
                    self.announce(sent, reply);
                }
                self.flush(Point::T2).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The built-in understanding stands in: recorded for each call, announced once a turn.
    fn degrade(&mut self, sent: &SentCall, failure: ProposalFailure) {
        tracing::warn!(session = %self.journal.row.id, ?failure, "model not reachable, degraded");
        self.journal.audit(audit::degraded(sent, failure));
        if let Some(current) = self.work.turn.as_mut().filter(|turn| !turn.degraded) {
            current.degraded = true;
            let (provider, model) = (sent.provider, sent.model.clone());
            self.announce(sent, ReplyCode::Degraded { provider, model, failure });
        }
    }

    /// Announces another model; not part of the conversation.
    fn announce(&mut self, sent: &SentCall, reply: ReplyCode) {
        let text = self.runtime.deps.messages.reply(self.conversation.language, &reply);
        self.journal.event(sent.turn, EventBody::Replied { reply, text, foreign: false });
    }
}

/// The proposal causes work.
fn acts(proposal: &Proposal) -> bool {
    matches!(proposal.action, Action::Execute | Action::Confirm)
        || proposal.action.recall().is_some()
}

/// Whether a fallback may be asked: the model was out and spent nothing unknown, or the fallback
/// before it could not be sent to.
fn gives_way(sent: &SentCall, error: &ModelError) -> bool {
    let is_out = error.unreachable || error.failure == ProposalFailure::RateLimited;
    let is_known = error.spent.known().is_some();
    (is_out && is_known) || (sent.choice.nth > 0 && error.attempts == 0)
}
