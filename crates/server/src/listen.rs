//! Connections: their number, and the limits of each.

pub(crate) mod connections;
pub(crate) mod headers;
pub(crate) mod serve;
pub(crate) mod slot_counts;
pub(crate) mod slots;
pub(crate) mod timed_body;
pub(crate) mod trace;
