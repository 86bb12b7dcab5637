//! Answers that are one document, by conduct: embeddings and lists of models.

use super::{
    answer_format::AnswerFormat,
    chat,
    conduct::Conduct,
    defaults::SLOW_DELAY,
    dialect::Dialect,
    stream::{self, Part},
};
use axum::response::Response;
use serde_json::Value;

/// Conducts that mean the same for every document; the others answer as a chat does.
pub(super) async fn answer(
    conduct: Conduct,
    dialect: Dialect,
    document: &Value,
    (key, nth): (&str, usize),
) -> Response {
    match conduct {
        Conduct::Good | Conduct::Whole => stream::document(document),
        Conduct::Slow => {
            tokio::time::sleep(SLOW_DELAY).await;
            stream::document(document)
        }
        Conduct::RateLimitedOnce | Conduct::RefusesOnce if nth > 1 => stream::document(document),
        Conduct::StallsLater if nth == 1 => stream::document(document),
        Conduct::Stalls | Conduct::StallsLater => stream::parts(vec![half(document), Part::Stall]),
        Conduct::BreaksOff => stream::parts(vec![half(document), Part::Broken]),
        Conduct::EndsEarly => stream::parts(vec![half(document)]),
        Conduct::InvalidJson => stream::parts(vec![half(document), Part::text("{\"a\":")]),
        other => chat::answer(other, AnswerFormat::text(dialect), (key, nth)).await,
    }
}

pub(super) fn half(document: &Value) -> Part {
    let text = document.to_string();
    Part::text(text.get(..text.len() / 2).unwrap_or_default())
}

/// The first byte of a three-byte character.
pub(super) fn cut_character() -> Part {
    Part::Bytes(vec![0xea].into())
}
