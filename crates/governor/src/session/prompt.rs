//! The prompt of a turn: typed parts that fit the model's window.

use crate::{
    clock,
    run::SKIPPED,
    session::{Line, Session, SessionFault, earlier, memory::Memories, profile, task_position},
};
use std::collections::BTreeSet;
use wiiiv_context::{
    MemoryBlocks, OUTPUT_READ_BYTES_MAX, Prompt, PromptError, PromptParts, RunFacts, Speaker,
    StepFact, TaskFacts,
};
use wiiiv_domain::{
    ExecutionId, JobName, Slots, StepOutcome, System, SystemName, TaskId, TaskType, Why,
};
use wiiiv_flow::TaskView;
use wiiiv_llm::TokenLimits;

/// Fitted to the model of that gauge.
pub async fn prompt(
    session: &Session,
    why: &Why,
    token_limits: &TokenLimits,
    memories: &Memories,
) -> Result<Result<Prompt, PromptError>, SessionFault> {
    let parts = parts(session, why, memories.blocks().clone()).await?;
    let runtime = &session.runtime;
    Ok(token_limits.fitted(&runtime.deps.rules, parts, runtime.config.max_output_tokens).await)
}

async fn parts(
    session: &Session,
    why: &Why,
    memory: MemoryBlocks,
) -> Result<PromptParts, SessionFault> {
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
    let said = |line: &Line| {
        let speaker = if line.by_user { Speaker::User } else { Speaker::Governor };
        (speaker, line.text.clone())
    };
    let mut history: Vec<_> = session.conversation.history().iter().map(said).collect();
    let last = history.iter().rposition(|(speaker, _)| *speaker == Speaker::User);
    let message = last.map(|at| history.remove(at).1).unwrap_or_default();
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
        memory,
        profile: profile::block(session).await?,
        language: session.conversation.language,
        task,
        suspended: aside.map(|task| (task.id, task.task_type)).collect(),
        waiting: session.flow.queued().map(waiting).collect(),
        facts,
        revision,
        earlier_run: session.work.has_run,
        ran,
        systems: session.work.systems.list.clone(),
        unreached: unreached(session).await?,
        history,
        message,
    })
}

async fn unreached(session: &Session) -> Result<BTreeSet<SystemName>, SessionFault> {
    let policy = session.journal.records.policy().await?;
    let rules = policy.policy_for(TaskType::ApiWorkflow).project_policy();
    let reached = |system: &&System| {
        let base = &system.base_url;
        rules.allowed_hosts.iter().any(|rule| rule.covers(base.scheme, &base.host, base.port))
    };
    let out_of_reach = session.work.systems.list.iter().filter(|system| !reached(system));
    Ok(out_of_reach.map(|system| system.name.clone()).collect())
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
