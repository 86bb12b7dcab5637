//! Step executors: each does one permitted step and reports facts.
//!
//! No journal, no sequencing, no judgement. A step comes in as a permit, by value; what it hands
//! on is bytes with a digest. Expressions in jq syntax run in a child process that limits itself,
//! or here where a bound can be proved.

mod api;
mod executor;
mod executors;
mod fault;
mod file;
mod jq;
mod media;
mod page;
mod rows;
pub mod sandbox;
mod select;
mod system;
mod transform;
mod web;

pub use executor::{Executor, StepReport};
pub use executors::{Executors, metas};
pub use sandbox::SandboxProgram;
pub use system::{ConnectionReport, SystemAccess};
