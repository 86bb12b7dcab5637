//! Composes answers from rows of the store.

pub(crate) mod advice;
pub(crate) mod answers;
pub(crate) mod audit_check;
pub(crate) mod decision;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod found_passages;
pub(crate) mod halts;
pub(crate) mod inbox;
pub(crate) mod journal;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod overrides;
pub(crate) mod overturned;
pub(crate) mod profile;
pub(crate) mod review;
pub(crate) mod risk;
pub(crate) mod rollout;
pub(crate) mod runs;
pub(crate) mod scope_list;
pub(crate) mod sse;
pub(crate) mod titles;
pub(crate) mod waiting;
