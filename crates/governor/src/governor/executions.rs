//! Cancelling a run and resolving a step, from outside the conversation.

use crate::{clock, message::SubmitError, runtime::Deps, session::Request, sessions::Sessions};
use wiiiv_domain::{ExecutionId, StepId, TurnId};
use wiiiv_gate::{Principal, Recorded, Resolution, UserEvent, UserEventKind};
use wiiiv_store::{Boundary, ExecutionRow, Point, ResolveRefused, StoreError, Writer};

#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    #[error("no such execution")]
    NotFound,
    #[error("resolving a step in doubt needs the right to approve")]
    NotAllowed,
    #[error("this step is not in doubt")]
    NotInDoubt,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

#[derive(Clone, Copy)]
pub struct Executions<'a> {
    pub(super) deps: &'a Deps,
    pub(super) sessions: &'a Sessions,
}

impl From<StoreError> for ResolveError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl Executions<'_> {
    pub async fn cancel(
        self,
        who: &Principal,
        execution: ExecutionId,
    ) -> Result<TurnId, SubmitError> {
        let allowed = who.rights().may_request();
        let row = self.of(who, execution).await?.filter(|_| allowed);
        let row = row.ok_or(SubmitError::NotFound)?;
        let kind = UserEventKind::CancelExecution { execution };
        let recorded = self.recorded(who, &row, kind, Point::P).await?;
        recorded.ok_or(SubmitError::NotFound)?;
        let ask = |ack| Request::CancelRun { execution, ack };
        self.sessions.ask(row.session, ask).await?
    }

    /// A person resolves a step in doubt: recorded as evidence, then the run continues.
    pub async fn resolve(
        self,
        who: &Principal,
        execution: ExecutionId,
        step: StepId,
        resolution: Resolution,
    ) -> Result<(), ResolveError> {
        let allowed = who.rights().may_see();
        let row = self.of(who, execution).await?.filter(|_| allowed);
        let row = row.ok_or(ResolveError::NotFound)?;
        if !who.rights().may_approve() {
            return Err(ResolveError::NotAllowed);
        }
        let kind = UserEventKind::Resolve { execution, step, resolution };
        let recorded = self.recorded(who, &row, kind, Point::E).await?;
        let recorded = recorded.ok_or(ResolveError::NotFound)?;
        let (writer, boundary) = (Writer::Project(row.project), Boundary::new(Point::E).by(who));
        match self.deps.store.resolve_attempt(&writer, boundary, &recorded).await {
            Ok(()) => {}
            Err(ResolveRefused::Store(error)) => return Err(error.into()),
            Err(ResolveRefused::OtherEvent | ResolveRefused::NotInDoubt) => {
                return Err(ResolveError::NotInDoubt);
            }
        }
        self.sessions.tell(row.session, Request::Resolved(execution)).await;
        Ok(())
    }

    /// The execution, if it is of the project that `who` was authenticated for.
    async fn of(
        self,
        who: &Principal,
        execution: ExecutionId,
    ) -> Result<Option<ExecutionRow>, StoreError> {
        let row = self.deps.store.execution(execution).await?;
        let ours = self.deps.keeper.knows(who);
        Ok(row.filter(|row| ours && who.project() == Some(row.project)))
    }

    async fn recorded(
        self,
        who: &Principal,
        row: &ExecutionRow,
        kind: UserEventKind,
        point: Point,
    ) -> Result<Option<Recorded<UserEvent>>, StoreError> {
        let event = UserEvent::of(who, row.project, Some(row.session), kind, clock::now());
        let Ok(event) = event else { return Ok(None) };
        let (writer, boundary) = (Writer::Project(row.project), Boundary::new(point).by(who));
        let (event, _) = self.deps.store.record_user_event(&writer, boundary, event).await?;
        Ok(Some(event))
    }
}
