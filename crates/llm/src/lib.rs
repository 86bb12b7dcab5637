//! Models: the built-in one and any that speaks the OpenAI-compatible protocol.
//!
//! [`Models::complete`] is the only way in which wiiiv asks a model, and takes a spend permit by
//! value. Whatever comes back is schema-checked data; an answer that does not fit is asked for once
//! more and then given up. Every part of a call is bounded: time, bytes, depth, attempts.

mod breaker;
mod custom;
mod models;
mod offline;
mod origins;
mod proposal;
mod shown;
mod tokens;

pub use breaker::{OPEN_AFTER_FAILURES, OPEN_FOR};
pub use models::{CallOptions, Completion, Limits, ModelError, Models, ModelsError, Slot};
pub use tokens::token_bound;
