//! A service is shown its own tokens and nothing else: one that it turns away has been seen by
//! somebody whom it was not for.

use super::evidence::Evidence;
use crate::{services::TokenState, verdict::Violated};
use serde_json::json;

pub(super) const FOREIGN_TOKEN: &str = "foreign_token";

pub(super) fn foreign(evidence: &Evidence) -> Option<Violated> {
    let mut calls =
        evidence.calls.iter().flat_map(|(name, calls)| calls.iter().map(move |c| (name, c)));
    let (service, call) = calls.find(|(_, call)| call.token == TokenState::Invalid)?;
    let seen = json!({ "service": service, "call": call.told(), "token": call.token });
    Some(Violated::new(FOREIGN_TOKEN, "a token that this service gave, or none", seen))
}
