//! Looks at what a run put out, at what others keep in mind, at passages of documents and at what is to be done, for
//! signals of risk. Pure rules say what is one (`policies/risk.toml`); where there is none nothing is written.

use crate::{
    clock,
    session::{Conversation, Session, SessionFault, consult, memory::Memories},
    step_result::StepResult,
};
use std::sync::Arc;
use wiiiv_context::OUTPUT_READ_BYTES_MAX;
use wiiiv_domain::{
    Arg, ContentDigest, ExecutionId, RISK_TEXT_BYTES_MAX, Source, Spec, StepId, StepOutcome,
    StepParams, TaskId, Why,
};
use wiiiv_gate::{Attempt, RiskSignal};
use wiiiv_store::Point;

/// All of an output that a prompt may hold is looked through.
const _: () = assert!(OUTPUT_READ_BYTES_MAX <= RISK_TEXT_BYTES_MAX);

/// What an output holds.
enum Output {
    /// Our own report of a file that was changed.
    Report,
    /// A page, a file or an answer of a service.
    Read,
    /// Something that was made of other outputs.
    Made(Vec<Source>),
}

/// Pages, files and answers of services that a run has read, and what it made of them: all that is facts for
/// the next prompt. S2, the record of the run's end, is written before what follows is ruled on, where it
/// raises the score.
pub async fn look_at_results(
    session: &mut Session,
    execution: ExecutionId,
) -> Result<(), SessionFault> {
    let results = session.work.step_results(&session.journal, execution).await?;
    let mut found = Vec::new();
    for result in results.iter() {
        found.extend(in_result(session, execution, result, &results).await?);
    }
    if found.is_empty() {
        return Ok(());
    }
    let runtime = session.runtime.clone();
    session.journal.raise_with_next(runtime.deps.keeper.risk_rules(), &found).await?;
    session.flush(Point::S2).await
}

/// Orders in what somebody else keeps in the project's memory, before a model reads it; written with the call's hold.
/// Each kind counts once: the memory is read with every message, and whoever edits it would raise the score with every
/// version. A kind that comes to it counts as well.
pub async fn look_at_memory(
    session: &mut Session,
    memories: &Memories,
) -> Result<(), SessionFault> {
    let Some(text) = memories.foreign() else { return Ok(()) };
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let (salt, project) = (session.journal.row.salt, session.journal.row.project);
    let mark = |signal: &RiskSignal| salt.digest_of(&format!("memory {project} {}", signal.code));
    let risk = &mut session.journal.risk;
    let mut signals = rules.read(text.as_str().as_bytes());
    signals.retain(|signal| !risk.knows(&mark(signal)));
    if signals.is_empty() {
        return Ok(());
    }
    signals.iter().for_each(|signal| risk.keep(mark(signal)));
    session.journal.raise_with_next(rules, &signals).await.map_err(SessionFault::from)
}

/// Orders in passages that were found for the turn, before a model reads them; written with the call's hold. Each kind
/// counts once for a document: whoever changes it would raise the score with every version.
pub async fn look_at_documents(session: &mut Session, why: &Why) -> Result<(), SessionFault> {
    let found = consult::found(session).filter(|_| !matches!(why, Why::Facts { .. }));
    let Some(documents) = found.cloned() else { return Ok(()) };
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let (salt, risk) = (session.journal.row.salt, &mut session.journal.risk);
    let mut signals = Vec::new();
    for (document, text) in documents.texts() {
        for signal in rules.read(text.as_bytes()) {
            let mark = salt.digest_of(&format!("document {document} {}", signal.code));
            if !risk.knows(&mark) {
                risk.keep(mark);
                signals.push(signal);
            }
        }
    }
    if signals.is_empty() {
        return Ok(());
    }
    session.journal.raise_with_next(rules, &signals).await.map_err(SessionFault::from)
}

/// The same text counts once.
async fn in_result(
    session: &mut Session,
    execution: ExecutionId,
    result: &StepResult,
    all: &[StepResult],
) -> Result<Vec<RiskSignal>, SessionFault> {
    let (Some(bytes), Some(StepOutcome::Success { .. })) = (&result.bytes, &result.outcome) else {
        return Ok(Vec::new());
    };
    let made_of = match output(session, execution, &result.step) {
        Output::Report => return Ok(Vec::new()),
        Output::Read => Vec::new(),
        Output::Made(sources) => sources,
    };
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let mut signals = rules.read(bytes);
    if signals.is_empty() {
        return Ok(signals);
    }
    // What is seen in a text that it was made of counted there. What lay behind the part of it that is looked
    // through counts here: once for the same texts, whatever is made of them.
    let mut text = String::new();
    for source in &made_of {
        let Some(bytes) = bytes_of(session, source, all).await? else { continue };
        let known = rules.read(&bytes);
        signals.retain(|signal| known.iter().all(|known| known.code != signal.code));
        text += &ContentDigest::of_bytes(&bytes).to_string();
    }
    if text.is_empty() {
        let read = bytes.get(..RISK_TEXT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
        text = String::from_utf8_lossy(read).into_owned();
    }
    let digest = session.journal.row.salt.digest_of(&text);
    if signals.is_empty() || session.journal.risk.knows(&digest) {
        return Ok(Vec::new());
    }
    session.journal.risk.keep(digest);
    Ok(signals)
}

fn output(session: &Session, execution: ExecutionId, step: &StepId) -> Output {
    let ran = session.work.ran.filter(|(ran, _)| *ran == execution);
    let plan = ran.and_then(|(_, digest)| session.work.plans.get(&digest));
    let Some(node) = plan.and_then(|plan| plan.blueprint.node(step)) else { return Output::Read };
    match &node.params {
        StepParams::FileRead { .. } | StepParams::ApiCall { .. } | StepParams::WebFetch { .. } => {
            Output::Read
        }
        StepParams::FileWrite { .. } | StepParams::FileDelete { .. } => Output::Report,
        StepParams::Transform { input, beside, .. } => {
            let bindings = std::iter::once(input).chain(beside).filter_map(Arg::binding);
            Output::Made(bindings.map(|binding| binding.from.clone()).collect())
        }
    }
}

/// Of a step of the same run, or of an earlier one. `None`: nothing is kept of it.
async fn bytes_of(
    session: &Session,
    source: &Source,
    all: &[StepResult],
) -> Result<Option<Arc<Vec<u8>>>, SessionFault> {
    match source {
        Source::Step { step } => {
            let mut of_step = all.iter().rev().filter(|result| result.step == *step);
            Ok(of_step.find_map(|result| result.bytes.clone()))
        }
        Source::Run { execution, step } => {
            let kept = session.runtime.deps.store.output(*execution, step).await?;
            Ok(kept.map(|(_, bytes)| Arc::new(bytes)))
        }
    }
}

/// What a spec does, beside what was asked for and what was tried before.
pub async fn look_at_spec(
    session: &mut Session,
    task: TaskId,
    spec: &Spec,
) -> Result<(), SessionFault> {
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let systems = &session.work.systems.list;
    let named = |place: &str| {
        let host = host_of(place);
        systems.iter().any(|system| system.base_url.host == host)
            || is_said(&session.conversation, host)
    };
    let drift = rules.drift(session.work.conduct.asked(), &spec.envelope, named);
    let mut found: Vec<RiskSignal> = drift.into_iter().collect();
    let conduct = &mut session.work.conduct;
    found.retain(|_| conduct.drifts(task));
    if let Some(effect) = spec.envelope.greatest_effect() {
        let attempt = Attempt { at: clock::now(), effect, refused: false };
        found.extend(conduct.attempt(rules, attempt));
    }
    if found.is_empty() {
        return Ok(());
    }
    session.journal.raise_first(rules, &found).await.map_err(SessionFault::from)
}

/// In anything that the user wrote and that prompts still hold.
fn is_said(conversation: &Conversation, host: &str) -> bool {
    conversation.user_words().any(|words| words.to_lowercase().contains(host))
}

/// Without the port; the brackets of an IPv6 address stay.
fn host_of(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        Some(_) | None => place,
    }
}
