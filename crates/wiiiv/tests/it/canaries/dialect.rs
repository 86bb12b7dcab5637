//! How each provider writes what the parrot says.

use serde_json::{Value, json};

/// Characters of one piece of what is streamed: no key is in one of them.
const PIECE_CHARS: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Chat,
    Responses,
    Anthropic,
    Google,
}

impl Dialect {
    /// By the base that it is asked under: `/anthropic`, `/google`; and by OpenAI's own path.
    pub fn of(path: &str) -> Self {
        if path.starts_with("/anthropic") {
            Self::Anthropic
        } else if path.starts_with("/google") {
            Self::Google
        } else if path.ends_with("/responses") {
            Self::Responses
        } else {
            Self::Chat
        }
    }

    pub fn list(self, key: &str) -> String {
        let names = ["small".to_owned(), key.to_owned(), format!("m-{key}")];
        if self == Self::Google {
            let named = names.map(|name| {
                json!({"name": format!("models/{name}"),
                    "supportedGenerationMethods": ["generateContent"]})
            });
            return json!({"models": named}).to_string();
        }
        json!({"data": names.map(|name| json!({"id": name})), "has_more": false}).to_string()
    }

    pub fn refusal(self, key: &str) -> String {
        let message = format!("the key {key} is not valid");
        let error = match self {
            Self::Chat | Self::Responses => {
                json!({"message": message, "type": key, "param": null, "code": "invalid_api_key"})
            }
            Self::Anthropic => json!({"type": "authentication_error", "message": message}),
            Self::Google => json!({"code": 401, "message": message, "status": "UNAUTHENTICATED",
                "details": [{"reason": key}]}),
        };
        json!({"type": "error", "error": error, "request_id": key}).to_string()
    }

    pub fn streamed(self, text: &str, model: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let pieces = chars.chunks(PIECE_CHARS).map(|piece| piece.iter().collect::<String>());
        let pieces: String = pieces.map(|piece| self.piece(&piece, model)).collect();
        let (first, last) = self.ends(model);
        [first, pieces, last].concat()
    }

    fn piece(self, text: &str, model: &str) -> String {
        match self {
            Self::Chat => chunk(&json!({"content": text}), &Value::Null, model),
            Self::Responses => event(&json!({"type": "response.output_text.delta",
                "item_id": "m", "output_index": 0, "content_index": 0, "delta": text})),
            Self::Anthropic => event(&json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": text}})),
            Self::Google => candidate(text, None, model),
        }
    }

    /// What comes before the words and behind them.
    fn ends(self, model: &str) -> (String, String) {
        match self {
            Self::Chat => {
                let used = json!({"prompt_tokens": 100, "completion_tokens": 20});
                let counts = json!({"model": model, "choices": [], "usage": used});
                let stop = chunk(&json!({}), &json!("stop"), model);
                (String::new(), format!("{stop}data: {counts}\n\ndata: [DONE]\n\n"))
            }
            Self::Responses => {
                let of = |status: &str, usage: Value| {
                    json!({"id": "r", "object": "response", "model": model, "status": status,
                        "output": [], "usage": usage})
                };
                let begun = of("in_progress", Value::Null);
                let done = of("completed", json!({"input_tokens": 100, "output_tokens": 20}));
                (
                    event(&json!({"type": "response.created", "response": begun})),
                    event(&json!({"type": "response.completed", "response": done})),
                )
            }
            Self::Anthropic => anthropic_ends(model),
            Self::Google => (String::new(), candidate("", Some("STOP"), model)),
        }
    }
}

fn anthropic_ends(model: &str) -> (String, String) {
    let message = json!({"id": "m", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": null, "usage": {"input_tokens": 100, "output_tokens": 1}});
    let block = json!({"type": "tool_use", "id": "t", "name": "propose", "input": {}});
    let first = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
    ];
    let last = [
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 20}}),
        json!({"type": "message_stop"}),
    ];
    let all = |events: &[Value]| events.iter().map(event).collect();
    (all(&first), all(&last))
}

fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

fn chunk(delta: &Value, finish: &Value, model: &str) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "model": model,
        "choices": [choice], "usage": null});
    format!("data: {chunk}\n\n")
}

fn candidate(text: &str, finish: Option<&str>, model: &str) -> String {
    let content = json!({"role": "model", "parts": [{"text": text}]});
    let used = json!({"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120});
    let data = json!({"candidates": [{"content": content, "index": 0, "finishReason": finish}],
        "usageMetadata": used, "modelVersion": model});
    format!("data: {data}\n\n")
}
