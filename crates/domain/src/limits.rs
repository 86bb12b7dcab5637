//! Bounds that several crates share, each with its unit.

/// A user's message, in Unicode scalar values.
pub const MESSAGE_CHARS_MAX: usize = 16_000;
/// Slots in one proposal or spec.
pub const SLOTS_MAX: usize = 32;
/// A slot's name, in Unicode scalar values.
pub const SLOT_NAME_CHARS_MAX: usize = 64;
/// A slot's value, in Unicode scalar values.
pub const SLOT_CHARS_MAX: usize = 65_536;
/// Jobs of one message besides its first: as many as a session lets wait, less one.
pub const JOBS_LATER_MAX: usize = 7;
/// Nodes of one plan.
pub const NODES_MAX: usize = 64;
/// The longest answer of a model, in bytes.
pub const PROPOSAL_BYTES_MAX: usize = 262_144;
/// The longest output of one step, in bytes.
pub const STEP_OUTPUT_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// The greatest bound of a binding, in bytes.
pub const BOUND_BYTES_MAX: u64 = STEP_OUTPUT_BYTES_MAX;
