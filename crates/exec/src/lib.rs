//! Step executors: each performs one permitted step and reports facts. No journal, no sequencing,
//! no judgement.
//!
//! - [`Executors`]: takes a permit by value and gives a [`StepReport`]; [`metas`] declares them
//!   all.
//! - [`Executor`]: the trait of one kind of executor: `file`, `api`, `web`, `transform`.
//! - [`SystemAccess`]: a registered system's access, given to one step.
//! - [`SandboxProgram`]: the child process for jq expressions and pages; it restricts itself. A
//!   simple expression, whose cost is bounded by its input, is evaluated without a child.
//!
//! Begin reading at `executors.rs`, then `file.rs` and `api.rs`; the child is in [`sandbox`].

mod api;
mod bounded;
mod executor;
mod executors;
mod fault;
mod file;
mod jq;
mod media;
mod notice;
mod page;
mod rows;
pub mod sandbox;
mod select;
mod system;
mod transform;
mod web;

pub use executor::{Executor, StepReport};
pub use executors::{Executors, check_notice, metas};
pub use notice::Notice;
pub use sandbox::SandboxProgram;
pub use system::{ConnectionReport, SystemAccess};
