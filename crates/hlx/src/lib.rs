//! Plans: drawn from a spec, validated, explained, previewed and stepped.
//!
//! - [`draw()`]: a spec and [`DrawFacts`] give nodes; [`validate()`] checks them, [`PlanError`]
//!   says why not.
//! - [`preview()`]: the [`Preview`] that a person sees before a yes; [`explain()`]: the plan in
//!   words.
//! - [`advance`]: a [`RunState`] and a [`RunEvent`] give the next state and [`RunEffect`]s.
//! - [`editable()`]: which values whoever is asked may change; [`is_same_but_for_values`]: whether no
//!   more was changed.
//! - [`provenance()`]: which values of a plan did not come from the user's words.
//! - [`check_expr`]: whether a jq expression may be part of a plan.
//!
//! Pure: no file system, no clock, no randomness, no await. jq expressions are parsed and compiled
//! here and never evaluated.
//! Begin reading at `draw.rs`, then `validate.rs` and `run/advance.rs`.

mod bound_text;
mod draw;
mod edit;
mod explain;
mod jq;
mod language;
mod preview;
mod provenance;
mod request;
mod run;
mod sentence;
mod validate;

pub use draw::facts::{BOUND_DEFAULT_BYTES, DrawFacts, EarlierRun, EarlierStep};
pub use draw::{DRAWABLE, LISTING, Registered, appends, draw, latest, pinned, registered};
pub use edit::{editable, is_same_but_for_values};
pub use explain::explain;
pub use jq::{EXPR_BYTES_MAX, EXPR_TOKENS_MAX, JqError, check_expr};
pub use language::{Lang, Localized};
pub use preview::pre_image::{PathContent, PreImages};
pub use preview::{
    COMPARED_LINES_MAX, CredentialKind, DIFF_LINES_MAX, DiffLine, DocumentName, DocumentNames,
    EarlierOutputs, FileChange, LineChange, Preview, PreviewCredential, PreviewEdit, PreviewMark,
    PreviewRequest, PreviewStep, PreviewValue, TEXT_LINE_CHARS_MAX, TEXT_LINES_MAX, earlier,
    headline, neutralise, preview, scope,
};
pub use provenance::{Edge, UserWords, is_said, of_names, provenance};
pub use request::{answer_text, body_fault, body_of, filled, form, form_text, is_schema};
pub use run::{
    APPROVAL_REVOKED, AttemptFact, CancelSource, PARALLEL_STEPS_MAX, Resolution, RunEffect,
    RunEvent, RunState, advance,
};
pub use validate::limits::{RETRY_ATTEMPTS_MAX, RETRY_BACKOFF_MS_MAX};
pub use validate::{PlanError, validate};
