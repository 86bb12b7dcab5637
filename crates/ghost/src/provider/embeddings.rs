//! Embeddings, as OpenAI and those like it have them, and as Google has.

use super::{
    conduct::{Conduct, SLOW},
    dialect::{Dialect, Refusal, at, expect, only},
    stream::{self, Part},
    voice::Voice,
};
use axum::response::Response;
use serde_json::{Value, json};

const DIMENSIONS: usize = 8;
/// Levels of an answer that is too deep.
const DEPTH: usize = 10_000;
/// For each text.
const TOKENS: usize = 7;

/// A vector that goes on and on; nobody reads as far as its end.
pub(super) const fn open(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Google => r#"{"embeddings":[{"values":[0,"#,
        Dialect::OpenAi | Dialect::Local | Dialect::Responses | Dialect::Anthropic => {
            r#"{"data":[{"index":0,"embedding":[0,"#
        }
    }
}

/// Vectors of nothing, one after the other.
pub(super) const fn many(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Google => (r#"{"embeddings":["#, r#"{"values":[]},"#),
        Dialect::OpenAi | Dialect::Local | Dialect::Responses | Dialect::Anthropic => {
            (r#"{"data":["#, r#"{"index":0,"embedding":[]},"#)
        }
    }
}

pub(super) fn is_asked(path: &str) -> bool {
    path == "v1/embeddings" || path.ends_with(":batchEmbedContents")
}

pub(super) fn check(dialect: Dialect, target: &str, body: &Value) -> Result<(), Refusal> {
    match dialect {
        Dialect::OpenAi | Dialect::Local => {
            expect(target == "v1/embeddings?", "no such path")?;
            only(body, &["model", "input", "encoding_format"])?;
            expect(at(body, "/model").is_string(), "you must provide a model parameter")?;
            expect(at(body, "/encoding_format") == "float", "the encoding is `float`")?;
            let texts = at(body, "/input").as_array();
            let fits = |texts: &Vec<Value>| {
                !texts.is_empty()
                    && texts.iter().all(|text| text.as_str().is_some_and(|t| !t.is_empty()))
            };
            expect(texts.is_some_and(fits), "the input is a list of texts")
        }
        Dialect::Google => {
            only(body, &["requests"])?;
            let requests = at(body, "/requests").as_array().into_iter().flatten();
            for request in requests {
                only(request, &["model", "content"])?;
                let model = at(request, "/model").as_str().unwrap_or_default();
                let path = format!("v1beta/{model}:batchEmbedContents?");
                expect(target == path, "the model is that of the path")?;
                expect(at(request, "/content/parts/0/text").is_string(), "a part is a text")?;
            }
            Ok(())
        }
        Dialect::Responses | Dialect::Anthropic => Err(Refusal::Invalid("no such path".to_owned())),
    }
}

/// As of an answer in words, where that is another thing for a document; else the same.
pub(super) async fn behave(
    conduct: Conduct,
    (dialect, body): (Dialect, &Value),
    (key, nth): (&str, usize),
) -> Response {
    let good = || stream::document(&answer(dialect, body));
    let whole = answer(dialect, body).to_string();
    let half = || Part::text(whole.get(..whole.len() / 2).unwrap_or_default());
    match conduct {
        Conduct::Good | Conduct::Whole => good(),
        Conduct::Slow => {
            tokio::time::sleep(SLOW).await;
            good()
        }
        Conduct::RateLimitedOnce | Conduct::RefusesOnce if nth > 1 => good(),
        Conduct::Stalls => stream::parts(vec![half(), Part::Forever]),
        Conduct::BreaksOff => stream::parts(vec![half(), Part::Gone]),
        Conduct::EndsEarly => stream::parts(vec![half()]),
        Conduct::InvalidJson => stream::parts(vec![half(), Part::text("{\"a\":")]),
        // The first of the three bytes of a character.
        Conduct::TruncatedUtf8 => {
            let cut = Part::Bytes(vec![0xea].into());
            stream::parts(vec![Part::text(open(dialect)), Part::text("\""), cut])
        }
        Conduct::DeepAnswer | Conduct::DeepEvent => {
            stream::parts(vec![Part::text(open(dialect)), Part::text("[".repeat(DEPTH))])
        }
        other => other.answer(Voice::in_words(dialect), (key, nth)).await,
    }
}

pub(super) fn answer(dialect: Dialect, body: &Value) -> Value {
    let vector = |nth: usize| vec![(nth + 1) as f32 / 16.0; DIMENSIONS];
    if dialect == Dialect::Google {
        let texts = at(body, "/requests").as_array().map_or(0, Vec::len);
        let one = |nth| json!({"values": vector(nth)});
        return json!({
            "embeddings": (0..texts).map(one).collect::<Vec<_>>(),
            "usageMetadata": {"promptTokenCount": texts * TOKENS},
        });
    }
    let texts = at(body, "/input").as_array().map_or(0, Vec::len);
    let one = |nth| json!({"object": "embedding", "index": nth, "embedding": vector(nth)});
    let used = texts * TOKENS;
    json!({
        "object": "list", "model": at(body, "/model"),
        // In whatever order.
        "data": (0..texts).rev().map(one).collect::<Vec<_>>(),
        "usage": {"prompt_tokens": used, "total_tokens": used},
    })
}
