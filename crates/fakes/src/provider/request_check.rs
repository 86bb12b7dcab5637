//! Checks a request against its interface's own rules: the path, the key's header, the fields.

use super::{
    anthropic, defaults::PROVIDER_KEY, dialect::Dialect, embeddings, google, models, openai,
    refusal::Refusal, responses,
};
use crate::loopback::header_text;
use axum::http::HeaderMap;
use serde_json::Value;

/// Names the version of Anthropic's interface.
const VERSION: &str = "anthropic-version";

/// `target`: the path, `?` and the query.
pub(super) fn check(
    dialect: Dialect,
    target: &str,
    headers: &HeaderMap,
    body: &Value,
) -> Result<(), Refusal> {
    check_key(dialect, headers)?;
    if embeddings::is_path(target.trim_end_matches('?')) {
        return embeddings::check(dialect, target, body);
    }
    match dialect {
        Dialect::OpenAi => openai::check(target, body, &openai::OWN),
        Dialect::Responses => responses::check(target, body),
        Dialect::Local => openai::check(target, body, &openai::COMPATIBLE),
        Dialect::Anthropic => anthropic::check(target, header_text(headers, VERSION), body),
        Dialect::Google => google::check(target, body),
    }
}

/// Checks a request for the list of models.
pub(super) fn check_list(
    dialect: Dialect,
    path_and_query: (&str, &str),
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    check_key(dialect, headers)?;
    models::check(dialect, path_and_query, header_text(headers, VERSION))
}

/// Only in the provider's own header.
fn check_key(dialect: Dialect, headers: &HeaderMap) -> Result<(), Refusal> {
    let key = match dialect {
        Dialect::Local => Some(PROVIDER_KEY),
        Dialect::OpenAi | Dialect::Responses => {
            header_text(headers, "authorization").and_then(|value| value.strip_prefix("Bearer "))
        }
        Dialect::Anthropic => header_text(headers, "x-api-key"),
        Dialect::Google => header_text(headers, "x-goog-api-key"),
    };
    if key == Some(PROVIDER_KEY) { Ok(()) } else { Err(Refusal::WrongKey) }
}
