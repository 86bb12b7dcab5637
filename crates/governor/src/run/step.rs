//! One attempt, outside the actor: its claim is committed, then its effect happens, then it
//! reports. The permit goes to the executor by value.

use crate::{
    deps::Shared,
    run::{
        actor::RunActor,
        bind::{self, Outputs},
    },
    systems,
    telemetry::{self, Ruling, StepEnd},
};
use kameo::actor::WeakActorRef;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};
use wiiiv_domain::{DenyCode, Node, ProjectId, SessionId, StepFailure, StepId};
use wiiiv_exec::{StepReport, SystemAccess};
use wiiiv_gate::{Claim, PolicySnapshot, Refusal, Resolved, Ruled, Standing, Step};
use wiiiv_store::{Boundary, CommitRefused, Moved, Writer};

/// What the ruling of one attempt needs.
pub struct Facts {
    pub inputs: Resolved,
    pub policy: Arc<PolicySnapshot>,
    pub standing: Standing,
    /// Of the system that the step names.
    pub access: Option<SystemAccess>,
}

pub enum Unready {
    /// Its condition does not hold: it is not to happen.
    Skipped,
    /// A value cannot be had: the step fails before it begins.
    Failed(StepFailure),
    /// The store or the policy cannot be read.
    Unavailable(String),
}

pub struct Prepared {
    pub step: StepId,
    pub attempt: u32,
    pub tries: u32,
    pub facts: Result<Facts, Unready>,
}

/// How an attempt came out.
pub enum Attempted {
    Ran(StepReport),
    Denied(Vec<DenyCode>),
    /// The world moved before the claim was committed: nothing was written.
    Moved,
    /// The store did not take it: nothing was done.
    Unavailable(String),
}

pub struct Done {
    pub step: StepId,
    pub attempt: u32,
    pub tries: u32,
    pub result: Attempted,
}

pub struct Look {
    pub room: Shared,
    pub project: ProjectId,
    pub session: SessionId,
    pub node: Node,
    pub outputs: Outputs,
}

pub async fn prepare(look: Look) -> Result<Facts, Unready> {
    let Look { room, project, session, node, outputs } = look;
    let wanted = bind::holds(&room, session, &node, &outputs).await.map_err(Unready::Failed)?;
    if !wanted {
        return Err(Unready::Skipped);
    }
    let inputs = bind::resolve(&room, session, &node, &outputs).await.map_err(Unready::Failed)?;
    let unavailable = |why: String| Unready::Unavailable(why);
    let policy = room.policies.current(project).await;
    let policy = policy.map_err(|e| unavailable(e.to_string()))?;
    let standing = room.deps.store.standing(session).await;
    let standing = standing.map_err(|e| unavailable(e.to_string()))?;
    let access = systems::access(&room, project, &node).await.map_err(Unready::Failed)?;
    Ok(Facts { inputs, policy, standing, access })
}

pub struct Attempt {
    pub room: Shared,
    pub writer: Writer,
    pub project: ProjectId,
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
        Attempted::Ran(report) => {
            telemetry::step_ended(&span, kind, &StepEnd::Ran(&report.outcome));
        }
        Attempted::Denied(_) => telemetry::step_ended(&span, kind, &StepEnd::Denied),
        // Nothing was done: no attempt came to an end.
        Attempted::Moved | Attempted::Unavailable(_) => {}
    }
    attempted
}

async fn ruled_on(attempt: Attempt) -> Attempted {
    let Attempt { room, writer, project, boundary, claim, ruled, access, cancel, .. } = attempt;
    let ruling = Ruling::of(&claim);
    let done = match room.deps.store.commit(&writer, boundary, claim).await {
        Ok(done) => {
            room.hub.grew(ruled.peek().session());
            ruling.committed(&Span::current());
            done
        }
        Err(CommitRefused::Moved(moved, _)) => {
            if moved == Moved::PolicyChanged {
                room.policies.forget(project).await;
            }
            return Attempted::Moved;
        }
        Err(CommitRefused::Unavailable(error)) => {
            return Attempted::Unavailable(error.to_string());
        }
    };
    match ruled.seal(done) {
        Ok(permit) => {
            let executors = &room.deps.executors;
            Attempted::Ran(executors.execute(permit, access, &cancel).await)
        }
        Err(Refusal::Denied(denied)) => Attempted::Denied(denied.codes()),
        Err(Refusal::ForeignCommit) => Attempted::Denied(vec![DenyCode::EvidenceMismatch]),
    }
}

/// Answers by message, also where the task panics: a run never waits for an answer that cannot
/// come.
pub fn start(me: WeakActorRef<RunActor>, named: (StepId, u32, u32), work: Attempt) {
    let (step, attempt_no, tries) = named;
    let task = tokio::spawn(attempt(work));
    tokio::spawn(async move {
        let result = task.await.unwrap_or_else(|e| Attempted::Unavailable(e.to_string()));
        if let Some(me) = me.upgrade() {
            let _ = me.tell(Done { step, attempt: attempt_no, tries, result }).await;
        }
    });
}
