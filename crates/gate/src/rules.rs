//! The rules of `policies/`, read once: DACS personas and risk, over one matcher.

mod dacs;
mod error;
mod glob;
mod matcher;
mod risk;
mod scene;

pub use dacs::{DacsRules, consensus};
pub use error::RulesError;
pub use matcher::Reason;
pub use risk::{Attempt, RiskFacts, RiskRules, RiskSignal};
pub(crate) use scene::Scene;
