//! `context`: what prompts of long conversations hold and cost.

mod conversation;
mod eval;
mod pipeline;

pub use eval::eval;
