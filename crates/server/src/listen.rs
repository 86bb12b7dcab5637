//! Connections: how many there may be, and what each of them has to keep.

pub(crate) mod connections;
pub(crate) mod headers;
pub(crate) mod serve;
pub(crate) mod streams;
pub(crate) mod timed_body;
pub(crate) mod trace;
