//! The wire format of an answer: an interface, and whether the answer is text or a tool call.

use super::{
    anthropic, dialect::Dialect, google, openai, refusal::Refusal, responses,
    stop_reason::StopReason,
};
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde_json::Value;

/// Characters of one piece of an answer.
const PIECE_CHARS: usize = 12;

#[derive(Debug, Clone, Copy)]
pub(super) struct AnswerFormat {
    pub(super) dialect: Dialect,
    /// The answer calls the request's tool. Anthropic's answers always do.
    pub(super) calls: bool,
}

impl AnswerFormat {
    pub(super) const fn text(dialect: Dialect) -> Self {
        Self { dialect, calls: false }
    }

    /// A request that forces a tool is answered by its call.
    pub(super) fn of(dialect: Dialect, request: &Value) -> Self {
        let forced = ["tool_choice", "toolConfig"].iter().any(|name| request.get(name).is_some());
        Self { dialect, calls: forced }
    }

    /// Events before the first piece of the answer.
    pub(super) fn opening(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local if self.calls => openai::calling(),
            Dialect::OpenAi | Dialect::Local => openai::opening(),
            Dialect::Responses if self.calls => responses::calling(),
            Dialect::Responses => responses::opening(),
            Dialect::Anthropic => anthropic::opening(),
            Dialect::Google => String::new(),
        }
    }

    /// Events of a model that works and has not answered yet.
    pub(super) fn thinking(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local | Dialect::Anthropic => self.opening(),
            Dialect::Responses => responses::thinking(),
            Dialect::Google => google::thinking(),
        }
    }

    /// A piece of the answer. Google's calls have no pieces: there it is text beside the call.
    pub(super) fn piece(self, text: &str) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local if self.calls => openai::argument(text),
            Dialect::OpenAi | Dialect::Local => openai::piece(text),
            Dialect::Responses if self.calls => responses::argument(text),
            Dialect::Responses => responses::piece(text),
            Dialect::Anthropic => anthropic::piece(text),
            Dialect::Google => google::piece(text),
        }
    }

    /// The whole answer, in as many events as it takes.
    pub(super) fn pieces(self, text: &str) -> Vec<String> {
        if self.calls && self.dialect == Dialect::Google {
            return vec![google::call(text)];
        }
        let chars: Vec<char> = text.chars().collect();
        let pieces = chars.chunks(PIECE_CHARS).map(|piece| piece.iter().collect::<String>());
        pieces.map(|piece| self.piece(&piece)).collect()
    }

    /// The whole answer in one event.
    pub(super) fn in_one_event(self, text: &str) -> String {
        if self.calls && self.dialect == Dialect::Google {
            return google::call(text);
        }
        self.piece(text)
    }

    pub(super) fn closing(self, stop: StopReason) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::closing(stop),
            Dialect::Responses => responses::closing(stop, self.calls),
            Dialect::Anthropic => anthropic::closing(stop),
            Dialect::Google => google::closing(stop),
        }
    }

    /// The answer as one document.
    pub(super) fn document(self, text: &str) -> Value {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::whole(text, self.calls),
            Dialect::Responses => responses::whole(text, self.calls),
            Dialect::Anthropic => anthropic::whole(text),
            Dialect::Google => google::whole(text, self.calls),
        }
    }

    pub(super) fn declined(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::declined(),
            Dialect::Responses => responses::declined(),
            Dialect::Anthropic => anthropic::declined(),
            Dialect::Google => google::declined(),
        }
    }

    pub(super) fn failed_midway(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::failed_midway(),
            Dialect::Responses => responses::failed_midway(),
            Dialect::Anthropic => anthropic::failed_midway(),
            Dialect::Google => google::failed_midway(),
        }
    }
}

pub(super) fn refuse(dialect: Dialect, refusal: &Refusal) -> Response {
    let (status, body) = match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local => openai::refused(refusal),
        Dialect::Anthropic => anthropic::refused(refusal),
        Dialect::Google => google::refused(refusal),
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
    match (dialect, refusal) {
        // Google names the delay in the body.
        (Dialect::Google, _) => (status, Json(body)).into_response(),
        (_, Refusal::RateLimited(Some(seconds))) => {
            (status, [("retry-after", seconds.to_string())], Json(body)).into_response()
        }
        _ => (status, Json(body)).into_response(),
    }
}
