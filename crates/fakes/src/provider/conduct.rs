//! How a provider behaves.

use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conduct {
    Good,
    /// Answers with one document although a stream was requested.
    Whole,
    /// Good, after a delay.
    Slow,
    /// Answers 429 with a Retry-After of one second the first time, then good.
    RateLimitedOnce,
    RateLimited,
    /// Answers 429 without a Retry-After.
    RateLimitedBare,
    /// The account is empty.
    Unpaid,
    /// Refuses the first request as invalid, then good.
    RefusesOnce,
    TooLong,
    WrongKey,
    Forbidden,
    NoSuchModel,
    Broken,
    Overloaded,
    /// Sends nothing, not even headers.
    Silent,
    /// Sends headers and no body.
    HalfOpen,
    /// Sends half of the answer and keeps the connection open.
    Stalls,
    /// Good the first time, then stalls.
    StallsLater,
    /// Sends half of the answer and closes the connection.
    BreaksOff,
    /// Sends half of the answer and ends the body properly.
    EndsEarly,
    /// Sends half of the answer, then an error.
    FailsMidway,
    /// Sends an error before the first word, after work that has to be paid.
    FailsBeforeWords,
    /// Ends in the middle of a character.
    TruncatedUtf8,
    InvalidJson,
    /// Sends an event that is nested too deep.
    DeepEvent,
    /// Sends a good event whose answer is nested too deep.
    DeepAnswer,
    /// Sends a gigabyte as one event.
    HugeEvent,
    /// Sends a gigabyte as many events.
    HugeStream,
    /// Sends a gigabyte as one document.
    HugeDocument,
    /// Sends an event of the largest size that is read, with very many small members.
    ManyInEvent,
    /// The same in a document.
    ManyInDocument,
    HugeError,
    /// Answers with arguments that do not fit the schema.
    WrongArguments,
    Declines,
    /// Declines with an error, before any answer.
    DeclinesAtOnce,
    /// Ends the answer at the token limit.
    CutShort,
    /// Never ends its answer.
    Endless,
    /// Never ends its answer, and sends a few letters at a time.
    Drips,
    /// Sends comments and no answer.
    Pings,
    /// Sends events without text.
    EmptyEvents,
    /// Answers with the key of the request.
    SaysKey,
    /// Names the key of the request as its model.
    SaysKeyAsModel,
    /// Sends a vector of far too many numbers.
    ManyNumbers,
    /// Sends far too many vectors.
    ManyVectors,
    /// Lists more models than a page has.
    ManyModels,
}

impl Conduct {
    pub const ALL: [(&'static str, Self); 45] = [
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
        ("stalls-later", Self::StallsLater),
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
}

impl FromStr for Conduct {
    type Err = ();
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, one)| *one).ok_or(())
    }
}
