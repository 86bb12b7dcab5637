//! Renders everything that a model reads, from typed parts. Pure: the fence and the token counter
//! are arguments.
//!
//! - [`RuleBook`], [`RuleSheet`]: rule texts from `prompts/`, the same bytes in every call.
//! - [`PromptParts`]: the parts below the rules: memory, profile, systems, task, requested changes, facts, history,
//!   message.
//! - [`Prompt`]: rules and parts in a fixed order; [`Rendered`] is the text that is sent.
//! - [`TokenPlan`]: what each part gets and takes of the tokens; [`Grants`] shares them.
//! - [`PersonaPrompt`]: rules and the fenced spec, for one reviewing persona.
//! - [`Fence`], [`Fenced`]: no text below the rules can close its fence or become a rule.
//! - [`SecretPatterns`]: keys that are removed from foreign text.
//!
//! Begin reading at `prompt.rs`, then `parts.rs` and `fence.rs`.

mod fence;
mod layout;
mod memory;
mod neutral;
mod parts;
mod persona;
mod plan;
mod profile;
mod profile_schemas;
mod prompt;
mod rendered;
mod repair;
mod rules;
mod secrets;
mod shape;
mod systems;

pub use fence::{Fence, FenceFormat, Fenced, Label};
pub use memory::MemoryBlocks;
pub use parts::{HISTORY_MESSAGES_MAX, PromptParts, RunFacts, StepFact, TaskFacts};
pub use persona::PersonaPrompt;
pub use plan::{
    Grants, Part, PartSizes, PlanBounds, PlanRefusal, PlannedPart, TOTAL_TOKENS_DEFAULT,
    TOTAL_TOKENS_MIN, TokenCounter, TokenPlan,
};
pub use profile::{PROFILE_SHOWN_CHARS_MAX, ProfileBlock};
pub use profile_schemas::{profile_schema, profile_schemas};
pub use prompt::{PROMPT_TOKENS_MAX, Prompt, PromptError};
pub use rendered::{REPAIR_TOKENS_RESERVED, Rendered};
pub use repair::RepairPrompt;
pub use rules::{PROPOSAL_BOUNDS, RuleBook, RuleSheet};
pub use secrets::{
    OUTPUT_READ_BYTES_MAX, Pattern, SECRET_MARK, SecretPatterns, SecretsError, secret_patterns,
};
pub use shape::{AnswerShape, OPINION, PROFILE_PROPOSAL, PROPOSAL, PROPOSAL_SCHEMA};
pub use systems::SYSTEMS_SHOWN_BYTES_MAX;
pub use wiiiv_domain::Speaker;
