//! Deliberating: the whole spec is reviewed once.

use crate::{
    closing::close,
    signals,
    task::Task,
    task_position::{ParkedTask, Rest, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{Consensus, FlowEffect, FlowInput, Grounds, ReplyCode, SpecDigest, TaskOutcome};

pub(crate) fn on(t: &mut Transition<'_>, task: &Task, spec: SpecDigest, input: FlowInput) -> Next {
    match input {
        FlowInput::Signal(signal) => signals::in_flight(t, signal),
        FlowInput::Verdict { spec: named, consensus, concerns, under } if named == spec => {
            Next::To(bound(t, task, (spec, under), (consensus, concerns)))
        }
        // Recorded as a would-be denial; in `observe` the task goes on.
        FlowInput::Shadowed { spec: named, .. } if named == spec => Next::To(draw(t, task, spec)),
        FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Proposed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

fn bound(
    t: &mut Transition<'_>,
    task: &Task,
    (spec, under): (SpecDigest, Option<Grounds>),
    (consensus, concerns): (Consensus, Vec<String>),
) -> TaskPosition {
    match consensus {
        Consensus::Yes => draw(t, task, spec),
        Consensus::Revision => {
            t.reply(ReplyCode::NeedsRevision { concerns: concerns.clone() });
            TaskPosition::Resting(ParkedTask {
                task: task.clone(),
                rest: Rest::Interviewing { concerns },
            })
        }
        Consensus::No => {
            t.refusals.close(spec, under);
            t.reply(ReplyCode::DacsNo { concerns });
            close(t, task, TaskOutcome::Denied)
        }
    }
}

fn draw(t: &mut Transition<'_>, task: &Task, spec: SpecDigest) -> TaskPosition {
    t.effect(FlowEffect::Draw { task: task.id, spec: task.spec(t.salt) });
    TaskPosition::Drawing { task: task.clone(), spec }
}
