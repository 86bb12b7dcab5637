//! Conversations: their rows, lease, journal and search.

pub(crate) mod conversation;
pub(crate) mod crash_recovery;
pub(crate) mod journal;
pub(crate) mod lease;
pub(crate) mod pending_journal;
pub(crate) mod replay;
pub(crate) mod request_text;
pub(crate) mod risk;
pub(crate) mod row;
pub(crate) mod search;
pub(crate) mod take_over;
