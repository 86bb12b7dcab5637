//! The fake providers hold every request against their provider's own rules, and run as a program.

use crate::{Caller, status};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};
use wiiiv_fakes::{Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_SAYS};
use wiiiv_net::{Credential, Origin};

async fn open() -> (FakeProvider, Caller) {
    let provider = FakeProvider::open(0).await.unwrap();
    let caller = Caller::to(&provider.url());
    (provider, caller)
}

fn with_key(caller: Caller, header: Option<&'static str>) -> Caller {
    let origin = Origin::parse(&caller.base).unwrap();
    let credential = match header {
        None => Credential::bearer(origin, PROVIDER_KEY.into()),
        Some(name) => Credential::header(name, origin, PROVIDER_KEY.into()),
    };
    Caller { credential: Some(credential), ..caller }
}

fn chat(limit: &str) -> Value {
    let messages = [("system", "s"), ("user", "u")];
    let messages = messages.map(|(role, content)| json!({"role": role, "content": content}));
    json!({"model": "m", "messages": messages, limit: 9, "stream": true})
}

#[tokio::test]
async fn openai_wants_its_own_key_and_its_own_fields() {
    let (_provider, caller) = open().await;
    let path = "/k/good/openai/v1/chat/completions";
    let own = chat("max_completion_tokens").to_string();
    assert_eq!(status(caller.post(path, &own).await), Some(401));
    let caller = with_key(caller, None);
    assert_eq!(status(caller.post(path, &chat("max_tokens").to_string()).await), Some(400));
    let said = caller.post(path, &own).await.unwrap();
    assert!(said.ends_with("data: [DONE]\n\n"));
    let compatible = chat("max_tokens").to_string();
    let whole = caller.post("/k/whole/local/v1/chat/completions", &compatible).await.unwrap();
    let document: Value = serde_json::from_str(&whole).unwrap();
    let content = document["choices"][0]["message"]["content"].as_str().unwrap();
    assert!(content.contains(PROVIDER_SAYS));
    let calls: Vec<Value> = serde_json::from_str(&caller.get("/k/calls").await.unwrap()).unwrap();
    assert_eq!(calls.len(), 4, "those that were refused among them");
}

#[tokio::test]
async fn anthropic_wants_its_version_and_google_its_method() {
    let (provider, caller) = open().await;
    let messages = json!([{"role": "user", "content": "u"}]);
    let body = json!({"model": "m", "max_tokens": 9, "system": "s", "messages": messages});
    let caller = with_key(caller, Some("x-api-key"));
    let asked = caller.post("/k/good/anthropic/v1/messages", &body.to_string()).await;
    assert_eq!(status(asked), Some(400), "the header that names the version is left out");
    let parts = json!([{"text": "u"}]);
    let body = json!({
        "systemInstruction": {"parts": parts}, "contents": [{"role": "user", "parts": parts}],
        "generationConfig": {"maxOutputTokens": 9},
    });
    let caller = with_key(Caller::to(&provider.url()), Some("x-goog-api-key"));
    let base = "/k/good/google/v1beta/models/m:streamGenerateContent";
    assert_eq!(status(caller.post(base, &body.to_string()).await), Some(400));
    let said = caller.post(&format!("{base}?alt=sse"), &body.to_string()).await.unwrap();
    assert!(said.contains("\"finishReason\":\"STOP\""));
}

/// In the shape that each publishes for it, and where none was asked for in words.
#[tokio::test]
async fn a_tool_that_is_asked_for_is_called() {
    let (provider, _) = open().await;
    let parameters = json!({"type": "object"});
    let function = json!({"name": "propose", "description": "d", "parameters": parameters});
    let mut chat = chat("max_completion_tokens");
    chat["tools"] = json!([{"type": "function", "function": function}]);
    chat["tool_choice"] = json!({"type": "function", "function": {"name": "propose"}});
    let mut local = chat.clone();
    let limit = local.as_object_mut().unwrap().remove("max_completion_tokens").unwrap();
    local["max_tokens"] = limit;
    let responses = json!({
        "model": "m", "instructions": "s", "input": [{"role": "user", "content": "u"}],
        "max_output_tokens": 16, "stream": true,
        "tools": [{"type": "function", "name": "propose", "parameters": parameters}],
        "tool_choice": {"type": "function", "name": "propose"},
    });
    let parts = json!([{"text": "u"}]);
    let allowed = json!({"mode": "ANY", "allowedFunctionNames": ["propose"]});
    let declared = json!([{"name": "propose", "parametersJsonSchema": parameters}]);
    let google = json!({
        "systemInstruction": {"parts": parts}, "contents": [{"role": "user", "parts": parts}],
        "generationConfig": {"maxOutputTokens": 9},
        "tools": [{"functionDeclarations": declared}],
        "toolConfig": {"functionCallingConfig": allowed},
    });
    let method = "google/v1beta/models/m:streamGenerateContent?alt=sse";
    let delta = "response.function_call_arguments.delta";
    for (header, path, mut body, shape, choice) in [
        (None, "openai/v1/chat/completions", chat, "\"tool_calls\":[{\"", "tool_choice"),
        (None, "local/v1/chat/completions", local, "\"tool_calls\":[{\"", "tool_choice"),
        (None, "openai/v1/responses", responses, delta, "tool_choice"),
        (Some("x-goog-api-key"), method, google, "\"functionCall\":{\"", "toolConfig"),
    ] {
        let caller = with_key(Caller::to(&provider.url()), header);
        let path = format!("/k/good/{path}");
        let called = caller.post(&path, &body.to_string()).await.unwrap();
        assert!(called.contains(shape), "{path}: {called}");
        body.as_object_mut().unwrap().remove(choice);
        let said = caller.post(&path, &body.to_string()).await.unwrap();
        assert!(!said.contains(shape), "{path}: {said}");
    }
}

#[tokio::test]
async fn a_list_wants_the_key_the_version_and_the_page_of_its_interface() {
    let (provider, bare) = open().await;
    let asked = |header: Option<&'static str>, path: &'static str| {
        let caller = with_key(Caller::to(&provider.url()), header);
        async move { caller.get(&format!("/lists/good{path}")).await }
    };
    let (anthropic, google) = (Some("x-api-key"), Some("x-goog-api-key"));
    assert_eq!(status(bare.get("/lists/good/openai/v1/models").await), Some(401));
    assert!(bare.get("/lists/good/local/v1/models").await.is_ok());
    for (header, path, expected) in [
        (None, "/openai/v1/models?limit=1000", 400),
        (None, "/google/v1beta/models?pageSize=1000", 400),
        (google, "/google/v1beta/models", 400),
        (google, "/openai/v1/models", 401),
        (anthropic, "/anthropic/v1/models?limit=1000", 400),
    ] {
        assert_eq!(status(asked(header, path).await), Some(expected), "{path}");
    }
    for (header, path) in
        [(None, "/openai/v1/models"), (google, "/google/v1beta/models?pageSize=1000")]
    {
        assert!(
            asked(header, path).await.unwrap().contains("owned_by\":\"system") == header.is_none()
        );
    }
}

#[test]
fn every_conduct_and_dialect_has_one_name() {
    for (name, conduct) in Conduct::ALL {
        assert_eq!((name.parse(), conduct.name()), (Ok(conduct), name));
    }
    for (name, dialect) in Dialect::ALL {
        assert_eq!((name.parse(), dialect.name()), (Ok(dialect), name));
    }
    assert!("obedient".parse::<Conduct>().is_err() && "latin".parse::<Dialect>().is_err());
}

#[test]
fn as_a_program_it_says_where_it_is_and_ends_when_it_is_let_go() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fake-provider"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening at http://127.0.0.1:"), "{line}");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
