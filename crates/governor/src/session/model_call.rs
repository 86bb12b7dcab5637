//! Asks a model. Its call is ruled on and its cost held before a byte is sent, in one commit with
//! what caused it.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    hub::Hub,
    keys::{KeyError, ModelKeys, Payer},
    runtime::Runtime,
    session::{
        Case, Journal, ModelAnswer, ModelChoice, ModelResult, Request, SentCall, Session,
        SessionFault, Turn, Verdict, Work, consult, consultation::Postponed, form::answered,
        memory::Memories, prompt::prompt, provenance, recall::recalled, registered::in_order,
        task_position, watch,
    },
    telemetry,
    turn_documents::ShownPassages,
};
use std::sync::Arc;
use tokio::sync::mpsc;
use tracing::Instrument as _;
use wiiiv_context::{PlanRefusal, Prompt, PromptError, Rendered as _};
use wiiiv_domain::{
    AnswerPolicy, DenyCode, FlowInput, KeySource, ModelPlace, ModelSlot, ProjectPolicy,
    ProposalFailure, ProposalOutcome, SessionId, TaskId, TaskType, TaskTypes, Terms, TurnId,
    ValueSources, Why,
};
use wiiiv_gate::{Authorized, ModelCall, PolicySnapshot, Purpose};
use wiiiv_llm::CallOptions;
use wiiiv_store::{Boundary, Moved, Point, SessionRow, Write};

/// Buffered deltas of a reply.
const DELTAS_MAX: usize = 256;

/// How a call is sent, and its largest cost.
pub struct Sending {
    pub options: CallOptions,
    pub key: Option<KeySource>,
    /// Of the key, where it is a stored one.
    key_revision: Option<u64>,
    pub terms: Terms,
    /// That the permit was ruled under, which may be a later one than the call was put together under.
    pub policy: Arc<PolicySnapshot>,
}

/// Why not: a gate denied it, which is on record, or no key can be sent.
pub type PreparedCall = Result<(Authorized<ModelCall>, Sending), ProposalFailure>;

/// `Some`: the outcome without a call.
pub async fn ask_model(
    session: &mut Session,
    turn: TurnId,
    choice: ModelChoice,
) -> Result<Option<FlowInput>, SessionFault> {
    let proposed = |outcome| Ok(Some(FlowInput::Proposed { turn, outcome }));
    if let Some(outcome) = without_model(session, &choice.why).await? {
        return proposed(outcome);
    }
    let failed = |failure| proposed(ProposalOutcome::Failed { failure });
    let policy = session.journal.records.policy().await?;
    let Some(rules) = policy.project_policy().asking(choice.nth) else {
        return failed(ProposalFailure::Unavailable);
    };
    if consult::comes_first(session, &choice, &rules) {
        consult::look_through(session, turn, Postponed { choice, first: None });
        return Ok(None);
    }
    let token_limits = session.runtime.deps.models.token_limits(rules.llm_provider, rules.model());
    let memories = Memories::read(session).await?;
    watch::look_at_memory(session, &memories).await?;
    watch::look_at_documents(session, &choice.why).await?;
    let span = telemetry::context(session.work.span());
    let prompted = prompt(session, (turn, &choice.why), &token_limits, &memories);
    let prompted = prompted.instrument(span.clone()).await?;
    note_length(&mut session.work, &prompted);
    let Ok(prompt) = prompted else { return failed(ProposalFailure::ContextTooLong) };
    let shown = consult::shown(session, &prompt);
    telemetry::passages_shown(&span, shown.as_ref(), prompt.plan());
    telemetry::laid_out(&span, prompt.plan());
    drop(span);
    let mut read = provenance::shown(session, &choice.why, &memories).await?;
    if let Some(shown) = &shown {
        read.extend([&shown.sources()]);
    }
    let most = token_limits.max_output(session.runtime.config.max_output_tokens);
    let task = session.flow.active().map_or(TaskId::from(turn), |task| task.id);
    let tokens = (token_limits.held(&prompt).await, most);
    let call = model_call(
        &session.runtime,
        &session.journal.row,
        &rules,
        (ModelSlot::Governor, turn, task),
        tokens,
    );
    let place = (point(&choice.why), ModelPlace::Nth(choice.nth));
    let (runtime, journal) = (&session.runtime, &mut session.journal);
    match hold(runtime, journal, &mut session.work, place, call).await? {
        Ok(held) => {
            let ruled = held.1.policy.clone();
            let rules = ruled.project_policy().asking(choice.nth).unwrap_or(rules);
            let puts_aside = consult::puts_aside(session, &choice, &rules);
            let under = Under { answers: rules.answers, puts_aside };
            let shown = PreparedPrompt { prompt, read, passages: shown };
            send(session, turn, choice, (shown, under), held);
        }
        Err(failure) => return failed(failure),
    }
    Ok(None)
}

/// What a model is sent, with all that its answer rests on.
struct PreparedPrompt {
    prompt: Prompt,
    read: ValueSources,
    passages: Option<ShownPassages>,
}

/// What becomes of its answer, by the policy that its permit was ruled under.
struct Under {
    answers: AnswerPolicy,
    puts_aside: TaskTypes,
}

/// A form's answer or a recall needs no model.
async fn without_model(
    session: &mut Session,
    why: &Why,
) -> Result<Option<ProposalOutcome>, SessionFault> {
    let answered = answered(&mut session.conversation, &session.flow, why);
    let mut outcome = answered.map(|proposal| ProposalOutcome::Proposal { proposal });
    if let (None, Why::Recall { recall }) = (&outcome, why) {
        outcome = Some(recalled(session, *recall).await?);
    }
    if let Some(ProposalOutcome::Proposal { proposal }) = &mut outcome {
        let (flow, work, records) = (&session.flow, &session.work, &session.journal.records);
        in_order(flow, &work.systems.list, records, proposal, true).await?;
    }
    Ok(outcome)
}

/// T0 holds the cost together with the turn's beginning; after a run it is S2, with the run's end.
const fn point(why: &Why) -> Point {
    match why {
        Why::Facts { .. } => Point::S2,
        Why::Message | Why::Revision { .. } | Why::Undrawable { .. } | Why::Recall { .. } => {
            Point::T0
        }
    }
}

/// For the reply, which says by how much it is too long: of the last model that was to be asked, and of no other.
fn note_length(work: &mut Work, prompted: &Result<Prompt, PromptError>) {
    let Some(turn) = &mut work.turn else { return };
    turn.too_long = match prompted {
        Err(PromptError::TooLong { needed, max }) => {
            Some(PlanRefusal { needed: *needed, max: *max })
        }
        Ok(_) | Err(PromptError::Fence(_) | PromptError::Uncounted) => None,
    };
}

/// The last pair: most tokens in and out.
pub fn model_call(
    runtime: &Runtime,
    row: &SessionRow,
    rules: &ProjectPolicy,
    (slot, turn, task): (ModelSlot, TurnId, TaskId),
    (max_input_tokens, max_output_tokens): (u64, u64),
) -> ModelCall {
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
        attempts: runtime.config.model_attempts,
    }
}

/// Ruled, committed and sealed.
// INVARIANT: model, address, key and prices are those of the very policy that the permit was
// ruled under, and of one place in its list.
pub async fn hold(
    runtime: &Runtime,
    journal: &mut Journal,
    work: &mut Work,
    (point, place): (Point, ModelPlace),
    mut call: ModelCall,
) -> Result<PreparedCall, SessionFault> {
    let mut last = None;
    for _ in 0..COMMIT_ATTEMPTS_MAX {
        let at = clock::now();
        let policy = journal.records.policy().await?;
        let rules = policy.project_policy().placed(place);
        // The policy may have changed its order since.
        let same = |rules: &ProjectPolicy| {
            (rules.llm_provider, rules.model()) == (call.provider, call.model.as_str())
        };
        let Some(rules) = rules.filter(|rules| same(rules)) else {
            return Ok(Err(ProposalFailure::Unavailable));
        };
        let sending = sending(runtime, &journal.row, &rules, (&policy, &call)).await?;
        let Some(sending) = sending else { return Ok(Err(ProposalFailure::Auth)) };
        work.claimed = sending.terms.held();
        let evidence = runtime.deps.store.evidence_for_call(&call, at).await?;
        drop(rules);
        let case = Case { purpose: Purpose::Call, subject: call, policy, evidence, at };
        call = match journal.rule((runtime, work.span()), point, case, |_| None).await? {
            Verdict::Permitted(permit) => {
                if is_key_there(runtime, &journal.row, place, &sending).await? {
                    return Ok(Ok((permit, sending)));
                }
                // Nothing is sent: what was held for it is free again.
                let released = Write::Release { call: permit.peek().call };
                journal.writer.append(Boundary::new(Point::P).write(released)).await?;
                return Ok(Err(ProposalFailure::Auth));
            }
            Verdict::Denied(codes) => return Ok(Err(denied_for(&codes))),
            Verdict::Mismatched(why) => return Err(SessionFault::other(why.to_string())),
            Verdict::Moved(Moved::AuthorityGone, _) => return Ok(Err(journal.without_right()?)),
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

/// With a key opened for this call alone; `None`: no key can be sent.
async fn sending(
    runtime: &Runtime,
    row: &SessionRow,
    rules: &ProjectPolicy,
    (policy, call): (&Arc<PolicySnapshot>, &ModelCall),
) -> Result<Option<Sending>, SessionFault> {
    let payer = Payer { user: row.owner, project: row.project };
    let opened = match ModelKeys::new(&runtime.deps).opened(payer, rules).await {
        Ok(opened) => opened,
        Err(KeyError::Unavailable(why)) => return Err(SessionFault::other(why)),
        Err(error) => {
            tracing::error!(%error, project = %row.project, "no key can be sent");
            return Ok(None);
        }
    };
    let key_revision = opened.as_ref().and_then(|opened| opened.revision);
    let (source, key) = opened.map(|opened| (opened.source, opened.key)).unzip();
    let base_url = rules.llm_base_url.clone();
    let deadline = runtime.config.model_deadline;
    let options = CallOptions { base_url, key, picture: None, deadline };
    let price = policy.policy().prices().get(call.provider.as_str(), &call.model);
    let most = if call.provider.is_built_in() {
        (0, 0)
    } else {
        (call.max_input_tokens, call.max_output_tokens)
    };
    let terms = Terms::new(price, most, call.attempts);
    Ok(Some(Sending { options, key: source, key_revision, terms, policy: policy.clone() }))
}

/// The key was neither removed nor replaced before the call was on record, and its holder still pays here: no guard of the
/// commit names it.
async fn is_key_there(
    runtime: &Runtime,
    row: &SessionRow,
    place: ModelPlace,
    sending: &Sending,
) -> Result<bool, SessionFault> {
    let Some(source) = sending.key else { return Ok(true) };
    let Some(rules) = sending.policy.project_policy().placed(place) else { return Ok(false) };
    let payer = Payer { user: row.owner, project: row.project };
    match ModelKeys::new(&runtime.deps).in_use(payer, &rules).await {
        Ok(in_use) => Ok(in_use == Some((source, sending.key_revision))),
        Err(KeyError::Unavailable(why)) => Err(SessionFault::other(why)),
        Err(error) => {
            tracing::error!(%error, project = %row.project, "no key can be sent");
            Ok(false)
        }
    }
}

fn send(
    session: &mut Session,
    turn: TurnId,
    choice: ModelChoice,
    (shown, under): (PreparedPrompt, Under),
    (permit, sending): (Authorized<ModelCall>, Sending),
) {
    let call = permit.peek();
    let Sending { options, key, terms, .. } = sending;
    let (PreparedPrompt { prompt, read, passages }, Under { answers, puts_aside }) = (shown, under);
    let reads_passages = passages.as_ref().is_some_and(|shown| !shown.citations.is_empty());
    let sent = Arc::new(SentCall {
        id: call.call,
        turn,
        provider: call.provider,
        model: call.model.clone(),
        rules: prompt.rules_hash(),
        prompt: prompt.prompt_hash(),
        persona: None,
        stage: None,
        // The words of the built-in model are code's own.
        answers: if call.provider.is_built_in() { AnswerPolicy::default() } else { answers },
        terms,
        key,
        foreign: task_position::reads_results(&session.flow) || reads_passages,
        read,
        by_user: matches!(choice.why, Why::Message | Why::Revision { .. }),
        choice,
        secrets: if call.provider.is_built_in() { 0 } else { prompt.secrets() },
        plan: Some(prompt.plan().clone()),
        documents: passages,
        puts_aside,
    });
    let row = &session.journal.row;
    let current = session.work.turn.get_or_insert_with(|| Turn::new(turn, row));
    current.call = Some(sent.clone());
    let (cancel, span) = (current.cancel.clone(), current.span.clone());
    telemetry::secrets_removed(sent.secrets);
    if !sent.provider.is_built_in() {
        telemetry::prompt_planned(prompt.plan());
    }
    telemetry::held(sent.provider, sent.held());
    let (deltas, forwarding) = forwarded(session.runtime.hub.clone(), row.id, turn);
    // What may still be said otherwise is not shown as it comes.
    let is_last = !sent.answers.refine && !sent.puts_aside.has(TaskType::Information);
    let deltas = is_last.then_some(deltas);
    let (runtime, inbox) = (session.runtime.clone(), session.inbox.clone());
    // Dropping the call stops it upstream.
    let answering = async move {
        let models = &runtime.deps.models;
        let completing = models.complete(&prompt, permit, &options, deltas);
        let result = tokio::select! {
            (result, ()) = async { tokio::join!(completing, forwarding) } => result,
            () = cancel.cancelled() => {
                telemetry::settled(sent.provider, sent.held());
                return;
            }
        };
        let instead = is_unreachable(&result).then(|| models.degraded(&prompt));
        if let Some(inbox) = inbox.upgrade() {
            let prompt = (!sent.answers.is_off()).then(|| Box::new(prompt));
            let answer = Box::new(ModelAnswer { sent, result, instead, prompt });
            let _ = inbox.tell(Request::ModelAnswered(answer)).await;
        }
    };
    tokio::spawn(answering.instrument(span));
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
