//! One execution, one actor: it performs what `hlx::advance` decides, and every attempt is on
//! record before its effect and after.

mod actor;
mod bind;
pub mod resume;
mod step;

pub use actor::{CancelSteps, RunActor, RunArgs};
pub use resume::Resume;

/// Code of a step that did not happen because its condition did not hold.
pub const SKIPPED: &str = "SKIPPED";
