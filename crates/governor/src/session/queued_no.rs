//! A no that waits in the queue while a plan waits whose yes is there: it is heeded before that plan begins, and the
//! message keeps its place.

use crate::{
    clock,
    message::Incoming,
    session::{
        INPUTS_MAX, LeftOut, Session, SessionFault, Wanted,
        message::{situation, task_at},
        question::withdraw,
    },
};
use wiiiv_domain::{
    BlueprintDigest, FlowEffect, FlowInput, JobName, SignalKind, Slots, TaskId, TurnId, UserSignal,
};
use wiiiv_flow::TaskView;
use wiiiv_language::{ReadSignal, Situation};

/// A plan whose yes waits.
struct Approved {
    task: TaskId,
    job: JobName,
    digest: BlueprintDigest,
    /// Of a suspended task; else the message in progress is one to its task.
    is_aside: bool,
}

impl Session {
    /// INVARIANT: no plan begins behind the turn that its yes has waited for, if a message that waits, too, says no to
    /// it. `next` is not stepped yet; what it would begin is left out before it.
    pub async fn heed_no(&mut self, turn: TurnId, next: &FlowInput) -> Result<(), SessionFault> {
        // Each closes a question.
        for _ in 0..INPUTS_MAX {
            if self.work.queue.is_empty() {
                break;
            }
            let Some(approved) = begun_by(self, next) else { break };
            let Approved { task, job, digest, is_aside } = approved;
            let Some(at) = no_to(self, task, is_aside).await? else { break };
            let signal = SignalKind::LeaveOut { task };
            let input = match is_aside {
                true => FlowInput::Signal(UserSignal { turn, signal }),
                // Its question ends, and the message in progress is answered.
                false => {
                    withdraw(self, digest);
                    FlowInput::Refused { digest }
                }
            };
            if let Some(entry) = self.work.queue.get_mut(at) {
                entry.left_out.push(LeftOut { task, job });
            }
            let effects = self.step(turn, input);
            self.perform_all(turn, effects).await?;
        }
        Ok(())
    }
}

/// What goes on with this input and not with its own yes.
fn begun_by(session: &Session, next: &FlowInput) -> Option<Approved> {
    let effects = session.stepped(next.clone()).effects;
    let plan = effects.iter().find_map(|effect| {
        let FlowEffect::Authorize { blueprint, digest } = effect else { return None };
        Some((*blueprint, *digest))
    })?;
    let asks = |task: &TaskView<'_>| {
        task.question.is_some_and(|asked| (asked.blueprint, asked.digest) == plan)
    };
    let aside = session.flow.suspended().find(asks);
    let is_aside = aside.is_some();
    let task = aside.or_else(|| session.flow.active().filter(asks))?;
    let job = JobName::of(task.task_type, task.slots);
    Some(Approved { task: task.id, job, digest: plan.1, is_aside })
}

/// The place of the first message that says no to it, and whose author may still speak here.
async fn no_to(
    session: &Session,
    task: TaskId,
    is_aside: bool,
) -> Result<Option<usize>, SessionFault> {
    let now = situation(&session.flow, &session.conversation, &session.work);
    // As it would be read behind the turn, before anything begins.
    let behind = match is_aside {
        true => Situation { awaiting_answer: false, active: None, known: Slots::default(), ..now },
        false => Situation { awaiting_answer: true, ..now },
    };
    for (at, entry) in session.work.queue.iter().enumerate() {
        if let Wanted::Words(Incoming { text, form: None, .. }, _) = &entry.wanted
            && says_no(session, text, (&behind, task))
            && session.runtime.deps.store.still_stands(&entry.who, clock::now()).await?
        {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn says_no(session: &Session, text: &str, (behind, task): (&Situation, TaskId)) -> bool {
    let reading = wiiiv_language::read(&session.runtime.deps.lexicon, text, behind);
    match reading.signal {
        ReadSignal::Deny | ReadSignal::Cancel | ReadSignal::Reset => true,
        ReadSignal::LeaveOut(at) => task_at(&session.flow, at) == Some(task),
        // "Do not do that": nothing that a model could propose.
        ReadSignal::Say => reading.negated && reading.task_type.is_none(),
        ReadSignal::Affirm | ReadSignal::Modify | ReadSignal::FollowUp | ReadSignal::Remember => {
            false
        }
    }
}
