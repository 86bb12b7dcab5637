//! Google's `generateContent`, streamed.

use super::{
    Form,
    form::around,
    meaning::{Meaning, says_too_long},
    piece::{NoPiece, Piece, Stop, count, length, model, status, text},
    values::parsed,
};
use crate::{
    catalogue::Thinking,
    picture::Picture,
    wire::request::{Fields, ModelRequest, raw, under},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json, value::RawValue};
use std::{collections::BTreeMap, time::Duration};
use wiiiv_context::AnswerShape;
use wiiiv_net::Url;

/// Reasons that say no more than that it will not.
const DECLINED: [&str; 9] = [
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
];

/// The model is part of the path.
pub(super) fn endpoint(base: &Url, model: &str) -> Option<Url> {
    let mut url = under(base, "models")?;
    let model = model.strip_prefix("models/").unwrap_or(model);
    url.path_segments_mut().ok()?.push(&format!("{model}:streamGenerateContent"));
    url.query_pairs_mut().append_pair("alt", "sse");
    Some(url)
}

pub(super) fn fields(asked: &ModelRequest<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = Fields::from([
        ("systemInstruction", raw(&json!({"parts": [{"text": asked.system}]}))?),
        ("contents", raw(&json!([{"role": "user", "parts": parts(asked)}]))?),
        ("generationConfig", config(asked)?),
    ]);
    if asked.form == Form::Tool {
        let only = json!({"mode": "ANY", "allowedFunctionNames": [asked.answer.tool]});
        fields.insert("toolConfig", raw(&json!({"functionCallingConfig": only}))?);
        let AnswerShape { tool, about, .. } = asked.answer;
        let named = format!("\"name\":\"{tool}\",\"description\":\"{about}\"");
        let tool = format!("[{{\"functionDeclarations\":[{{{named},\"parametersJsonSchema\":");
        fields.insert("tools", around(&tool, &schema(asked.answer), "}]}]")?);
    }
    Ok(fields)
}

fn parts(asked: &ModelRequest<'_>) -> Value {
    let words = json!({"text": asked.user});
    let Some(picture) = asked.picture else { return json!([words]) };
    let data = json!({"mimeType": Picture::MEDIA_TYPE, "data": picture.base64});
    json!([words, {"inlineData": data}])
}

fn config(asked: &ModelRequest<'_>) -> Result<Box<RawValue>, serde_json::Error> {
    let mut config = Fields::from([("maxOutputTokens", raw(&json!(asked.max_output_tokens))?)]);
    if asked.tempered && !asked.form.is_plain() {
        config.insert("temperature", raw(&json!(0))?);
    }
    // What it thinks counts against the same tokens: unbounded, it leaves none for the answer.
    if let (Some(thinking), false) = (&asked.thinking, asked.form.is_plain()) {
        config.insert("thinkingConfig", raw(&bounded(thinking))?);
    }
    if asked.form == Form::Schema {
        config.insert("responseMimeType", raw(&json!("application/json"))?);
        config.insert("responseJsonSchema", RawValue::from_string(schema(asked.answer))?);
    }
    serde_json::value::to_raw_value(&config)
}

fn bounded(thinking: &Thinking) -> Value {
    match thinking {
        Thinking::Budget(tokens) => json!({"thinkingBudget": tokens}),
        Thinking::Level(level) => json!({"thinkingLevel": level}),
    }
}

/// Word for word but for `$schema`, which is no keyword of its subset.
fn schema(answer: &AnswerShape) -> String {
    let kept = |line: &&str| !line.trim_start().starts_with("\"$schema\"");
    answer.schema().lines().filter(kept).collect()
}

pub(super) fn piece(data: &[u8]) -> Result<Piece, NoPiece> {
    let chunk = parsed(data)?;
    if chunk.get("error").is_some() {
        let told = status(&chunk, "/error/code");
        let told = told.map_or(Meaning::Broken, |status| meaning(status, &chunk));
        return Err(NoPiece::Told(told));
    }
    let used = used(&chunk);
    if !text(&chunk, "/promptFeedback/blockReason").is_empty() {
        return Ok(blocked(used));
    }
    let Some(candidate) = chunk.pointer("/candidates/0") else { return Ok(used) };
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    let (mut words, mut hidden_bytes) = (String::new(), 0_u64);
    for part in parts.into_iter().flatten() {
        match part.get("functionCall") {
            Some(_) if words.is_empty() => words = called(data).ok_or(NoPiece::Unreadable)?,
            // Another call is none of the answer, and paid for.
            Some(call) => {
                hidden_bytes = hidden_bytes.saturating_add(length(&call.to_string()));
            }
            None => {}
        }
        let piece = text(part, "/text");
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            hidden_bytes = hidden_bytes.saturating_add(length(piece));
        } else {
            words.push_str(piece);
        }
    }
    let stop = stop(text(candidate, "/finishReason"));
    Ok(Piece { text: Some(words), hidden_bytes, stop, ..used })
}

/// What the first tool is called with, as it was written: what it names twice must be seen to be named
/// twice.
fn called(data: &[u8]) -> Option<String> {
    type Parts = BTreeMap<String, Box<RawValue>>;
    let whole: Parts = serde_json::from_slice(data).ok()?;
    let candidates: Vec<Parts> = inside(&whole, "candidates")?;
    let content: Parts = inside(candidates.first()?, "content")?;
    let parts: Vec<Parts> = inside(&content, "parts")?;
    let call = parts.iter().find(|part| part.contains_key("functionCall"))?;
    let call: Parts = inside(call, "functionCall")?;
    Some(call.get("args")?.get().to_owned())
}

fn inside<T: DeserializeOwned>(parts: &BTreeMap<String, Box<RawValue>>, name: &str) -> Option<T> {
    serde_json::from_str(parts.get(name)?.get()).ok()
}

/// The prompt went no further: where no count of what was written is told, nothing was.
fn blocked(used: Piece) -> Piece {
    let output_tokens = used.output_tokens.or(used.input_tokens.map(|_| 0));
    Piece { text: Some(String::new()), stop: Some(Stop::Declined), output_tokens, ..used }
}

/// Thoughts are paid for as what is written, and counted apart: of an answer that was cut while it
/// was thought about there is nothing else.
fn used(chunk: &Value) -> Piece {
    let named = ["candidatesTokenCount", "thoughtsTokenCount"];
    let counts = named.map(|name| count(chunk, &format!("/usageMetadata/{name}")));
    Piece {
        input_tokens: count(chunk, "/usageMetadata/promptTokenCount"),
        output_tokens: counts.into_iter().flatten().reduce(u64::saturating_add),
        model: model(chunk, "/modelVersion"),
        ..Piece::default()
    }
}

fn stop(reason: &str) -> Option<Stop> {
    match reason {
        "" | "FINISH_REASON_UNSPECIFIED" => None,
        "STOP" => Some(Stop::Ended),
        "MAX_TOKENS" => Some(Stop::Cut),
        declined if DECLINED.contains(&declined) => Some(Stop::Declined),
        _ => Some(Stop::Odd),
    }
}

/// A wrong key, a place that is not served and an account without a payer are told under 400.
pub(super) fn meaning(status: u16, body: &Value) -> Meaning {
    let meaning = Meaning::of_status(status);
    if meaning != Meaning::UnknownField {
        return meaning;
    }
    let told = text(body, "/error/message").to_lowercase();
    if details(body).any(|detail| text(detail, "/reason") == "API_KEY_INVALID") {
        Meaning::WrongKey
    } else if says_too_long(&told) {
        Meaning::TooLong
    } else if text(body, "/error/status") != "FAILED_PRECONDITION" {
        meaning
    } else if told.contains("location is not supported") {
        Meaning::Forbidden
    } else {
        Meaning::Unpaid
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
    use wiiiv_context::PROPOSAL;

    #[test]
    fn the_schema_is_the_same_but_for_its_own_name() {
        let mut whole: Value = serde_json::from_str(PROPOSAL.schema()).unwrap();
        whole.as_object_mut().unwrap().remove("$schema").unwrap();
        assert_eq!(serde_json::from_str::<Value>(&schema(&PROPOSAL)).unwrap(), whole);
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
