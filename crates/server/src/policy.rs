//! A policy as text that people edit, and what changed from one to another.

mod changes;
mod text;

pub(crate) use changes::{changes, lines};
pub(crate) use text::{TextFault, read, write};
