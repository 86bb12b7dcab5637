//! Labels of systems, operations and fields, and errors of a registration.

use crate::lang::Lang;

/// The most aliases of a system, and labels of an operation.
pub const LABELS_MAX: usize = 16;

/// The longest alias, label or operation id, in Unicode scalar values.
pub const LABEL_CHARS_MAX: usize = 64;

/// The first word written in that language's letters, else the first word.
pub(crate) fn spoken(words: &[String], lang: Lang) -> Option<&str> {
    let of_it = |word: &&String| match lang {
        Lang::Ko => !word.is_ascii(),
        Lang::En => word.is_ascii(),
    };
    words.iter().find(of_it).or_else(|| words.first()).map(String::as_str)
}

/// What is wrong with a registration; the text names the field and the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SystemError {
    /// Not a valid name of a system; holds the text.
    #[error(
        "a system's name is 1 to 32 of `a-z`, `0-9`, `-` and `_`, a letter first: `{0}` is none"
    )]
    Name(String),
    /// A list is too long.
    #[error("`{field}` holds `{found}` entries, at most `{max}` are kept")]
    TooMany {
        /// The list, as the JSON names it.
        field: &'static str,
        /// How many entries it has.
        found: usize,
        /// How many are allowed.
        max: usize,
    },
    /// An empty, long or unprintable text.
    #[error("`{field}` is 1 to `{LABEL_CHARS_MAX}` characters without control characters")]
    Label {
        /// The field, as the JSON names it.
        field: &'static str,
    },
    /// Two systems, or two aliases, share this word.
    #[error("the alias or name `{0}` is used twice")]
    Twice(String),
    /// One operation breaks a rule.
    #[error("operation `{id}`: {why}")]
    Operation {
        /// Its id, shortened.
        id: String,
        /// The rule.
        why: &'static str,
    },
    /// The base address breaks this rule.
    #[error("base address: {0}")]
    BaseUrl(&'static str),
    /// The authentication breaks this rule.
    #[error("authentication: {0}")]
    Authentication(&'static str),
}

pub(crate) fn bounded(field: &'static str, found: usize, max: usize) -> Result<(), SystemError> {
    if found > max { Err(SystemError::TooMany { field, found, max }) } else { Ok(()) }
}

/// Of an operation, a field or a value.
pub(crate) fn labels(all: &[String]) -> Result<(), SystemError> {
    bounded("labels", all.len(), LABELS_MAX)?;
    all.iter().try_for_each(|text| label("labels", text))
}

pub(crate) fn label(field: &'static str, text: &str) -> Result<(), SystemError> {
    let fits = (1..=LABEL_CHARS_MAX).contains(&text.chars().count());
    let plain = !text.chars().any(char::is_control) && !text.contains(',');
    if fits && plain && !text.trim().is_empty() {
        Ok(())
    } else {
        Err(SystemError::Label { field })
    }
}
