//! Anthropic's Messages. The proposal is the input of the one tool that the model must call: the
//! schema of texts allows no objects with free names, a tool's schema does.

use super::{
    form::around,
    meaning::{Meaning, says_too_long},
    piece::{NoPiece, Piece, Stop, count, length, model, text},
    values::parsed,
};
use crate::{
    picture::Picture,
    wire::request::{Fields, ModelRequest, raw, under},
};
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use wiiiv_context::AnswerShape;
use wiiiv_net::Url;

pub(super) const HEADERS: [(&str, &str); 1] = [("anthropic-version", "2023-06-01")];
const ERRORS: [(&str, Meaning); 10] = [
    ("invalid_request_error", Meaning::UnknownField),
    ("authentication_error", Meaning::WrongKey),
    ("billing_error", Meaning::Unpaid),
    ("permission_error", Meaning::Forbidden),
    ("not_found_error", Meaning::Unserved),
    ("request_too_large", Meaning::TooLong),
    ("rate_limit_error", Meaning::RateLimited),
    ("api_error", Meaning::Broken),
    ("timeout_error", Meaning::Late),
    ("overloaded_error", Meaning::Broken),
];
/// What it tells in words alone, as an invalid request.
const WORDS: [(&str, Meaning); 3] = [
    ("content filtering policy", Meaning::Refused),
    ("credit balance is too low", Meaning::Unpaid),
    ("api usage limits", Meaning::Unpaid),
];

pub(super) fn endpoint(base: &Url) -> Option<Url> {
    under(base, "v1/messages")
}

pub(super) fn fields(asked: &ModelRequest<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = Fields::from([
        ("model", raw(&json!(asked.model))?),
        ("max_tokens", raw(&json!(asked.max_output_tokens))?),
        ("system", raw(&json!(asked.system))?),
        ("messages", raw(&json!([{"role": "user", "content": content(asked)}]))?),
        ("stream", raw(&json!(true))?),
    ]);
    if asked.tempered && !asked.form.is_plain() {
        fields.insert("temperature", raw(&json!(0))?);
    }
    if !asked.form.is_plain() {
        let only =
            json!({"type": "tool", "name": asked.answer.tool, "disable_parallel_tool_use": true});
        fields.insert("tool_choice", raw(&only)?);
        fields.insert("tools", tools(asked.answer)?);
    }
    Ok(fields)
}

/// A picture stands before the words that speak of it, as the API asks for.
fn content(asked: &ModelRequest<'_>) -> Value {
    let Some(picture) = asked.picture else { return json!(asked.user) };
    let source =
        json!({"type": "base64", "media_type": Picture::MEDIA_TYPE, "data": picture.base64});
    json!([{"type": "image", "source": source}, {"type": "text", "text": asked.user}])
}

fn tools(answer: &AnswerShape) -> Result<Box<RawValue>, serde_json::Error> {
    let AnswerShape { tool, about, .. } = answer;
    let tool = format!("[{{\"name\":\"{tool}\",\"description\":\"{about}\",\"input_schema\":");
    around(&tool, answer.schema(), "}]")
}

/// Events of kinds that are not known say nothing, as the API asks its readers to take them.
pub(super) fn piece(data: &[u8]) -> Result<Piece, NoPiece> {
    let event = parsed(data)?;
    Ok(match text(&event, "/type") {
        "error" => return Err(NoPiece::Told(error(&event))),
        // Its count of what was written is none yet.
        "message_start" => Piece {
            input_tokens: input_tokens(&event, "/message/usage"),
            model: model(&event, "/message/model"),
            ..said("")
        },
        "content_block_start" => said(text(&event, "/content_block/text")),
        "content_block_delta" => delta(&event),
        "message_delta" => Piece {
            input_tokens: input_tokens(&event, "/usage"),
            output_tokens: count(&event, "/usage/output_tokens"),
            stop: stop(text(&event, "/delta/stop_reason")),
            ..Piece::default()
        },
        "message_stop" => Piece { last: true, ..Piece::default() },
        _ => Piece::default(),
    })
}

fn said(words: &str) -> Piece {
    Piece { text: Some(words.to_owned()), ..Piece::default() }
}

fn delta(event: &Value) -> Piece {
    match text(event, "/delta/type") {
        "text_delta" => said(text(event, "/delta/text")),
        "input_json_delta" => said(text(event, "/delta/partial_json")),
        "thinking_delta" => {
            Piece { hidden_bytes: length(text(event, "/delta/thinking")), ..Piece::default() }
        }
        _ => Piece::default(),
    }
}

/// Read from the cache or not, all of it was sent and is paid for.
fn input_tokens(value: &Value, usage: &str) -> Option<u64> {
    let part = |name: &str| count(value, &format!("{usage}/{name}"));
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.into_iter().filter_map(part).fold(0_u64, u64::saturating_add);
    Some(part("input_tokens")?.saturating_add(cached))
}

fn stop(reason: &str) -> Option<Stop> {
    match reason {
        "" => None,
        "refusal" => Some(Stop::Declined),
        "max_tokens" => Some(Stop::Cut),
        "model_context_window_exceeded" => Some(Stop::Overflowed),
        _ => Some(Stop::Ended),
    }
}

/// The tool's input is kept as it was written: what it names twice must be seen to be named twice.
pub(super) fn document(data: &[u8]) -> Result<Piece, NoPiece> {
    let whole = parsed(data)?;
    match text(&whole, "/type") {
        "error" => return Err(NoPiece::Told(error(&whole))),
        "message" => {}
        _ => return Err(NoPiece::Unreadable),
    }
    let words = written(data).ok_or(NoPiece::Unreadable)?;
    Ok(Piece {
        input_tokens: input_tokens(&whole, "/usage"),
        output_tokens: count(&whole, "/usage/output_tokens"),
        stop: stop(text(&whole, "/stop_reason")),
        model: model(&whole, "/model"),
        ..said(&words)
    })
}

fn written(data: &[u8]) -> Option<String> {
    type Parts = BTreeMap<String, Box<RawValue>>;
    let whole: Parts = serde_json::from_slice(data).ok()?;
    let blocks: Vec<Parts> = serde_json::from_str(whole.get("content")?.get()).ok()?;
    let block = |block: &Parts| match block.get("input") {
        Some(input) => Some(input.get().to_owned()),
        None => serde_json::from_str(block.get("text")?.get()).ok(),
    };
    Some(blocks.iter().filter_map(block).collect())
}

fn error(body: &Value) -> Meaning {
    let kind = text(body, "/error/type");
    let known = ERRORS.iter().find(|(name, _)| *name == kind).map(|(_, meaning)| *meaning);
    in_words(known.unwrap_or(Meaning::Broken), body)
}

pub(super) fn meaning(status: u16, body: &Value) -> Meaning {
    in_words(Meaning::of_status(status), body)
}

fn in_words(meaning: Meaning, body: &Value) -> Meaning {
    if meaning != Meaning::UnknownField {
        return meaning;
    }
    let told = text(body, "/error/message").to_lowercase();
    if says_too_long(&told) {
        return Meaning::TooLong;
    }
    let known = WORDS.iter().find(|(words, _)| told.contains(words));
    known.map_or(meaning, |(_, meaning)| *meaning)
}
