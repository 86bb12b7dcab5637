//! A model is asked: the call is ruled on and its spend held before a byte leaves, together with
//! what made it necessary.

use crate::{
    audit, clock,
    config::COMMIT_ATTEMPTS_MAX,
    keys::{self, KeyError, Payer},
    session::{
        actor::SessionActor,
        place,
        prompt::prompt,
        state::{Down, Session},
        turn::{InFlight, Turn},
    },
    telemetry::{self, Ruling},
};
use kameo::actor::WeakActorRef;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};
use wiiiv_context::{Prompt, Rendered as _};
use wiiiv_domain::{
    CallId, DenyCode, FlowInput, KeySource, ModelPlace, ModelSlot, PriceTable, ProjectPolicy,
    PromptHash, Proposal, ProposalFailure, ProposalOutcome, ProviderName, RulesHash, TaskId, Terms,
    TurnId, Why,
};
use wiiiv_gate::{Authorized, ModelCall, Purpose, Refusal};
use wiiiv_llm::{CallOptions, Completion, Gauge, ModelError};
use wiiiv_store::{CommitRefused, Moved, Point};

/// Deltas on their way to a client.
const DELTAS_MAX: usize = 256;

/// What was asked, for settlement and audit.
pub struct Asked {
    pub provider: ProviderName,
    pub model: String,
    pub rules: RulesHash,
    pub prompt: PromptHash,
    pub terms: Terms,
    /// Whose key was sent.
    pub key: Option<KeySource>,
    /// The prompt shows what came from outside.
    pub foreign: bool,
    /// A user has spoken: the answer may begin another task.
    pub by_user: bool,
    pub next: Next,
    /// Keys that were taken out of what it was shown; none where nothing is sent.
    pub secrets: usize,
}

/// Which model is asked, and why.
#[derive(Debug, Clone)]
pub struct Next {
    pub why: Why,
    /// Of the policy's models: 0 the first, then its fallbacks.
    pub nth: usize,
    /// What the built-in understanding made of it when one before could not be reached.
    pub instead: Option<Box<Proposal>>,
}

impl Next {
    pub const fn first(why: Why) -> Self {
        Self { why, nth: 0, instead: None }
    }
}

pub struct Answered {
    pub turn: TurnId,
    pub call: CallId,
    pub asked: Asked,
    pub result: Result<Completion, ModelError>,
    /// What the built-in understanding makes of it, where the model could not be reached.
    pub instead: Option<Proposal>,
}

/// `Some`: it could not be asked, and that is the answer.
pub async fn start(
    session: &mut Session,
    turn: TurnId,
    next: Next,
) -> Result<Option<FlowInput>, Down> {
    if let Some(answered) = session.answered_form(turn, &next.why).await? {
        return Ok(Some(answered));
    }
    if let Why::Recall { recall } = next.why {
        let outcome = session.recalled(recall).await?;
        return Ok(Some(FlowInput::Proposed { turn, outcome }));
    }
    let why = &next.why;
    let failed = |failure| Ok(Some(failed(turn, failure)));
    let room = session.room.clone();
    let policy = room.policies.current(session.row.project).await;
    let policy = policy.map_err(|e| Down(e.to_string()))?;
    let Some(rules) = policy.project_policy().asking(next.nth) else {
        return failed(ProposalFailure::Unavailable);
    };
    let gauge = room.deps.models.gauge(rules.llm_provider, rules.model());
    let span = telemetry::context(session.turn.as_ref());
    let Ok(prompt) = prompt(session, why, &gauge).instrument(span).await? else {
        return failed(ProposalFailure::ContextTooLong);
    };
    let call = model_call(session, turn, &rules, (&gauge, &prompt)).await;
    let (id, provider, model) = (call.call, call.provider, call.model.clone());
    let point = match why {
        Why::Facts { .. } => Point::S2,
        Why::Message | Why::Revision { .. } | Why::Undrawable { .. } | Why::Recall { .. } => {
            Point::T0
        }
    };
    let (permit, sending) = match hold(session, (point, ModelPlace::Nth(next.nth)), call).await? {
        Ok(held) => held,
        Err(failure) => return failed(failure),
    };
    let Sending { options, key, terms } = sending;
    let held = audit::Charge { amount: terms.held(), currency: terms.currency() };
    let (rules, of) = (prompt.rules_hash(), prompt.prompt_hash());
    let waits = InFlight { id, provider, model: model.clone(), rules, prompt: of, key, held };
    let asked = Asked {
        provider,
        model,
        rules,
        prompt: of,
        terms,
        key,
        foreign: place::reads_results(&session.flow),
        by_user: matches!(why, Why::Message | Why::Revision { .. }),
        next,
        secrets: if provider.is_built_in() { 0 } else { prompt.secrets() },
    };
    let cancel = match &mut session.turn {
        Some(current) => {
            current.call = Some(waits);
            current.cancel.clone()
        }
        None => {
            let mut current = Turn::new(turn, &session.row);
            current.call = Some(waits);
            let cancel = current.cancel.clone();
            session.turn = Some(current);
            cancel
        }
    };
    telemetry::secrets_removed(asked.secrets);
    telemetry::held(asked.provider, held.currency, held.amount);
    let span = telemetry::of(session.turn.as_ref());
    let (me, session) = (session.me.clone(), session.row.id);
    ask(room, me, Call { session, turn, id, asked, prompt, permit, options, cancel, span });
    Ok(None)
}

fn failed(turn: TurnId, failure: ProposalFailure) -> FlowInput {
    FlowInput::Proposed { turn, outcome: ProposalOutcome::Failed { failure } }
}

async fn model_call(
    session: &Session,
    turn: TurnId,
    rules: &ProjectPolicy,
    (gauge, prompt): (&Gauge, &Prompt),
) -> ModelCall {
    let config = &session.room.config;
    let task = session.flow.active().map_or(TaskId::from(turn), |task| task.id);
    ModelCall {
        call: clock::fresh(),
        project: session.row.project,
        session: session.row.id,
        user: session.row.owner,
        task,
        turn,
        slot: ModelSlot::Governor,
        provider: rules.llm_provider,
        model: rules.model().to_owned(),
        max_input_tokens: gauge.held(prompt).await,
        max_output_tokens: gauge.max_output(config.max_output_tokens),
        attempts: config.model_attempts,
    }
}

/// How a call goes out, and what it costs at most.
pub(super) struct Sending {
    pub options: CallOptions,
    pub key: Option<KeySource>,
    pub terms: Terms,
}

/// Why not: a gate said no, which is on record, or no key can be sent for a fault.
pub(super) type Held = Result<(Authorized<ModelCall>, Sending), ProposalFailure>;

/// With the key that is opened for this call alone; `None` where none can be sent for a fault.
async fn sending(
    session: &Session,
    (rules, prices): (&ProjectPolicy, PriceTable),
    call: &ModelCall,
) -> Result<Option<Sending>, Down> {
    let room = &session.room;
    let payer = Payer { user: session.row.owner, project: session.row.project };
    let opened = match keys::opened(room, payer, rules).await {
        Ok(opened) => opened,
        Err(KeyError::Unavailable(why)) => return Err(Down(why)),
        Err(error) => {
            tracing::error!(%error, project = %session.row.project, "no key can be sent");
            return Ok(None);
        }
    };
    let (source, key) = opened.unzip();
    let base_url = rules.llm_base_url.clone();
    let deadline = room.config.model_deadline;
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

/// Ruled, committed and sealed.
// INVARIANT: model, address, key and prices are those of the very policy that the permit was ruled
// under, and of one place in its list.
pub(super) async fn hold(
    session: &mut Session,
    (point, place): (Point, ModelPlace),
    mut call: ModelCall,
) -> Result<Held, Down> {
    let room = session.room.clone();
    let mut last = None;
    for _ in 0..COMMIT_ATTEMPTS_MAX {
        let now = clock::now();
        let policy = room.policies.current(call.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        let Some(rules) = policy.project_policy().placed(place) else {
            return Ok(Err(ProposalFailure::Unavailable));
        };
        // The policy has changed its order since: another model stands in that place now.
        if (rules.llm_provider, rules.model()) != (call.provider, call.model.as_str()) {
            return Ok(Err(ProposalFailure::Unavailable));
        }
        let priced = (rules.as_ref(), policy.policy().prices().clone());
        let Some(sending) = sending(session, priced, &call).await? else {
            return Ok(Err(ProposalFailure::Auth));
        };
        session.claimed = sending.terms.held();
        let evidence = room.deps.store.evidence_for_call(&call, now).await?;
        let keeper = &room.deps.keeper;
        let cx = keeper.gather(clock::fresh(), Purpose::Call, call, policy, evidence);
        let cx = cx.map_err(|mismatch| Down(mismatch.why.to_string()))?;
        let (claim, ruled) = keeper.rule(cx, now);
        let ruling = Ruling::of(&claim);
        let boundary = session.book.close(point, false);
        match room.deps.store.commit(&session.writer(), boundary, claim).await {
            Ok(done) => {
                room.hub.grew(session.row.id);
                ruling.committed(&telemetry::of(session.turn.as_ref()));
                return match ruled.seal(done) {
                    Ok(permit) => Ok(Ok((permit, sending))),
                    Err(Refusal::Denied(denied)) => Ok(Err(denied_for(&denied.codes()))),
                    Err(Refusal::ForeignCommit) => Err(Down("a foreign commit".to_owned())),
                };
            }
            Err(CommitRefused::Moved(moved, boundary)) => {
                session.book.reopen(boundary);
                last = Some(moved);
                if moved == Moved::PolicyChanged {
                    room.policies.forget(session.row.project).await;
                }
                call = ruled.withdraw();
            }
            Err(CommitRefused::Unavailable(error)) => return Err(error.into()),
        }
    }
    // Others were faster each time, and the last that came in between tells of what.
    Ok(Err(if last == Some(Moved::BudgetShort) {
        ProposalFailure::Budget
    } else {
        ProposalFailure::Unavailable
    }))
}

/// The first of the codes that says what to do about it.
fn denied_for(codes: &[DenyCode]) -> ProposalFailure {
    let told = codes.iter().find_map(|code| match code {
        DenyCode::Halted => Some(ProposalFailure::Halted),
        DenyCode::ModelUnpriced => Some(ProposalFailure::Unpriced),
        DenyCode::PolicyForbids => Some(ProposalFailure::NotAllowed),
        _ => None,
    });
    told.unwrap_or(ProposalFailure::Budget)
}

struct Call {
    session: wiiiv_domain::SessionId,
    turn: TurnId,
    id: CallId,
    asked: Asked,
    prompt: Prompt,
    permit: Authorized<ModelCall>,
    options: CallOptions,
    cancel: CancellationToken,
    /// Of the turn.
    span: Span,
}

/// Dropping the call stops it upstream.
fn ask(room: crate::deps::Shared, me: WeakActorRef<SessionActor>, call: Call) {
    let Call { session, turn, id, asked, prompt, permit, options, cancel, span } = call;
    let (deltas, mut told) = mpsc::channel::<String>(DELTAS_MAX);
    let hub = room.hub.clone();
    tokio::spawn(async move {
        while let Some(text) = told.recv().await {
            hub.delta(session, turn, Arc::from(text));
        }
    });
    let answering = async move {
        let models = &room.deps.models;
        let result = tokio::select! {
            result = models.complete(&prompt, permit, &options, Some(deltas)) => result,
            () = cancel.cancelled() => {
                telemetry::settled(asked.provider, asked.terms.currency(), asked.terms.held());
                return;
            }
        };
        let instead = is_unreachable(&result).then(|| models.degraded(&prompt));
        if let Some(me) = me.upgrade() {
            let _ = me.tell(Answered { turn, call: id, asked, result, instead }).await;
        }
    };
    tokio::spawn(answering.instrument(span));
}

/// Nobody answers there, or it is left alone after failures in a row (governance.md 8). A model
/// that answers late, badly or not for us is no outage: the user is told, and nothing is guessed.
fn is_unreachable(result: &Result<Completion, ModelError>) -> bool {
    result.as_ref().is_err_and(|error| error.unreachable)
}
