//! What raised a session's risk, as its row keeps it beside the score.

use crate::{clock::Timestamp, digest::ContentDigest, id::UserId};
use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, fmt};

/// A reason to clear a session's risk, in Unicode scalar values.
pub const RISK_REASON_CHARS_MAX: usize = 500;
/// Of what a step put out, the bytes that are looked through for signals: more than a prompt holds of it.
pub const RISK_TEXT_BYTES_MAX: usize = 64 * 1024;
/// Texts that are known again: the same one counts once.
const TEXTS_MAX: usize = 32;
/// Kinds of signals that are counted; rules have far fewer.
const COUNTS_MAX: usize = 64;

/// Where a signal was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskSource {
    /// In what the user wrote.
    Said,
    /// In what a step read: a page, a file, an answer of a service.
    Read,
    /// In what was to be done.
    Done,
}

impl RiskSource {
    /// The word for it in records, metrics and the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Read => "read",
            Self::Done => "done",
        }
    }
}

impl fmt::Display for RiskSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How often one signal was found in one kind of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignalCount {
    /// Its code in `policies/risk.toml`.
    pub code: String,
    /// Where it was found.
    pub source: RiskSource,
    /// How often.
    pub count: u32,
    /// When it was found last.
    pub at: Timestamp,
}

/// Who cleared a session's risk last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RiskCleared {
    /// The person.
    pub by: UserId,
    /// The score before.
    pub score: u32,
    /// When.
    pub at: Timestamp,
}

/// What raised the score since it was cleared last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RiskHistory {
    /// When the score was written last: it fades from there.
    pub at: Option<Timestamp>,
    /// In the order in which they were first found.
    pub signals: Vec<SignalCount>,
    /// Salted digests of texts that raised it, the newest last.
    pub texts: VecDeque<ContentDigest>,
    /// `None`: nobody has.
    pub cleared: Option<RiskCleared>,
}

impl RiskHistory {
    /// Counts a signal.
    pub fn note(&mut self, code: &str, source: RiskSource, at: Timestamp) {
        let mut known = self.signals.iter_mut();
        if let Some(count) = known.find(|count| count.code == code && count.source == source) {
            (count.count, count.at) = (count.count.saturating_add(1), at);
        } else if self.signals.len() < COUNTS_MAX {
            self.signals.push(SignalCount { code: code.to_owned(), source, count: 1, at });
        }
    }

    /// Whether this text has raised the score before.
    #[must_use]
    pub fn knows(&self, text: &ContentDigest) -> bool {
        self.texts.contains(text)
    }

    /// The same text raises the score no second time.
    pub fn keep(&mut self, text: ContentDigest) {
        if self.texts.len() >= TEXTS_MAX {
            self.texts.pop_front();
        }
        self.texts.push_back(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_bounded_and_counts_what_it_knows() {
        let mut history = RiskHistory::default();
        let at = Timestamp::from_unix_ms;
        for nth in 0..200_u32 {
            history.note(&format!("C{nth}"), RiskSource::Read, at(1));
            history.note("C0", RiskSource::Read, at(i64::from(nth)));
            history.keep(ContentDigest::of_bytes(&nth.to_be_bytes()));
        }
        assert_eq!((history.signals.len(), history.texts.len()), (COUNTS_MAX, TEXTS_MAX));
        assert_eq!((history.signals[0].count, history.signals[0].at), (201, at(199)));
        assert!(history.knows(&ContentDigest::of_bytes(&199_u32.to_be_bytes())));
        assert!(!history.knows(&ContentDigest::of_bytes(&0_u32.to_be_bytes())));
    }
}
