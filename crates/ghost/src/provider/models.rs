//! Lists of models as each publishes them, names and dates made up. Looked up on 2026-11-22:
//!
//! - OpenAI: <https://developers.openai.com/api/reference/resources/models/methods/list>
//! - Ollama and those like it: <https://docs.ollama.com/api/openai-compatibility>
//! - Anthropic: <https://platform.claude.com/docs/en/api/models-list>
//! - Google: <https://ai.google.dev/api/models>

use super::{
    PROVIDER_KEY,
    conduct::{Conduct, SLOW},
    dialect::{Dialect, Refusal, expect},
    stream::{self, Part},
    voice::Voice,
};
use axum::response::Response;
use serde_json::{Value, json};

/// Of one page, by those that have pages.
const PAGE_MAX: usize = 1_000;
/// More than one page.
const MANY: usize = 1_200;
/// Levels of a list that is too deep.
const DEPTH: usize = 10_000;
/// Little to write, and much to keep; all of it is less than is read of a list.
const NAMELESS: &str = "{},";
const NAMELESS_BYTES: usize = 4_000_000;

pub(super) fn check(
    dialect: Dialect,
    (path, query): (&str, &str),
    version: Option<&str>,
) -> Result<(), Refusal> {
    let page = |name: &str| query.strip_prefix(name).and_then(|most| most.parse::<usize>().ok());
    match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local => {
            expect(path == "v1/models" && query.is_empty(), "no such path")
        }
        Dialect::Anthropic => {
            expect(path == "v1/models", "no such path")?;
            expect(version == Some("2023-06-01"), "anthropic-version: header is required")?;
            let most = page("limit=").filter(|most| (1..=PAGE_MAX).contains(most));
            expect(most.is_some(), "limit: from 1 to 1000")
        }
        Dialect::Google => {
            expect(path == "v1beta/models", "no such path")?;
            expect(page("pageSize=").is_some(), "pageSize is a number")
        }
    }
}

/// As of an answer in words, where that is another thing for a list; else the same.
pub(super) async fn behave(
    conduct: Conduct,
    dialect: Dialect,
    (key, nth): (&str, usize),
) -> Response {
    let good = || stream::document(&list(dialect, &own(dialect)));
    let whole = list(dialect, &own(dialect)).to_string();
    let half = || Part::text(whole.get(..whole.len() / 2).unwrap_or_default());
    match conduct {
        Conduct::Good | Conduct::Whole => good(),
        Conduct::Slow => {
            tokio::time::sleep(SLOW).await;
            good()
        }
        Conduct::RateLimitedOnce | Conduct::RefusesOnce if nth > 1 => good(),
        Conduct::ManyModels => {
            let names: Vec<String> = (0..MANY).map(|nth| format!("m-{nth}")).collect();
            stream::document(&list(dialect, &names))
        }
        Conduct::SaysKey | Conduct::SaysKeyAsModel => {
            let said = [PROVIDER_KEY.to_owned(), format!("m-{PROVIDER_KEY}")];
            stream::document(&list(dialect, &[own(dialect), said.into()].concat()))
        }
        Conduct::Stalls => stream::parts(vec![half(), Part::Forever]),
        Conduct::BreaksOff => stream::parts(vec![half(), Part::Gone]),
        Conduct::EndsEarly => stream::parts(vec![half()]),
        Conduct::InvalidJson => stream::parts(vec![half(), Part::text("{\"a\":")]),
        // The first of the three bytes of a character.
        Conduct::TruncatedUtf8 => stream::parts(vec![half(), Part::Bytes(vec![0xea].into())]),
        // Where a name is read, and where nothing is.
        Conduct::DeepAnswer => stream::parts(vec![Part::text(deep(dialect, field(dialect)))]),
        Conduct::DeepEvent => stream::parts(vec![Part::text(deep(dialect, "details"))]),
        Conduct::ManyInDocument => {
            let open = format!("{{\"{}\":[", of(dialect));
            stream::filled(&open, NAMELESS, "{}]}", NAMELESS_BYTES)
        }
        other => other.answer(Voice::in_words(dialect), (key, nth)).await,
    }
}

/// What the models of a list are called.
const fn of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local | Dialect::Anthropic => "data",
        Dialect::Google => "models",
    }
}

/// What the name of one is called.
const fn field(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local | Dialect::Anthropic => "id",
        Dialect::Google => "name",
    }
}

/// Well-formed all the same.
fn deep(dialect: Dialect, within: &str) -> String {
    let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
    format!("{{\"{}\":[{{\"{within}\":{open}{close}}}]}}", of(dialect))
}

fn own(dialect: Dialect) -> Vec<String> {
    let names: &[&str] = match dialect {
        Dialect::OpenAi | Dialect::Responses => &["gpt-4o-mini", "text-embedding-3-small"],
        Dialect::Local => &["llama3.1:8b", "qwen2.5:0.5b"],
        Dialect::Anthropic => &["claude-sonnet-4-6", "claude-haiku-4-5-20251001"],
        Dialect::Google => &["gemini-3.5-flash-lite", "gemini-embedding-001"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn list(dialect: Dialect, names: &[String]) -> Value {
    let page: Vec<&String> = names.iter().take(PAGE_MAX).collect();
    let has_more = names.len() > PAGE_MAX;
    match dialect {
        Dialect::OpenAi | Dialect::Responses => models_of("system", names),
        Dialect::Local => models_of("library", names),
        Dialect::Anthropic => json!({
            "data": page.iter().map(|name| claude(name)).collect::<Vec<_>>(),
            "first_id": page.first(), "has_more": has_more, "last_id": page.last(),
        }),
        Dialect::Google => {
            let models: Vec<Value> = page.iter().map(|name| gemini(name)).collect();
            if has_more {
                json!({"models": models, "nextPageToken": "Ch1tb2RlbHMv"})
            } else {
                json!({"models": models})
            }
        }
    }
}

/// All of them: there are no pages.
fn models_of(owner: &str, names: &[String]) -> Value {
    let one =
        |name| json!({"id": name, "object": "model", "created": 1_763_000_000, "owned_by": owner});
    json!({"object": "list", "data": names.iter().map(one).collect::<Vec<_>>()})
}

fn claude(name: &str) -> Value {
    json!({
        "id": name, "created_at": "2026-02-04T00:00:00Z", "display_name": "Claude",
        "max_input_tokens": 200_000, "max_tokens": 64_000, "type": "model",
    })
}

fn gemini(name: &str) -> Value {
    json!({
        "name": format!("models/{name}"), "baseModelId": name, "version": "001",
        "displayName": "Gemini", "description": "A model.", "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent"],
        "temperature": 1, "maxTemperature": 2, "topP": 0.95, "topK": 64,
    })
}
