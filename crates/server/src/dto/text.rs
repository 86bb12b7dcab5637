//! Texts from people, with checked length.

use crate::problem::Problem;

/// Trimmed, not empty, at most `max` characters, on one line.
pub(crate) fn label(field: &str, text: &str, max: usize) -> Result<String, Problem> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= max;
    if fits && !text.chars().any(char::is_control) {
        Ok(text.to_owned())
    } else {
        Err(Problem::field(field, format!("1 to `{max}` characters on one line")))
    }
}

/// Trimmed, at most `max` characters; may be empty where it is not `required`.
pub(crate) fn prose(
    field: &str,
    text: &str,
    max: usize,
    required: bool,
) -> Result<String, Problem> {
    let text = text.trim();
    if text.chars().count() <= max && !(required && text.is_empty()) {
        Ok(text.to_owned())
    } else {
        let least = u8::from(required);
        Err(Problem::field(field, format!("`{least}` to `{max}` characters")))
    }
}
