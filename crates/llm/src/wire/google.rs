//! `generateContent`, streamed.

use super::{
    Asked, Fields,
    piece::{BROKEN, Piece, Stop, TOO_LONG, WRONG_KEY, count, is_too_long, length, status, text},
    raw, under,
};
use crate::exchange::Fault;
use serde_json::{Value, json, value::RawValue};
use std::time::Duration;
use wiiiv_context::PROPOSAL_SCHEMA;
use wiiiv_net::Url;

/// Reasons that say no more than that it will not.
const DECLINED: [&str; 8] = [
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "ESCALATION",
];

/// The model is part of the path.
pub(super) fn endpoint(base: &Url, model: &str) -> Option<Url> {
    let mut url = under(base, "models")?;
    let model = model.strip_prefix("models/").unwrap_or(model);
    url.path_segments_mut().ok()?.push(&format!("{model}:streamGenerateContent"));
    url.query_pairs_mut().append_pair("alt", "sse");
    Some(url)
}

pub(super) fn fields(asked: &Asked<'_>) -> Result<Fields, serde_json::Error> {
    Ok(Fields::from([
        ("systemInstruction", raw(&json!({"parts": [{"text": asked.system}]}))?),
        ("contents", raw(&json!([{"role": "user", "parts": [{"text": asked.user}]}]))?),
        ("generationConfig", config(asked)?),
    ]))
}

fn config(asked: &Asked<'_>) -> Result<Box<RawValue>, serde_json::Error> {
    let mut config = Fields::from([("maxOutputTokens", raw(&json!(asked.max_output_tokens))?)]);
    if asked.tempered {
        config.insert("temperature", raw(&json!(0))?);
    }
    if !asked.plain {
        config.insert("responseMimeType", raw(&json!("application/json"))?);
        config.insert("responseJsonSchema", RawValue::from_string(schema())?);
    }
    serde_json::value::to_raw_value(&config)
}

/// Word for word but for `$schema`, which is no keyword of its subset.
fn schema() -> String {
    let kept = |line: &&str| !line.trim_start().starts_with("\"$schema\"");
    PROPOSAL_SCHEMA.trim().lines().filter(kept).collect()
}

pub(super) fn piece(data: &[u8], begun: bool) -> Result<Piece, Fault> {
    let chunk: Value = serde_json::from_slice(data).map_err(|_| Fault::Stream)?;
    if chunk.get("error").is_some() {
        let code = meaning(status(&chunk, "/error/code").unwrap_or(BROKEN), &chunk);
        return Err(Fault::Told { code, begun });
    }
    if !text(&chunk, "/promptFeedback/blockReason").is_empty() {
        return Err(Fault::Refused);
    }
    let used = used(&chunk);
    let Some(candidate) = chunk.pointer("/candidates/0") else { return Ok(used) };
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let (mut words, mut hidden_bytes) = (String::new(), 0_u64);
    for part in parts.into_iter().flatten() {
        let piece = text(part, "/text");
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            hidden_bytes = hidden_bytes.saturating_add(length(piece));
        } else {
            words.push_str(piece);
        }
    }
    let stop = stop(text(candidate, "/finishReason"))?;
    Ok(Piece { text: Some(words), hidden_bytes, stop, ..used })
}

/// Thoughts are paid for as what is written, and counted apart: of an answer that was cut while it
/// was thought about there is nothing else.
fn used(chunk: &Value) -> Piece {
    let named = ["candidatesTokenCount", "thoughtsTokenCount"];
    let counts = named.map(|name| count(chunk, &format!("/usageMetadata/{name}")));
    Piece {
        input_tokens: count(chunk, "/usageMetadata/promptTokenCount"),
        output_tokens: counts.into_iter().flatten().reduce(u64::saturating_add),
        ..Piece::default()
    }
}

fn stop(reason: &str) -> Result<Option<Stop>, Fault> {
    match reason {
        "" | "FINISH_REASON_UNSPECIFIED" => Ok(None),
        "STOP" => Ok(Some(Stop::Ended)),
        "MAX_TOKENS" => Ok(Some(Stop::Cut)),
        declined if DECLINED.contains(&declined) => Err(Fault::Refused),
        // It stopped for a reason of its own, after work that is paid for.
        _ => Err(Fault::Told { code: BROKEN, begun: true }),
    }
}

/// A wrong key is told under 400.
pub(super) fn meaning(code: u16, body: &Value) -> u16 {
    let wrong_key = details(body).any(|detail| text(detail, "/reason") == "API_KEY_INVALID");
    if wrong_key {
        WRONG_KEY
    } else if is_too_long(code, text(body, "/error/message")) {
        TOO_LONG
    } else {
        code
    }
}

/// `{"@type": "..RetryInfo", "retryDelay": "41s"}`.
pub(super) fn patience(body: &Value) -> Option<Duration> {
    let delay = details(body).find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn details(body: &Value) -> impl Iterator<Item = &Value> {
    body.pointer("/error/details").and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_the_same_but_for_its_own_name() {
        let mut whole: Value = serde_json::from_str(PROPOSAL_SCHEMA).unwrap();
        whole.as_object_mut().unwrap().remove("$schema").unwrap();
        assert_eq!(serde_json::from_str::<Value>(&schema()).unwrap(), whole);
    }

    #[test]
    fn a_model_is_one_segment_whatever_it_is_called() {
        let base = Url::parse("https://h.test/v1beta?x=1").unwrap();
        for (model, path) in [
            ("gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:streamGenerateContent"),
            ("models/g", "/v1beta/models/g:streamGenerateContent"),
            ("../../x?y#z", "/v1beta/models/..%2F..%2Fx%3Fy%23z:streamGenerateContent"),
        ] {
            let url = endpoint(&base, model).unwrap();
            assert_eq!((url.path(), url.query()), (path, Some("x=1&alt=sse")));
        }
    }
}
