//! One execution, one actor: it performs what `hlx::advance` decides, and every attempt is on
//! record before its effect and after.

mod actor;
mod bind;
mod resume;
mod step;

pub use actor::{CancelSteps, RunActor, RunArgs};
pub use resume::Resume;
