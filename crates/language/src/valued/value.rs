//! A value where it is said.

use std::ops::Range;

/// Rows that hold it.
pub(crate) struct Value<'r> {
    pub(super) field: &'r str,
    /// As JSON has it.
    pub(super) value: &'r str,
    pub(super) same: bool,
    /// What denies it.
    pub(super) denied: Option<usize>,
    /// The value itself.
    pub(super) word: Range<usize>,
    /// With its field and what denies it.
    pub(super) said: Range<usize>,
    /// Another field has a value that is called so.
    pub(super) several: bool,
}

impl Value<'_> {
    pub(super) fn deny(&mut self, by: usize) {
        self.denied = Some(by);
        self.said = self.said.start.min(by)..self.said.end.max(by + 1);
        (self.value, self.same) = turned(self.value);
    }
}

/// A value that is denied, and whether rows hold it: what is not true is false.
pub(super) fn turned(value: &str) -> (&str, bool) {
    match value {
        "true" => ("false", true),
        "false" => ("true", true),
        value => (value, false),
    }
}
