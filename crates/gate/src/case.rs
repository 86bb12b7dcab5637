//! The input of one decision.

use crate::{
    base::policy_snapshot::PolicySnapshot,
    facts::GateFacts,
    permit::{seal::Seal, start::Start},
};
use wiiiv_domain::{ContentDigest, RulingId};

/// The input of one decision.
pub(crate) struct Case<'a> {
    pub seal: &'a Seal,
    pub ruling: RulingId,
    pub policy: &'a PolicySnapshot,
    pub facts: GateFacts,
    pub facts_digest: ContentDigest,
    pub start: Start,
}
