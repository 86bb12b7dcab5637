//! Anthropic's Messages.

use super::{
    defaults::PROVIDER_USED,
    fields::{at, expect, only},
    refusal::Refusal,
    stop_reason::StopReason,
};
use serde_json::{Value, json};

const FIELDS: [&str; 8] =
    ["model", "max_tokens", "system", "messages", "stream", "temperature", "tools", "tool_choice"];

pub(super) fn check(target: &str, version: Option<&str>, body: &Value) -> Result<(), Refusal> {
    expect(target == "v1/messages?", "no such path")?;
    expect(version == Some("2023-06-01"), "anthropic-version: header is required")?;
    only(body, &FIELDS)?;
    expect(at(body, "/model").is_string(), "model: field required")?;
    expect(at(body, "/max_tokens").is_u64(), "max_tokens: field required")?;
    expect(at(body, "/system").is_string(), "system: a text")?;
    let message = at(body, "/messages/0");
    only(message, &["role", "content"])?;
    expect(at(message, "/role") == "user", "messages: first message must use the \"user\" role")?;
    let is_image = at(message, "/content/0/source/media_type") == "image/png";
    expect(at(message, "/content").is_string() || is_image, "messages.0.content: a text")?;
    expect(at(body, "/messages/1").is_null(), "messages: roles must alternate")?;
    let Some(choice) = body.get("tool_choice") else { return Ok(()) };
    only(choice, &["type", "name", "disable_parallel_tool_use"])?;
    let tool = at(body, "/tools/0");
    only(tool, &["name", "description", "input_schema"])?;
    expect(at(tool, "/input_schema/type") == "object", "tools.0: input_schema of an object")?;
    expect(at(choice, "/name") == at(tool, "/name"), "tool_choice: no such tool")
}

pub(super) fn refused(refusal: &Refusal) -> (u16, Value) {
    let (status, kind, message) = match refusal {
        Refusal::Invalid(what) => (400, "invalid_request_error", what.as_str()),
        Refusal::TooLong => {
            (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")
        }
        Refusal::Declined => {
            (400, "invalid_request_error", "Output blocked by content filtering policy")
        }
        Refusal::WrongKey => (401, "authentication_error", "invalid x-api-key"),
        Refusal::Unpaid => (402, "billing_error", "There is an issue with your billing."),
        Refusal::Forbidden => (403, "permission_error", "Your API key does not have permission."),
        Refusal::NoSuchModel | Refusal::OtherInterface => (404, "not_found_error", "model: m"),
        Refusal::RateLimited(_) => {
            (429, "rate_limit_error", "This request would exceed your rate limit.")
        }
        Refusal::Broken => (500, "api_error", "Internal server error"),
        Refusal::Overloaded => (529, "overloaded_error", "Overloaded"),
    };
    (status, error(kind, message))
}

fn error(kind: &str, message: &str) -> Value {
    let error = json!({"type": kind, "message": message});
    json!({"type": "error", "error": error, "request_id": "req_1"})
}

fn event(data: &Value) -> String {
    let name = data.get("type").and_then(Value::as_str).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

fn message(content: &Value, stop: &Value, usage: &Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop, "stop_sequence": null, "usage": usage,
    })
}

fn start() -> String {
    // Part of the input is read from the cache; the output is counted at the end.
    let (input, _) = PROVIDER_USED;
    let usage = json!({
        "input_tokens": input - 40, "cache_creation_input_tokens": 10,
        "cache_read_input_tokens": 30, "output_tokens": 1,
    });
    let message = message(&json!([]), &Value::Null, &usage);
    event(&json!({"type": "message_start", "message": message}))
}

fn end(reason: &str) -> String {
    let (_, output) = PROVIDER_USED;
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    let usage = json!({"output_tokens": output});
    let delta = event(&json!({"type": "message_delta", "delta": delta, "usage": usage}));
    delta + &event(&json!({"type": "message_stop"}))
}

pub(super) fn opening() -> String {
    let block = json!({"type": "tool_use", "id": "toolu_1", "name": "propose", "input": {}});
    let block = json!({"type": "content_block_start", "index": 0, "content_block": block});
    start() + &event(&block) + &event(&json!({"type": "ping"})) + &piece("")
}

pub(super) fn piece(text: &str) -> String {
    let delta = json!({"type": "input_json_delta", "partial_json": text});
    event(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
}

pub(super) fn closing(stop: StopReason) -> String {
    let reason = match stop {
        StopReason::Complete => "tool_use",
        StopReason::TokenLimit => "max_tokens",
    };
    event(&json!({"type": "content_block_stop", "index": 0})) + &end(reason)
}

pub(super) fn whole(text: &str) -> Value {
    let (input, output) = PROVIDER_USED;
    let input_of_tool: Value = serde_json::from_str(text).unwrap_or_default();
    let block =
        json!({"type": "tool_use", "id": "toolu_1", "name": "propose", "input": input_of_tool});
    let usage = json!({"input_tokens": input, "output_tokens": output});
    message(&json!([block]), &json!("tool_use"), &usage)
}

pub(super) fn declined() -> String {
    start() + &end("refusal")
}

pub(super) fn failed_midway() -> String {
    event(&error("overloaded_error", "Overloaded"))
}
