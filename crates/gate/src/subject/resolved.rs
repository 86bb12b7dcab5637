//! The values of a step's arguments after its inputs are resolved.

use std::{collections::BTreeMap, fmt};

/// From argument name, as [`wiiiv_domain::StepParams::args`] gives it, to value. Values are texts of people and
/// services, so `Debug` hides them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Resolved(BTreeMap<String, String>);

impl Resolved {
    /// From argument name to text.
    #[must_use]
    pub const fn new(values: BTreeMap<String, String>) -> Self {
        Self(values)
    }
    /// The text of that argument.
    #[must_use]
    pub fn get(&self, arg: &str) -> Option<&str> {
        self.0.get(arg).map(String::as_str)
    }
    /// Every argument with its text, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(arg, value)| (arg.as_str(), value.as_str()))
    }
}

impl fmt::Debug for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.0.iter().map(|(arg, value)| (arg, value.len()));
        f.write_str("Resolved bytes ")?;
        f.debug_map().entries(sizes).finish()
    }
}
