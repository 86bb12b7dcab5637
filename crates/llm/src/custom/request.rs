//! The request's body: `POST .../chat/completions`.

use super::{Exchange, fault::Fault};
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use wiiiv_context::{PROPOSAL_SCHEMA, Rendered};
use wiiiv_net::{Bytes, ProviderRequest};

/// What one stream may carry, in bytes: an answer of `PROPOSAL_BYTES_MAX` and its wrapping.
const WIRE_BYTES_MAX: usize = 16 * 1_048_576;

/// `plain`: for servers that refuse what not all of them know.
pub(super) fn request(
    exchange: &Exchange<'_>,
    prompt: &impl Rendered,
    plain: bool,
) -> Result<ProviderRequest, Fault> {
    let body = body(exchange, prompt, plain).map_err(|_| Fault::Unsendable)?;
    let mut request = ProviderRequest::new(exchange.url.clone(), None, Bytes::from(body));
    request.total = Some(exchange.options.deadline);
    request.max_bytes = WIRE_BYTES_MAX;
    Ok(request)
}

fn body(
    exchange: &Exchange<'_>,
    prompt: &impl Rendered,
    plain: bool,
) -> Result<Vec<u8>, serde_json::Error> {
    let raw = |value: Value| serde_json::value::to_raw_value(&value);
    let messages = json!([
        {"role": "system", "content": prompt.system()},
        {"role": "user", "content": prompt.user()},
    ]);
    let mut fields = BTreeMap::from([
        ("model", raw(json!(exchange.call.model))?),
        ("messages", raw(messages)?),
        ("max_tokens", raw(json!(exchange.call.max_output_tokens))?),
        ("temperature", raw(json!(0))?),
        ("stream", raw(json!(true))?),
    ]);
    if !plain {
        fields.insert("stream_options", raw(json!({"include_usage": true}))?);
        fields.insert("response_format", response_format()?);
    }
    serde_json::to_vec(&fields)
}

/// The schema word for word: its order, `action` first, is part of what it says.
fn response_format() -> Result<Box<RawValue>, serde_json::Error> {
    let name = "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"proposal\",\"schema\":";
    RawValue::from_string(format!("{name}{}}}}}", PROPOSAL_SCHEMA.trim()))
}
