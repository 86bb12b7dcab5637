//! One piece of an answer: an event of a stream, or the whole of a document.

use super::fault::{Fault, says_too_long};
use serde_json::Value;
use wiiiv_domain::Usage;

/// What providers call an error that they tell of in an answer, by the status that says the same.
const ERRORS: [(&str, u16); 11] = [
    ("rate_limit", 429),
    ("rate limit", 429),
    ("too many requests", 429),
    ("insufficient_quota", 429),
    ("invalid_api_key", 401),
    ("authentication", 401),
    ("unauthorized", 401),
    ("permission", 403),
    ("timeout", 504),
    ("timed out", 504),
    ("invalid_request", 400),
];
const TOO_LONG: u16 = 413;
/// Where it does not say what went wrong.
const BROKEN: u16 = 500;

#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// `None` where it holds no choice at all.
    pub(super) text: Option<String>,
    /// Of reasoning, which is paid for and not shown.
    pub(super) hidden_bytes: u64,
    /// `None` where the provider did not say.
    pub(super) usage: Option<Usage>,
}

impl Chunk {
    /// `begun`: words have come before it.
    pub(super) fn parse(data: &[u8], begun: bool) -> Result<Self, Fault> {
        let chunk: Value = serde_json::from_slice(data).map_err(|_| Fault::Stream)?;
        if let Some(code) = error(&chunk) {
            return Err(Fault::Told { code, begun });
        }
        let usage = usage(&chunk);
        let Some(choice) = chunk.pointer("/choices/0") else {
            return Ok(Self { usage, ..Self::default() });
        };
        let words = choice.get("delta").or_else(|| choice.get("message")).unwrap_or(&Value::Null);
        let said = |name: &str| words.get(name).and_then(Value::as_str).unwrap_or_default();
        let filtered = choice.get("finish_reason").and_then(Value::as_str);
        if !said("refusal").is_empty() || filtered == Some("content_filter") {
            return Err(Fault::Refused);
        }
        let hidden = said("reasoning_content").len() + said("reasoning").len();
        let hidden_bytes = u64::try_from(hidden).unwrap_or(u64::MAX);
        Ok(Self { text: Some(said("content").to_owned()), hidden_bytes, usage })
    }
}

/// `{"error": {"message", "type", "code"}}`, `{"error": "..."}` or `{"object": "error", ..}`, as
/// the status that it would have been.
fn error(chunk: &Value) -> Option<u16> {
    let named = chunk.get("error").filter(|error| !error.is_null());
    let bare = || chunk.get("object").and_then(Value::as_str) == Some("error");
    let error = named.or_else(|| bare().then_some(chunk))?;
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    let told = [text("code"), text("type"), text("message"), error.as_str().unwrap_or_default()];
    let told = told.join(" ").to_lowercase();
    if says_too_long(&told) {
        return Some(TOO_LONG);
    }
    let number = error.get("code").and_then(Value::as_u64).and_then(|n| u16::try_from(n).ok());
    let by_words = || ERRORS.iter().find(|(words, _)| told.contains(words)).map(|(_, code)| *code);
    Some(number.filter(|n| (400..600).contains(n)).or_else(by_words).unwrap_or(BROKEN))
}

fn usage(chunk: &Value) -> Option<Usage> {
    let count = |name: &str| chunk.get("usage")?.get(name)?.as_u64();
    Some(Usage {
        input_tokens: count("prompt_tokens")?,
        output_tokens: count("completion_tokens")?,
        estimated: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_as_what_it_is() {
        for (data, code) in [
            (r#"{"error":{"message":"slow down","type":"rate_limit_error","code":null}}"#, 429),
            (r#"{"error":{"message":"bad key","code":"invalid_api_key"}}"#, 401),
            (r#"{"error":{"code":503,"message":"loading model"}}"#, 503),
            (r#"{"error":{"code":400,"message":"maximum context length is 4096"}}"#, 413),
            (r#"{"error":"model runner has stopped"}"#, 500),
            (r#"{"object":"error","message":"nope","code":404}"#, 404),
            (r#"{"error":{"code":200}}"#, 500),
        ] {
            let told = Chunk::parse(data.as_bytes(), true);
            let same = matches!(told, Err(Fault::Told { code: c, begun: true }) if c == code);
            assert!(same, "{data}: {told:?}");
        }
        assert!(Chunk::parse(br#"{"error":null,"choices":[]}"#, false).is_ok());
    }
}
