//! Leads from complete slots to a review.

use crate::{
    closing::close,
    task::Task,
    task_position::{ParkedTask, Rest, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::{DenyCode, FlowEffect, ReplyCode, Spec, SpecDigest, TaskOutcome};

/// Shows a work order to the user first; any other spec is reviewed at once.
pub(crate) fn order(t: &mut Transition<'_>, task: Task) -> TaskPosition {
    if !task.task_type.has_work_order() {
        return deliberate(t, task);
    }
    match admitted(t, &task) {
        Ok((spec, digest)) => {
            t.effect(FlowEffect::ConfirmWorkOrder { task: task.id, spec });
            TaskPosition::Resting(ParkedTask {
                task,
                rest: Rest::ConfirmingWorkOrder { spec: digest },
            })
        }
        Err(refused) => turned_away(t, task, refused),
    }
}

pub(crate) fn deliberate(t: &mut Transition<'_>, task: Task) -> TaskPosition {
    match admitted(t, &task) {
        Ok((spec, digest)) => {
            t.effect(FlowEffect::Deliberate { task: task.id, spec });
            TaskPosition::Deliberating { task, spec: digest }
        }
        Err(refused) => turned_away(t, task, refused),
    }
}

enum NotAdmitted {
    /// The spec has no digest, so nothing can be said about it.
    Unreadable,
    Refused(ReplyCode),
}

/// INVARIANT: a spec that the review refused is not reviewed again under the same grounds.
fn admitted(t: &mut Transition<'_>, task: &Task) -> Result<(Spec, SpecDigest), NotAdmitted> {
    let spec = task.spec(t.salt);
    let digest = spec.digest().map_err(|_| NotAdmitted::Unreadable)?;
    if t.refusals.is_closed(digest) {
        return Err(NotAdmitted::Refused(ReplyCode::DacsNo { concerns: Vec::new() }));
    }
    if t.refusals.count() >= t.limits.refused_max {
        let codes = vec![DenyCode::DacsNo];
        return Err(NotAdmitted::Refused(ReplyCode::Denied { codes }));
    }
    if let Some((from, to)) = t.refusals.take_reopened(digest) {
        t.reply(ReplyCode::Reopened { from, to });
    }
    Ok((spec, digest))
}

fn turned_away(t: &mut Transition<'_>, task: Task, why: NotAdmitted) -> TaskPosition {
    match why {
        NotAdmitted::Unreadable => {
            t.reply(ReplyCode::Unavailable);
            TaskPosition::interviewing(task)
        }
        NotAdmitted::Refused(reply) => {
            t.reply(reply);
            close(t, &task, TaskOutcome::Denied)
        }
    }
}
