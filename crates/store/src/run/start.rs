//! The evidence that an execution was started by an allowing decision.

use crate::{
    audit::{ALLOW, Voucher},
    error::StoreError,
};
use serde::Serialize;
use serde_json::Value;
use wiiiv_domain::ContentDigest;
use wiiiv_gate::ExecutionStarted;

/// As it is written with a start: the decision names everything in it.
#[derive(Serialize)]
struct Start<'a> {
    version: u32,
    execution: &'a Value,
    blueprint: &'a Value,
    digest: &'a Value,
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    took: Option<&'a Value>,
}

/// Of the evidence that a decision started an execution with.
pub(crate) fn start_of(decision: &Voucher) -> Result<ContentDigest, StoreError> {
    let allowed = decision.body().get("outcome").and_then(Value::as_str) == Some(ALLOW);
    let subject = decision.body().get("subject").filter(|_| allowed);
    let member = |name| subject.and_then(|subject| subject.get(name));
    let (Some(execution), Some(blueprint), Some(digest)) =
        (member("execution"), member("blueprint"), member("digest"))
    else {
        return Err(decision.changed());
    };
    let took = member("takes");
    let start = Start { version: ExecutionStarted::VERSION, execution, blueprint, digest, took };
    Ok(ContentDigest::of_bytes(&serde_json::to_vec(&start)?))
}
