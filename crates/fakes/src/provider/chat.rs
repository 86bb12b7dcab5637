//! Answers to a chat request, by conduct.

use super::{
    answer_format::{AnswerFormat, refuse},
    conduct::Conduct,
    defaults::{PROVIDER_KEY, PROVIDER_READS, PROVIDER_SAYS, SLOW_DELAY},
    embedding_document,
    refusal::Refusal,
    stop_reason::StopReason,
    stream::{self, Part},
};
use crate::nesting::open_lists;
use axum::response::Response;
use serde_json::json;
use std::time::Duration;

/// Pause between two signs of life without content.
const PING_PAUSE: Duration = Duration::from_millis(100);
/// Pause between two small pieces of an endless answer.
const DRIP_PAUSE: Duration = Duration::from_millis(200);
/// Bodies that are generated on the fly.
const HUGE_BYTES: u64 = 1_000_000_000;
/// A small member: short in the body, large once parsed.
const SMALL: &str = ",{\"b\":0}";
const EVENT_BYTES: usize = 1_000_000;
const DOCUMENT_BYTES: usize = 2_000_000;
/// Numbers of two bytes each, which take four once parsed.
const NUMBERS_BYTES: usize = 12_000_000;

/// `nth`: the request's number under its key, from 1.
pub(super) async fn answer(
    conduct: Conduct,
    format: AnswerFormat,
    (key, nth): (&str, usize),
) -> Response {
    let refuse = |refusal: Refusal| refuse(format.dialect, &refusal);
    let text = proposal(key);
    let half = || stream::half(format, &text);
    match conduct {
        Conduct::Good | Conduct::ManyModels => stream::good(format, &text),
        Conduct::Whole => stream::document(&format.document(&text)),
        Conduct::Slow => {
            tokio::time::sleep(SLOW_DELAY).await;
            stream::good(format, &text)
        }
        Conduct::RateLimitedOnce | Conduct::RefusesOnce if nth > 1 => stream::good(format, &text),
        Conduct::RateLimitedOnce | Conduct::RateLimited => refuse(Refusal::RateLimited(Some(1))),
        Conduct::RateLimitedBare => refuse(Refusal::RateLimited(None)),
        Conduct::Unpaid => refuse(Refusal::Unpaid),
        Conduct::RefusesOnce => refuse(Refusal::Invalid("a field is not known".to_owned())),
        Conduct::TooLong => refuse(Refusal::TooLong),
        Conduct::WrongKey => refuse(Refusal::WrongKey),
        Conduct::Forbidden => refuse(Refusal::Forbidden),
        Conduct::NoSuchModel => refuse(Refusal::NoSuchModel),
        Conduct::Broken => refuse(Refusal::Broken),
        Conduct::Overloaded => refuse(Refusal::Overloaded),
        Conduct::Silent => std::future::pending().await,
        Conduct::HalfOpen => stream::parts(vec![Part::Stall]),
        Conduct::StallsLater if nth == 1 => stream::good(format, &text),
        Conduct::Stalls | Conduct::StallsLater => stream::parts(vec![half(), Part::Stall]),
        Conduct::BreaksOff => stream::parts(vec![half(), Part::Broken]),
        Conduct::EndsEarly => stream::parts(vec![half()]),
        Conduct::FailsMidway => stream::parts(vec![half(), Part::text(format.failed_midway())]),
        Conduct::FailsBeforeWords => {
            stream::parts([format.thinking(), format.failed_midway()].map(Part::text).into())
        }
        Conduct::TruncatedUtf8 => stream::truncated(format, &text),
        Conduct::InvalidJson => stream::parts(vec![half(), Part::text("data: {\"a\":\n\n")]),
        Conduct::DeepEvent => stream::parts(vec![half(), Part::text(deep_event())]),
        Conduct::DeepAnswer => stream::in_one_part(format, &format!("{{\"a\":{}", open_lists())),
        Conduct::HugeEvent => stream::huge(b"data: {\"a\":\"", HUGE_BYTES),
        Conduct::HugeStream => stream::repeated(&format.piece(&"가나".repeat(1_000)), HUGE_BYTES),
        Conduct::HugeDocument => stream::huge(b"{\"a\":\"", HUGE_BYTES),
        Conduct::ManyInEvent => stream::filled("data: {\"a\":[0", SMALL, "]}\n\n", EVENT_BYTES),
        Conduct::ManyInDocument => stream::filled("{\"a\":[0", SMALL, "]}", DOCUMENT_BYTES),
        Conduct::HugeError => stream::huge_error(HUGE_BYTES),
        Conduct::WrongArguments => stream::good(format, &wrong_arguments()),
        Conduct::Declines => stream::parts(vec![Part::text(format.declined())]),
        Conduct::DeclinesAtOnce => refuse(Refusal::Declined),
        Conduct::CutShort => {
            stream::parts(vec![half(), Part::text(format.closing(StopReason::TokenLimit))])
        }
        Conduct::Endless => stream::repeated(&format.piece("그리고 계속해서 "), u64::MAX),
        Conduct::Drips => stream::repeat_forever(format.opening(), format.piece("네 "), DRIP_PAUSE),
        Conduct::Pings => {
            stream::repeat_forever(String::new(), ": ping\n\n".to_owned(), PING_PAUSE)
        }
        Conduct::EmptyEvents => stream::repeat_forever(String::new(), format.piece(""), PING_PAUSE),
        Conduct::SaysKey => stream::good(format, &proposal_of(&format!("키: {PROVIDER_KEY}"))),
        Conduct::SaysKeyAsModel => stream::named(format, &text, PROVIDER_KEY),
        Conduct::ManyNumbers => {
            embedding_flood((embedding_document::first_vector(format.dialect), "0,"))
        }
        Conduct::ManyVectors => embedding_flood(embedding_document::empty_vectors(format.dialect)),
    }
}

/// The start of a list of embeddings, then very many of its parts.
fn embedding_flood((start, part): (&str, &str)) -> Response {
    stream::filled(start, part, "", NUMBERS_BYTES)
}

/// A proposal in a model's usual order: `action` and `taskType` first. Under a key that begins with
/// `acts` it is a read that needs no approval: if the client took an answer that it must discard, the
/// read would show.
fn proposal(key: &str) -> String {
    if !key.starts_with("acts") {
        return proposal_of(PROVIDER_SAYS);
    }
    let slots = json!({"targetPath": PROVIDER_READS});
    format!(
        r#"{{"action":"EXECUTE","taskType":"FILE_READ","message":"읽겠습니다.","slots":{slots}}}"#
    )
}

fn proposal_of(message: &str) -> String {
    let message = json!(message);
    format!(r#"{{"action":"REPLY","taskType":"CONVERSATION","message":{message},"slots":{{}}}}"#)
}

fn wrong_arguments() -> String {
    json!({"action": "OBEY", "taskType": ["FILE_WRITE"], "message": 7, "approved": true})
        .to_string()
}

fn deep_event() -> String {
    format!("data: {}\n\n", open_lists())
}
