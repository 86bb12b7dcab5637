//! OpenAI's Chat Completions, and those of compatible servers.

use super::{
    defaults::PROVIDER_USED,
    fields::{at, expect, only},
    refusal::Refusal,
    stop_reason::StopReason,
};
use serde_json::{Value, json};

pub(super) struct Rules {
    /// The field with the limit of output tokens.
    limit: &'static str,
    known: &'static [&'static str],
}

/// OpenAI itself; its newer models refuse `max_tokens`.
pub(super) const OWN: Rules = Rules {
    limit: "max_completion_tokens",
    known: &[
        "model",
        "messages",
        "max_completion_tokens",
        "temperature",
        "stream",
        "stream_options",
        "response_format",
        "store",
        "reasoning_effort",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
    ],
};
/// The fields that Ollama documents.
pub(super) const COMPATIBLE: Rules = Rules {
    limit: "max_tokens",
    known: &[
        "model",
        "messages",
        "max_tokens",
        "temperature",
        "stream",
        "stream_options",
        "response_format",
        "tools",
        "tool_choice",
    ],
};

pub(super) fn check(target: &str, body: &Value, rules: &Rules) -> Result<(), Refusal> {
    expect(target == "v1/chat/completions?", "no such path")?;
    only(body, rules.known)?;
    expect(at(body, "/model").is_string(), "you must provide a model parameter")?;
    if at(body, "/model").as_str().is_some_and(|model| model.contains("-codex")) {
        return Err(Refusal::OtherInterface);
    }
    expect(at(body, &format!("/{}", rules.limit)).is_u64(), "the limit of tokens is no number")?;
    for (nth, role) in ["system", "user"].into_iter().enumerate() {
        let message = at(body, &format!("/messages/{nth}"));
        only(message, &["role", "content"])?;
        expect(at(message, "/role") == role, "the roles are `system` and `user`")?;
        let picture = at(message, "/content/1/image_url/url").as_str();
        let is_image = picture.is_some_and(|url| url.starts_with("data:image/png;base64,"));
        let has = at(message, "/content").is_string() || (role == "user" && is_image);
        expect(has, "a message has a content")?;
    }
    if let Some(format) = body.get("response_format") {
        expect(at(format, "/type") == "json_schema", "the format is a schema")?;
        expect(at(format, "/json_schema/name").is_string(), "a schema has a name")?;
        expect(at(format, "/json_schema/schema/type") == "object", "a schema is of an object")?;
    }
    let efforts = ["none", "minimal", "low", "medium", "high", "xhigh"];
    let effort = body.get("reasoning_effort").and_then(Value::as_str);
    expect(effort.is_none_or(|effort| efforts.contains(&effort)), "no such effort")?;
    if let Some(choice) = body.get("tool_choice") {
        let tool = at(body, "/tools/0");
        expect(at(tool, "/type") == "function", "a tool is a function")?;
        expect(at(tool, "/function/parameters/type") == "object", "parameters are an object")?;
        let same = at(choice, "/function/name") == at(tool, "/function/name");
        expect(at(choice, "/type") == "function" && same, "the choice names a tool")?;
    }
    let streams = at(body, "/stream") == true;
    let options = body.get("stream_options").is_none() || streams;
    expect(options, "stream_options is only allowed when stream is enabled")
}

pub(super) fn refused(refusal: &Refusal) -> (u16, Value) {
    let (status, kind, code, message) = match refusal {
        Refusal::Invalid(what) => (400, "invalid_request_error", json!(null), what.as_str()),
        Refusal::TooLong => (
            400,
            "invalid_request_error",
            json!("context_length_exceeded"),
            "This model's maximum context length is 128000 tokens.",
        ),
        Refusal::Declined => (
            400,
            "invalid_request_error",
            json!("invalid_prompt"),
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        ),
        Refusal::WrongKey => (
            401,
            "invalid_request_error",
            json!("invalid_api_key"),
            "Incorrect API key provided: sk-canar*****9e2a.",
        ),
        Refusal::Unpaid => (
            429,
            "insufficient_quota",
            json!("insufficient_quota"),
            "You exceeded your current quota, please check your plan and billing details.",
        ),
        Refusal::Forbidden => (
            403,
            "invalid_request_error",
            json!("unsupported_country_region_territory"),
            "Country, region, or territory not supported",
        ),
        Refusal::NoSuchModel => (
            404,
            "invalid_request_error",
            json!("model_not_found"),
            "The model `m` does not exist or you do not have access to it.",
        ),
        Refusal::OtherInterface => (
            404,
            "invalid_request_error",
            json!(null),
            "This model is only supported in v1/responses and not in v1/chat/completions.",
        ),
        Refusal::RateLimited(_) => (
            429,
            "requests",
            json!("rate_limit_exceeded"),
            "Rate limit reached for requests. Please try again in 1s.",
        ),
        Refusal::Broken => (
            500,
            "server_error",
            json!(null),
            "The server had an error while processing your request.",
        ),
        Refusal::Overloaded => (
            503,
            "service_unavailable_error",
            json!("server_is_overloaded"),
            "The engine is currently overloaded, please try again later.",
        ),
    };
    let error = json!({"message": message, "type": kind, "param": null, "code": code});
    (status, json!({"error": error}))
}

fn event(choices: &Value, usage: &Value) -> String {
    let chunk = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_763_000_000,
        "model": "m", "system_fingerprint": "fp_1", "choices": choices, "usage": usage,
    });
    format!("data: {chunk}\n\n")
}

fn delta(delta: &Value, finish: &Value) -> String {
    let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish});
    event(&json!([choice]), &Value::Null)
}

fn used() -> Value {
    let (input, output) = PROVIDER_USED;
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}

const fn finish(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Complete => "stop",
        StopReason::TokenLimit => "length",
    }
}

pub(super) fn opening() -> String {
    delta(&json!({"role": "assistant", "content": "", "refusal": null}), &Value::Null)
}

/// Opens the call of the only tool; its arguments follow.
pub(super) fn calling() -> String {
    let call = json!([call("")]);
    let opens = json!({"role": "assistant", "content": null, "tool_calls": call, "refusal": null});
    delta(&opens, &Value::Null)
}

fn call(arguments: &str) -> Value {
    let function = json!({"name": "propose", "arguments": arguments});
    json!({"index": 0, "id": "call_1", "type": "function", "function": function})
}

pub(super) fn argument(text: &str) -> String {
    let call = json!({"index": 0, "function": {"arguments": text}});
    delta(&json!({"tool_calls": [call]}), &Value::Null)
}

pub(super) fn piece(text: &str) -> String {
    delta(&json!({"content": text}), &Value::Null)
}

pub(super) fn closing(stop: StopReason) -> String {
    let last = delta(&json!({}), &json!(finish(stop)));
    format!("{last}{}data: [DONE]\n\n", event(&json!([]), &used()))
}

pub(super) fn whole(text: &str, calls: bool) -> Value {
    let mut message =
        json!({"role": "assistant", "content": text, "refusal": null, "annotations": []});
    if let (true, Some(message)) = (calls, message.as_object_mut()) {
        message.insert("content".to_owned(), Value::Null);
        message.insert("tool_calls".to_owned(), json!([call(text)]));
    }
    let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": "stop"});
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_763_000_000, "model": "m",
        "choices": [choice], "usage": used(), "service_tier": "default",
    })
}

pub(super) fn declined() -> String {
    let refusal = delta(&json!({"refusal": "I'm sorry, I can't help with that."}), &Value::Null);
    format!("{}{refusal}{}", opening(), closing(StopReason::Complete))
}

pub(super) fn failed_midway() -> String {
    let error =
        json!({"message": "The server had an error.", "type": "server_error", "code": null});
    format!("data: {}\n\n", json!({"error": error}))
}
