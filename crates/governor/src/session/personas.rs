//! The review of a spec: rule personas for each EXECUTE, and model personas beside them where the
//! policy asks for them. Each persona is one model call under a permit of its own, in a task of its
//! own. INVARIANT: their opinions are recorded before they count, and one that could not be heard
//! abstains with the reason's code.

use crate::{
    audit, clock,
    runtime::Runtime,
    session::{
        CallReport, ModelChoice, PersonaAnswer, Request, SentCall, Session, SessionFault, Turn,
        model_call::{Sending, hold, model_call},
        panel::{Panel, ReviewCase, Seat, abstained},
    },
    telemetry,
};
use serde_json::json;
use std::sync::Arc;
use tracing::Instrument as _;
use wiiiv_context::{PersonaPrompt, Rendered as _};
use wiiiv_domain::{
    AnswerPolicy, Consensus, DacsResult, DacsSource, FlowInput, Grounds, ModelPlace, ModelSlot,
    Persona, ProjectPolicy, ProposalFailure, ReviewingModel, Spec, TaskId, TaskTypes, TurnId,
    ValueSources, Why,
};
use wiiiv_gate::{
    Authorized, Deliberation, EvidenceError, ModelCall, PolicySnapshot, Recorded, Standing, dacs,
};
use wiiiv_store::Point;

/// A persona's call, permitted and not sent yet.
struct Asking {
    prompt: PersonaPrompt,
    permit: Authorized<ModelCall>,
    sending: Sending,
}

/// Once for each EXECUTE. The policy's stage decides whether the verdict binds. `None`: model
/// personas are asked, and the verdict follows.
pub async fn deliberate(
    session: &mut Session,
    turn: TurnId,
    task: TaskId,
    spec: &Spec,
) -> Result<Option<FlowInput>, SessionFault> {
    let digest = spec.digest()?;
    let policy = session.journal.records.policy().await?;
    let standing = session.journal.records.standing().await?;
    let keeper = &session.runtime.deps.keeper;
    let rules = keeper.deliberate(spec, &policy, &standing);
    let project_policy = policy.project_policy();
    let case = ReviewCase {
        turn,
        task,
        task_type: spec.task_type,
        spec: digest,
        model: ReviewingModel {
            provider: project_policy.llm_provider,
            model: project_policy.model().to_owned(),
        },
        grounds: Grounds { rules: rules.rules, policy: policy.version() },
        binds: keeper.binds(&rules, &policy),
    };
    if !keeper.asks_models(&rules, (spec.task_type, &policy)) {
        return Ok(Some(verdict(session, &case, rules)));
    }
    let (mut seats, mut asking) = (Vec::new(), Vec::new());
    for persona in Persona::ALL {
        match permitted(session, (turn, task), persona, spec, project_policy).await? {
            Ok(asked) => {
                let sent = Arc::new(sent(turn, &asked));
                seats.push(Seat::Waiting(sent.clone()));
                asking.push((sent, asked));
            }
            Err(failure) => seats.push(Seat::Heard(abstained(persona, failure))),
        }
    }
    let Ok(seats) = seats.try_into() else {
        return Err(SessionFault::other("a persona has no seat"));
    };
    let panel = Panel { case, rules, seats };
    if asking.is_empty() {
        return concluded(session, panel, ProposalFailure::Unavailable).await.map(Some);
    }
    let current = session.work.turn.get_or_insert_with(|| Turn::new(turn, &session.journal.row));
    current.panel = Some(panel);
    for (sent, asked) in asking {
        ask_persona(session, sent, asked);
    }
    Ok(None)
}

/// The call of one persona is ruled on and its cost held. An inner error: nobody can be asked.
async fn permitted(
    session: &mut Session,
    (turn, task): (TurnId, TaskId),
    persona: Persona,
    spec: &Spec,
    policy: &ProjectPolicy,
) -> Result<Result<Asking, ProposalFailure>, SessionFault> {
    let models = &session.runtime.deps.models;
    if policy.llm_provider.is_built_in() {
        return Ok(Err(ProposalFailure::Unserved));
    }
    let limits = models.token_limits(policy.llm_provider, policy.model());
    let rules = &session.runtime.deps.rules;
    let Ok(prompt) = PersonaPrompt::new(rules, persona, &clock::fence(), spec) else {
        return Err(SessionFault::other("a fence of another form"));
    };
    let most = session.runtime.config.max_output_tokens;
    if !limits.admits(&prompt, most).await {
        return Ok(Err(ProposalFailure::ContextTooLong));
    }
    let tokens = (limits.held(&prompt).await, limits.max_output(most));
    let call = model_call(
        &session.runtime,
        &session.journal.row,
        policy,
        (ModelSlot::Governor, turn, task),
        tokens,
    );
    let place = (Point::T0, ModelPlace::Nth(0));
    let (runtime, journal) = (&session.runtime, &mut session.journal);
    let held = hold(runtime, journal, &mut session.work, place, call).await?;
    Ok(held.map(|(permit, sending)| Asking { prompt, permit, sending }))
}

/// In a task of its own: the personas answer side by side.
fn ask_persona(session: &Session, sent: Arc<SentCall>, asked: Asking) {
    let Some(turn) = &session.work.turn else { return };
    let Asking { prompt, permit, sending } = asked;
    let (cancel, span) = (turn.cancel.clone(), turn.span.clone());
    telemetry::held(sent.provider, sent.held());
    let (runtime, inbox): (Arc<Runtime>, _) = (session.runtime.clone(), session.inbox.clone());
    // Dropping the call stops it upstream.
    let answering = async move {
        let models = &runtime.deps.models;
        let result = tokio::select! {
            result = models.review(&prompt, permit, &sending.options) => result,
            () = cancel.cancelled() => {
                telemetry::settled(sent.provider, sent.held());
                return;
            }
        };
        if let Some(inbox) = inbox.upgrade() {
            let answer = Box::new(PersonaAnswer { sent, result });
            let _ = inbox.tell(Request::PersonaAnswered(answer)).await;
        }
    };
    tokio::spawn(answering.instrument(span));
}

/// One that nobody waits for any more is on record and counts for nothing.
pub async fn persona_answered(
    session: &mut Session,
    answer: PersonaAnswer,
) -> Result<(), SessionFault> {
    let PersonaAnswer { sent, result } = answer;
    let panel = session.work.turn.as_mut().and_then(|turn| turn.panel.as_mut());
    let seat = panel.and_then(|panel| panel.seat(&sent));
    let (Some(seat), Some(persona)) = (seat, sent.persona) else {
        // Its hold was settled when it was cut off.
        telemetry::settled(sent.provider, sent.held());
        session.journal.audit(audit::stale_answer(sent.turn, "persona"));
        return session.flush(Point::T2).await;
    };
    session.journal.settle(&sent, CallReport::review(&result));
    *seat = Seat::Heard(match result {
        Ok(review) => review.opinion,
        Err(error) => {
            let failure = error.failure;
            tracing::warn!(session = %session.journal.row.id, %persona, ?failure, "a persona abstains");
            abstained(persona, failure)
        }
    });
    let Some(turn) = session.work.turn.as_mut() else { return Ok(()) };
    let is_over = |panel: &mut Panel| panel.waiting().next().is_none();
    let Some(panel) = turn.panel.take_if(is_over) else { return Ok(()) };
    let id = panel.case.turn;
    // None of them waits any more.
    let verdict = concluded(session, panel, ProposalFailure::Unavailable).await?;
    session.feed(id, verdict).await
}

/// The review in progress ends without those that have not answered: a halt cuts them off.
pub async fn silence(session: &mut Session) -> Result<bool, SessionFault> {
    let turn = session.work.turn.as_mut();
    let Some(panel) = turn.and_then(|turn| turn.panel.take()) else { return Ok(false) };
    for call in panel.waiting() {
        session.journal.settle_cut_off(panel.case.turn, call);
    }
    // Cancels what runs for it.
    session.work.stop_call(&mut session.journal);
    let id = panel.case.turn;
    let verdict = concluded(session, panel, ProposalFailure::Halted).await?;
    session.feed(id, verdict).await?;
    session.flush(Point::T2).await?;
    Ok(true)
}

/// Opinions are recorded, then counted by the keeper.
async fn concluded(
    session: &mut Session,
    panel: Panel,
    missing: ProposalFailure,
) -> Result<FlowInput, SessionFault> {
    let (case, rules) = (panel.case.clone(), panel.rules.clone());
    let answers = serde_json::to_vec(&json!({"opinions": panel.opinions(missing)}))?;
    let refused = |error: EvidenceError| SessionFault::other(error.to_string());
    let opinions = dacs::parse(case.spec, &answers).map_err(refused)?.by(case.model.clone());
    for opinion in opinions.opinions() {
        telemetry::persona(opinion);
    }
    let heard = session.journal.record_opinions(opinions).await?;
    let joined = session.runtime.deps.keeper.joined(rules, case.spec, &heard);
    let result = joined.map_err(|why| SessionFault::other(why.to_string()))?;
    Ok(verdict(session, &case, result))
}

fn verdict(session: &mut Session, case: &ReviewCase, result: DacsResult) -> FlowInput {
    let (spec, binds) = (case.spec, case.binds);
    let span = telemetry::dacs(session.work.span());
    telemetry::deliberated(&span, &result, binds);
    drop(span);
    session.journal.audit(audit::deliberated(session.journal.row.id, case, &result));
    let (consensus, concerns) = (result.consensus, result.concerns());
    let under = (consensus == Consensus::No).then_some(case.grounds);
    session.work.keep_verdict(spec, result);
    if binds || consensus == Consensus::Yes {
        FlowInput::Verdict { spec, consensus, concerns, under }
    } else {
        FlowInput::Shadowed { spec, consensus }
    }
}

/// The verdict on a spec to be drawn, and the opinions that it rests on: after a restart it is made
/// again from what is on record.
pub async fn verdict_on(
    session: &Session,
    spec: &Spec,
    (policy, standing): (&PolicySnapshot, &Standing),
) -> Result<(DacsResult, Option<Recorded<Deliberation>>), SessionFault> {
    let (digest, deps) = (spec.digest()?, &session.runtime.deps);
    let known = session.work.verdicts.get(&digest);
    let rules = match known {
        Some(known) if known.source == DacsSource::RulesOnly => {
            return Ok((known.clone(), None));
        }
        Some(known) => known.clone(),
        None => deps.keeper.deliberate(spec, policy, standing),
    };
    let asked = known.is_some() || deps.keeper.asks_models(&rules, (spec.task_type, policy));
    let opinions = match asked {
        true => deps.store.opinions_on(session.journal.row.project, spec).await?,
        false => None,
    };
    let verdict = match (&opinions, known) {
        (Some(heard), None) => {
            let joined = deps.keeper.joined(rules, digest, heard);
            joined.map_err(|why| SessionFault::other(why.to_string()))?
        }
        (Some(_) | None, _) => rules,
    };
    Ok((verdict, opinions))
}

fn sent(turn: TurnId, asked: &Asking) -> SentCall {
    let (call, prompt) = (asked.permit.peek(), &asked.prompt);
    SentCall {
        id: call.call,
        turn,
        provider: call.provider,
        model: call.model.clone(),
        rules: prompt.rules_hash(),
        prompt: prompt.prompt_hash(),
        persona: Some(prompt.persona()),
        stage: None,
        answers: AnswerPolicy::default(),
        terms: asked.sending.terms.clone(),
        key: asked.sending.key,
        foreign: false,
        read: ValueSources::default(),
        by_user: false,
        choice: ModelChoice::first(Why::Message),
        secrets: 0,
        plan: None,
        documents: None,
        puts_aside: TaskTypes::of(&[]),
    }
}
