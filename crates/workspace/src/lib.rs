//! Sandboxed files: one folder for each project, reached through directory handles only.
//!
//! - [`Workspace`]: one project's files, for reading; [`Entry`]: a file or folder in a list.
//! - [`Workspaces`]: all projects; its functions that change a file take a permit by value.
//! - [`DocumentsFolder`]: the administrator's folder of documents, for reading.
//! - [`WorkspacePath`]: a checked path; [`WorkspaceError`]: why a file was not read or changed.
//!
//! Every path is walked component by component from the project's handle, and no link is followed.
//! Nothing here awaits: callers on an async runtime use a blocking task.
//! Begin reading at `workspaces.rs`, then `walk.rs` and `write.rs`.

mod content;
mod delete;
mod documents_folder;
mod error;
mod open;
mod walk;
mod workspace;
mod workspaces;
mod write;

pub use documents_folder::{DocumentFile, DocumentsFolder};
pub use error::WorkspaceError;
pub use wiiiv_domain::{PathError, WorkspacePath};
pub use workspace::{Entry, EntryKind, Workspace};
pub use workspaces::{Deleted, Workspaces};
pub use write::Written;
