//! One execution, one actor: performs the effects of `hlx::advance`, and records every attempt
//! before and after its effect.

mod actor;
mod bind;
pub mod resume;
mod step;

pub use actor::{RunActor, RunArgs, StopSteps};
pub use bind::recorded;
pub use resume::Resume;

/// Code of a step whose condition did not hold.
pub const SKIPPED: &str = "SKIPPED";
