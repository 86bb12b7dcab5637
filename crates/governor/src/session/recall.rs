//! Questions about earlier work, answered by code instead of a model.

use crate::{
    reply,
    session::{Session, SessionFault, earlier, form, task_position},
};
use wiiiv_domain::{
    Envelope, LaterJob, ProposalOutcome, Recall, ReplyCode, SlotName, Slots, Sources, TaskSwitch,
    TaskType, WorkspacePath,
};

/// The outcome that stands in for a model's.
pub async fn recalled(
    session: &mut Session,
    recall: Recall,
) -> Result<ProposalOutcome, SessionFault> {
    let job = match recall {
        Recall::Why => return Ok(ProposalOutcome::Told { message: why(session).await? }),
        Recall::Again => {
            if let Some(turn) = &mut session.work.turn {
                turn.tries_again = true;
            }
            session.conversation.wished.clone()
        }
        Recall::ListFiles => Some(reading(WorkspacePath::ROOT)?),
        Recall::ShowSaved => {
            let saved = earlier::saved(&session.journal.records).await?;
            saved.map(|(path, sources)| reading_of(&path, sources)).transpose()?
        }
    };
    let Some(job) = job else {
        return Ok(ProposalOutcome::Told { message: session.text("recall.nothing", &[]) });
    };
    // Continues the active task if it is of the same type, else begins another.
    let goes_on = session.flow.active().is_some_and(|task| task.task_type == job.task_type);
    let switch = if goes_on { TaskSwitch::Stay } else { TaskSwitch::New };
    Ok(ProposalOutcome::Proposal { proposal: form::proposal(job, switch) })
}

async fn why(session: &Session) -> Result<String, SessionFault> {
    if let Some(task) = session.flow.active().filter(|task| task.question.is_some()) {
        let others = task_position::asks_others(&session.flow);
        let key = if others { "recall.why_waits_other" } else { "recall.why_waits" };
        let texts = &session.runtime.deps.messages;
        let task = texts.task(session.conversation.language, task.task_type).to_owned();
        return Ok(session.text(key, &[("task", task)]));
    }
    Ok(match &session.conversation.came_to {
        None => session.text("recall.nothing", &[]),
        Some(ReplyCode::Facts { .. }) => session.text("recall.why_done", &[]),
        Some(code) => {
            let outcome = reply::render(session, code).await?;
            session.text("recall.why", &[("outcome", outcome)])
        }
    })
}

fn reading(path: &str) -> Result<LaterJob, SessionFault> {
    reading_of(path, Sources::default())
}

fn reading_of(path: &str, sources: Sources) -> Result<LaterJob, SessionFault> {
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, path)?;
    let (task_type, envelope) = (TaskType::FileRead, Envelope::default());
    Ok(LaterJob { task_type, slots, envelope, sources })
}
