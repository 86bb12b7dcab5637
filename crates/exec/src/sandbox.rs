//! Evaluates expressions, reads pages and documents in a child process that restricts itself.

mod barriers;
mod child;
mod document;
mod limits;
mod parent;
mod wire;

pub use barriers::Barriers;
pub use child::run_child;
pub use document::read_document;
pub use parent::{Sandbox, SandboxProgram, probe};
pub use wire::DOCUMENT_MIB_MAX;

/// The hidden command of the program that runs [`run_child`].
pub const COMMAND: &str = "sandbox-exec";
/// Behind the command where a document is read: it may take more time.
const DOCUMENT: &str = "document";
/// Its whole environment. The program's allocator would take a gibibyte of addresses in advance: more
/// than the child may have.
pub const ENVIRONMENT: [(&str, &str); 1] = [("MIMALLOC_ARENA_RESERVE", "0")];
