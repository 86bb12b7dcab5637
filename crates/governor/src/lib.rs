//! Sequences turns: actors (kameo) that perform what `flow` and `hlx` decide. The governor never
//! executes a step and never overrides a gate.
//!
//! - [`Governor`]: the handle for servers and tests; [`Deps`] are its dependencies.
//! - [`Incoming`], [`Control`], [`Decision`]: requests to a session; [`SessionView`]: its state.
//! - [`Documents`]: ingest, search and removal of documents; [`TextEmbedder`]: a model on this machine.
//! - [`Events`]: of a session, also live; [`ModelKeys`]: provider keys and who pays.
//! - `session`: one actor for each session; `run`: one actor for each execution.
//!
//! INVARIANT: no handler awaits network, model or person. It journals, starts a task with the
//! turn's cancellation token and returns; results arrive as requests that name what they answer.
//! Begin reading at `session/message.rs`, then `session/effects.rs` and `session/journal.rs`.

mod answers;
mod audit;
mod citations;
mod claims;
mod clock;
mod config;
mod documents;
mod embeddings;
mod governor;
mod history_text;
mod hub;
mod keys;
mod message;
mod output_text;
mod overrides;
mod own_yes;
mod plan_counts;
mod policies;
mod preview;
mod qualification;
mod remember_text;
mod reply;
mod reply_kind;
mod review;
mod run;
mod runtime;
mod session;
mod sessions;
mod step_result;
mod sweep;
mod systems;
mod telemetry;
mod telling;
mod trial;
mod turn_documents;

pub use config::{DocumentConfig, GovernorConfig, WAITING_PER_PERSON_MAX};
pub use documents::{
    DocumentDeps, DocumentError, EmbedKind, FoundPassage, FoundPassages, NotCompared,
    SearchDocuments, TextEmbedder, Upload, WatchedFolder,
};
pub use governor::{
    Accounts, CapField, Change, ChangedRuling, Delegations, Documents, EarlyFate, Edits, Enough,
    Executions, Governor, GrantError, GrantOffer, GrantRequest, Grants, HaltError, Halts,
    IMPACT_DAYS_MAX, Impact, KnownModel, KnownProvider, Models, NotOffered, Outcome, OverrideError,
    Overrides, PlaceRule, Plans, Policies, PolicyChangeError, ProposedOverride, Reembedding,
    ResolveError, RetrievalStanding, Risks, Rollout, RolloutError, Rollouts, SystemChangeError,
    Systems, Unproved, WebhookError, Webhooks,
};
pub use hub::{Events, Journalled, Live};
pub use keys::{Considered, KeyError, KeyFate, KeyResolution, ModelKeys, Payer};
pub use message::{
    Answering, ApprovalEdit, ClearError, Control, DecideError, Decided, Decision, EditRefused,
    Incoming, SessionView, SubmitError, TaskSummary,
};
pub use policies::PolicyUnavailable;
pub use preview::Outlook;
pub use qualification::{LeftOut, Qualification, TypeStanding};
pub use review::{ReviewEnd, Reviewed};
pub use runtime::{Deps, EnvironmentKeys};
pub use trial::{Gave, Trial, TrialError, TrialOf};
