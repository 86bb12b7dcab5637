//! One event of an answer, in a form that all providers share.

use super::meaning::Meaning;
use serde_json::Value;

/// The longest name that a model may have, in bytes; a longer one is none.
const MODEL_BYTES_MAX: usize = 128;

/// How an answer ended; of several that are told, the worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stop {
    Ended,
    /// At the tokens that it may have.
    Cut,
    /// For a reason of the provider's own.
    Odd,
    /// The model's context was full.
    Overflowed,
    Declined,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    /// `None` where it carries nothing of an answer.
    pub(crate) text: Option<String>,
    /// Of reasoning and refusals, which are paid for and not shown.
    pub(crate) hidden_bytes: u64,
    /// So far; `None` where this event does not say.
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) stop: Option<Stop>,
    /// Who answers, as it calls itself.
    pub(crate) model: Option<String>,
    /// Served by one that cuts a prompt that is longer than its context, and does not say so.
    pub(crate) cuts_prompts: bool,
    /// Nothing comes after it.
    pub(crate) last: bool,
}

impl Piece {
    /// Something of an answer, or of the reasoning behind it.
    pub(crate) fn says_something(&self) -> bool {
        self.hidden_bytes > 0 || self.text.as_ref().is_some_and(|text| !text.is_empty())
    }

    /// Work was done for it that is paid for, though nothing of it may be seen.
    pub(crate) const fn is_work(&self) -> bool {
        self.text.is_some()
            || self.hidden_bytes > 0
            || self.input_tokens.is_some()
            || self.output_tokens.is_some()
    }
}

/// Why an event is no piece of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoPiece {
    Unreadable,
    /// An error in place of an answer, under a status that says that all is well.
    Told(Meaning),
}

pub(super) fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// Empty where there is none.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn model(value: &Value, pointer: &str) -> Option<String> {
    let name = text(value, pointer);
    let fits = !name.is_empty() && name.len() <= MODEL_BYTES_MAX;
    fits.then(|| name.to_owned())
}

pub(super) fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer)?.as_u64()
}

/// A number that is an error's status; some write it as a text.
pub(super) fn status(value: &Value, pointer: &str) -> Option<u16> {
    let number = match count(value, pointer) {
        Some(number) => u16::try_from(number).ok()?,
        None => text(value, pointer).parse().ok()?,
    };
    (400..600).contains(&number).then_some(number)
}
