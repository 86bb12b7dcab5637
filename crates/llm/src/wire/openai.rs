//! Chat Completions of OpenAI and of compatible servers.

use super::{
    Form,
    form::around,
    meaning::{Meaning, says_too_long},
    piece::{NoPiece, Piece, Stop, count, length, model, status, text},
    values::parsed,
};
use crate::{
    catalogue::Thinking,
    wire::request::{Fields, ModelRequest, raw, under},
};
use serde_json::{Value, json};
use wiiiv_context::AnswerShape;
use wiiiv_net::Url;

/// How Ollama signs its answers, under whatever name it is asked.
const OLLAMA: &str = "fp_ollama";
/// Codes and types that say more than the status that they come under.
const NAMES: [(&str, Meaning); 9] = [
    ("insufficient_quota", Meaning::Unpaid),
    ("billing_not_active", Meaning::Unpaid),
    ("billing_hard_limit_reached", Meaning::Unpaid),
    ("credit_balance_exhausted", Meaning::Unpaid),
    ("context_length_exceeded", Meaning::TooLong),
    ("exceed_context_size_error", Meaning::TooLong),
    ("invalid_prompt", Meaning::Refused),
    ("content_filter", Meaning::Refused),
    ("content_policy_violation", Meaning::Refused),
];
/// Those that stand for a status, in an answer that has none of its own.
const KINDS: [(&str, Meaning); 13] = [
    ("rate_limit_exceeded", Meaning::RateLimited),
    ("rate_limit_error", Meaning::RateLimited),
    ("invalid_api_key", Meaning::WrongKey),
    ("authentication_error", Meaning::WrongKey),
    ("permission_error", Meaning::Forbidden),
    ("request_forbidden", Meaning::Forbidden),
    ("model_not_found", Meaning::Unserved),
    ("not_found_error", Meaning::Unserved),
    ("timeout", Meaning::Late),
    ("timeout_error", Meaning::Late),
    ("server_error", Meaning::Broken),
    ("api_error", Meaning::Broken),
    ("invalid_request_error", Meaning::UnknownField),
];
const ELSEWHERE: [&str; 2] = ["only supported in v1/responses", "not a chat model"];
/// Of errors that have neither.
const WORDS: [(&str, Meaning); 6] = [
    ("rate limit", Meaning::RateLimited),
    ("too many requests", Meaning::RateLimited),
    ("unauthorized", Meaning::WrongKey),
    ("permission", Meaning::Forbidden),
    ("timeout", Meaning::Late),
    ("timed out", Meaning::Late),
];

pub(super) fn endpoint(base: &Url) -> Option<Url> {
    under(base, "chat/completions")
}

/// Its reasoning models know no `max_tokens`, and no temperature either.
pub(super) fn own(asked: &ModelRequest<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = shared(asked, json!("low"))?;
    fields.insert("max_completion_tokens", raw(&json!(asked.max_output_tokens))?);
    fields.insert("stream_options", raw(&json!({"include_usage": true}))?);
    fields.insert("store", raw(&json!(false))?);
    if asked.tempered && !asked.form.is_plain() {
        fields.insert("temperature", raw(&json!(0))?);
    }
    if let (Some(Thinking::Level(level)), false) = (asked.thinking, asked.form.is_plain()) {
        fields.insert("reasoning_effort", raw(&json!(level))?);
    }
    if asked.form == Form::Tool {
        fields.insert("parallel_tool_calls", raw(&json!(false))?);
    }
    shape(&mut fields, asked)?;
    Ok(fields)
}

pub(super) fn compatible(asked: &ModelRequest<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = shared(asked, Value::Null)?;
    fields.insert("max_tokens", raw(&json!(asked.max_output_tokens))?);
    if !asked.form.is_plain() {
        fields.insert("temperature", raw(&json!(0))?);
        fields.insert("stream_options", raw(&json!({"include_usage": true}))?);
    }
    shape(&mut fields, asked)?;
    Ok(fields)
}

fn shared(asked: &ModelRequest<'_>, detail: Value) -> Result<Fields, serde_json::Error> {
    let messages = json!([
        {"role": "system", "content": asked.system},
        {"role": "user", "content": content(asked, detail)},
    ]);
    Ok(Fields::from([
        ("model", raw(&json!(asked.model))?),
        ("messages", raw(&messages)?),
        ("stream", raw(&json!(true))?),
    ]))
}

/// `detail`: how closely a picture is looked at, where that can be said.
fn content(asked: &ModelRequest<'_>, detail: Value) -> Value {
    let Some(picture) = asked.picture else { return json!(asked.user) };
    let mut image = json!({"url": picture.data_url()});
    if let (Some(fields), false) = (image.as_object_mut(), detail.is_null()) {
        fields.insert("detail".to_owned(), detail);
    }
    json!([{"type": "text", "text": asked.user}, {"type": "image_url", "image_url": image}])
}

/// Not `strict`, which takes no object with names of its own.
fn shape(fields: &mut Fields, asked: &ModelRequest<'_>) -> Result<(), serde_json::Error> {
    let AnswerShape { name, tool, about, .. } = asked.answer;
    let schema = asked.answer.schema();
    match asked.form {
        Form::Schema => {
            let named = format!("\"type\":\"json_schema\",\"json_schema\":{{\"name\":\"{name}\"");
            let format = format!("{{{named},\"schema\":");
            fields.insert("response_format", around(&format, schema, "}}")?);
        }
        Form::Tool => {
            let only = json!({"type": "function", "function": {"name": tool}});
            fields.insert("tool_choice", raw(&only)?);
            let named = format!("\"name\":\"{tool}\",\"description\":\"{about}\"");
            let tool = format!("[{{\"type\":\"function\",\"function\":{{{named},\"parameters\":");
            fields.insert("tools", around(&tool, schema, "}}]")?);
        }
        Form::Plain => {}
    }
    Ok(())
}

/// A chunk of a stream; a document holds the same in `message` that chunks hold in `delta`.
pub(super) fn piece(data: &[u8]) -> Result<Piece, NoPiece> {
    if is_done(data) {
        return Ok(Piece { last: true, ..Piece::default() });
    }
    let chunk = parsed(data)?;
    if let Some(meaning) = error(&chunk) {
        return Err(NoPiece::Told(meaning));
    }
    let used = Piece {
        input_tokens: count(&chunk, "/usage/prompt_tokens"),
        output_tokens: count(&chunk, "/usage/completion_tokens"),
        model: model(&chunk, "/model"),
        cuts_prompts: text(&chunk, "/system_fingerprint") == OLLAMA,
        ..Piece::default()
    };
    let Some(choice) = chunk.pointer("/choices/0") else { return Ok(used) };
    let words = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
    let hidden = ["/refusal", "/reasoning_content", "/reasoning"];
    let hidden = hidden.map(|name| length(text(words, name)));
    let (called, others) = called(words);
    Ok(Piece {
        text: Some([text(words, "/content"), called].concat()),
        hidden_bytes: hidden.into_iter().fold(others, u64::saturating_add),
        stop: stop(text(words, "/refusal"), text(choice, "/finish_reason")),
        ..used
    })
}

/// What the first tool is called with, and how long the calls behind it are: we offer one tool, to be
/// called once, and all that is written is paid for.
fn called(words: &Value) -> (&str, u64) {
    let calls = words.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let calls = calls.enumerate().map(|(at, call)| {
        let nth = count(call, "/index").unwrap_or_else(|| u64::try_from(at).unwrap_or(u64::MAX));
        (nth, text(call, "/function/arguments"))
    });
    calls.fold(("", 0_u64), |(first, others), (nth, written)| match nth {
        0 if first.is_empty() => (written, others),
        _ => (first, others.saturating_add(length(written))),
    })
}

pub(super) fn is_done(data: &[u8]) -> bool {
    data.trim_ascii() == b"[DONE]"
}

/// What it declines ends like any other answer.
fn stop(refusal: &str, reason: &str) -> Option<Stop> {
    match reason {
        _ if !refusal.is_empty() => Some(Stop::Declined),
        "content_filter" => Some(Stop::Declined),
        "length" => Some(Stop::Cut),
        "" => None,
        _ => Some(Stop::Ended),
    }
}

/// `{"error": {"message", "type", "code"}}`, `{"error": "..."}` or `{"object": "error", ..}`.
pub(super) fn error(chunk: &Value) -> Option<Meaning> {
    let error = chunk.get("error").filter(|error| !error.is_null());
    let bare = || (text(chunk, "/object") == "error").then_some(chunk);
    let error = error.or_else(bare)?;
    let status = || status(error, "/code").map(|status| meaning(status, chunk));
    let words = || found(&WORDS, |words| message(error).contains(words));
    Some(
        named(error)
            .or_else(status)
            .or_else(|| kind(error))
            .or_else(words)
            .unwrap_or(Meaning::Broken),
    )
}

pub(super) fn meaning(status: u16, body: &Value) -> Meaning {
    let error = body.get("error").unwrap_or(body);
    let meaning = Meaning::of_status(status);
    if meaning.is_outage() {
        return meaning;
    }
    let long = || meaning == Meaning::UnknownField && says_too_long(&message(error));
    let elsewhere = || meaning == Meaning::Unserved && says_elsewhere(&message(error));
    named(error)
        .or_else(|| long().then_some(Meaning::TooLong))
        .or_else(|| elsewhere().then_some(Meaning::Elsewhere))
        .unwrap_or(meaning)
}

/// No code tells a model that only Responses serves from one that nobody serves.
fn says_elsewhere(words: &str) -> bool {
    ELSEWHERE.iter().any(|known| words.contains(known))
}

fn named(error: &Value) -> Option<Meaning> {
    found(&NAMES, |name| is_called(error, name))
}

/// A code says more than a type does.
fn kind(error: &Value) -> Option<Meaning> {
    let long = || says_too_long(&message(error)).then_some(Meaning::TooLong);
    let known = found(&KINDS, |name| is_called(error, name));
    known.filter(|known| *known != Meaning::UnknownField).or_else(long).or(known)
}

fn is_called(error: &Value, name: &str) -> bool {
    [text(error, "/code"), text(error, "/type")].contains(&name)
}

fn message(error: &Value) -> String {
    let own = error.as_str().unwrap_or_default();
    [text(error, "/message"), own].join(" ").to_lowercase()
}

fn found(known: &[(&str, Meaning)], is: impl Fn(&str) -> bool) -> Option<Meaning> {
    known.iter().find(|(name, _)| is(name)).map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_as_what_it_is() {
        use Meaning::{
            Broken, Forbidden, Late, RateLimited, Refused, TooLong, UnknownField, Unpaid, Unserved,
            WrongKey,
        };
        for (data, meaning) in [
            (
                r#"{"error":{"message":"slow down","type":"rate_limit_error","code":null}}"#,
                RateLimited,
            ),
            (r#"{"error":{"message":"slow down","code":"429"}}"#, RateLimited),
            (r#"{"error":{"message":"bad key","code":"invalid_api_key"}}"#, WrongKey),
            (r#"{"error":{"message":"no money","code":"insufficient_quota"}}"#, Unpaid),
            (r#"{"error":{"code":503,"message":"loading model"}}"#, Broken),
            (r#"{"error":{"code":400,"message":"maximum context length is 4096"}}"#, TooLong),
            (r#"{"error":"model runner has stopped"}"#, Broken),
            (r#"{"error":"the request timed out"}"#, Late),
            (r#"{"object":"error","message":"nope","code":404}"#, Unserved),
            (r#"{"error":{"code":200}}"#, Broken),
            (r#"{"error":{"code":"content_filter","message":"filtered","status":400}}"#, Refused),
            (r#"{"error":{"type":"request_forbidden","message":"not there"}}"#, Forbidden),
            // What it is called counts, not what its words sound like.
            (
                r#"{"error":{"type":"invalid_request_error","message":"`timeout` is not known"}}"#,
                UnknownField,
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"the context length is 9"}}"#,
                TooLong,
            ),
        ] {
            assert_eq!(piece(data.as_bytes()), Err(NoPiece::Told(meaning)), "{data}");
        }
        assert!(piece(br#"{"error":null,"choices":[]}"#).is_ok());
    }

    #[test]
    fn a_failure_of_the_servers_own_stays_one() {
        let body = json!({"error": {"type": "insufficient_quota", "message": "context length"}});
        assert_eq!(meaning(503, &body), Meaning::Broken);
        assert_eq!(meaning(429, &body), Meaning::Unpaid);
    }
}
