//! Every provider's client against its published shapes: `shapes/<provider>`, each with its source.

use crate::{
    outcomes,
    party::Party::{self, Anthropic, Google, Ollama, OpenAi, Responses},
    test_models::{TestModels, parts, prompt},
    wire::Wire,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_context::{PROPOSAL_SCHEMA, Rendered as _};
use wiiiv_domain::Usage;
use wiiiv_llm::{Form, Picture};

const PARTIES: [(Party, &str); 5] = [
    (OpenAi, "openai"),
    (Responses, "responses"),
    (Anthropic, "anthropic"),
    (Google, "google"),
    (Ollama, "ollama"),
];
/// No more of one than its signature.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const KEY: &str = "sk-canary-7b1f0c5d9e2a";

/// What every answer among the shapes says that it used.
pub fn used(party: Party) -> Usage {
    // Ollama's are held against what was sent: fewer would be a prompt that was cut.
    let input_tokens = if party == Ollama { 2_412 } else { 412 };
    Usage { input_tokens, output_tokens: 31, estimated: false }
}

fn folder(party: Party) -> &'static str {
    PARTIES.iter().find(|(name, _)| *name == party).unwrap().1
}

pub fn shape(party: Party, file: &str) -> String {
    let path = format!("{}/tests/it/shapes", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(format!("{path}/{}/{file}", folder(party))).unwrap()
}

/// One that gives this file for an answer; an error's begins with its status.
pub async fn answering(party: Party, file: &str) -> (Wire, TestModels) {
    let body = shape(party, file);
    let kind = if file.ends_with(".sse") { "text/event-stream" } else { "application/json" };
    let status = file.strip_prefix("errors/").map_or(200, |name| name[..3].parse().unwrap());
    let wire = Wire::answers(status, kind, &body).await;
    let base = wire.url();
    let mut test = party.test(base.clone(), &base, KEY);
    test.attempts = 1;
    (wire, test)
}

/// However it was sent.
fn placed(mut request: Value, schema: &str) -> Value {
    let prompt = prompt(parts("안녕"));
    let mut whole: Value = serde_json::from_str(PROPOSAL_SCHEMA).unwrap();
    for named in ["<schema>", "without"] {
        let mut texts = vec![&mut request];
        while let Some(value) = texts.pop() {
            if *value == whole {
                *value = json!(schema);
            }
            match value {
                Value::String(text) if text == prompt.system() => *text = "<system>".to_owned(),
                Value::String(text) if text == prompt.user() => *text = "<user>".to_owned(),
                Value::String(text) if text.ends_with("iVBORw0KGgo=") => {
                    *text = text.replace("iVBORw0KGgo=", "<png>");
                }
                Value::Array(items) => texts.extend(items),
                Value::Object(fields) => texts.extend(fields.values_mut()),
                _ => {}
            }
        }
        // Google's is sent without the name of its language.
        if named == "<schema>" {
            whole.as_object_mut().unwrap().remove("$schema");
        }
    }
    request
}

#[tokio::test]
async fn requests_have_the_published_shape() {
    for (party, _) in PARTIES {
        let (wire, test) = answering(party, "answer.sse").await;
        asked_by(party, (wire, test), "request.json").await;
        let (wire, mut test) = answering(party, "answer.sse").await;
        test.options.picture = Picture::png(PICTURE);
        asked_by(party, (wire, test), "picture-request.json").await;
        // ANTHROPIC is asked by a tool in any case; OLLAMA knows tools, and takes none to be called.
        if ![Anthropic, Ollama].contains(&party) {
            let (wire, mut test) = answering(party, "tool.sse").await;
            let models =
                ["m", "gpt-5.3-codex"].map(|model| format!("{}:{model}", party.provider()));
            test.models = test.models.with_forms(models.map(|model| (model, Form::Tool)).into());
            asked_by(party, (wire, test), "tool-request.json").await;
        }
    }
}

async fn asked_by(party: Party, (wire, test): (Wire, TestModels), request: &str) {
    test.ask("안녕").await.unwrap();
    let (head, sent) = wire.asked();
    // Word for word: the order of its fields is part of what it says.
    let own = |line: &&str| party != Google || !line.trim_start().starts_with("\"$schema\"");
    let gap = if party == Google { "" } else { "\n" };
    let schema = PROPOSAL_SCHEMA.trim().lines().filter(own).collect::<Vec<_>>().join(gap);
    assert!(sent.contains(&schema), "{party}");
    let sent: Value = serde_json::from_str(&sent).unwrap();
    let expected: Value = serde_json::from_str(&shape(party, request)).unwrap();
    assert_eq!(placed(sent, "<schema>"), expected, "{party}");
    let head = head.to_lowercase();
    let (line, headers) = head.split_once("\r\n").unwrap();
    let (path, key) = match party {
        OpenAi => ("/chat/completions", Some(format!("authorization: bearer {KEY}"))),
        Responses => ("/responses", Some(format!("authorization: bearer {KEY}"))),
        Anthropic => ("/v1/messages", Some(format!("x-api-key: {KEY}"))),
        Google => {
            ("/models/m:streamgeneratecontent?alt=sse", Some(format!("x-goog-api-key: {KEY}")))
        }
        // Its base is given without a path.
        Ollama => ("/v1/chat/completions", None),
        _ => ("/chat/completions", None),
    };
    assert_eq!(line, format!("post {path} http/1.1"), "{party}");
    assert_eq!(headers.matches(KEY).count(), usize::from(key.is_some()), "{party}");
    assert!(key.is_none_or(|key| headers.lines().any(|line| line == key)), "{party}");
    let versioned = headers.contains("anthropic-version: 2023-06-01");
    assert_eq!(versioned, party == Anthropic);
}

/// What is known of a model is asked of it; what is not known is not sent.
#[tokio::test]
async fn a_model_that_is_known_is_asked_as_it_takes_it() {
    let cold = |temperature: &Value| *temperature == json!(0);
    for (party, model, temperature, thinking) in [
        (OpenAi, "gpt-4o-mini", true, None),
        (Anthropic, "claude-sonnet-4-6", true, None),
        (OpenAi, "gpt-5-mini", false, Some(json!("minimal"))),
        (OpenAi, "gpt-5-mini-2025-08-07", false, Some(json!("minimal"))),
        (OpenAi, "gpt-3.5-turbo", true, None),
        (Responses, "gpt-5.3-codex", false, Some(json!({"effort": "low"}))),
        (Google, "gemini-2.5-flash", true, Some(json!({"thinkingBudget": 0}))),
        (Google, "gemini-2.5-pro", true, Some(json!({"thinkingBudget": 128}))),
        (Google, "gemini-3.5-flash-lite", false, Some(json!({"thinkingLevel": "minimal"}))),
        (Google, "gemini-3.8-flash", false, Some(json!({"thinkingLevel": "low"}))),
    ] {
        let (wire, mut test) = answering(party, "answer.sse").await;
        test.turn_to(model);
        test.ask("안녕").await.unwrap();
        let sent: Value = serde_json::from_str(&wire.asked().1).unwrap();
        let fields = if party == Google { &sent["generationConfig"] } else { &sent };
        assert_eq!(fields.get("temperature").is_some_and(cold), temperature, "{model}");
        let thought = ["thinkingConfig", "reasoning", "reasoning_effort"];
        let thought = thought.into_iter().find_map(|name| fields.get(name));
        assert_eq!(thought, thinking.as_ref(), "{model}");
        let takes_no_schema = sent.get("tool_choice").is_some() && party != Anthropic;
        assert_eq!(takes_no_schema, model == "gpt-3.5-turbo", "{model}");
    }
}

/// Every file is looked at by a test, under the one whose it is.
#[test]
fn no_shape_lies_idle() {
    let known: BTreeSet<(Party, String)> = outcomes::files().collect();
    let mut found = BTreeSet::new();
    for (party, folder) in PARTIES {
        let path = format!("{}/tests/it/shapes/{folder}", env!("CARGO_MANIFEST_DIR"));
        for (folder, lead) in [(path.clone(), ""), (format!("{path}/errors"), "errors/")] {
            for file in std::fs::read_dir(folder).unwrap() {
                let name = file.unwrap().file_name().into_string().unwrap();
                let is_asked = name.ends_with("request.json") || name.starts_with("embeddings");
                if !is_asked && !["SOURCE.md", "errors"].contains(&name.as_str()) {
                    found.insert((party, format!("{lead}{name}")));
                }
            }
        }
    }
    assert_eq!(found, known);
}
