//! One attempt, outside the actor: commits its claim, then hands the permit to the executor by
//! value.

use crate::{
    run::bind::{self, Outputs},
    runtime::Runtime,
    session::{SessionFault, SessionWriter},
    systems,
    telemetry::{self, Ruling},
};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};
use wiiiv_domain::{DenyCode, Node, StepFailure, SystemName};
use wiiiv_exec::{StepReport, SystemAccess};
use wiiiv_gate::{Claim, PolicySnapshot, Refusal, Resolved, Ruled, Standing, Step};
use wiiiv_store::{Boundary, CommitRefused, Lease, Point, StoreError};

/// What the ruling of one attempt needs.
pub struct Facts {
    pub inputs: Resolved,
    pub policy: Arc<PolicySnapshot>,
    pub standing: Standing,
    /// Of the system that the step names.
    pub access: Option<SystemAccess>,
}

pub enum Unready {
    /// Its condition does not hold.
    Skipped,
    /// A value cannot be resolved.
    Failed(StepFailure),
    /// The store or the policy cannot be read.
    Unavailable(SessionFault),
}

/// How an attempt came out.
pub enum Attempted {
    Ran(StepReport),
    Denied(Vec<DenyCode>),
    /// The commit found a change: nothing of the attempt was written.
    Moved,
    /// The store did not take it: nothing was done.
    Unavailable(SessionFault),
}

/// `system`: the registered one of the node, and the revision that the plan was drawn by.
pub async fn prepare(
    runtime: Arc<Runtime>,
    Lease { project, session, .. }: Lease,
    (node, system): (Node, Option<(SystemName, u64)>),
    outputs: Outputs,
) -> Result<Facts, Unready> {
    let wanted = bind::holds(&runtime, session, &node, &outputs).await.map_err(Unready::Failed)?;
    if !wanted {
        return Err(Unready::Skipped);
    }
    let inputs =
        bind::resolve(&runtime, session, &node, &outputs).await.map_err(Unready::Failed)?;
    let policy = runtime.policies.current(project).await;
    let policy = policy.map_err(|e| Unready::Unavailable(e.into()))?;
    let standing = runtime.deps.store.standing(session).await;
    let standing = standing.map_err(|e| Unready::Unavailable(e.into()))?;
    let access = systems::access(&runtime.deps.store, project, system.as_ref())
        .await
        .map_err(Unready::Failed)?;
    Ok(Facts { inputs, policy, standing, access })
}

pub struct Attempt {
    pub runtime: Arc<Runtime>,
    pub writer: SessionWriter,
    pub boundary: Boundary,
    pub claim: Claim,
    pub ruled: Ruled<Step>,
    pub access: Option<SystemAccess>,
    pub cancel: CancellationToken,
    /// Of the run.
    pub span: Span,
    pub attempt: u32,
}

pub async fn attempt(attempt: Attempt) -> Attempted {
    let kind = attempt.ruled.peek().node().params.step_type();
    let span = telemetry::step(&attempt.span, kind, attempt.attempt);
    let attempted = ruled_on(attempt).instrument(span.clone()).await;
    match &attempted {
        Attempted::Ran(report) => telemetry::step_ended(&span, kind, Some(&report.outcome)),
        Attempted::Denied(_) => telemetry::step_ended(&span, kind, None),
        // Nothing was done: no attempt came to an end.
        Attempted::Moved | Attempted::Unavailable(_) => {}
    }
    attempted
}

/// S2 of the step before, where this attempt did not begin. The last event is that it did.
async fn keep(writer: &SessionWriter, refused: Boundary) -> Result<(), StoreError> {
    let mut before = Boundary { point: Point::S2, ..refused };
    before.events.pop();
    if before.is_empty() { Ok(()) } else { writer.append(before).await.map(drop) }
}

async fn ruled_on(attempt: Attempt) -> Attempted {
    let Attempt { runtime, writer, boundary, claim, ruled, access, cancel, .. } = attempt;
    let ruling = Ruling::of(&claim);
    let done = match writer.commit(boundary, claim).await {
        Ok(done) => {
            ruling.committed(Some(&Span::current()));
            done
        }
        Err(CommitRefused::Moved(_, refused)) => {
            return match keep(&writer, refused).await {
                Ok(()) => Attempted::Moved,
                Err(error) => Attempted::Unavailable(error.into()),
            };
        }
        Err(CommitRefused::Unavailable(error)) => {
            return Attempted::Unavailable(error.into());
        }
    };
    match ruled.seal(done) {
        Ok(permit) => {
            let executors = &runtime.deps.executors;
            Attempted::Ran(executors.execute(permit, access, &cancel).await)
        }
        Err(Refusal::Denied(denied)) => Attempted::Denied(denied.codes()),
        Err(Refusal::ForeignCommit) => Attempted::Denied(vec![DenyCode::EvidenceMismatch]),
    }
}
