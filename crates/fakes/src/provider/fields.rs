//! Checks of a request's JSON fields.

use super::refusal::Refusal;
use serde_json::Value;

/// The object has no other fields than these.
pub(super) fn only(object: &Value, known: &[&str]) -> Result<(), Refusal> {
    let Some(fields) = object.as_object() else {
        return Err(Refusal::Invalid("an object is expected".to_owned()));
    };
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Refusal::Invalid(format!("{name}: extra inputs are not permitted"))),
        None => Ok(()),
    }
}

pub(super) fn expect(holds: bool, what: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Invalid(what.to_owned())) }
}

/// The value at a pointer, or null.
pub(super) fn at<'v>(body: &'v Value, pointer: &str) -> &'v Value {
    body.pointer(pointer).unwrap_or(&Value::Null)
}
