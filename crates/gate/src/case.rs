//! What is decided on.

use crate::{facts::GateFacts, policy_snapshot::PolicySnapshot, seal::Seal, start::Start};
use wiiiv_domain::{ContentDigest, RulingId};

/// What is decided on.
pub(crate) struct Case<'a> {
    pub seal: &'a Seal,
    pub ruling: RulingId,
    pub policy: &'a PolicySnapshot,
    pub facts: GateFacts,
    pub facts_digest: ContentDigest,
    pub start: Start,
}
