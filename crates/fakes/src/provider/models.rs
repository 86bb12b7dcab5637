//! Lists of models in each provider's published form, with invented names and dates. Read on 2026-11-22:
//!
//! - OpenAI: <https://developers.openai.com/api/reference/resources/models/methods/list>
//! - Ollama and those like it: <https://docs.ollama.com/api/openai-compatibility>
//! - Anthropic: <https://platform.claude.com/docs/en/api/models-list>
//! - Google: <https://ai.google.dev/api/models>

use super::{
    conduct::Conduct,
    defaults::PROVIDER_KEY,
    dialect::Dialect,
    document,
    fields::expect,
    refusal::Refusal,
    stream::{self, Part},
};
use crate::nesting::closed_lists;
use axum::response::Response;
use serde_json::{Value, json};

/// Models of one page, for providers with pages.
const PAGE_MAX: usize = 1_000;
/// More than one page.
const MANY: usize = 1_200;
/// A model without a name: short in the body, large once parsed. The whole list stays below the size
/// that a client reads.
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

pub(super) async fn answer(conduct: Conduct, dialect: Dialect, request: (&str, usize)) -> Response {
    let document = list(dialect, &own_models(dialect));
    let half = || document::half(&document);
    match conduct {
        Conduct::ManyModels => {
            let names: Vec<String> = (0..MANY).map(|nth| format!("m-{nth}")).collect();
            stream::document(&list(dialect, &names))
        }
        Conduct::SaysKey | Conduct::SaysKeyAsModel => {
            let keys = [PROVIDER_KEY.to_owned(), format!("m-{PROVIDER_KEY}")];
            stream::document(&list(dialect, &[own_models(dialect), keys.into()].concat()))
        }
        Conduct::TruncatedUtf8 => stream::parts(vec![half(), document::cut_character()]),
        // A field that the client reads, and one that it ignores.
        Conduct::DeepAnswer => stream::parts(vec![Part::text(deep(dialect, name_field(dialect)))]),
        Conduct::DeepEvent => stream::parts(vec![Part::text(deep(dialect, "details"))]),
        Conduct::ManyInDocument => {
            let start = format!("{{\"{}\":[", list_field(dialect));
            stream::filled(&start, NAMELESS, "{}]}", NAMELESS_BYTES)
        }
        other => document::answer(other, dialect, &document, request).await,
    }
}

/// The field with the models of a list.
const fn list_field(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local | Dialect::Anthropic => "data",
        Dialect::Google => "models",
    }
}

/// The field with a model's name.
const fn name_field(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi | Dialect::Responses | Dialect::Local | Dialect::Anthropic => "id",
        Dialect::Google => "name",
    }
}

/// A well-formed list whose only model is nested too deep in one field.
fn deep(dialect: Dialect, field: &str) -> String {
    format!("{{\"{}\":[{{\"{field}\":{}}}]}}", list_field(dialect), closed_lists())
}

fn own_models(dialect: Dialect) -> Vec<String> {
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

/// These interfaces have no pages.
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
