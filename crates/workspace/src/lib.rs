//! Sandboxed files: one folder a project, reached through directory handles alone.
//!
//! Every path is walked component by component from the project's handle, no link is followed,
//! and every function that changes something takes a permit by value. Nothing here awaits: callers
//! on an async runtime use a blocking task.

mod content;
mod delete;
mod error;
mod open;
mod walk;
mod workspace;
mod workspaces;
mod write;

pub use error::WorkspaceError;
pub use wiiiv_domain::{PathError, WorkspacePath};
pub use workspace::{Entry, EntryKind, Workspace};
pub use workspaces::{Deleted, Workspaces};
pub use write::Written;
