//! What a provider answered, read from the bytes that it sent in whichever of the dialects.

use serde_json::Value;

/// One answer that came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    pub text: String,
    /// As the provider names the model that answered.
    pub model: Option<String>,
}

impl Heard {
    /// `None`: it broke off, or is no answer of a model.
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
    let places = ["/model", "/message/model", "/modelVersion", "/response/model"];
    let named = places.iter().find_map(|place| document.pointer(place)?.as_str());
    named.filter(|name| !name.is_empty())
}

fn is_end(document: &Value) -> bool {
    let places = [
        "/choices/0/finish_reason",
        "/delta/stop_reason",
        "/stop_reason",
        "/candidates/0/finishReason",
    ];
    places.iter().any(|place| document.pointer(place).is_some_and(Value::is_string))
        || ["/response/status", "/status"].iter().any(|place| ends(document, place))
}

/// Of OpenAI's Responses, which name a state from the first event on.
fn ends(document: &Value, place: &str) -> bool {
    let state = document.pointer(place).and_then(Value::as_str);
    state.is_some_and(|state| matches!(state, "completed" | "incomplete"))
}

/// Of a piece, or of the whole.
fn text_of(document: &Value) -> String {
    let places = [
        "/choices/0/delta/content",
        "/choices/0/message/content",
        "/delta/text",
        "/delta/partial_json",
    ];
    let plain = places.iter().find_map(|place| document.pointer(place)?.as_str());
    if let Some(text) = plain.or_else(|| said(document)) {
        return text.to_owned();
    }
    // A whole response of OpenAI's; what ends a stream of them repeats it one level below.
    if let Some(items) = document.get("output").and_then(Value::as_array) {
        let parts = items.iter().filter_map(|item| item.get("content")?.as_array());
        return parts.flatten().map(part).collect();
    }
    let parts = ["/candidates/0/content/parts", "/content"];
    let parts = parts.iter().find_map(|place| document.pointer(place)?.as_array());
    parts.into_iter().flatten().map(part).collect()
}

/// A delta of OpenAI's Responses; others than of text are not said.
fn said(document: &Value) -> Option<&str> {
    let kind = document.get("type")?.as_str()?;
    document.get("delta")?.as_str().filter(|_| kind == "response.output_text.delta")
}

/// Of a message in parts; what the model only thought is not said.
fn part(part: &Value) -> String {
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
    use super::Heard;
    use crate::{Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_SAYS};
    use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

    async fn asked(conduct: Conduct, dialect: Dialect) -> Vec<u8> {
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
        let said = |role: &str| json!({"role": role, "content": "x"});
        match dialect {
            Dialect::OpenAi | Dialect::Local => {
                let limit =
                    if dialect == Dialect::Local { "max_tokens" } else { "max_completion_tokens" };
                let messages = [said("system"), said("user")];
                let body = json!({"model": "m", "messages": messages, limit: 9, "stream": true});
                let key = header("authorization", &format!("Bearer {PROVIDER_KEY}"));
                ("v1/chat/completions", body.to_string(), key)
            }
            Dialect::Responses => {
                let body = json!({
                    "model": "m", "instructions": "s", "input": [said("user")],
                    "max_output_tokens": 99, "stream": true, "store": false,
                });
                let key = header("authorization", &format!("Bearer {PROVIDER_KEY}"));
                ("v1/responses", body.to_string(), key)
            }
            Dialect::Anthropic => {
                let messages = [said("user")];
                let body =
                    json!({"model": "m", "max_tokens": 9, "system": "s", "messages": messages});
                let mut key = header("x-api-key", PROVIDER_KEY);
                key.extend(header("anthropic-version", "2023-06-01"));
                ("v1/messages", body.to_string(), key)
            }
            Dialect::Google => {
                let text = json!({"parts": [{"text": "x"}]});
                let said = json!({"role": "user", "parts": [{"text": "x"}]});
                let config = json!({"maxOutputTokens": 9});
                let body = json!({
                    "systemInstruction": text, "contents": [said], "generationConfig": config,
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
                let heard = Heard::read(&asked(conduct, dialect).await).unwrap();
                assert_eq!(heard.model.as_deref(), Some(model), "{dialect:?} {conduct:?}");
                let proposal: serde_json::Value = serde_json::from_str(&heard.text).unwrap();
                assert_eq!(proposal["message"], PROVIDER_SAYS, "{dialect:?} {conduct:?}");
            }
            let half = asked(Conduct::EndsEarly, dialect).await;
            assert_eq!(Heard::read(&half), None, "{dialect:?}");
        }
    }
}
