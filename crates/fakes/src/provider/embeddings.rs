//! Requests for embeddings: their check, and their answer by conduct.

use super::{
    conduct::Conduct,
    dialect::Dialect,
    document,
    embedding_document::{embeddings, first_vector},
    fields::{at, expect, only},
    refusal::Refusal,
    stream::{self, Part},
};
use crate::nesting::open_lists;
use axum::response::Response;
use serde_json::Value;

pub(super) fn is_path(path: &str) -> bool {
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

pub(super) async fn answer(
    conduct: Conduct,
    (dialect, body, dimensions): (Dialect, &Value, usize),
    request: (&str, usize),
) -> Response {
    let start = Part::text(first_vector(dialect));
    match conduct {
        Conduct::TruncatedUtf8 => {
            stream::parts(vec![start, Part::text("\""), document::cut_character()])
        }
        Conduct::DeepAnswer | Conduct::DeepEvent => {
            stream::parts(vec![start, Part::text(open_lists())])
        }
        other => {
            let made = embeddings(dialect, body, dimensions);
            document::answer(other, dialect, &made, request).await
        }
    }
}
