//! The way of a permit: a claim, what the store committed of it, the permit, its run and its redemption.

pub(crate) mod authorized;
pub(crate) mod cap;
pub(crate) mod claim;
pub(crate) mod cleared;
pub(crate) mod committed;
pub(crate) mod ruled;
pub(crate) mod run;
pub(crate) mod seal;
pub(crate) mod start;
pub(crate) mod verifier;
