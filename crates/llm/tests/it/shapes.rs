//! Every provider's client against its published shapes: `shapes/<provider>`, each with its source.

use crate::{
    wire::Wire,
    world::{World, parts, prompt},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use wiiiv_context::{PROPOSAL_SCHEMA, Rendered as _};
use wiiiv_domain::{
    ProposalFailure::{
        self, Auth, Budget, ContextTooLong, InvalidOutput, RateLimited, Refused, Timeout,
        Unavailable,
    },
    ProviderName::{self, Anthropic, Google, Ollama, OpenAi},
    Usage,
};

const PROVIDERS: [(ProviderName, &str); 4] =
    [(OpenAi, "openai"), (Anthropic, "anthropic"), (Google, "google"), (Ollama, "ollama")];
const KEY: &str = "sk-canary-7b1f0c5d9e2a";
/// What every answer among the shapes says that it used.
const USED: Usage = Usage { input_tokens: 412, output_tokens: 31, estimated: false };

fn folder(provider: ProviderName) -> &'static str {
    PROVIDERS.iter().find(|(name, _)| *name == provider).unwrap().1
}

fn shape(provider: ProviderName, file: &str) -> String {
    let path = format!("{}/tests/it/shapes", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(format!("{path}/{}/{file}", folder(provider))).unwrap()
}

/// A provider that gives this file for an answer; an error's begins with its status.
async fn answering(provider: ProviderName, file: &str) -> (Wire, World) {
    let body = shape(provider, file);
    let kind = if file.ends_with(".sse") { "text/event-stream" } else { "application/json" };
    let status = file.strip_prefix("errors/").map_or(200, |name| name[..3].parse().unwrap());
    let wire = Wire::answers(status, kind, &body).await;
    let base = wire.url();
    let mut world = match provider {
        Ollama => World::keyless(provider, base.clone(), &base),
        _ => World::keyed(provider, base.clone(), &base, KEY),
    };
    world.attempts = 1;
    (wire, world)
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
    for (provider, _) in PROVIDERS {
        let (wire, world) = answering(provider, "answer.sse").await;
        world.ask("안녕").await.unwrap();
        let (head, sent) = wire.asked();
        let expected: Value = serde_json::from_str(&shape(provider, "request.json")).unwrap();
        assert_eq!(placed(sent, "<schema>"), expected, "{provider}");
        let head = head.to_lowercase();
        let (line, headers) = head.split_once("\r\n").unwrap();
        let (path, key) = match provider {
            OpenAi => ("/chat/completions", Some(format!("authorization: bearer {KEY}"))),
            Anthropic => ("/v1/messages", Some(format!("x-api-key: {KEY}"))),
            Google => {
                ("/models/m:streamgeneratecontent?alt=sse", Some(format!("x-goog-api-key: {KEY}")))
            }
            _ => ("/chat/completions", None),
        };
        assert_eq!(line, format!("post {path} http/1.1"), "{provider}");
        assert_eq!(headers.matches(KEY).count(), usize::from(key.is_some()), "{provider}");
        assert!(key.is_none_or(|key| headers.lines().any(|line| line == key)), "{provider}");
        let versioned = headers.contains("anthropic-version: 2023-06-01");
        assert_eq!(versioned, provider == Anthropic);
    }
}

#[tokio::test]
async fn answers_are_read_streamed_or_whole() {
    for (provider, file) in [
        (OpenAi, "answer.sse"),
        (OpenAi, "answer.json"),
        (Anthropic, "answer.sse"),
        (Anthropic, "answer.json"),
        (Anthropic, "text.sse"),
        (Anthropic, "thinking.sse"),
        (Anthropic, "unknown-event.sse"),
        (Google, "answer.sse"),
        (Google, "answer.json"),
        (Google, "thoughts.sse"),
        (Ollama, "answer.sse"),
        (Ollama, "answer.json"),
        (Ollama, "thinking.sse"),
    ] {
        let (wire, world) = answering(provider, file).await;
        let (deltas, mut told) = mpsc::channel(64);
        let asked = world.ask_with(&prompt(parts("안녕")), Some(deltas)).await;
        let done = asked.unwrap_or_else(|error| panic!("{provider} {file}: {error}"));
        assert_eq!(done.proposal.message, "안녕하세요", "{provider} {file}");
        assert_eq!((done.attempts, done.usage), (1, USED), "{provider} {file}");
        let mut shown = String::new();
        while let Some(piece) = told.recv().await {
            shown.push_str(&piece);
        }
        assert_eq!(shown, "안녕하세요", "{provider} {file}");
        assert_eq!(wire.calls(), 1);
    }
}

/// `None`: nobody knows what it cost, and the hold counts as spent.
#[tokio::test]
async fn what_is_no_answer_is_told_as_what_it_is() {
    let nothing = Some(Usage::default());
    for (provider, file, failure, usage) in [
        (OpenAi, "length.sse", InvalidOutput, Some(USED)),
        (OpenAi, "refusal.sse", Refused, None),
        (OpenAi, "filtered.sse", Refused, None),
        (OpenAi, "error.sse", Unavailable, None),
        (Anthropic, "max_tokens.sse", InvalidOutput, Some(USED)),
        (Anthropic, "refusal.sse", Refused, None),
        (Anthropic, "window.sse", ContextTooLong, None),
        (Anthropic, "overloaded.sse", Unavailable, None),
        (Anthropic, "overloaded-at-once.sse", Unavailable, nothing),
        (Google, "max_tokens.sse", InvalidOutput, Some(USED)),
        (Google, "thought-out.sse", InvalidOutput, Some(USED)),
        (Google, "safety.sse", Refused, None),
        (Google, "blocked.sse", Refused, None),
        (Google, "other.sse", Unavailable, None),
        (Google, "error.sse", Unavailable, None),
        (Ollama, "length.sse", InvalidOutput, Some(USED)),
    ] {
        assert_failed(provider, file, failure, usage).await;
    }
}

#[tokio::test]
async fn errors_are_told_as_what_they_are_and_quote_nothing() {
    for (provider, failures) in [
        (
            OpenAi,
            &[
                ("400", Unavailable),
                ("400-long", ContextTooLong),
                ("401", Auth),
                ("403", Auth),
                ("404", Unavailable),
                ("429", RateLimited),
                ("429-quota", Budget),
                ("500", Unavailable),
                ("503", Unavailable),
            ][..],
        ),
        (
            Anthropic,
            &[
                ("400", Unavailable),
                ("400-long", ContextTooLong),
                ("400-credit", Budget),
                ("401", Auth),
                ("402", Budget),
                ("403", Auth),
                ("404", Unavailable),
                ("413", ContextTooLong),
                ("429", RateLimited),
                ("500", Unavailable),
                ("504", Timeout),
                ("529", Unavailable),
            ],
        ),
        (
            Google,
            &[
                ("400", Unavailable),
                ("400-key", Auth),
                ("400-long", ContextTooLong),
                ("403", Auth),
                ("404", Unavailable),
                ("429", RateLimited),
                ("500", Unavailable),
                ("503", Unavailable),
                ("504", Timeout),
            ],
        ),
        (Ollama, &[("400", Unavailable), ("404", Unavailable), ("500", Unavailable)]),
    ] {
        for (name, failure) in failures {
            let file = format!("errors/{name}.json");
            assert_failed(provider, &file, *failure, Some(Usage::default())).await;
        }
    }
}

async fn assert_failed(
    provider: ProviderName,
    file: &str,
    failure: ProposalFailure,
    usage: Option<Usage>,
) {
    let (_wire, world) = answering(provider, file).await;
    let (failed, error) = world.failure().await;
    assert_eq!((failed, error.usage), (failure, usage), "{provider} {file}: {error}");
    let told = error.to_string();
    for foreign in ["canar", "org-x", "sorry", "billing", "messages"] {
        assert!(!told.to_lowercase().contains(foreign), "{provider} {file}: {told}");
    }
}

/// Every file is looked at by a test above.
#[test]
fn no_shape_lies_idle() {
    let own = include_str!("shapes.rs");
    for (provider, folder) in PROVIDERS {
        let path = format!("{}/tests/it/shapes/{folder}", env!("CARGO_MANIFEST_DIR"));
        let errors = std::fs::read_dir(format!("{path}/errors")).unwrap();
        let files = std::fs::read_dir(&path).unwrap().chain(errors);
        for file in files {
            let name = file.unwrap().file_name().into_string().unwrap();
            let error = name.trim_end_matches(".json");
            let known =
                own.contains(&format!("\"{name}\"")) || own.contains(&format!("(\"{error}\""));
            assert!(known || ["SOURCE.md", "errors"].contains(&name.as_str()), "{provider} {name}");
        }
    }
}
