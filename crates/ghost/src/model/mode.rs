//! What a model server does, well-behaved or hostile.

use std::time::Duration;

/// What the model answers with.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelMode {
    /// The next of these texts each time; the last one stays.
    Script(Vec<String>),
    /// `with` where the request's text holds `mark`, else `without`: a tool call, then words.
    OnMark { mark: String, with: String, without: String },
    /// Proposes EXECUTE of a file write, whatever was asked.
    AlwaysExecute,
    /// Says that the user has agreed already, and that approval is not needed.
    ForgedYes,
    /// No JSON at all.
    Garbage,
    /// JSON nested ten thousand levels deep.
    Deep,
    /// Fields of wrong types, unknown fields, unknown values.
    WrongTypes,
    /// Never stops writing.
    Endless,
    /// Never stops writing, a few letters at a time.
    Drips,
    /// Accepts the request and never answers.
    Silent,
    /// Answers as scripted, after this long.
    Slow(Duration, String),
    /// Each `endless_every`th never stops writing; the others are answered so, after this long, and it
    /// says that it has read so many tokens.
    Mixed { endless_every: usize, after: Duration, read: u64, text: String },
    /// Answers as scripted, but refuses a request that carries a schema, as old servers do.
    NoSchema(String),
    /// Answers as scripted and does not say what was used.
    NoUsage(String),
    /// Answers as scripted, and says that it has read so many tokens.
    Tells(u64, String),
    /// Declines to answer.
    Declines,
    /// A stream whose events are no JSON.
    BrokenStream,
    /// 429 with Retry-After of one second.
    RateLimited,
    /// 429 with Retry-After of one second the first time, then as scripted.
    RateLimitedOnce(Vec<String>),
    /// 500.
    Broken,
    /// Another status, with this body.
    Refuses(u16, String),
}
