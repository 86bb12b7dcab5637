//! `context`: what prompts of long conversations hold and cost.

mod conversation;
mod eval;
mod judgement;
mod model_calls;
mod pipeline;

pub use eval::eval;
