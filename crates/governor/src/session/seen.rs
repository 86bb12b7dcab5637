//! Whether an answer is about what its author had seen. A yes that was typed on one screen must not run
//! what another screen was shown meanwhile.

use std::time::Instant;
use wiiiv_domain::{EventBody, SessionEvent};
use wiiiv_language::{ReadSignal, Reading};

/// The last of the session's events that showed a person something.
#[derive(Debug, Clone, Copy)]
struct LastWords {
    /// In the journal.
    number: u64,
    /// `None`: before the session was restored, and so before any message that it is given.
    at: Option<Instant>,
}

/// Of a message: what its author had seen, and when it came in.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Number of the newest event that was seen; `None`: the author did not say.
    pub seen: Option<u64>,
    pub sent: Instant,
}

/// Numbers of a flush: of its last event and, if there are any that no number was known of, of the last
/// words.
#[derive(Debug, Clone, Copy)]
pub struct Numbered {
    pub last: u64,
    pub words: Option<u64>,
    /// Nobody was told of them before.
    pub at: Instant,
}

#[derive(Debug, Default)]
pub struct Sight {
    last_words: Option<LastWords>,
    /// Number of the last event that this session has written itself: a turn ends with one.
    newest: u64,
}

impl Sight {
    /// The author had seen the last words. A number that no event has yet is no sight of them.
    pub fn covers(&self, view: View) -> bool {
        let (Some(last), Some(seen)) = (self.last_words, view.seen) else { return false };
        let after = last.at.is_none_or(|at| view.sent >= at);
        after && (last.number..=self.newest).contains(&seen)
    }

    pub fn note(&mut self, numbered: Numbered) {
        self.newest = numbered.last;
        if let Some(number) = numbered.words {
            self.last_words = Some(LastWords { number, at: Some(numbered.at) });
        }
    }

    /// An event of the journal, on a replay.
    pub fn replay(&mut self, number: u64, body: &EventBody) {
        self.newest = number;
        if is_shown(body) {
            self.last_words = Some(LastWords { number, at: None });
        }
    }
}

/// Words for a person: a question, a preview, a reply.
pub const fn is_shown(body: &EventBody) -> bool {
    match body {
        EventBody::Replied { .. } | EventBody::Asked { .. } | EventBody::Previewed { .. } => true,
        EventBody::TurnAccepted { .. }
        | EventBody::Input { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::RiskCleared { .. }
        | EventBody::ApprovalRevoked { .. }
        | EventBody::TurnEnded { .. } => false,
    }
}

/// It means nothing without its question. A cancel needs no question, and a message that names its own
/// task, file or value is understood by itself.
pub const fn answers(reading: &Reading) -> bool {
    match reading.signal {
        ReadSignal::Affirm | ReadSignal::Deny | ReadSignal::LeaveOut(_) => true,
        ReadSignal::Cancel
        | ReadSignal::Modify
        | ReadSignal::FollowUp
        | ReadSignal::Remember
        | ReadSignal::Reset
        | ReadSignal::Say => false,
    }
}

/// Events behind the last words: all of them if the words went with an earlier boundary.
pub fn behind_words(events: &[SessionEvent]) -> u64 {
    let behind = events.iter().rev().take_while(|event| !is_shown(&event.body)).count();
    u64::try_from(behind).unwrap_or(u64::MAX)
}
