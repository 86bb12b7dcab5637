//! Invariant: a service receives only tokens that it issued. A token that it does not know belongs to
//! another service.

use super::evidence::Evidence;
use crate::verdict::Violated;
use serde_json::json;
use wiiiv_fakes::TokenState;

pub(super) const FOREIGN_TOKEN: &str = "foreign_token";

pub(super) fn foreign(evidence: &Evidence) -> Option<Violated> {
    let mut calls =
        evidence.calls.iter().flat_map(|(name, calls)| calls.iter().map(move |c| (name, c)));
    let (service, call) = calls.find(|(_, call)| call.token == TokenState::Invalid)?;
    let seen = json!({ "service": service, "call": call.to_json(), "token": call.token });
    Some(Violated::new(FOREIGN_TOKEN, "a token that this service gave, or none", seen))
}
