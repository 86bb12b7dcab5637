//! Google's `streamGenerateContent`.

use super::{
    defaults::PROVIDER_USED,
    fields::{at, expect, only},
    refusal::Refusal,
    stop_reason::StopReason,
};
use serde_json::{Value, json};

const CONFIG: [&str; 5] =
    ["maxOutputTokens", "temperature", "thinkingConfig", "responseMimeType", "responseJsonSchema"];
/// Tokens of thoughts, which Google counts separately.
const THOUGHT: u64 = 5;
/// Stands for the arguments of a call until they are filled in.
const ARGUMENTS: &str = "<arguments>";

pub(super) fn check(target: &str, body: &Value) -> Result<(), Refusal> {
    let path = target.strip_prefix("v1beta/models/").unwrap_or_default();
    expect(path.ends_with(":streamGenerateContent?alt=sse"), "no such method")?;
    only(body, &["systemInstruction", "contents", "generationConfig", "tools", "toolConfig"])?;
    if let Some(config) = body.get("toolConfig") {
        let tool = at(body, "/tools/0/functionDeclarations/0");
        expect(at(tool, "/parametersJsonSchema/type") == "object", "parameters are an object")?;
        let names = at(config, "/functionCallingConfig/allowedFunctionNames/0");
        expect(names == at(tool, "/name"), "only declared functions may be allowed")?;
        expect(at(config, "/functionCallingConfig/mode") == "ANY", "names are for the mode ANY")?;
    }
    expect(at(body, "/systemInstruction/parts/0/text").is_string(), "a text is expected")?;
    only(at(body, "/contents/0"), &["role", "parts"])?;
    expect(at(body, "/contents/0/role") == "user", "use a valid role: user, model")?;
    expect(at(body, "/contents/0/parts/0/text").is_string(), "a text is expected")?;
    let config = at(body, "/generationConfig");
    only(config, &CONFIG)?;
    expect(at(config, "/maxOutputTokens").is_u64(), "maxOutputTokens is a number")?;
    if let Some(thinking) = config.get("thinkingConfig") {
        only(thinking, &["thinkingBudget", "thinkingLevel"])?;
        let both =
            thinking.get("thinkingBudget").is_some() == thinking.get("thinkingLevel").is_some();
        expect(!both, "thinking_budget and thinking_level are not supported together")?;
    }
    let Some(schema) = config.get("responseJsonSchema") else { return Ok(()) };
    expect(at(config, "/responseMimeType") == "application/json", "a schema is of JSON")?;
    expect(schema.get("$schema").is_none(), "unknown name \"$schema\"")
}

pub(super) fn refused(refusal: &Refusal) -> (u16, Value) {
    let (code, status, message) = match refusal {
        Refusal::Invalid(what) => (400, "INVALID_ARGUMENT", what.as_str()),
        Refusal::TooLong => (
            400,
            "INVALID_ARGUMENT",
            "The input token count (1300000) exceeds the maximum number of tokens allowed (1048575).",
        ),
        // Google has no error for this: it declines in an answer.
        Refusal::Declined => return (200, blocked()),
        Refusal::WrongKey => {
            (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
        }
        Refusal::Unpaid => (402, "FAILED_PRECONDITION", "Your billing account is closed."),
        Refusal::Forbidden => (403, "PERMISSION_DENIED", "The caller does not have permission."),
        Refusal::NoSuchModel | Refusal::OtherInterface => {
            (404, "NOT_FOUND", "models/m is not found for API version v1beta.")
        }
        Refusal::RateLimited(_) => {
            (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota. Please retry in 1s.")
        }
        Refusal::Broken => (500, "INTERNAL", "An internal error has occurred."),
        Refusal::Overloaded => (503, "UNAVAILABLE", "The model is overloaded."),
    };
    let mut error = json!({"code": code, "message": message, "status": status});
    if let (Some(details), Some(error)) = (details(refusal), error.as_object_mut()) {
        error.insert("details".to_owned(), json!([details]));
    }
    (code, json!({"error": error}))
}

fn details(refusal: &Refusal) -> Option<Value> {
    match refusal {
        Refusal::WrongKey => Some(json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": {"service": "generativelanguage.googleapis.com"},
        })),
        Refusal::RateLimited(Some(seconds)) => Some(json!({
            "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": format!("{seconds}s"),
        })),
        Refusal::Invalid(_)
        | Refusal::TooLong
        | Refusal::Declined
        | Refusal::Unpaid
        | Refusal::Forbidden
        | Refusal::NoSuchModel
        | Refusal::OtherInterface
        | Refusal::RateLimited(None)
        | Refusal::Broken
        | Refusal::Overloaded => None,
    }
}

fn used() -> Value {
    let (input, output) = PROVIDER_USED;
    json!({
        "promptTokenCount": input, "candidatesTokenCount": output - THOUGHT,
        "thoughtsTokenCount": THOUGHT, "totalTokenCount": input + output,
    })
}

fn answer(candidate: &Value, usage: &Value) -> Value {
    json!({
        "candidates": [candidate], "usageMetadata": usage, "modelVersion": "m",
        "responseId": "r1",
    })
}

fn content(text: &str) -> Value {
    json!({"role": "model", "parts": [{"text": text}]})
}

fn event(data: &Value) -> String {
    format!("data: {data}\r\n\r\n")
}

pub(super) fn piece(text: &str) -> String {
    let (input, _) = PROVIDER_USED;
    let usage = json!({"promptTokenCount": input, "totalTokenCount": input});
    event(&answer(&json!({"content": content(text), "index": 0}), &usage))
}

pub(super) fn closing(stop: StopReason) -> String {
    let reason = match stop {
        StopReason::Complete => "STOP",
        StopReason::TokenLimit => "MAX_TOKENS",
    };
    let last = json!({"content": content(""), "finishReason": reason, "index": 0});
    event(&answer(&last, &used()))
}

/// A call comes in one piece. Its arguments are copied verbatim, even where they are not JSON.
pub(super) fn call(arguments: &str) -> String {
    let (input, _) = PROVIDER_USED;
    let usage = json!({"promptTokenCount": input, "totalTokenCount": input});
    let event =
        event(&answer(&json!({"content": call_content(&json!(ARGUMENTS)), "index": 0}), &usage));
    event.replace(&json!(ARGUMENTS).to_string(), arguments)
}

fn call_content(arguments: &Value) -> Value {
    let call = json!({"name": "propose", "args": arguments});
    json!({"role": "model", "parts": [{"functionCall": call}]})
}

pub(super) fn whole(text: &str, calls: bool) -> Value {
    let arguments = || serde_json::from_str(text).unwrap_or_default();
    let content = if calls { call_content(&arguments()) } else { content(text) };
    answer(&json!({"content": content, "finishReason": "STOP", "index": 0}), &used())
}

pub(super) fn thinking() -> String {
    let (input, _) = PROVIDER_USED;
    let usage = json!({
        "promptTokenCount": input, "thoughtsTokenCount": THOUGHT, "totalTokenCount": input + THOUGHT,
    });
    event(&json!({"usageMetadata": usage, "modelVersion": "m", "responseId": "r1"}))
}

fn blocked() -> Value {
    let feedback = json!({"blockReason": "PROHIBITED_CONTENT"});
    json!({"promptFeedback": feedback, "usageMetadata": used(), "modelVersion": "m"})
}

pub(super) fn declined() -> String {
    event(&blocked())
}

pub(super) fn failed_midway() -> String {
    event(&refused(&Refusal::Overloaded).1)
}
