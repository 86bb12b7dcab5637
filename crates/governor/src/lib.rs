//! The only subject that sequences a turn: kameo actors that perform what `flow` and `hlx` decide.
//! It never executes and never overrides a gate.
//!
//! INVARIANT: no handler awaits network, model or person. A handler journals, starts a task with
//! the turn's cancellation token and returns; results come back as messages that name what they
//! answer.

mod audit;
mod budget;
mod claims;
mod clock;
mod config;
mod deps;
mod governor;
mod hub;
mod kept;
mod keys;
mod message;
mod operations;
mod policies;
mod preview;
mod qualification;
mod registry;
mod reply;
mod result;
mod review;
mod run;
mod session;
mod shown;
mod sweep;
mod systems;
mod telemetry;

pub use config::GovernorConfig;
pub use deps::Deps;
pub use governor::{Governor, KnownModel, KnownProvider, PolicyChangeError, ResolveError};
pub use hub::{Journalled, Live, Subscription};
pub use keys::{Considered, EnvironmentKeys, KeyError, KeyFate, KeyResolution, Payer};
pub use message::{Control, DecideError, Decided, Decision, Incoming, SubmitError};
pub use policies::{Policies, PolicyUnavailable};
pub use preview::Outlook;
pub use qualification::Qualification;
pub use review::{ReviewEnd, Reviewed};
pub use session::{Gave, SessionView, TaskSummary, Trial, TrialError, TrialOf};
pub use systems::SystemChangeError;
