//! Step executors: each performs one permitted step and reports facts. No journal, no sequencing,
//! no judgement.
//!
//! - [`Executors`]: takes a permit by value and gives a [`StepReport`]; [`metas`] declares them
//!   all.
//! - [`Executor`]: the trait of one kind of executor: `file`, `api`, `web`, `transform`.
//! - [`SystemAccess`]: a registered system's access, given to one step.
//! - [`SandboxProgram`]: the child process for jq expressions, pages and documents; it restricts itself. A
//!   simple expression, whose cost is bounded by its input, is evaluated without a child.
//! - [`read_document`]: the text of a file of a known [`Format`], or why there is none: [`DocumentRefused`].
//!   [`read_without_child`] is its reader alone, which bounds neither memory nor time: for the child, and for fuzzing.
//!
//! Begin reading at `executors.rs`, then `file.rs` and `api.rs`; the child is in [`sandbox`], the readers of
//! documents begin at `document.rs`.

mod api;
mod bounded;
mod document;
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

pub use document::{
    Bound, Damaged, DocumentRefused, Format, Limits as DocumentLimits, read as read_without_child,
};
pub use executor::{Executor, StepReport};
pub use executors::{Executors, check_notice, metas};
pub use notice::Notice;
pub use sandbox::{Sandbox, SandboxProgram, read_document};
pub use system::{ConnectionReport, SystemAccess};
