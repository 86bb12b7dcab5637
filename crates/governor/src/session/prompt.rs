//! The prompt of a turn: typed parts that fit the model's window.

use crate::{
    clock,
    run::SKIPPED,
    session::{
        Session, SessionFault, consult, earlier, memory::Memories, older, profile, task_position,
        turn_meaning,
    },
};
use std::collections::BTreeSet;
use wiiiv_context::{
    Line, LongTerm, MemoryBlocks, OUTPUT_READ_BYTES_MAX, Passages, Prompt, PromptError,
    PromptParts, RunFacts, Speaker, StepFact, TaskFacts, guardrails,
};
use wiiiv_domain::{
    ExecutionId, JobName, Slots, StepOutcome, System, SystemName, TaskId, TaskType, TurnId, Why,
};
use wiiiv_flow::TaskView;
use wiiiv_gate::PolicySnapshot;
use wiiiv_llm::TokenLimits;

/// Fitted to the model of that gauge.
pub async fn prompt(
    session: &mut Session,
    (turn, why): (TurnId, &Why),
    token_limits: &TokenLimits,
    memories: &Memories,
) -> Result<Result<Prompt, PromptError>, SessionFault> {
    older::recall(session, turn).await;
    let parts = parts(session, (turn, why), memories.blocks().clone()).await?;
    let runtime = &session.runtime;
    let max_output = runtime.config.max_output_tokens;
    let prompt = token_limits.fitted(&runtime.deps.rules, parts, max_output).await;
    if let Ok(prompt) = &prompt {
        let older = prompt.parts().long_term.as_deref();
        session.conversation.note_recalled(older.into_iter().flat_map(LongTerm::said));
    }
    Ok(prompt)
}

async fn parts(
    session: &mut Session,
    (turn, why): (TurnId, &Why),
    memory: MemoryBlocks,
) -> Result<PromptParts, SessionFault> {
    let profile = profile::block(session).await?;
    let policy = session.journal.records.policy().await?;
    turn_meaning::compare(session, turn, policy.project_policy()).await;
    let long_term = session.conversation.dialogue_mut().long_term(turn, profile.as_ref());
    // Nothing is changed from here on.
    let session = &*session;
    let facts = match why {
        Why::Facts { execution } => Some(facts(session, *execution).await?),
        Why::Message | Why::Revision { .. } | Why::Undrawable { .. } | Why::Recall { .. } => None,
    };
    let revision = match why {
        Why::Revision { concerns } => concerns.clone(),
        Why::Undrawable { reasons } => {
            let texts = &session.runtime.deps.messages;
            reasons
                .iter()
                .map(|reason| texts.not_drawn(session.conversation.language, reason))
                .collect()
        }
        Why::Message | Why::Facts { .. } | Why::Recall { .. } => Vec::new(),
    };
    let said = |line: &Line| (line.speaker, line.text.clone());
    let mut history: Vec<_> = session.conversation.dialogue().recent().map(said).collect();
    let last = history.iter().rposition(|(speaker, _)| *speaker == Speaker::User);
    let message = last.map(|at| history.remove(at).1);
    // A message of many jobs may stand before as many replies.
    let before = || session.conversation.history().iter().rfind(|line| line.by_user());
    let message = message.or_else(|| before().map(|line| line.text.clone())).unwrap_or_default();
    let task = session.flow.active().map(|task| TaskFacts {
        task_type: task.task_type,
        slots: task.slots.clone(),
        missing: task.missing.clone(),
        state: task.state.as_str().to_owned(),
        asks_others: task_position::asks_others(&session.flow),
    });
    let ran = match session.work.has_run {
        true => earlier::ran(&session.journal.records).await?,
        false => Slots::default(),
    };
    let aside = session.flow.suspended().chain(session.flow.queued());
    Ok(PromptParts {
        fence: clock::fence(),
        guardrails: guardrails(policy.project_policy()),
        memory,
        profile,
        language: session.conversation.language,
        task,
        suspended: aside.map(|task| (task.id, task.task_type)).collect(),
        waiting: session.flow.queued().map(waiting).collect(),
        facts,
        documents: documents(session, why),
        checked: None,
        revision,
        earlier_run: session.work.has_run,
        ran,
        systems: session.work.systems.list.clone(),
        unreached: unreached(session, &policy),
        long_term: long_term.map(Box::new),
        history,
        message,
    })
}

/// Of a run it is said what it came to, by its outputs alone.
fn documents(session: &Session, why: &Why) -> Option<Passages> {
    let found = consult::found(session).filter(|_| !matches!(why, Why::Facts { .. }));
    found.map(|documents| documents.passages().clone())
}

fn unreached(session: &Session, policy: &PolicySnapshot) -> BTreeSet<SystemName> {
    let rules = policy.policy_for(TaskType::ApiWorkflow).project_policy();
    let reached = |system: &&System| {
        let base = &system.base_url;
        rules.allowed_hosts.iter().any(|rule| rule.covers(base.scheme, &base.host, base.port))
    };
    let out_of_reach = session.work.systems.list.iter().filter(|system| !reached(system));
    out_of_reach.map(|system| system.name.clone()).collect()
}

fn waiting(task: TaskView<'_>) -> (TaskId, JobName) {
    (task.id, JobName::of(task.task_type, task.slots))
}

/// A run's facts, bounded, as data.
async fn facts(session: &Session, execution: ExecutionId) -> Result<RunFacts, SessionFault> {
    let mut steps = Vec::new();
    for row in session.work.step_results(&session.journal, execution).await?.iter() {
        let ok = matches!(row.outcome, Some(StepOutcome::Success { .. }));
        let bytes = row.bytes.as_deref().map_or(&[][..], Vec::as_slice);
        // The prompt cuts it off, once the keys in it are known.
        let read = bytes.get(..OUTPUT_READ_BYTES_MAX.min(bytes.len())).unwrap_or_default();
        let text = String::from_utf8_lossy(read).into_owned();
        steps.push(StepFact { step: row.step.clone(), ok, text });
    }
    let skipped = session.work.skipped_of(execution).into_iter();
    let left_out = |step| StepFact { step, ok: false, text: SKIPPED.to_owned() };
    steps.extend(skipped.map(left_out));
    Ok(RunFacts { execution, steps })
}
