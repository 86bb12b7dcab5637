//! Asks a model. Its call is ruled on and its cost held before a byte is sent, in one commit with
//! what caused it.

use crate::{
    audit, clock,
    config::COMMIT_ATTEMPTS_MAX,
    hub::Hub,
    keys::{KeyError, ModelKeys, Payer},
    session::{
        Case, ModelAnswer, ModelChoice, ModelResult, Request, SentCall, Session, SessionFault,
        Turn, Verdict, prompt::prompt, task_position,
    },
    telemetry,
};
use std::sync::Arc;
use tokio::sync::mpsc;
use tracing::Instrument as _;
use wiiiv_context::{Prompt, Rendered as _};
use wiiiv_domain::{
    DenyCode, FlowInput, KeySource, ModelPlace, ModelSlot, PriceTable, ProjectPolicy,
    ProposalFailure, ProposalOutcome, SessionId, TaskId, Terms, TurnId, Why,
};
use wiiiv_gate::{Authorized, ModelCall, Purpose};
use wiiiv_llm::CallOptions;
use wiiiv_store::{Moved, Point, StoreError};

/// Buffered deltas of a reply.
const DELTAS_MAX: usize = 256;

/// How a call is sent, and its largest cost.
pub struct Sending {
    pub options: CallOptions,
    pub key: Option<KeySource>,
    pub terms: Terms,
}

/// Why not: a gate denied it, which is on record, or no key can be sent.
pub type PreparedCall = Result<(Authorized<ModelCall>, Sending), ProposalFailure>;

impl Session {
    /// `Some`: the outcome without a call.
    pub async fn ask_model(
        &mut self,
        turn: TurnId,
        choice: ModelChoice,
    ) -> Result<Option<FlowInput>, SessionFault> {
        if let Some(outcome) = self.answered_by_code(&choice.why).await? {
            return Ok(Some(FlowInput::Proposed { turn, outcome }));
        }
        let failed = |failure| {
            let outcome = ProposalOutcome::Failed { failure };
            Ok(Some(FlowInput::Proposed { turn, outcome }))
        };
        let policy = self.policy().await?;
        let Some(rules) = policy.project_policy().asking(choice.nth) else {
            return failed(ProposalFailure::Unavailable);
        };
        let token_limits = self.runtime.deps.models.token_limits(rules.llm_provider, rules.model());
        let span = telemetry::context(self.work.span());
        let Ok(prompt) = prompt(self, &choice.why, &token_limits).instrument(span).await? else {
            return failed(ProposalFailure::ContextTooLong);
        };
        let most = token_limits.max_output(self.runtime.config.max_output_tokens);
        let task = self.flow.active().map_or(TaskId::from(turn), |task| task.id);
        let tokens = (token_limits.held(&prompt).await, most);
        let call = self.model_call(&rules, (ModelSlot::Governor, turn, task), tokens);
        // T0 holds the cost together with the turn's beginning; after a run it is S2, with the
        // run's end.
        let point = match choice.why {
            Why::Facts { .. } => Point::S2,
            Why::Message | Why::Revision { .. } | Why::Undrawable { .. } | Why::Recall { .. } => {
                Point::T0
            }
        };
        let place = ModelPlace::Nth(choice.nth);
        match self.hold((point, place), call).await? {
            Ok(held) => self.send(turn, choice, prompt, held),
            Err(failure) => return failed(failure),
        }
        Ok(None)
    }

    /// A form's answer or a recall needs no model.
    async fn answered_by_code(
        &mut self,
        why: &Why,
    ) -> Result<Option<ProposalOutcome>, SessionFault> {
        if let Some(proposal) = self.answered_form(why).await? {
            return Ok(Some(ProposalOutcome::Proposal { proposal }));
        }
        match why {
            Why::Recall { recall } => self.recalled(*recall).await.map(Some),
            Why::Message | Why::Facts { .. } | Why::Revision { .. } | Why::Undrawable { .. } => {
                Ok(None)
            }
        }
    }

    /// The last pair: most tokens in and out.
    pub fn model_call(
        &self,
        rules: &ProjectPolicy,
        (slot, turn, task): (ModelSlot, TurnId, TaskId),
        (max_input_tokens, max_output_tokens): (u64, u64),
    ) -> ModelCall {
        let row = &self.journal.row;
        ModelCall {
            call: clock::fresh(),
            project: row.project,
            session: row.id,
            user: row.owner,
            task,
            turn,
            slot,
            provider: rules.llm_provider,
            model: rules.model().to_owned(),
            max_input_tokens,
            max_output_tokens,
            attempts: self.runtime.config.model_attempts,
        }
    }

    /// Ruled, committed and sealed.
    // INVARIANT: model, address, key and prices are those of the very policy that the permit was
    // ruled under, and of one place in its list.
    pub async fn hold(
        &mut self,
        (point, place): (Point, ModelPlace),
        mut call: ModelCall,
    ) -> Result<PreparedCall, SessionFault> {
        let mut last = None;
        for _ in 0..COMMIT_ATTEMPTS_MAX {
            let at = clock::now();
            let policy = self.policy().await?;
            let rules = policy.project_policy().placed(place);
            // The policy may have changed its order since.
            let same = |rules: &ProjectPolicy| {
                (rules.llm_provider, rules.model()) == (call.provider, call.model.as_str())
            };
            let Some(rules) = rules.filter(|rules| same(rules)) else {
                return Ok(Err(ProposalFailure::Unavailable));
            };
            let sending = self.sending(&rules, policy.policy().prices(), &call).await?;
            let Some(sending) = sending else { return Ok(Err(ProposalFailure::Auth)) };
            self.work.claimed = sending.terms.held();
            let evidence = self.runtime.deps.store.evidence_for_call(&call, at).await?;
            drop(rules);
            let case = Case { purpose: Purpose::Call, subject: call, policy, evidence, at };
            call = match self.rule(point, case, |_, _| None).await? {
                Verdict::Permitted(permit) => return Ok(Ok((permit, sending))),
                Verdict::Denied(codes) => return Ok(Err(denied_for(&codes))),
                Verdict::Mismatched(why) => return Err(SessionFault::other(why.to_string())),
                Verdict::Moved(Moved::AuthorityGone, _) => return self.without_right().map(Err),
                Verdict::Moved(moved, call) => {
                    last = Some(moved);
                    call
                }
            };
        }
        // Each commit found a change; the last one decides.
        Ok(Err(if last == Some(Moved::BudgetShort) {
            ProposalFailure::Budget
        } else {
            ProposalFailure::Unavailable
        }))
    }

    /// A turn that is on record ends without a model, and what ran for it is written down. Of another one
    /// nothing is.
    fn without_right(&mut self) -> Result<ProposalFailure, SessionFault> {
        if self.journal.pending.begins_a_turn() {
            return Err(StoreError::AuthorityGone.into());
        }
        self.journal.audit(audit::requester_gone());
        Ok(ProposalFailure::NotAllowed)
    }

    /// With a key opened for this call alone; `None`: no key can be sent.
    async fn sending(
        &self,
        rules: &ProjectPolicy,
        prices: &PriceTable,
        call: &ModelCall,
    ) -> Result<Option<Sending>, SessionFault> {
        let row = &self.journal.row;
        let payer = Payer { user: row.owner, project: row.project };
        let (source, key) = match ModelKeys::new(&self.runtime.deps).opened(payer, rules).await {
            Ok(opened) => opened.unzip(),
            Err(KeyError::Unavailable(why)) => return Err(SessionFault::other(why)),
            Err(error) => {
                tracing::error!(%error, project = %row.project, "no key can be sent");
                return Ok(None);
            }
        };
        let base_url = rules.llm_base_url.clone();
        let deadline = self.runtime.config.model_deadline;
        let options = CallOptions { base_url, key, picture: None, deadline };
        let price = prices.get(call.provider.as_str(), &call.model);
        let most = if call.provider.is_built_in() {
            (0, 0)
        } else {
            (call.max_input_tokens, call.max_output_tokens)
        };
        let terms = Terms::new(price, most, call.attempts);
        Ok(Some(Sending { options, key: source, terms }))
    }

    fn send(
        &mut self,
        turn: TurnId,
        choice: ModelChoice,
        prompt: Prompt,
        (permit, sending): (Authorized<ModelCall>, Sending),
    ) {
        let call = permit.peek();
        let Sending { options, key, terms } = sending;
        let sent = Arc::new(SentCall {
            id: call.call,
            turn,
            provider: call.provider,
            model: call.model.clone(),
            rules: prompt.rules_hash(),
            prompt: prompt.prompt_hash(),
            terms,
            key,
            foreign: task_position::reads_results(&self.flow),
            by_user: matches!(choice.why, Why::Message | Why::Revision { .. }),
            choice,
            secrets: if call.provider.is_built_in() { 0 } else { prompt.secrets() },
        });
        let row = &self.journal.row;
        let current = self.work.turn.get_or_insert_with(|| Turn::new(turn, row));
        current.call = Some(sent.clone());
        let (cancel, span) = (current.cancel.clone(), current.span.clone());
        telemetry::secrets_removed(sent.secrets);
        telemetry::held(sent.provider, sent.held());
        let (deltas, forwarding) = forwarded(self.runtime.hub.clone(), row.id, turn);
        let (runtime, inbox) = (self.runtime.clone(), self.inbox.clone());
        // Dropping the call stops it upstream.
        let answering = async move {
            let models = &runtime.deps.models;
            let completing = models.complete(&prompt, permit, &options, Some(deltas));
            let result = tokio::select! {
                (result, ()) = async { tokio::join!(completing, forwarding) } => result,
                () = cancel.cancelled() => {
                    telemetry::settled(sent.provider, sent.held());
                    return;
                }
            };
            let instead = is_unreachable(&result).then(|| models.degraded(&prompt));
            if let Some(inbox) = inbox.upgrade() {
                let answer = Box::new(ModelAnswer { sent, result, instead });
                let _ = inbox.tell(Request::ModelAnswered(answer)).await;
            }
        };
        tokio::spawn(answering.instrument(span));
    }
}

/// Forwards parts of a reply to whoever watches, until the last sender is dropped.
fn forwarded(
    hub: Hub,
    session: SessionId,
    turn: TurnId,
) -> (mpsc::Sender<String>, impl Future<Output = ()>) {
    let (deltas, mut pieces) = mpsc::channel::<String>(DELTAS_MAX);
    let forwarding = async move {
        while let Some(text) = pieces.recv().await {
            hub.delta(session, turn, Arc::from(text));
        }
    };
    (deltas, forwarding)
}

/// The first code with a reason of its own.
fn denied_for(codes: &[DenyCode]) -> ProposalFailure {
    let told = codes.iter().find_map(|code| match code {
        DenyCode::Halted => Some(ProposalFailure::Halted),
        DenyCode::ModelUnpriced => Some(ProposalFailure::Unpriced),
        DenyCode::PolicyForbids => Some(ProposalFailure::NotAllowed),
        _ => None,
    });
    told.unwrap_or(ProposalFailure::Budget)
}

/// No connection, a server failure, or an open breaker (governance.md 8). A late or bad answer is
/// no outage.
fn is_unreachable(result: &ModelResult) -> bool {
    result.as_ref().is_err_and(|error| error.unreachable)
}
