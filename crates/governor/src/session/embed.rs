//! Embeds texts by the provider's model that the project's policy names: one call under a permit of its own, ruled on and
//! held for before a byte is sent, settled behind, on record. It is no part of the conversation: nothing is journalled.

use crate::{
    audit, clock,
    documents::{
        EmbedKind, EmbedTexts, MadeVectors, NotCompared, kept_as, name_of, provider_model,
    },
    session::{
        Answer, CallReport, Charge, EmbedAnswer, EmbedRequest, Request, Sending, Session,
        SessionFault,
        model_call::{hold, model_call},
        trial::halted,
    },
    telemetry,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use wiiiv_domain::{ModelPlace, ModelSlot, ProjectId, TaskId, TurnId};
use wiiiv_gate::{Authorized, ModelCall};
use wiiiv_llm::{Embeddings, Models};
use wiiiv_retrieval::Vector;
use wiiiv_store::{Point, Write};

/// Calls of one session at the same time.
const CALLS_MAX: usize = 8;

/// A call that is permitted and not sent yet.
type Permitted = (ModelCall, Authorized<ModelCall>, Sending);

pub async fn embed(
    session: &mut Session,
    EmbedRequest { wanted, ack }: EmbedRequest,
) -> Result<(), SessionFault> {
    session.work.touch();
    match permitted(session, &wanted).await? {
        Ok(permitted) => send(session, (wanted, ack), permitted),
        Err(why) => {
            let _ = ack.send(Err(why));
        }
    }
    Ok(())
}

/// Ruled on, and its cost held. An inner error: nothing is sent.
async fn permitted(
    session: &mut Session,
    wanted: &EmbedTexts,
) -> Result<Result<Permitted, NotCompared>, SessionFault> {
    if session.work.embedding.len() >= CALLS_MAX {
        return Ok(Err(NotCompared::Failed));
    }
    let policy = session.journal.records.policy().await?;
    let rules = policy.project_policy();
    let is_named = provider_model(rules).as_ref() == Some(&wanted.name);
    let Some(rules) = rules.of_slot(ModelSlot::Embedding).filter(|_| is_named) else {
        return Ok(Err(NotCompared::NotEmbedded));
    };
    let turn: TurnId = session.work.turn.as_ref().map_or_else(clock::fresh, |turn| turn.id);
    let task = session.flow.active().map_or(TaskId::from(turn), |task| task.id);
    let of = (ModelSlot::Embedding, turn, task);
    let tokens = (Models::held_for(&wanted.texts), 0);
    let call = model_call(&session.runtime, &session.journal.row, &rules, of, tokens);
    let place = (Point::T0, ModelPlace::Slot(ModelSlot::Embedding));
    let (runtime, journal) = (&session.runtime, &mut session.journal);
    let held = hold(runtime, journal, &mut session.work, place, call.clone()).await?;
    Ok(held.map(|(permit, sending)| (call, permit, sending)).map_err(NotCompared::from))
}

/// In a task of its own.
fn send(
    session: &mut Session,
    (wanted, ack): (EmbedTexts, Answer<MadeVectors, NotCompared>),
    (call, permit, sending): Permitted,
) {
    let Sending { options, key, terms, .. } = sending;
    let cancel = CancellationToken::new();
    session.work.embedding.insert(call.call, cancel.clone());
    telemetry::held(call.provider, Charge { amount: terms.held(), currency: terms.currency() });
    let span = session.work.span().cloned().unwrap_or_else(tracing::Span::none);
    let (runtime, inbox) = (session.runtime.clone(), session.inbox.clone());
    // INVARIANT: what is made is kept under the name of the very model that makes it, whatever was asked for.
    let name = name_of((call.provider, &call.model), options.base_url.as_deref());
    let origin = runtime.deps.models.origin(call.provider, options.base_url.as_deref());
    let origin = origin.ok().flatten();
    let is_approved = origin.is_none_or(|origin| runtime.deps.models.approves(&origin));
    let EmbedTexts { name: _, texts, kind, out } = wanted;
    let asking = async move {
        let models = &runtime.deps.models;
        let asked = async {
            match (kind, texts.as_slice()) {
                (EmbedKind::Query, [text]) => models.embed_query(text, permit, &options).await,
                (EmbedKind::Query | EmbedKind::Passage, texts) => {
                    models.embed(texts, permit, &options).await
                }
            }
        };
        let result = tokio::select! {
            result = asked => result,
            () = cancel.cancelled() => Err(halted(call.attempts)),
        };
        drop(out);
        let texts = texts.len();
        if let Some(inbox) = inbox.upgrade() {
            let answer = EmbedAnswer { call, name, texts, key, is_approved, terms, result, ack };
            let _ = inbox.tell(Request::Embedded(Box::new(answer))).await;
        }
    };
    tokio::spawn(asking.instrument(span));
}

/// What it came to is settled and on record before anybody uses it.
pub async fn embedded(session: &mut Session, answer: EmbedAnswer) -> Result<(), SessionFault> {
    let EmbedAnswer { call, name, texts, key, is_approved, terms, result, ack } = answer;
    let charge = |amount| Charge { amount, currency: terms.currency() };
    if session.work.embedding.remove(&call.call).is_none() {
        // The session was restored since, which settled the hold.
        telemetry::settled(call.provider, charge(terms.held()));
        session.journal.audit(audit::stale_answer(call.turn, "embedding"));
        let _ = ack.send(Err(NotCompared::Failed));
        return session.flush(Point::T2).await;
    }
    let told = CallReport::embeddings(&result);
    let (usage, cost) = (told.spent.total(), charge(terms.cost(told.spent)));
    telemetry::settled(call.provider, cost);
    session.journal.audit(audit::model_embedded(&call, (key, texts), told, cost));
    session.journal.write(Write::Settle { call: call.call, usage, amount: cost.amount });
    let kept = session.flush(Point::T2).await;
    let made = match (&kept, result) {
        (Ok(()), Ok(done)) => vectors_of((&name, session.journal.row.project), done),
        (Ok(()), Err(error)) => {
            tracing::warn!(%error, provider = %call.provider, "texts cannot be embedded");
            Err(NotCompared::of_call(error.failure, is_approved))
        }
        (Err(_), _) => Err(NotCompared::Failed),
    };
    if let Some(vector) = made.as_ref().ok().and_then(|made| made.vectors.first()) {
        session.runtime.retrieval.note_made(&name, vector.dimensions());
    }
    let _ = ack.send(made);
    kept
}

/// All of one length: the wire's reader refuses others.
fn vectors_of(
    (name, project): (&str, ProjectId),
    done: Embeddings,
) -> Result<MadeVectors, NotCompared> {
    let vectors = done.vectors.into_iter().map(Vector::new).collect::<Result<Vec<_>, _>>();
    let vectors = vectors.map_err(|error| {
        tracing::warn!(%error, model = name, "a provider's vectors cannot be used");
        NotCompared::Failed
    })?;
    let dimensions = vectors.first().map_or(0, Vector::dimensions);
    Ok(MadeVectors { embedder: kept_as(name, dimensions, project), vectors })
}
