//! OpenAI's Responses. Errors before a stream are those of Chat Completions.

use super::{
    defaults::PROVIDER_USED,
    fields::{at, expect, only},
    refusal::Refusal,
    stop_reason::StopReason,
};
use serde_json::{Value, json};

const KNOWN: [&str; 12] = [
    "model",
    "instructions",
    "input",
    "max_output_tokens",
    "temperature",
    "stream",
    "store",
    "text",
    "reasoning",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
];
/// The lowest limit that a request may have.
const OUTPUT_TOKENS_MIN: u64 = 16;

pub(super) fn check(target: &str, body: &Value) -> Result<(), Refusal> {
    expect(target == "v1/responses?", "no such path")?;
    only(body, &KNOWN)?;
    expect(at(body, "/model").is_string(), "you must provide a model parameter")?;
    let limit = at(body, "/max_output_tokens").as_u64();
    expect(
        limit.is_some_and(|limit| limit >= OUTPUT_TOKENS_MIN),
        "the limit of tokens is too low",
    )?;
    expect(at(body, "/instructions").is_string(), "instructions are a text")?;
    let message = at(body, "/input/0");
    only(message, &["role", "content"])?;
    expect(at(message, "/role") == "user", "the role is `user`")?;
    let is_image = at(message, "/content/1/type") == "input_image";
    expect(at(message, "/content").is_string() || is_image, "a message has a content")?;
    let efforts = ["none", "low", "medium", "high", "xhigh"];
    let effort = at(body, "/reasoning/effort").as_str();
    expect(effort.is_none_or(|effort| efforts.contains(&effort)), "no such effort")?;
    if let Some(choice) = body.get("tool_choice") {
        let tool = at(body, "/tools/0");
        expect(at(tool, "/type") == "function", "a tool is a function")?;
        expect(at(tool, "/parameters/type") == "object", "parameters are an object")?;
        expect(at(choice, "/name") == at(tool, "/name"), "the choice names a tool")?;
    }
    if body.get("text").is_some() {
        let format = at(body, "/text/format");
        expect(at(format, "/type") == "json_schema", "the format is a schema")?;
        expect(at(format, "/name").is_string(), "a schema has a name")?;
        expect(at(format, "/schema/type") == "object", "a schema is of an object")?;
        expect(at(format, "/strict") == false, "the schema is none that can be strict")?;
    }
    expect(at(body, "/stream") == true, "it is asked to stream")
}

fn event(kind: &str, mut fields: Value) -> String {
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("type".to_owned(), json!(kind));
        fields.insert("sequence_number".to_owned(), json!(0));
    }
    format!("event: {kind}\ndata: {fields}\n\n")
}

fn response(status: &str, output: &Value) -> Value {
    let (input, written) = PROVIDER_USED;
    let usage = json!({
        "input_tokens": input, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": written, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + written,
    });
    let cut = json!({"reason": "max_output_tokens"});
    json!({
        "id": "resp_1", "object": "response", "created_at": 1_763_769_600, "status": status,
        "error": null, "incomplete_details": if status == "incomplete" { cut } else { Value::Null },
        "model": "gpt-5.3-codex", "output": output, "store": false,
        "usage": if status == "in_progress" { Value::Null } else { usage },
    })
}

fn message(part: &Value) -> Value {
    json!([
        {"id": "rs_1", "type": "reasoning", "summary": []},
        {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
         "content": [part]},
    ])
}

fn text_output(text: &str) -> Value {
    message(&json!({"type": "output_text", "text": text, "annotations": []}))
}

pub(super) fn opening() -> String {
    let begun = response("in_progress", &json!([]));
    let item = json!({"id": "rs_1", "type": "reasoning", "summary": []});
    [
        event("response.created", json!({"response": begun})),
        event("response.in_progress", json!({"response": begun})),
        event("response.output_item.added", json!({"output_index": 0, "item": item})),
    ]
    .concat()
}

/// Opens the call of the only tool; its arguments follow.
pub(super) fn calling() -> String {
    let item = json!({"output_index": 1, "item": call("in_progress", "")});
    opening() + &event("response.output_item.added", item)
}

fn call(status: &str, arguments: &str) -> Value {
    json!({
        "id": "fc_1", "call_id": "call_1", "type": "function_call", "status": status,
        "name": "propose", "arguments": arguments,
    })
}

pub(super) fn argument(text: &str) -> String {
    let at = json!({"item_id": "fc_1", "output_index": 1, "delta": text});
    event("response.function_call_arguments.delta", at)
}

/// A thought, before any answer.
pub(super) fn thinking() -> String {
    let thought = json!({"item_id": "rs_1", "output_index": 0, "summary_index": 0, "delta": "Hm."});
    opening() + &event("response.reasoning_summary_text.delta", thought)
}

pub(super) fn piece(text: &str) -> String {
    let at = json!({"item_id": "msg_1", "output_index": 1, "content_index": 0, "delta": text});
    event("response.output_text.delta", at)
}

pub(super) fn closing(stop: StopReason, calls: bool) -> String {
    let (kind, status) = match stop {
        StopReason::Complete => ("response.completed", "completed"),
        StopReason::TokenLimit => ("response.incomplete", "incomplete"),
    };
    let output = if calls { json!([call(status, "")]) } else { text_output("") };
    event(kind, json!({"response": response(status, &output)}))
}

pub(super) fn whole(text: &str, calls: bool) -> Value {
    let output = if calls { json!([call("completed", text)]) } else { text_output(text) };
    response("completed", &output)
}

pub(super) fn declined() -> String {
    let refusal = "I'm sorry, I can't help with that.";
    let at = json!({"item_id": "msg_1", "output_index": 1, "content_index": 0, "delta": refusal});
    let output = message(&json!({"type": "refusal", "refusal": refusal}));
    let ended = json!({"response": response("completed", &output)});
    [opening(), event("response.refusal.delta", at), event("response.completed", ended)].concat()
}

pub(super) fn failed_midway() -> String {
    let mut failed = response("failed", &json!([]));
    if let Some(fields) = failed.as_object_mut() {
        let error = json!({"code": "server_error", "message": "The server had an error."});
        fields.insert("error".to_owned(), error);
        fields.insert("usage".to_owned(), Value::Null);
    }
    event("response.failed", json!({"response": failed}))
}
