//! Responses, OpenAI's other interface; some of its models are served only there.

use super::{
    Form,
    form::around,
    meaning::Meaning,
    openai,
    piece::{NoPiece, Piece, Stop, count, length, model, text},
    values::parsed,
};
use crate::{
    catalogue::Thinking,
    wire::request::{Fields, ModelRequest, raw, under},
};
use serde_json::{Value, json};
use wiiiv_context::AnswerShape;
use wiiiv_net::Url;

/// Deltas of what is paid for and not shown.
const HIDDEN: [&str; 3] = [
    "response.refusal.delta",
    "response.reasoning_text.delta",
    "response.reasoning_summary_text.delta",
];

pub(super) fn endpoint(base: &Url) -> Option<Url> {
    under(base, "responses")
}

pub(super) fn fields(asked: &ModelRequest<'_>) -> Result<Fields, serde_json::Error> {
    let mut fields = Fields::from([
        ("model", raw(&json!(asked.model))?),
        ("instructions", raw(&json!(asked.system))?),
        ("input", raw(&json!([{"role": "user", "content": content(asked)}]))?),
        ("max_output_tokens", raw(&json!(asked.max_output_tokens))?),
        ("stream", raw(&json!(true))?),
        // Kept there for 30 days otherwise.
        ("store", raw(&json!(false))?),
    ]);
    if asked.tempered && !asked.form.is_plain() {
        fields.insert("temperature", raw(&json!(0))?);
    }
    if let (Some(Thinking::Level(level)), false) = (asked.thinking, asked.form.is_plain()) {
        fields.insert("reasoning", raw(&json!({"effort": level}))?);
    }
    shape(&mut fields, asked)?;
    Ok(fields)
}

fn content(asked: &ModelRequest<'_>) -> Value {
    let Some(picture) = asked.picture else { return json!(asked.user) };
    json!([
        {"type": "input_text", "text": asked.user},
        {"type": "input_image", "image_url": picture.data_url(), "detail": "low"},
    ])
}

/// Not `strict`, as for Chat Completions.
fn shape(fields: &mut Fields, asked: &ModelRequest<'_>) -> Result<(), serde_json::Error> {
    let AnswerShape { name, tool, about, .. } = asked.answer;
    let schema = asked.answer.schema();
    match asked.form {
        Form::Schema => {
            let named = format!("\"type\":\"json_schema\",\"name\":\"{name}\"");
            let format = format!("{{\"format\":{{{named},\"strict\":false,\"schema\":");
            fields.insert("text", around(&format, schema, "}}")?);
        }
        Form::Tool => {
            fields.insert("tool_choice", raw(&json!({"type": "function", "name": tool}))?);
            fields.insert("parallel_tool_calls", raw(&json!(false))?);
            let named = format!("\"name\":\"{tool}\",\"description\":\"{about}\"");
            let tool = format!("[{{\"type\":\"function\",{named},\"strict\":false,\"parameters\":");
            fields.insert("tools", around(&tool, schema, "}]")?);
        }
        Form::Plain => {}
    }
    Ok(())
}

/// One event. Those that are not known here carry nothing of an answer.
pub(super) fn piece(data: &[u8]) -> Result<Piece, NoPiece> {
    // Of a gateway: the interface itself ends without it.
    if openai::is_done(data) {
        return Ok(Piece { last: true, ..Piece::default() });
    }
    let event = parsed(data)?;
    let delta = || text(&event, "/delta");
    match text(&event, "/type") {
        "response.output_text.delta" | "response.function_call_arguments.delta" => {
            Ok(Piece { text: Some(delta().to_owned()), ..Piece::default() })
        }
        hidden if HIDDEN.contains(&hidden) => {
            Ok(Piece { hidden_bytes: length(delta()), ..Piece::default() })
        }
        "error" => Err(NoPiece::Told(failed(event.get("error").unwrap_or(&event)))),
        name if name.starts_with("response.") => told(event.get("response")),
        // An error in the shape of Chat Completions, of a gateway.
        _ => openai::piece(data).map(|_| Piece::default()),
    }
}

/// The whole response of a server that does not stream.
pub(super) fn document(data: &[u8]) -> Result<Piece, NoPiece> {
    let response = parsed(data)?;
    let mut piece = told(Some(&response))?;
    let is_one = text(&response, "/object") == "response";
    let said = || parts(&response, "output_text").map(|part| text(part, "/text"));
    let mut calls = called(&response);
    piece.text = is_one.then(|| said().chain(calls.next()).collect());
    let refusals = parts(&response, "refusal").map(|part| text(part, "/refusal"));
    // What is called behind the first is none of the answer, and paid for.
    piece.hidden_bytes = refusals.chain(calls).map(length).sum();
    Ok(piece)
}

/// What an event says of the response in whole.
fn told(response: Option<&Value>) -> Result<Piece, NoPiece> {
    let Some(response) = response else { return Ok(Piece::default()) };
    if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
        return Err(NoPiece::Told(failed(error)));
    }
    let refuses = parts(response, "refusal").next().is_some();
    let stop = match text(response, "/status") {
        "completed" if refuses => Some(Stop::Declined),
        "completed" => Some(Stop::Ended),
        "incomplete" => Some(cut(text(response, "/incomplete_details/reason"))),
        "failed" | "cancelled" => return Err(NoPiece::Told(Meaning::Broken)),
        _ => None,
    };
    Ok(Piece {
        input_tokens: count(response, "/usage/input_tokens"),
        output_tokens: count(response, "/usage/output_tokens"),
        model: model(response, "/model"),
        stop,
        ..Piece::default()
    })
}

fn cut(reason: &str) -> Stop {
    match reason {
        "max_output_tokens" => Stop::Cut,
        "content_filter" => Stop::Declined,
        _ => Stop::Odd,
    }
}

fn failed(error: &Value) -> Meaning {
    openai::error(&json!({"error": error})).unwrap_or(Meaning::Broken)
}

/// What tools are called with: we offer one, to be called once.
fn called(response: &Value) -> impl Iterator<Item = &str> {
    let items = response.get("output").and_then(Value::as_array).into_iter().flatten();
    let calls = items.filter(|item| text(item, "/type") == "function_call");
    calls.map(|call| text(call, "/arguments"))
}

/// Parts of its messages, of one type.
fn parts<'v>(response: &'v Value, kind: &'static str) -> impl Iterator<Item = &'v Value> {
    let items = response.get("output").and_then(Value::as_array).into_iter().flatten();
    let parts = items.filter_map(|item| item.get("content")?.as_array()).flatten();
    parts.filter(move |part| text(part, "/type") == kind)
}
