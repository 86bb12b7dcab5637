//! How a provider behaves.

use super::{
    PROVIDER_KEY, PROVIDER_READS, PROVIDER_SAYS,
    dialect::{Refusal, Stop},
    embeddings,
    stream::{self, Part},
    voice::Voice,
};
use axum::response::Response;
use serde_json::json;
use std::{str::FromStr, time::Duration};

/// Before the first word of one that is only slow.
pub(super) const SLOW: Duration = Duration::from_millis(300);
/// Between two pieces of a line that is kept open.
const PING: Duration = Duration::from_millis(100);
const DRIP: Duration = Duration::from_millis(200);
/// Levels of an answer that is too deep.
const DEPTH: usize = 10_000;
/// What is generated on the fly, in bytes.
const HUGE_BYTES: u64 = 1_000_000_000;
/// Little to write, and much to keep.
const SMALL: &str = ",{\"b\":0}";
const EVENT_BYTES: usize = 1_000_000;
const DOCUMENT_BYTES: usize = 2_000_000;
/// Of numbers, which are written with two bytes and kept with four.
const NUMBERS_BYTES: usize = 12_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    Good,
    /// One document, though it was asked to stream.
    Whole,
    /// Good, after a while.
    Slow,
    /// 429 with Retry-After of one second the first time, then good.
    RateLimitedOnce,
    RateLimited,
    RateLimitedBare,
    /// The account is empty.
    Unpaid,
    /// The request as it stands is refused, once; then good.
    RefusesOnce,
    TooLong,
    WrongKey,
    Forbidden,
    NoSuchModel,
    Broken,
    Overloaded,
    /// Says nothing, not even headers.
    Silent,
    /// Headers, and nothing behind them.
    HalfOpen,
    /// Half of the answer, and then nothing more.
    Stalls,
    /// Half of the answer, and then the connection is gone.
    BreaksOff,
    /// Half of the answer, and then an end as if that were all.
    EndsEarly,
    /// Half of the answer, and then an error in its place.
    FailsMidway,
    /// An error in place of the first word, after work that is paid for.
    FailsBeforeWords,
    /// Cut in the middle of a character.
    TruncatedUtf8,
    InvalidJson,
    /// An event, and an answer within a good event, nested too deep.
    DeepEvent,
    DeepAnswer,
    /// A gigabyte: as one event, as many, as one document.
    HugeEvent,
    HugeStream,
    HugeDocument,
    /// As much as is read at once, in many small parts.
    ManyInEvent,
    ManyInDocument,
    HugeError,
    /// Arguments that are not those of the schema.
    WrongArguments,
    Declines,
    /// As an error, before anything was said.
    DeclinesAtOnce,
    /// At the tokens that it may have.
    CutShort,
    /// Words without an end.
    Endless,
    /// The same, a few letters at a time.
    Drips,
    /// The line is kept open, and nothing is said: by comments, by events without a word.
    Pings,
    EmptyEvents,
    /// The key that it was asked with, in its words and as the name of its model.
    SaysKey,
    SaysKeyAsModel,
    /// Vectors of far too many numbers, and far too many vectors.
    ManyNumbers,
    ManyVectors,
    /// More models than a page has.
    ManyModels,
}

impl Conduct {
    pub const ALL: [(&'static str, Self); 44] = [
        ("good", Self::Good),
        ("whole", Self::Whole),
        ("slow", Self::Slow),
        ("rate-limited-once", Self::RateLimitedOnce),
        ("rate-limited", Self::RateLimited),
        ("rate-limited-bare", Self::RateLimitedBare),
        ("unpaid", Self::Unpaid),
        ("refuses-once", Self::RefusesOnce),
        ("too-long", Self::TooLong),
        ("wrong-key", Self::WrongKey),
        ("forbidden", Self::Forbidden),
        ("no-such-model", Self::NoSuchModel),
        ("broken", Self::Broken),
        ("overloaded", Self::Overloaded),
        ("silent", Self::Silent),
        ("half-open", Self::HalfOpen),
        ("stalls", Self::Stalls),
        ("breaks-off", Self::BreaksOff),
        ("ends-early", Self::EndsEarly),
        ("fails-midway", Self::FailsMidway),
        ("fails-before-words", Self::FailsBeforeWords),
        ("truncated-utf8", Self::TruncatedUtf8),
        ("invalid-json", Self::InvalidJson),
        ("deep-event", Self::DeepEvent),
        ("deep-answer", Self::DeepAnswer),
        ("huge-event", Self::HugeEvent),
        ("huge-stream", Self::HugeStream),
        ("huge-document", Self::HugeDocument),
        ("many-in-event", Self::ManyInEvent),
        ("many-in-document", Self::ManyInDocument),
        ("huge-error", Self::HugeError),
        ("wrong-arguments", Self::WrongArguments),
        ("declines", Self::Declines),
        ("declines-at-once", Self::DeclinesAtOnce),
        ("cut-short", Self::CutShort),
        ("endless", Self::Endless),
        ("drips", Self::Drips),
        ("pings", Self::Pings),
        ("empty-events", Self::EmptyEvents),
        ("says-key", Self::SaysKey),
        ("says-key-as-model", Self::SaysKeyAsModel),
        ("many-numbers", Self::ManyNumbers),
        ("many-vectors", Self::ManyVectors),
        ("many-models", Self::ManyModels),
    ];
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| *name)
    }

    pub(super) async fn answer(self, voice: Voice, (key, nth): (&str, usize)) -> Response {
        let refuse = |refusal: Refusal| voice.dialect.refuse(&refusal);
        let said = proposal(key);
        let half = || stream::half(voice, &said);
        match self {
            Self::Good | Self::ManyModels => stream::good(voice, &said),
            Self::Whole => stream::document(&voice.whole(&said)),
            Self::Slow => {
                tokio::time::sleep(SLOW).await;
                stream::good(voice, &said)
            }
            Self::RateLimitedOnce | Self::RefusesOnce if nth > 1 => stream::good(voice, &said),
            Self::RateLimitedOnce | Self::RateLimited => refuse(Refusal::RateLimited(Some(1))),
            Self::RateLimitedBare => refuse(Refusal::RateLimited(None)),
            Self::Unpaid => refuse(Refusal::Unpaid),
            Self::RefusesOnce => refuse(Refusal::Invalid("a field is not known".to_owned())),
            Self::TooLong => refuse(Refusal::TooLong),
            Self::WrongKey => refuse(Refusal::WrongKey),
            Self::Forbidden => refuse(Refusal::Forbidden),
            Self::NoSuchModel => refuse(Refusal::NoSuchModel),
            Self::Broken => refuse(Refusal::Broken),
            Self::Overloaded => refuse(Refusal::Overloaded),
            Self::Silent => std::future::pending().await,
            Self::HalfOpen => stream::parts(vec![Part::Forever]),
            Self::Stalls => stream::parts(vec![half(), Part::Forever]),
            Self::BreaksOff => stream::parts(vec![half(), Part::Gone]),
            Self::EndsEarly => stream::parts(vec![half()]),
            Self::FailsMidway => stream::parts(vec![half(), Part::text(voice.failed_midway())]),
            Self::FailsBeforeWords => {
                stream::parts([voice.at_work(), voice.failed_midway()].map(Part::text).into())
            }
            Self::TruncatedUtf8 => stream::truncated(voice, &said),
            Self::InvalidJson => stream::parts(vec![half(), Part::text("data: {\"a\":\n\n")]),
            Self::DeepEvent => stream::parts(vec![half(), Part::text(deep_event())]),
            Self::DeepAnswer => stream::at_once(voice, &format!("{{\"a\":{}", "[".repeat(DEPTH))),
            Self::HugeEvent => stream::huge(b"data: {\"a\":\"", HUGE_BYTES),
            Self::HugeStream => stream::repeated(&voice.piece(&"가나".repeat(1_000)), HUGE_BYTES),
            Self::HugeDocument => stream::huge(b"{\"a\":\"", HUGE_BYTES),
            Self::ManyInEvent => stream::filled("data: {\"a\":[0", SMALL, "]}\n\n", EVENT_BYTES),
            Self::ManyInDocument => stream::filled("{\"a\":[0", SMALL, "]}", DOCUMENT_BYTES),
            Self::HugeError => stream::huge_error(HUGE_BYTES),
            Self::WrongArguments => stream::good(voice, &wrong()),
            Self::Declines => stream::parts(vec![Part::text(voice.declined())]),
            Self::DeclinesAtOnce => refuse(Refusal::Declined),
            Self::CutShort => stream::parts(vec![half(), Part::text(voice.closing(Stop::Cut))]),
            Self::Endless => stream::repeated(&voice.piece("그리고 계속해서 "), u64::MAX),
            Self::Drips => stream::ever(voice.opening(), voice.piece("네 "), DRIP),
            Self::Pings => stream::ever(String::new(), ": ping\n\n".to_owned(), PING),
            Self::EmptyEvents => stream::ever(String::new(), voice.piece(""), PING),
            Self::SaysKey => stream::good(voice, &proposal_of(&format!("키: {PROVIDER_KEY}"))),
            Self::SaysKeyAsModel => stream::named(voice, &said, PROVIDER_KEY),
            Self::ManyNumbers => {
                stream::filled(embeddings::open(voice.dialect), "0,", "", NUMBERS_BYTES)
            }
            Self::ManyVectors => {
                let (open, one) = embeddings::many(voice.dialect);
                stream::filled(open, one, "", NUMBERS_BYTES)
            }
        }
    }
}

impl FromStr for Conduct {
    type Err = ();
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, one)| *one).ok_or(())
    }
}

/// As a model writes it: `action` and `taskType` first. Under a key that begins with `acts` it is one
/// that is done without a question, so that an answer which must not be taken would show.
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

fn wrong() -> String {
    json!({"action": "OBEY", "taskType": ["FILE_WRITE"], "message": 7, "approved": true})
        .to_string()
}

fn deep_event() -> String {
    format!("data: {}\n\n", "[".repeat(DEPTH))
}
