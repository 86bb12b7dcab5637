//! Everything that a model reads is rendered here, from typed parts.
//!
//! Rules stand above the boundary and come from `prompts/`, byte for byte the same in every call.
//! Below it everything is fenced: registered systems, the active task, what a review wants changed,
//! a run's facts, the conversation and the message. The order is the type's, never a caller's, and no text below can
//! become a rule or close its own fence. Keys in what came from outside are taken out. Pure: the fence and the token counter are arguments.

mod fence;
mod neutral;
mod parts;
mod prompt;
mod rendered;
mod repair;
mod rules;
mod secrets;
mod systems;

pub use fence::{Fence, FenceFormat, Fenced, Label};
pub use parts::{HISTORY_MESSAGES_MAX, PromptParts, RunFacts, StepFact, TaskFacts};
pub use prompt::{PROMPT_TOKENS_MAX, Prompt, PromptError};
pub use rendered::{REPAIR_TOKENS_RESERVED, Rendered};
pub use repair::RepairPrompt;
pub use rules::{PROPOSAL_BOUNDS, PROPOSAL_SCHEMA, RuleBook, RuleSheet};
pub use secrets::{
    OUTPUT_READ_BYTES_MAX, Pattern, SECRET_MARK, SecretPatterns, SecretsError, secret_patterns,
};
pub use systems::SYSTEMS_SHOWN_BYTES_MAX;
pub use wiiiv_domain::Speaker;
