//! Policies as the gates read them: the version of a project, and the books that every ruling stands on.

pub(crate) mod base_book;
pub(crate) mod policy;
pub(crate) mod policy_snapshot;
pub(crate) mod prices;
