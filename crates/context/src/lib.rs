//! Renders everything that a model reads, from typed parts. Pure: the fence and the token counter
//! are arguments.
//!
//! - [`RuleBook`], [`RuleSheet`]: rule texts from `prompts/`, the same bytes in every call.
//! - [`PromptParts`]: the parts below the rules: memory, profile, older turns, systems, task, requested changes, facts,
//!   history, message.
//! - [`Dialogue`]: a conversation, of which the last messages stay as they are; [`LongTerm`] is the rest of it in short:
//!   a [`Summary`] that keeps every fact of safety, and the turns that are near to a message.
//! - [`Passages`]: what was found in documents: few, the best first and last, numbered, within their share.
//! - [`Prompt`]: rules and parts in a fixed order; [`Rendered`] is the text that is sent.
//! - [`TokenPlan`]: what each part gets and takes of the tokens; [`Grants`] shares them.
//! - [`PersonaPrompt`]: rules and the fenced spec, for one reviewing persona; [`CheckPrompt`]: an answer and what it was
//!   made of, for whoever looks at it before it is given; [`JudgementPrompt`]: the same for whoever measures one.
//! - [`Intent`]: how a question wants to be answered; [`guardrails`]: which rules of a field a project's policy chooses.
//! - [`Fence`], [`Fenced`]: no text below the rules can close its fence or become a rule.
//! - [`SecretPatterns`]: keys that are removed from foreign text.
//!
//! Begin reading at `prompt.rs`, then `parts.rs` and `fence.rs`.

mod answer_words;
mod bare;
mod check;
mod checked;
mod dialogue;
mod fence;
mod guardrail;
mod intent;
mod judgement;
mod layout;
mod limits;
mod line;
mod long_term;
mod meaning;
mod memory;
mod neutral;
mod older;
mod parts;
mod passages;
mod persona;
mod plain_words;
mod plan;
mod profile;
mod profile_schemas;
mod prompt;
mod related;
mod rendered;
mod repair;
mod rules;
mod secrets;
mod sentence;
mod shape;
mod stage;
mod summary;
mod systems;

pub use answer_words::{AnswerWords, answer_words};
pub use check::CheckPrompt;
pub use checked::CheckedAnswer;
pub use dialogue::{Dialogue, HISTORY_MESSAGES_MAX, RECENT_MESSAGES_MAX};
pub use fence::{Fence, FenceFormat, Fenced, Label};
pub use guardrail::{breaks_guardrail, guardrails};
pub use intent::Intent;
pub use judgement::JudgementPrompt;
pub use line::{Line, LineKind};
pub use long_term::LongTerm;
pub use meaning::TurnVectors;
pub use memory::MemoryBlocks;
pub use parts::{PromptParts, RunFacts, StepFact, TaskFacts};
pub use passages::{
    OpenSearchFault, PASSAGES_DEFAULT, PASSAGES_SHOWN_MAX, PassageFormat, PassageHit,
    PassageOptions, Passages, bracketed_numbers, has_slides, open_search_hits,
};
pub use persona::PersonaPrompt;
pub use plan::{
    Grants, Part, PartSizes, PlanBounds, PlanRefusal, PlannedPart, TOTAL_TOKENS_DEFAULT,
    TOTAL_TOKENS_MIN, TokenCounter, TokenPlan,
};
pub use profile::{PROFILE_SHOWN_CHARS_MAX, ProfileBlock};
pub use profile_schemas::{profile_schema, profile_schemas};
pub use prompt::{PROMPT_TOKENS_MAX, Prompt, PromptError};
pub use related::{RELATED_MAX, RelatedTurn};
pub use rendered::{REPAIR_TOKENS_RESERVED, Rendered};
pub use repair::RepairPrompt;
pub use rules::{PROPOSAL_BOUNDS, RuleBook, RuleSheet};
pub use secrets::{
    OUTPUT_READ_BYTES_MAX, Pattern, SECRET_MARK, SecretPatterns, SecretsError, holds_secret,
    keeps_secret, secret_patterns,
};
pub use shape::{
    AnswerShape, CHECK, JUDGEMENT, OPINION, PROFILE_PROPOSAL, PROPOSAL, PROPOSAL_SCHEMA,
};
pub use stage::{Stage, StageNote, StageReason};
pub use summary::{SafetyFacts, Summary};
pub use systems::SYSTEMS_SHOWN_BYTES_MAX;
pub use wiiiv_domain::Speaker;
