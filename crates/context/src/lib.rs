//! Everything a model ever reads, rendered from typed parts (context.md 1).
//!
//! Above the boundary stands rule text from `prompts/` and nothing else; below it every block is
//! fenced and neutralised. [`Rendered`] is sealed, so a raw string cannot be sent to a model. Types
//! fix position and provenance, not a model's obedience: decisions live in `flow` and `gate`.

mod answer;
mod block;
mod cut;
mod facts;
mod fence;
mod history;
mod memory;
mod neutral;
mod prompt;
mod rendered;
mod rules;
mod turn;

pub use answer::{AnswerFault, AnswerForm};
pub use block::{ContextStack, Slot};
pub use facts::{RunFacts, StepFact, TaskFacts};
pub use fence::{Fence, FenceError, Fenced};
pub use history::History;
pub use memory::{MEMORY_CHARS_MAX, MemoryText, MemoryTooLong};
pub use prompt::{Prompt, PromptError, PromptParts};
pub use rendered::{OfflineView, Rendered};
pub use rules::{RuleBook, RuleBookError, RuleFiles, RuleSheet};
pub use turn::UserTurn;
pub use wiiiv_domain::Speaker;
