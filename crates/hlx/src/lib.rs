//! Plans: drawing one from a spec, validating, explaining and previewing it, and stepping it.
//!
//! Pure: no file system, no clock, no randomness, no await. An expression in jq syntax is parsed
//! and compiled here and never evaluated.

mod draw;
mod explain;
mod jq;
mod language;
mod preview;
mod request;
mod run;
mod sentence;
mod validate;

pub use draw::{
    BOUND_DEFAULT_BYTES, DRAWABLE, DrawFacts, EarlierRun, EarlierStep, LISTING, Registered,
    appends, draw, latest, pinned, registered,
};
pub use explain::explain;
pub use jq::{EXPR_BYTES_MAX, EXPR_TOKENS_MAX, JqError, check_expr};
pub use language::{Lang, Localized};
pub use preview::{
    COMPARED_LINES_MAX, CredentialKind, DIFF_LINES_MAX, DiffLine, EarlierOutputs, FileChange, Held,
    LineChange, PreImages, Preview, PreviewCredential, PreviewRequest, PreviewStep, PreviewValue,
    TEXT_LINE_CHARS_MAX, TEXT_LINES_MAX, earlier, headline, neutralise, preview, scope,
};
pub use request::{answer_text, body_fault, body_of, filled, form, form_text, is_schema};
pub use run::{
    AttemptFact, CancelSource, PARALLEL_STEPS_MAX, Resolution, RunEffect, RunEvent, RunState,
    advance,
};
pub use validate::{PlanError, RETRY_ATTEMPTS_MAX, RETRY_BACKOFF_MS_MAX, validate};
