//! The only way to write: boundaries, their commit, and the queue before it.

pub(crate) mod apply;
pub(crate) mod boundary;
pub(crate) mod commit;
pub(crate) mod counters;
pub(crate) mod fault;
pub(crate) mod point;
pub(crate) mod queue;
pub(crate) mod refused;
pub(crate) mod write_transaction;
