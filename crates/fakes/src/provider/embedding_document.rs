//! The document with a list of embeddings, in each provider's shape.

use super::{dialect::Dialect, fields::at};
use serde_json::{Value, json};

/// Unless a test sets others.
pub(super) const DIMENSIONS: usize = 8;
const TOKENS_PER_TEXT: usize = 7;

/// The start of the document, as far as the first number of the first vector.
pub(super) const fn first_vector(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Google => r#"{"embeddings":[{"values":[0,"#,
        Dialect::OpenAi | Dialect::Local | Dialect::Responses | Dialect::Anthropic => {
            r#"{"data":[{"index":0,"embedding":[0,"#
        }
    }
}

/// The start of the document, and an empty vector.
pub(super) const fn empty_vectors(dialect: Dialect) -> (&'static str, &'static str) {
    match dialect {
        Dialect::Google => (r#"{"embeddings":["#, r#"{"values":[]},"#),
        Dialect::OpenAi | Dialect::Local | Dialect::Responses | Dialect::Anthropic => {
            (r#"{"data":["#, r#"{"index":0,"embedding":[]},"#)
        }
    }
}

/// One vector for each text of the request.
pub(super) fn embeddings(dialect: Dialect, body: &Value, dimensions: usize) -> Value {
    let vector = |nth: usize| vec![(nth + 1) as f32 / 16.0; dimensions];
    if dialect == Dialect::Google {
        let texts = at(body, "/requests").as_array().map_or(0, Vec::len);
        let one = |nth| json!({"values": vector(nth)});
        return json!({
            "embeddings": (0..texts).map(one).collect::<Vec<_>>(),
            "usageMetadata": {"promptTokenCount": texts * TOKENS_PER_TEXT},
        });
    }
    let texts = at(body, "/input").as_array().map_or(0, Vec::len);
    let one = |nth| json!({"object": "embedding", "index": nth, "embedding": vector(nth)});
    let used = texts * TOKENS_PER_TEXT;
    json!({
        "object": "list", "model": at(body, "/model"),
        // Not in the order of the request: the index counts.
        "data": (0..texts).rev().map(one).collect::<Vec<_>>(),
        "usage": {"prompt_tokens": used, "total_tokens": used},
    })
}
