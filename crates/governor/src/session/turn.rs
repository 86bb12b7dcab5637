//! The turn in progress.

use std::time::Instant;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tracing::Span;
use wiiiv_domain::{
    CallId, DecisionNote, KeySource, Lang, PromptHash, ProviderName, RulesHash, SignalKind, TurnId,
};
use wiiiv_gate::Principal;
use wiiiv_store::SessionRow;

use crate::{
    audit::Charge,
    message::{Incoming, SubmitError},
    telemetry,
};

pub type Ack = oneshot::Sender<Result<TurnId, SubmitError>>;

/// A model call that nobody has answered yet.
pub struct InFlight {
    pub id: CallId,
    pub provider: ProviderName,
    pub model: String,
    pub rules: RulesHash,
    pub prompt: PromptHash,
    /// Whose key was sent.
    pub key: Option<KeySource>,
    /// What it costs at most.
    pub held: Charge,
}

pub struct Turn {
    pub id: TurnId,
    /// Dropped with the turn: whatever runs for it stops.
    pub cancel: CancellationToken,
    /// The model call in flight, with the hold that it is settled against.
    pub call: Option<InFlight>,
    /// How it will be reported: the last telling effect decides.
    pub outcome: &'static str,
    /// It has been said that the built-in understanding stands in for the model.
    pub degraded: bool,
    /// Which of the policy's fallbacks it was said to ask; 0: none.
    pub fell_back: usize,
    /// Keys that the model that answered last was not shown.
    pub secrets: usize,
    /// The root of its trace.
    pub span: Span,
    pub begun: Instant,
}

impl Turn {
    pub fn new(id: TurnId, row: &SessionRow) -> Self {
        Self::told_by(id, telemetry::turn(id, row), Instant::now())
    }

    /// The same turn, with nothing under way.
    pub fn afresh(&self) -> Self {
        Self::told_by(self.id, self.span.clone(), self.begun)
    }

    fn told_by(id: TurnId, span: Span, begun: Instant) -> Self {
        Self {
            id,
            cancel: CancellationToken::new(),
            call: None,
            outcome: "done",
            degraded: false,
            fell_back: 0,
            secrets: 0,
            span,
            begun,
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// What a person wants: words, or a button.
pub enum Wanted {
    Words(Incoming),
    Signal(SignalKind),
}

/// What began a turn.
pub enum Opening<'a> {
    /// The owner's message.
    Words(&'a str),
    Button,
    /// Anybody's decision on a question of the session.
    Decision(DecisionNote),
}

/// It waits behind the turn in progress.
pub struct Queued {
    pub who: Principal,
    pub wanted: Wanted,
    pub ack: Ack,
    /// When it came in: a yes or no answers no question that was put later.
    pub sent: Instant,
}

/// What was said, for the next prompt.
#[derive(Debug, Clone)]
pub struct Line {
    pub by_user: bool,
    pub text: String,
}

/// The language that a session is answered in.
pub fn code(language: Lang) -> &'static str {
    match language {
        Lang::Ko => "ko",
        Lang::En => "en",
    }
}
