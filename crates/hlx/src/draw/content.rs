//! The content of a file or a request body, apart from bound outputs.

use super::reason;
use crate::jq::check_expr;
use wiiiv_domain::{NotDrawn, Spec};

/// The expression of the slot `select` or `when`, checked.
pub(super) fn expression(spec: &Spec, slot: &'static str) -> Result<Option<String>, NotDrawn> {
    let Some(expr) = spec.slots.get(slot) else { return Ok(None) };
    check_expr(expr).map_err(|error| reason::slot(slot, error.code()))?;
    Ok(Some(expr.to_owned()))
}

pub(super) fn is_json(text: &str) -> bool {
    let opens = text.trim_start().starts_with(['{', '[']);
    opens && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

pub(super) const fn media_type(json: bool) -> &'static str {
    if json { "application/json" } else { "text/plain; charset=utf-8" }
}
