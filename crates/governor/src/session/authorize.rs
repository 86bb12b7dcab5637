//! The whole chain rules, the claim is committed, and only then is there a permit.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    deps::Shared,
    run::{Resume, RunActor, RunArgs},
    session::{
        actor::SessionActor,
        state::{Down, Plan, Session},
    },
};
use kameo::prelude::*;
use std::sync::Arc;
use wiiiv_domain::{
    Blueprint, BlueprintDigest, BlueprintId, DenyCode, ExecutionId, FlowInput, RulingOutcome,
    TurnId,
};
use wiiiv_gate::{Purpose, Refusal, RunPermit};
use wiiiv_store::{ApprovalFilter, Boundary, CommitRefused, Moved, Point, Writer};

/// What came of it: exactly what was asked, or why not.
pub struct Authorized {
    turn: TurnId,
    digest: BlueprintDigest,
    result: Result<Box<RunPermit>, NotAuthorized>,
}

pub enum NotAuthorized {
    Denied(Vec<DenyCode>),
    /// Nothing was decided; what was to be written with it comes back.
    Unavailable(String, Option<Boundary>),
}

impl Session {
    pub async fn plan(
        &mut self,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Arc<Blueprint>, Down> {
        if let Some(plan) = self.plans.get(&digest) {
            return Ok(plan.blueprint.clone());
        }
        let stored = self.room.deps.store.blueprint(blueprint).await?;
        let stored = stored.ok_or_else(|| Down(format!("blueprint `{blueprint}` is missing")))?;
        let pending = ApprovalFilter { session: Some(self.row.id), ..ApprovalFilter::default() };
        let rows = self.room.deps.store.approvals(&pending).await?;
        let blueprint = Arc::new(stored.blueprint);
        let row = rows.into_iter().find(|row| row.request.digest == digest);
        let approval = row.map(|row| row.request.id);
        self.keep_plan(digest, Plan { blueprint: blueprint.clone(), approval });
        Ok(blueprint)
    }

    /// T1 is committed by a task; its answer names the digest.
    pub async fn authorize(
        &mut self,
        turn: TurnId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<(), Down> {
        let plan = self.plan(blueprint, digest).await?;
        let boundary = self.book.close(Point::T1, false);
        let (room, writer, me) = (self.room.clone(), self.writer(), self.me.clone());
        tokio::spawn(async move {
            let result = authorize(&room, &writer, boundary, plan.as_ref().clone()).await;
            let Some(me) = me.upgrade() else { return };
            let result = result.map(Box::new);
            let _ = me.tell(Authorized { turn, digest, result }).await;
        });
        Ok(())
    }

    async fn authorized(&mut self, answer: Authorized) -> Result<(), Down> {
        let Authorized { turn, digest, result } = answer;
        let ruling = match result {
            Ok(permit) => {
                let execution = permit.execution();
                self.permit = Some(*permit);
                RulingOutcome::Allow { execution }
            }
            Err(NotAuthorized::Denied(codes)) => RulingOutcome::Deny { codes },
            Err(NotAuthorized::Unavailable(why, boundary)) => {
                tracing::warn!(session = %self.row.id, why, "nothing was decided");
                if let Some(boundary) = boundary {
                    self.book.reopen(boundary);
                }
                RulingOutcome::Unavailable
            }
        };
        self.feed(turn, FlowInput::Ruling { digest, ruling }).await?;
        self.release_unused().await
    }

    /// A cancel came between the commit and its answer: the execution has begun on paper and ends
    /// there, without a step.
    async fn release_unused(&mut self) -> Result<(), Down> {
        let Some(permit) = self.permit.take() else { return Ok(()) };
        self.book.write(wiiiv_store::Write::ExecutionFinished {
            execution: permit.execution(),
            outcome: wiiiv_domain::RunOutcome::Cancelled,
        });
        self.flush(Point::T2).await
    }

    /// The flow has said Run: the permit goes to a run of its own, by value.
    pub async fn start_run(&mut self, turn: TurnId, execution: ExecutionId) -> Result<(), Down> {
        let permit = self.permit.take_if(|permit| permit.execution() == execution);
        let Some(permit) = permit else {
            return Err(Down(format!("there is no permit for execution `{execution}`")));
        };
        let carry = self.book.close(Point::S1, false).events;
        self.begin_run(turn, permit, carry, None);
        Ok(())
    }

    fn begin_run(
        &mut self,
        turn: TurnId,
        permit: RunPermit,
        carry: Vec<wiiiv_domain::SessionEvent>,
        resume: Option<Resume>,
    ) {
        let execution = permit.execution();
        let args = RunArgs {
            room: self.room.clone(),
            session: self.me.clone(),
            lease: self.lease.clone(),
            turn,
            permit,
            carry,
            resume,
        };
        self.run = Some((execution, RunActor::begin(args)));
    }

    /// After a restart, or when a step in doubt was resolved: the same execution, judged afresh.
    pub async fn resume_run(&mut self, execution: ExecutionId) -> Result<(), Down> {
        if self.run.is_some() {
            return Ok(());
        }
        let store = self.room.deps.store.clone();
        let row = store.execution(execution).await?;
        let row = row.ok_or_else(|| Down(format!("execution `{execution}` is missing")))?;
        if row.outcome.as_ref().is_some_and(|o| *o != wiiiv_domain::RunOutcome::Indeterminate) {
            return Ok(());
        }
        let plan = self.plan(row.blueprint, row.digest).await?;
        let turn = match &self.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(),
        };
        self.in_doubt = None;
        let boundary = self.book.close(Point::T1, false);
        let writer = self.writer();
        match resume(&self.room, &writer, boundary, plan.as_ref().clone(), execution).await {
            Ok(permit) => {
                let attempts = store.attempts(execution).await?;
                let resume = Resume::of(&store, execution, attempts).await?;
                self.begin_run(turn, permit, Vec::new(), Some(resume));
                Ok(())
            }
            Err(NotAuthorized::Denied(codes)) => {
                let code = codes.first().map_or("GATE_ENFORCEMENT", |code| code.as_str());
                let outcome = wiiiv_domain::RunOutcome::Failed { code: code.to_owned() };
                let ended = outcome.clone();
                self.book
                    .write(wiiiv_store::Write::ExecutionFinished { execution, outcome: ended });
                self.feed(turn, FlowInput::Finished { execution, outcome }).await
            }
            Err(NotAuthorized::Unavailable(why, _)) => Err(Down(why)),
        }
    }
}

impl Message<Authorized> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, answer: Authorized, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        let done = session.authorized(answer).await;
        self.after(done).await;
    }
}

/// permits.md 3: gather, rule, commit, seal; where the world moved, again.
async fn authorize(
    room: &Shared,
    writer: &Writer,
    boundary: Boundary,
    plan: Blueprint,
) -> Result<RunPermit, NotAuthorized> {
    let before = room.deps.store.execution_of(plan.id).await;
    match before {
        Ok(Some(row)) => resume(room, writer, boundary, plan, row.id).await,
        Ok(None) => rule(room, writer, boundary, plan, Start::New).await,
        Err(error) => Err(NotAuthorized::Unavailable(error.to_string(), Some(boundary))),
    }
}

async fn resume(
    room: &Shared,
    writer: &Writer,
    boundary: Boundary,
    plan: Blueprint,
    execution: ExecutionId,
) -> Result<RunPermit, NotAuthorized> {
    rule(room, writer, boundary, plan, Start::Again(execution)).await
}

enum Start {
    New,
    Again(ExecutionId),
}

async fn rule(
    room: &Shared,
    writer: &Writer,
    mut boundary: Boundary,
    mut plan: Blueprint,
    start: Start,
) -> Result<RunPermit, NotAuthorized> {
    let store = &room.deps.store;
    for _ in 0..COMMIT_ATTEMPTS_MAX {
        let looked = look(room, &plan, &start).await;
        let (policy, evidence, purpose) = match looked {
            Ok(looked) => looked,
            Err(why) => return Err(NotAuthorized::Unavailable(why, Some(boundary))),
        };
        let gathered = room.deps.keeper.gather(clock::fresh(), purpose, plan, policy, evidence);
        let cx = match gathered {
            Ok(cx) => cx,
            Err(mismatch) => {
                tracing::warn!(why = %mismatch.why, "evidence of another subject");
                let codes = vec![DenyCode::EvidenceMismatch];
                return Err(match store.append(writer, boundary).await {
                    Ok(()) => NotAuthorized::Denied(codes),
                    Err(error) => NotAuthorized::Unavailable(error.to_string(), None),
                });
            }
        };
        let (claim, ruled) = room.deps.keeper.rule(cx, clock::now());
        match store.commit(writer, boundary, claim).await {
            Ok(done) => {
                room.hub.grew(ruled.peek().session);
                return match ruled.seal(done) {
                    Ok(permit) => Ok(permit.begin()),
                    Err(Refusal::Denied(denied)) => Err(NotAuthorized::Denied(denied.codes())),
                    Err(Refusal::ForeignCommit) => {
                        Err(NotAuthorized::Denied(vec![DenyCode::EvidenceMismatch]))
                    }
                };
            }
            Err(CommitRefused::Moved(moved, back)) => {
                if moved == Moved::PolicyChanged {
                    room.policies.forget(ruled.peek().project).await;
                }
                (plan, boundary) = (ruled.withdraw(), back);
            }
            Err(CommitRefused::Unavailable(error)) => {
                return Err(NotAuthorized::Unavailable(error.to_string(), None));
            }
        }
    }
    Err(NotAuthorized::Unavailable("the world moved each time".to_owned(), Some(boundary)))
}

type Looked = (Arc<wiiiv_gate::PolicySnapshot>, wiiiv_gate::EvidenceSet, Purpose);

async fn look(room: &Shared, plan: &Blueprint, start: &Start) -> Result<Looked, String> {
    let store = &room.deps.store;
    let policy = room.policies.current(plan.project).await.map_err(|e| e.to_string())?;
    let evidence = store.evidence(plan, clock::now()).await.map_err(|e| e.to_string())?;
    let purpose = match start {
        Start::New => Purpose::Start(clock::fresh()),
        Start::Again(execution) => {
            let started = store.execution_started(*execution).await.map_err(|e| e.to_string())?;
            let started = started.ok_or_else(|| format!("`{execution}` never started"))?;
            Purpose::Resume(started)
        }
    };
    Ok((policy, evidence, purpose))
}
