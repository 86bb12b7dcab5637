//! Evaluates expressions and reads pages in a child process that restricts itself.

mod barriers;
mod child;
mod limits;
mod parent;
mod wire;

pub use barriers::Barriers;
pub use child::run_child;
pub use parent::{SandboxProgram, probe};

pub(crate) use parent::Sandbox;

/// The hidden command of the program that runs [`run_child`].
pub const COMMAND: &str = "sandbox-exec";
/// Its whole environment. The program's allocator would take a gibibyte of addresses in advance: more
/// than the child may have.
pub const ENVIRONMENT: [(&str, &str); 1] = [("MIMALLOC_ARENA_RESERVE", "0")];
