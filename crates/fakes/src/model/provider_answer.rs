//! Reads a provider's complete answer from its bytes, in any of the five wire formats.

use serde_json::Value;

/// One complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderAnswer {
    pub text: String,
    /// The model's name, as the provider gives it.
    pub model: Option<String>,
}

impl ProviderAnswer {
    /// `None`: it broke off, or is not a model's answer.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let body = String::from_utf8_lossy(bytes);
        let documents: Vec<Value> = match serde_json::from_str(&body) {
            Ok(whole) => vec![whole],
            Err(_) => body.lines().filter_map(event).collect(),
        };
        let model = documents.iter().find_map(model_of).map(str::to_owned);
        let text = documents.iter().map(text_of).collect();
        documents.iter().any(is_end).then_some(Self { text, model })
    }
}

fn event(line: &str) -> Option<Value> {
    serde_json::from_str(line.strip_prefix("data:")?.trim()).ok()
}

fn model_of(document: &Value) -> Option<&str> {
    let pointers = ["/model", "/message/model", "/modelVersion", "/response/model"];
    let name = pointers.iter().find_map(|pointer| document.pointer(pointer)?.as_str());
    name.filter(|name| !name.is_empty())
}

fn is_end(document: &Value) -> bool {
    let pointers = [
        "/choices/0/finish_reason",
        "/delta/stop_reason",
        "/stop_reason",
        "/candidates/0/finishReason",
    ];
    pointers.iter().any(|pointer| document.pointer(pointer).is_some_and(Value::is_string))
        || ["/response/status", "/status"].iter().any(|pointer| has_final_status(document, pointer))
}

/// OpenAI's Responses carry a status from the first event on; these two are final.
fn has_final_status(document: &Value, pointer: &str) -> bool {
    let state = document.pointer(pointer).and_then(Value::as_str);
    state.is_some_and(|state| matches!(state, "completed" | "incomplete"))
}

/// The text of one streamed piece, or of the whole document.
fn text_of(document: &Value) -> String {
    let pointers = [
        "/choices/0/delta/content",
        "/choices/0/message/content",
        "/delta/text",
        "/delta/partial_json",
    ];
    let plain = pointers.iter().find_map(|pointer| document.pointer(pointer)?.as_str());
    if let Some(text) = plain.or_else(|| text_delta(document)) {
        return text.to_owned();
    }
    // A whole response of OpenAI. The last event of a stream repeats it one level below.
    if let Some(items) = document.get("output").and_then(Value::as_array) {
        let parts = items.iter().filter_map(|item| item.get("content")?.as_array());
        return parts.flatten().map(text_of_part).collect();
    }
    let pointers = ["/candidates/0/content/parts", "/content"];
    let parts = pointers.iter().find_map(|pointer| document.pointer(pointer)?.as_array());
    parts.into_iter().flatten().map(text_of_part).collect()
}

/// A text delta of OpenAI's Responses; deltas of other kinds are not part of the answer.
fn text_delta(document: &Value) -> Option<&str> {
    let kind = document.get("type")?.as_str()?;
    document.get("delta")?.as_str().filter(|_| kind == "response.output_text.delta")
}

/// Thoughts of the model are not part of the answer.
fn text_of_part(part: &Value) -> String {
    if part.get("thought").and_then(Value::as_bool) == Some(true) {
        return String::new();
    }
    match (part.get("text").and_then(Value::as_str), part.get("input")) {
        (Some(text), _) => text.to_owned(),
        (None, Some(input)) => input.to_string(),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::ProviderAnswer;
    use crate::{Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_SAYS};
    use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

    async fn answer(conduct: Conduct, dialect: Dialect) -> Vec<u8> {
        wiiiv_net::install_tls_provider();
        let provider = FakeProvider::open(0).await.unwrap();
        let client =
            ProviderClient::new([Origin::parse(&provider.url()).unwrap()], Timeouts::default());
        let (path, body, key) = request(dialect);
        let url = format!("{}/k/{}/{}/{path}", provider.url(), conduct.name(), dialect.name());
        let body = Bytes::from(body);
        let mut request = ProviderRequest::new(Url::parse(&url).unwrap(), None, body);
        request.headers = key;
        client.unwrap().post(request).await.unwrap().body.to_vec()
    }

    type Request = (&'static str, String, Vec<(String, String)>);

    fn request(dialect: Dialect) -> Request {
        use serde_json::json;
        let header = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let message = |role: &str| json!({"role": role, "content": "x"});
        match dialect {
            Dialect::OpenAi | Dialect::Local => {
                let limit =
                    if dialect == Dialect::Local { "max_tokens" } else { "max_completion_tokens" };
                let messages = [message("system"), message("user")];
                let body = json!({"model": "m", "messages": messages, limit: 9, "stream": true});
                let key = header("authorization", &format!("Bearer {PROVIDER_KEY}"));
                ("v1/chat/completions", body.to_string(), key)
            }
            Dialect::Responses => {
                let body = json!({
                    "model": "m", "instructions": "s", "input": [message("user")],
                    "max_output_tokens": 99, "stream": true, "store": false,
                });
                let key = header("authorization", &format!("Bearer {PROVIDER_KEY}"));
                ("v1/responses", body.to_string(), key)
            }
            Dialect::Anthropic => {
                let messages = [message("user")];
                let body =
                    json!({"model": "m", "max_tokens": 9, "system": "s", "messages": messages});
                let mut key = header("x-api-key", PROVIDER_KEY);
                key.extend(header("anthropic-version", "2023-06-01"));
                ("v1/messages", body.to_string(), key)
            }
            Dialect::Google => {
                let text = json!({"parts": [{"text": "x"}]});
                let turn = json!({"role": "user", "parts": [{"text": "x"}]});
                let config = json!({"maxOutputTokens": 9});
                let body = json!({
                    "systemInstruction": text, "contents": [turn], "generationConfig": config,
                });
                let path = "v1beta/models/m:streamGenerateContent?alt=sse";
                (path, body.to_string(), header("x-goog-api-key", PROVIDER_KEY))
            }
        }
    }

    #[tokio::test]
    async fn an_answer_is_read_in_every_dialect_streamed_or_whole() {
        let dialects = Dialect::ALL.into_iter().map(|(_, dialect)| dialect);
        for dialect in dialects.chain([Dialect::Responses]) {
            let model = if dialect == Dialect::Responses { "gpt-5.3-codex" } else { "m" };
            for conduct in [Conduct::Good, Conduct::Whole] {
                let read = ProviderAnswer::read(&answer(conduct, dialect).await).unwrap();
                assert_eq!(read.model.as_deref(), Some(model), "{dialect:?} {conduct:?}");
                let proposal: serde_json::Value = serde_json::from_str(&read.text).unwrap();
                assert_eq!(proposal["message"], PROVIDER_SAYS, "{dialect:?} {conduct:?}");
            }
            let half = answer(Conduct::EndsEarly, dialect).await;
            assert_eq!(ProviderAnswer::read(&half), None, "{dialect:?}");
        }
    }
}
