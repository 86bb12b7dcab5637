//! The handle that servers and tests hold. Cheap to clone.

mod accounts;
mod models;
mod policy_change;

use crate::{
    clock,
    config::{GovernorConfig, REGISTRY_MAILBOX_MAX},
    deps::{Deps, Room, Shared},
    hub::{Hub, Subscription},
    message::{Control, DecideError, Decided, Decision, Incoming, SubmitError},
    policies::Policies,
    preview::{self, Outlook},
    qualification,
    registry::{Awake, Open, Registry},
    review::{self, Reviewed},
    session::{CancelRun, Command, Decide, ReadState, Resolved, SessionActor, SessionView, Submit},
    sweep,
    systems::{self, SystemChangeError, Systems},
    telemetry,
};
use kameo::{
    actor::{ActorRef, Spawn},
    mailbox,
};
pub use models::{KnownModel, KnownProvider};
pub use policy_change::PolicyChangeError;
use std::{sync::Arc, time::Instant};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    ApprovalId, BlueprintId, ExecutionId, Lang, MESSAGE_CHARS_MAX, ProjectId, ProviderName,
    SessionId, StepId, System, SystemName, Timestamp, TurnId,
};
use wiiiv_exec::ConnectionReport;
use wiiiv_gate::{Principal, Reason, Resolution, UserEvent, UserEventKind};
use wiiiv_hlx::Preview;
use wiiiv_language::Messages;
use wiiiv_store::{
    Boundary, Point, ResolveRefused, SessionRow, Store, StoreError, SystemRow, Writer,
};
use wiiiv_vault::Credential;

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

#[derive(Clone)]
pub struct Governor {
    room: Shared,
    registry: ActorRef<Registry>,
    stop: CancellationToken,
}

pub async fn wake(
    registry: &ActorRef<Registry>,
    session: SessionId,
) -> Option<ActorRef<SessionActor>> {
    let (answer, woken) = oneshot::channel();
    registry.tell(Open { session, answer }).await.ok()?;
    woken.await.ok()
}

fn unreachable() -> SubmitError {
    SubmitError::Unavailable("the session is being restored; try again".to_owned())
}

impl Governor {
    /// Inside a tokio runtime.
    #[must_use]
    pub fn start(deps: Deps, config: GovernorConfig) -> Self {
        let policies = Policies::new(deps.keeper.clone(), deps.store.clone());
        let systems = Systems::new(deps.store.clone());
        let room = Arc::new(Room { deps, config, policies, systems, hub: Hub::new() });
        let registry =
            Registry::spawn_with_mailbox(room.clone(), mailbox::bounded(REGISTRY_MAILBOX_MAX));
        let stop = CancellationToken::new();
        tokio::spawn(sweep::run(room.clone(), registry.clone(), stop.clone()));
        Self { room, registry, stop }
    }

    #[must_use]
    pub fn store(&self) -> &Store {
        &self.room.deps.store
    }

    /// The texts in which code answers.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.room.deps.messages
    }

    async fn actor(&self, session: SessionId) -> Result<ActorRef<SessionActor>, SubmitError> {
        wake(&self.registry, session).await.ok_or_else(unreachable)
    }

    /// The session, if it is of the project that `who` was authenticated for and still there.
    async fn own(&self, who: &Principal, session: SessionId) -> Result<SessionRow, SubmitError> {
        let row = self.store().session(session).await;
        let row = row.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        let mine = row.filter(|row| !row.removed && who.project() == Some(row.project));
        let allowed = who.rights().may_request() && who.rights().may_see();
        mine.filter(|_| allowed).ok_or(SubmitError::NotFound)
    }

    /// Answered when the turn is durable.
    pub async fn submit(
        &self,
        who: &Principal,
        session: SessionId,
        message: Incoming,
    ) -> Result<TurnId, SubmitError> {
        let sent = Instant::now();
        let chars = message.text.chars().count();
        if message.text.trim().is_empty() || chars > MESSAGE_CHARS_MAX {
            return Err(SubmitError::Length { chars, max: MESSAGE_CHARS_MAX });
        }
        self.own(who, session).await?;
        let (ack, accepted) = oneshot::channel();
        let submit = Submit { who: who.clone(), message, sent, ack };
        self.actor(session).await?.tell(submit).await.map_err(|_| unreachable())?;
        accepted.await.map_err(|_| unreachable())?
    }

    pub async fn control(
        &self,
        who: &Principal,
        session: SessionId,
        control: Control,
    ) -> Result<TurnId, SubmitError> {
        self.own(who, session).await?;
        let (ack, accepted) = oneshot::channel();
        let command = Command { who: who.clone(), control, ack };
        self.actor(session).await?.tell(command).await.map_err(|_| unreachable())?;
        accepted.await.map_err(|_| unreachable())?
    }

    pub async fn decide(
        &self,
        who: &Principal,
        approval: ApprovalId,
        decision: Decision,
    ) -> Result<Decided, DecideError> {
        self.decide_in(None, who, approval, decision).await
    }

    /// `language`: what its author has set to be answered in; it counts where that is the
    /// conversation's owner.
    pub async fn decide_in(
        &self,
        language: Option<Lang>,
        who: &Principal,
        approval: ApprovalId,
        decision: Decision,
    ) -> Result<Decided, DecideError> {
        let lost = |why: String| DecideError::Unavailable(why);
        let row = self.store().approval(approval).await.map_err(|e| lost(e.to_string()))?;
        let row = row.filter(|row| who.project() == Some(row.request.project));
        let row = row.filter(|_| who.rights().may_see()).ok_or(DecideError::NotFound)?;
        let session = row.session;
        let (answer, decided) = oneshot::channel();
        let ask = Decide { who: who.clone(), row, decision, language, answer };
        let gone = || lost("the session is being restored; try again".to_owned());
        let actor = wake(&self.registry, session).await.ok_or_else(gone)?;
        actor.tell(ask).await.map_err(|_| gone())?;
        decided.await.map_err(|_| gone())?
    }

    /// Everything journalled after `after`, then what happens.
    pub async fn subscribe(
        &self,
        session: SessionId,
        after: Option<u64>,
    ) -> Result<Subscription, SubmitError> {
        let from = after.map_or(0, |seq| seq.saturating_add(1));
        let subscribed = self.room.hub.subscribe(self.store(), session, from).await;
        subscribed.map_err(|e| SubmitError::Unavailable(e.to_string()))
    }

    /// Changes whenever a question was put before people, or closed, by this server.
    #[must_use]
    pub fn questions(&self) -> tokio::sync::watch::Receiver<u64> {
        self.room.hub.questions()
    }

    pub async fn state(&self, session: SessionId) -> Result<SessionView, SubmitError> {
        let row = self.store().session(session).await;
        let row = row.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        row.ok_or(SubmitError::NotFound)?;
        let (ask, state) = oneshot::channel();
        self.actor(session).await?.tell(ReadState(ask)).await.map_err(|_| unreachable())?;
        state.await.map_err(|_| unreachable())?
    }

    /// Model servers that are left alone for the time being: while there are any, conversation goes
    /// on by the built-in understanding.
    #[must_use]
    pub fn left_alone(&self) -> usize {
        self.room.deps.models.left_alone()
    }

    /// Of those, the ones that were asked as this provider.
    #[must_use]
    pub fn left_alone_of(&self, provider: ProviderName) -> usize {
        self.room.deps.models.left_alone_of(provider)
    }

    /// Brings what is looked at rather than counted up to date, before figures are served or sent.
    pub async fn observe(&self) {
        telemetry::observe(self).await;
    }

    /// Sessions that are awake.
    pub async fn awake(&self) -> usize {
        let (ask, count) = oneshot::channel();
        if self.registry.tell(Awake(ask)).await.is_err() {
            return 0;
        }
        count.await.unwrap_or(0)
    }

    /// Rendered from the canonical plan and what its files hold now, never from a model's prose.
    pub async fn preview(&self, blueprint: BlueprintId) -> Result<Preview, SubmitError> {
        let stored = self.store().blueprint(blueprint).await;
        let stored = stored.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        let stored = stored.ok_or(SubmitError::NotFound)?;
        let systems = self.room.systems.current(stored.blueprint.project).await;
        let systems = systems.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        let shown = preview::preview(self.room.clone(), stored.blueprint, systems).await;
        shown.ok_or_else(|| SubmitError::Unavailable("the preview ended early".to_owned()))
    }

    /// What the chain would say of the plan now, before anybody has said yes; it permits nothing.
    pub async fn forecast(&self, blueprint: BlueprintId) -> Result<Outlook, SubmitError> {
        let lost = |why: String| SubmitError::Unavailable(why);
        let stored = self.store().blueprint(blueprint).await.map_err(|e| lost(e.to_string()))?;
        let plan = stored.ok_or(SubmitError::NotFound)?.blueprint;
        let policy = self.room.policies.current(plan.project).await;
        let policy = policy.map_err(|e| lost(e.to_string()))?;
        let rules = policy.project_policy();
        let standing = qualification::judged(&self.room.deps, plan.session, rules).await;
        let standing = standing.map_err(|e| lost(e.to_string()))?;
        let found = self.room.deps.keeper.forecast(&plan, &policy, &standing, clock::now());
        let findings = found.map_err(|e| lost(e.to_string()))?;
        Ok(Outlook { findings, currency: policy.policy().currency() })
    }

    /// What was reviewed in the turn, in order; it may have come to no plan.
    pub async fn reviewed(
        &self,
        session: SessionId,
        turn: TurnId,
    ) -> Result<Vec<Reviewed>, SubmitError> {
        let lost = |e: StoreError| SubmitError::Unavailable(e.to_string());
        let row = self.store().session(session).await.map_err(lost)?;
        let row = row.ok_or(SubmitError::NotFound)?;
        let limits = self.room.config.flow;
        let found = review::of_turn(self.store(), &limits, &row, turn).await.map_err(lost)?;
        found.ok_or(SubmitError::NotFound)
    }

    /// What a reviewer's concern means, for people.
    #[must_use]
    pub fn concern(&self, code: &str) -> Option<&Reason> {
        self.room.deps.keeper.reason(code)
    }

    pub async fn cancel_execution(
        &self,
        who: &Principal,
        execution: ExecutionId,
    ) -> Result<TurnId, SubmitError> {
        let row = self.store().execution(execution).await;
        let row = row.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        let row = row.filter(|row| who.project() == Some(row.project));
        let allowed = who.rights().may_request();
        let row = row.filter(|_| allowed).ok_or(SubmitError::NotFound)?;
        let kind = UserEventKind::CancelExecution { execution };
        let event = UserEvent::of(who, row.project, Some(row.session), kind, clock::now());
        let event = event.map_err(|_| SubmitError::NotFound)?;
        let (writer, boundary) = (Writer::Project(row.project), Boundary::new(Point::P));
        let recorded = self.store().record_user_event(&writer, boundary, event).await;
        recorded.map_err(|e| SubmitError::Unavailable(e.to_string()))?;
        let (ack, cancelled) = oneshot::channel();
        let ask = CancelRun { execution, ack };
        self.actor(row.session).await?.tell(ask).await.map_err(|_| unreachable())?;
        cancelled.await.map_err(|_| unreachable())?
    }

    /// A person says what became of a step in doubt: recorded as evidence, then the run goes on.
    pub async fn resolve(
        &self,
        who: &Principal,
        execution: ExecutionId,
        step: StepId,
        resolution: Resolution,
    ) -> Result<(), ResolveError> {
        let lost = |e: StoreError| ResolveError::Unavailable(e.to_string());
        let row = self.store().execution(execution).await.map_err(lost)?;
        let row = row.filter(|row| who.project() == Some(row.project));
        let row = row.filter(|_| who.rights().may_see()).ok_or(ResolveError::NotFound)?;
        if !who.rights().may_approve() {
            return Err(ResolveError::NotAllowed);
        }
        let kind = UserEventKind::Resolve { execution, step: step.clone(), resolution };
        let event = UserEvent::of(who, row.project, Some(row.session), kind, clock::now());
        let event = event.map_err(|_| ResolveError::NotFound)?;
        let (writer, boundary) = (Writer::Project(row.project), Boundary::new(Point::E));
        let recorded = self.store().record_user_event(&writer, boundary, event).await;
        let recorded = recorded.map_err(lost)?;
        let boundary = Boundary::new(Point::E);
        match self.store().resolve_attempt(&writer, boundary, &recorded).await {
            Ok(()) => {}
            Err(ResolveRefused::Store(error)) => return Err(lost(error)),
            Err(ResolveRefused::OtherEvent | ResolveRefused::NotInDoubt) => {
                return Err(ResolveError::NotInDoubt);
            }
        }
        if let Some(actor) = wake(&self.registry, row.session).await {
            let _ = actor.tell(Resolved(execution)).await;
        }
        Ok(())
    }

    /// In the order of their names.
    pub async fn systems(
        &self,
        who: &Principal,
        project: ProjectId,
    ) -> Result<Vec<SystemRow>, SystemChangeError> {
        systems::list(&self.room, who, project).await
    }

    /// `expected`: the revision that it replaces; `None`: there is none by that name.
    pub async fn save_system(
        &self,
        who: &Principal,
        project: ProjectId,
        system: System,
        expected: Option<u64>,
    ) -> Result<SystemRow, SystemChangeError> {
        systems::save(&self.room, who, project, system, expected).await
    }

    pub async fn remove_system(
        &self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
        expected: u64,
    ) -> Result<(), SystemChangeError> {
        systems::remove(&self.room, who, project, name, expected).await
    }

    /// `None` takes it away.
    pub async fn set_credential(
        &self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
        credential: Option<Credential>,
        expected: u64,
    ) -> Result<SystemRow, SystemChangeError> {
        systems::set_credential(&self.room, who, project, name, credential, expected).await
    }

    /// A log-in where it has one, and one request that reads; nothing of it is kept.
    pub async fn test_system(
        &self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
    ) -> Result<ConnectionReport, SystemChangeError> {
        systems::test(&self.room, who, project, name).await
    }

    /// After a start: whatever a crash interrupted goes on by itself.
    pub async fn recover(&self) -> Result<usize, StoreError> {
        let open = self.store().open_sessions().await?;
        let count = open.len();
        for session in open {
            if wake(&self.registry, session).await.is_none() {
                tracing::error!(%session, "session cannot be woken");
            }
        }
        Ok(count)
    }

    /// No new work; what is journalled goes on at the next start.
    pub async fn shutdown(&self) {
        self.stop.cancel();
        let _ = self.registry.stop_gracefully().await;
        self.registry.wait_for_shutdown().await;
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        clock::now()
    }
}
