//! The four gates: what allows, and the first reason that does not.

pub(crate) mod approval;
pub(crate) mod cost;
pub(crate) mod dacs;
pub(crate) mod permission;
