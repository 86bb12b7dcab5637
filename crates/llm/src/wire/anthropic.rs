//! Messages. The proposal comes as the input of the one tool, which the model must call: its
//! schema for texts takes no object with names of its own, a tool's does.

use super::{
    Asked, Fields,
    piece::{BROKEN, Piece, Stop, TOO_LONG, UNPAID, count, is_too_long, length, text},
    raw, under,
};
use crate::exchange::Fault;
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use wiiiv_context::PROPOSAL_SCHEMA;
use wiiiv_net::Url;

pub(super) const HEADERS: [(&str, &str); 1] = [("anthropic-version", "2023-06-01")];
const TOOL: &str = "propose";
/// Errors by the status that they come with outside a stream.
const ERRORS: [(&str, u16); 10] = [
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", UNPAID),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", TOO_LONG),
    ("rate_limit_error", 429),
    ("api_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
];

pub(super) fn endpoint(base: &Url) -> Option<Url> {
    under(base, "v1/messages")
}

pub(super) fn fields(asked: &Asked<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = Fields::from([
        ("model", raw(&json!(asked.model))?),
        ("max_tokens", raw(&json!(asked.max_output_tokens))?),
        ("system", raw(&json!(asked.system))?),
        ("messages", raw(&json!([{"role": "user", "content": asked.user}]))?),
        ("stream", raw(&json!(true))?),
    ]);
    if asked.tempered {
        fields.insert("temperature", raw(&json!(0))?);
    }
    if !asked.plain {
        let only = json!({"type": "tool", "name": TOOL, "disable_parallel_tool_use": true});
        fields.insert("tool_choice", raw(&only)?);
        fields.insert("tools", tools()?);
    }
    Ok(fields)
}

/// The schema word for word: its order, `action` first, is part of what it says.
fn tools() -> Result<Box<RawValue>, serde_json::Error> {
    let about = "The one answer to the turn: what is proposed, as data.";
    let start = format!("[{{\"name\":\"{TOOL}\",\"description\":\"{about}\",\"input_schema\":");
    RawValue::from_string(format!("{start}{}}}]", PROPOSAL_SCHEMA.trim()))
}

/// Events of kinds that are not known say nothing, as the API asks its readers to take them.
pub(super) fn piece(data: &[u8], begun: bool) -> Result<Piece, Fault> {
    let event: Value = serde_json::from_slice(data).map_err(|_| Fault::Stream)?;
    match text(&event, "/type") {
        "error" => Err(Fault::Told { code: error(&event), begun }),
        // Its count of what was written is none yet.
        "message_start" => Ok(Piece {
            input_tokens: input_tokens(&event, "/message/usage"),
            text: Some(String::new()),
            ..Piece::default()
        }),
        "content_block_start" => Ok(said(text(&event, "/content_block/text"))),
        "content_block_delta" => Ok(delta(&event)),
        "message_delta" => Ok(Piece {
            input_tokens: input_tokens(&event, "/usage"),
            output_tokens: count(&event, "/usage/output_tokens"),
            stop: stop(text(&event, "/delta/stop_reason"), begun)?,
            ..Piece::default()
        }),
        "message_stop" => Ok(Piece { last: true, ..Piece::default() }),
        _ => Ok(Piece::default()),
    }
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

fn stop(reason: &str, begun: bool) -> Result<Option<Stop>, Fault> {
    match reason {
        "" => Ok(None),
        "refusal" => Err(Fault::Refused),
        "max_tokens" => Ok(Some(Stop::Cut)),
        "model_context_window_exceeded" => Err(Fault::Told { code: TOO_LONG, begun }),
        _ => Ok(Some(Stop::Ended)),
    }
}

/// The tool's input is kept as it was written: what it names twice must be seen to be named twice.
pub(super) fn document(data: &[u8]) -> Result<Piece, Fault> {
    let whole: Value = serde_json::from_slice(data).map_err(|_| Fault::Stream)?;
    match text(&whole, "/type") {
        "error" => return Err(Fault::Told { code: error(&whole), begun: false }),
        "message" => {}
        _ => return Err(Fault::Stream),
    }
    let words = written(data).ok_or(Fault::Stream)?;
    Ok(Piece {
        input_tokens: input_tokens(&whole, "/usage"),
        output_tokens: count(&whole, "/usage/output_tokens"),
        stop: stop(text(&whole, "/stop_reason"), true)?,
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

fn error(body: &Value) -> u16 {
    let kind = text(body, "/error/type");
    let known = ERRORS.iter().find(|(name, _)| *name == kind).map(|(_, code)| *code);
    meaning(known.unwrap_or(BROKEN), body)
}

pub(super) fn meaning(code: u16, body: &Value) -> u16 {
    let words = text(body, "/error/message");
    if is_too_long(code, words) {
        return TOO_LONG;
    }
    let unpaid = code == 400 && words.to_lowercase().contains("credit balance is too low");
    if unpaid { UNPAID } else { code }
}
