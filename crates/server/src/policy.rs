//! Policies as text to edit, and the changes between two of them.

mod changes;
mod text;

pub(crate) use changes::{changes, lines};
pub(crate) use text::{TextFault, place_of_rule, read, write};
