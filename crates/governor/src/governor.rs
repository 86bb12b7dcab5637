//! The handle that servers and tests hold. Cheap to clone.

mod accounts;
mod delegations;
mod documents;
mod edits;
mod enough;
mod executions;
mod grants;
mod halts;
mod impact;
mod models;
mod overrides;
mod plans;
mod policies;
mod risks;
mod rollouts;
mod systems;
mod webhooks;

use crate::{
    clock,
    config::GovernorConfig,
    documents::{Ingests, watch},
    hub::Events,
    keys::ModelKeys,
    message::{
        Answering, Control, DecideError, Decided, Decision, Incoming, SessionView, SubmitError,
    },
    own_yes::yes_of,
    runtime::{Deps, Runtime},
    session::{Decide, Entry, Request, Wanted},
    sessions::Sessions,
    sweep, telemetry, telling,
};
pub use accounts::Accounts;
pub use delegations::Delegations;
pub use documents::{Documents, Reembedding, RetrievalStanding};
pub use edits::Edits;
pub use enough::{CapField, Change, Enough, PlaceRule, Unproved};
pub use executions::{Executions, ResolveError};
pub use grants::{GrantError, GrantOffer, GrantRequest, Grants, NotOffered};
pub use halts::{HaltError, Halts};
pub use impact::{ChangedRuling, EarlyFate, IMPACT_DAYS_MAX, Impact, Outcome};
pub use models::{KnownModel, KnownProvider, Models};
pub use overrides::{OverrideError, Overrides, ProposedOverride};
pub use plans::Plans;
pub use policies::{Policies, PolicyChangeError};
pub use risks::Risks;
pub use rollouts::{Rollout, RolloutError, Rollouts};
use std::{sync::Arc, time::Instant};
pub use systems::{SystemChangeError, Systems};
use tokio_util::sync::CancellationToken;
pub use webhooks::{WebhookError, Webhooks};
use wiiiv_domain::{
    ApprovalId, MESSAGE_CHARS_MAX, SessionId, SignalKind, Timestamp, TurnId, UserId,
};
use wiiiv_gate::Principal;
use wiiiv_messages::Messages;
use wiiiv_store::{ApprovalRow, Store, StoreError};

#[derive(Clone)]
pub struct Governor {
    runtime: Arc<Runtime>,
    sessions: Sessions,
    ingests: Ingests,
    stop: CancellationToken,
}

impl Governor {
    /// Must be called inside a tokio runtime.
    #[must_use]
    pub fn start(deps: Deps, config: GovernorConfig) -> Self {
        let runtime = Arc::new(Runtime::new(deps, config));
        let sessions = Sessions::start(runtime.clone());
        let stop = CancellationToken::new();
        tokio::spawn(sweep::run(runtime.clone(), sessions.clone(), stop.clone()));
        tokio::spawn(telling::run(runtime.clone(), stop.clone()));
        let ingests = Ingests::start(runtime.clone(), sessions.clone(), stop.child_token());
        tokio::spawn(watch(runtime.clone(), ingests.clone(), stop.clone()));
        Self { runtime, sessions, ingests, stop }
    }

    #[must_use]
    pub fn store(&self) -> &Store {
        &self.runtime.deps.store
    }

    /// The texts in which code answers.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.runtime.deps.messages
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        clock::now()
    }

    #[must_use]
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts { runtime: &self.runtime, sessions: &self.sessions }
    }
    #[must_use]
    pub fn delegations(&self) -> Delegations<'_> {
        Delegations { runtime: &self.runtime }
    }
    #[must_use]
    pub fn documents(&self) -> Documents<'_> {
        Documents { runtime: &self.runtime, ingests: &self.ingests }
    }
    #[must_use]
    pub fn edits(&self) -> Edits<'_> {
        Edits { runtime: &self.runtime, sessions: &self.sessions }
    }
    #[must_use]
    pub fn executions(&self) -> Executions<'_> {
        Executions { deps: &self.runtime.deps, sessions: &self.sessions }
    }
    #[must_use]
    pub fn grants(&self) -> Grants<'_> {
        Grants { runtime: &self.runtime }
    }
    #[must_use]
    pub fn halts(&self) -> Halts<'_> {
        Halts { runtime: &self.runtime, sessions: &self.sessions }
    }
    #[must_use]
    pub fn keys(&self) -> ModelKeys<'_> {
        ModelKeys::new(&self.runtime.deps)
    }
    #[must_use]
    pub fn models(&self) -> Models<'_> {
        Models { runtime: &self.runtime, sessions: &self.sessions }
    }
    #[must_use]
    pub fn overrides(&self) -> Overrides<'_> {
        Overrides { runtime: &self.runtime }
    }
    #[must_use]
    pub fn plans(&self) -> Plans<'_> {
        Plans { runtime: &self.runtime }
    }
    #[must_use]
    pub fn policies(&self) -> Policies<'_> {
        Policies { runtime: &self.runtime }
    }
    #[must_use]
    pub fn rollouts(&self) -> Rollouts<'_> {
        Rollouts { runtime: &self.runtime }
    }
    #[must_use]
    pub fn risks(&self) -> Risks<'_> {
        Risks { runtime: &self.runtime, sessions: &self.sessions }
    }
    #[must_use]
    pub fn systems(&self) -> Systems<'_> {
        Systems { runtime: &self.runtime }
    }

    #[must_use]
    pub fn webhooks(&self) -> Webhooks<'_> {
        Webhooks { runtime: &self.runtime }
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
        self.sessions.own_for_plan(who, session).await?;
        let (who, wanted) = (who.clone(), Wanted::Words(message, None));
        let message =
            |ack| Request::Message(Entry { who, wanted, ack, sent, left_out: Vec::new() });
        self.sessions.ask(session, message).await?
    }

    pub async fn control(
        &self,
        who: &Principal,
        session: SessionId,
        control: Control,
    ) -> Result<TurnId, SubmitError> {
        match control {
            Control::Cancel | Control::Reset => drop(self.sessions.own(who, session).await?),
            Control::Switch(_) | Control::Recall(_) => {
                self.sessions.own_for_plan(who, session).await?;
            }
        }
        let (who, sent) = (who.clone(), Instant::now());
        let request = |ack| {
            let (signal, overtakes) = match control {
                Control::Cancel => (SignalKind::Cancel, true),
                Control::Reset => (SignalKind::Reset, true),
                Control::Switch(task) => (SignalKind::Switch { task }, false),
                Control::Recall(recall) => (SignalKind::Recall { recall }, false),
            };
            if overtakes {
                return Request::Overtake { who, signal, ack };
            }
            let (wanted, left_out) = (Wanted::Signal(signal), Vec::new());
            Request::Message(Entry { who, wanted, ack, sent, left_out })
        };
        self.sessions.ask(session, request).await?
    }

    pub async fn decide(
        &self,
        who: &Principal,
        approval: ApprovalId,
        decision: Decision,
    ) -> Result<Decided, DecideError> {
        self.decide_in(Answering::default(), who, approval, decision).await
    }

    /// With how it is given.
    pub async fn decide_in(
        &self,
        answering: Answering,
        who: &Principal,
        approval: ApprovalId,
        decision: Decision,
    ) -> Result<Decided, DecideError> {
        let row = self.sessions.asked(who, approval).await?;
        let (session, who) = (row.session, who.clone());
        let ask =
            |answer| Request::Decide(Box::new(Decide { who, row, decision, answering, answer }));
        self.sessions.ask(session, ask).await?
    }

    /// Whether this person has said a yes to it that they may take back now.
    pub async fn may_revoke(&self, who: UserId, row: &ApprovalRow) -> Result<bool, StoreError> {
        Ok(yes_of(self.store(), who, row).await?.is_ok())
    }

    /// All events after the one of that number, then live ones; `None`: from now on.
    pub async fn subscribe(
        &self,
        session: SessionId,
        after: Option<u64>,
    ) -> Result<Events, StoreError> {
        self.runtime.hub.subscribe(self.store(), session, after).await
    }

    /// Changes when this server puts or closes a question.
    #[must_use]
    pub fn questions(&self) -> tokio::sync::watch::Receiver<u64> {
        self.runtime.hub.questions()
    }

    pub async fn state(&self, session: SessionId) -> Result<SessionView, SubmitError> {
        self.store().conversation(session).await?.ok_or(SubmitError::NotFound)?;
        self.sessions.ask(session, Request::View).await?
    }

    /// Sessions that are awake.
    pub async fn awake(&self) -> usize {
        self.sessions.awake().await.len()
    }

    /// Brings the gauges up to date, before metrics are served or sent.
    pub async fn observe(&self) {
        telemetry::observe(self.awake().await, &self.runtime.deps).await;
    }

    /// After a start: continues interrupted sessions, of which none can go on where nothing is written.
    pub async fn recover(&self) -> Result<usize, StoreError> {
        if self.store().fault().is_some() {
            return Ok(0);
        }
        let open = self.store().open_sessions().await?;
        let count = open.len();
        for session in open {
            if self.sessions.wake(session).await.is_none() {
                tracing::error!(%session, "session cannot be woken");
            }
        }
        Ok(count)
    }

    /// Stops all sessions; their work continues at the next start.
    pub async fn shutdown(&self) {
        self.stop.cancel();
        self.sessions.stop().await;
        self.ingests.stop().await;
    }
}
