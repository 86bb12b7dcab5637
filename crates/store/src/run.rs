//! Plans, their executions and attempts, and the evidence for rulings.

pub(crate) mod attempt;
pub(crate) mod blueprint;
pub(crate) mod evidence;
pub(crate) mod execution;
pub(crate) mod opinion;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod touching;
