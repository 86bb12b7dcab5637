//! Chat Completions, as OpenAI has them and as others understand them.

use super::{
    Asked, Fields,
    piece::{
        BROKEN, Piece, Stop, TOO_LONG, UNPAID, WRONG_KEY, count, is_too_long, length,
        says_too_long, status, text,
    },
    raw, under,
};
use crate::exchange::Fault;
use serde_json::{Value, json, value::RawValue};
use wiiiv_context::PROPOSAL_SCHEMA;
use wiiiv_net::Url;

/// What servers call an error that they tell of in an answer, by the status that says the same.
const ERRORS: [(&str, u16); 13] = [
    ("insufficient_quota", UNPAID),
    ("rate_limit", 429),
    ("rate limit", 429),
    ("too many requests", 429),
    ("invalid_api_key", WRONG_KEY),
    ("authentication", WRONG_KEY),
    ("unauthorized", WRONG_KEY),
    ("permission", 403),
    ("timeout", 504),
    ("timed out", 504),
    ("overloaded", 503),
    ("model_not_found", 404),
    ("invalid_request", 400),
];
/// Another attempt finds the account as empty as it was.
const EMPTY_ACCOUNT: [&str; 3] =
    ["insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached"];

pub(super) fn endpoint(base: &Url) -> Option<Url> {
    under(base, "chat/completions")
}

/// Its reasoning models know no `max_tokens`, and no temperature either.
pub(super) fn own(asked: &Asked<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = shared(asked)?;
    fields.insert("max_completion_tokens", raw(&json!(asked.max_output_tokens))?);
    fields.insert("stream_options", raw(&json!({"include_usage": true}))?);
    fields.insert("store", raw(&json!(false))?);
    if asked.tempered {
        fields.insert("temperature", raw(&json!(0))?);
    }
    if !asked.plain {
        fields.insert("response_format", response_format()?);
    }
    Ok(fields)
}

pub(super) fn compatible(asked: &Asked<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = shared(asked)?;
    fields.insert("max_tokens", raw(&json!(asked.max_output_tokens))?);
    fields.insert("temperature", raw(&json!(0))?);
    if !asked.plain {
        fields.insert("stream_options", raw(&json!({"include_usage": true}))?);
        fields.insert("response_format", response_format()?);
    }
    Ok(fields)
}

fn shared(asked: &Asked<'_>) -> Result<Fields, serde_json::Error> {
    let messages = json!([
        {"role": "system", "content": asked.system},
        {"role": "user", "content": asked.user},
    ]);
    Ok(Fields::from([
        ("model", raw(&json!(asked.model))?),
        ("messages", raw(&messages)?),
        ("stream", raw(&json!(true))?),
    ]))
}

/// The schema word for word: its order, `action` first, is part of what it says. Not `strict`,
/// which takes no object with names of its own.
fn response_format() -> Result<Box<RawValue>, serde_json::Error> {
    let name = "{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"proposal\",\"schema\":";
    RawValue::from_string(format!("{name}{}}}}}", PROPOSAL_SCHEMA.trim()))
}

/// A chunk of a stream; a document holds the same in `message` that chunks hold in `delta`.
pub(super) fn piece(data: &[u8], begun: bool) -> Result<Piece, Fault> {
    if data.trim_ascii() == b"[DONE]" {
        return Ok(Piece { last: true, ..Piece::default() });
    }
    let chunk: Value = serde_json::from_slice(data).map_err(|_| Fault::Stream)?;
    if let Some(code) = error(&chunk) {
        return Err(Fault::Told { code, begun });
    }
    let used = Piece {
        input_tokens: count(&chunk, "/usage/prompt_tokens"),
        output_tokens: count(&chunk, "/usage/completion_tokens"),
        ..Piece::default()
    };
    let Some(choice) = chunk.pointer("/choices/0") else { return Ok(used) };
    let words = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
    if !text(words, "/refusal").is_empty() {
        return Err(Fault::Refused);
    }
    let stop = match text(choice, "/finish_reason") {
        "content_filter" => return Err(Fault::Refused),
        "length" => Some(Stop::Cut),
        "" => None,
        _ => Some(Stop::Ended),
    };
    let reasoned = length(text(words, "/reasoning_content"));
    let hidden_bytes = reasoned.saturating_add(length(text(words, "/reasoning")));
    Ok(Piece { text: Some(text(words, "/content").to_owned()), hidden_bytes, stop, ..used })
}

/// `{"error": {"message", "type", "code"}}`, `{"error": "..."}` or `{"object": "error", ..}`, as
/// the status that it would have been.
fn error(chunk: &Value) -> Option<u16> {
    let named = chunk.get("error").filter(|error| !error.is_null());
    let bare = || (text(chunk, "/object") == "error").then_some(chunk);
    let error = named.or_else(bare)?;
    let told = words(error).to_lowercase();
    if says_too_long(&told) {
        return Some(TOO_LONG);
    }
    let known = || ERRORS.iter().find(|(name, _)| told.contains(name)).map(|(_, code)| *code);
    Some(status(error, "/code").or_else(known).unwrap_or(BROKEN))
}

fn words(error: &Value) -> String {
    let own = error.as_str().unwrap_or_default();
    [text(error, "/code"), text(error, "/type"), text(error, "/message"), own].join(" ")
}

pub(super) fn meaning(code: u16, body: &Value) -> u16 {
    let error = body.get("error").unwrap_or(body);
    let told = words(error);
    let empty = EMPTY_ACCOUNT.iter().any(|name| told.contains(name));
    match code {
        429 if empty => UNPAID,
        _ if is_too_long(code, &told) => TOO_LONG,
        _ => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_as_what_it_is() {
        for (data, code) in [
            (r#"{"error":{"message":"slow down","type":"rate_limit_error","code":null}}"#, 429),
            (r#"{"error":{"message":"bad key","code":"invalid_api_key"}}"#, 401),
            (r#"{"error":{"message":"no money","code":"insufficient_quota"}}"#, 402),
            (r#"{"error":{"code":503,"message":"loading model"}}"#, 503),
            (r#"{"error":{"code":400,"message":"maximum context length is 4096"}}"#, 413),
            (r#"{"error":"model runner has stopped"}"#, 500),
            (r#"{"object":"error","message":"nope","code":404}"#, 404),
            (r#"{"error":{"code":200}}"#, 500),
        ] {
            let told = piece(data.as_bytes(), true);
            let same = matches!(told, Err(Fault::Told { code: c, begun: true }) if c == code);
            assert!(same, "{data}: {told:?}");
        }
        assert!(piece(br#"{"error":null,"choices":[]}"#, false).is_ok());
    }
}
