//! The input of one decision.

use crate::{
    base::policy_snapshot::PolicySnapshot,
    context::Judged,
    permit::{seal::Seal, start::Start},
};
use wiiiv_domain::RulingId;

/// The input of one decision.
pub(crate) struct Case<'a> {
    pub seal: &'a Seal,
    pub ruling: RulingId,
    pub policy: &'a PolicySnapshot,
    pub judged: Judged,
    pub start: Start,
}
