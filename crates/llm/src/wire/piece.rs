//! What one event of an answer says, whoever said it; and what error texts have in common.

use serde_json::Value;

/// Statuses by which meanings are named.
pub(super) const WRONG_KEY: u16 = 401;
pub(super) const UNPAID: u16 = 402;
pub(super) const TOO_LONG: u16 = 413;
/// Where it does not say what went wrong.
pub(super) const BROKEN: u16 = 500;

/// Words by which providers say that a prompt is too long.
const LONG: [&str; 7] = [
    "context_length",
    "context length",
    "context size",
    "maximum context",
    "context window",
    "prompt is too long",
    "maximum number of tokens allowed",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Ended,
    /// At the tokens that it may have.
    Cut,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    /// `None` where it carries nothing of an answer.
    pub(crate) text: Option<String>,
    /// Of reasoning, which is paid for and not shown.
    pub(crate) hidden_bytes: u64,
    /// So far; `None` where this event does not say.
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
    pub(crate) stop: Option<Stop>,
    /// Nothing comes after it.
    pub(crate) last: bool,
}

pub(super) fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// Empty where there is none.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer)?.as_u64()
}

/// A number that is an error's status.
pub(super) fn status(value: &Value, pointer: &str) -> Option<u16> {
    let number = u16::try_from(count(value, pointer)?).ok()?;
    (400..600).contains(&number).then_some(number)
}

/// In lower case.
pub(super) fn says_too_long(words: &str) -> bool {
    LONG.iter().any(|known| words.contains(known))
}

/// Of an error that was refused as it stands, whether it says in words that it was too long.
pub(super) fn is_too_long(code: u16, words: &str) -> bool {
    matches!(code, 400 | 422) && says_too_long(&words.to_lowercase())
}
