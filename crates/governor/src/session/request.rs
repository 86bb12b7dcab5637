//! Requests to a session: from people, and from its tasks and runs.

use crate::{
    documents::{EmbedTexts, MadeVectors, NotCompared},
    message::{
        Answering, ClearError, DecideError, Decided, Decision, Incoming, SessionView, SubmitError,
    },
    session::{
        call::{CheckResult, EmbeddingsResult, ModelResult, ReviewResult, SentCall},
        consultation::Searched,
        fault::SessionFault,
    },
    step_result::StepResult,
    trial::{Trial, TrialError, TrialOf},
};
use std::{collections::BTreeSet, sync::Arc, time::Instant};
use tokio::sync::oneshot;
use wiiiv_context::Prompt;
use wiiiv_domain::{
    Amount, ApprovalId, Asks, Blueprint, BlueprintDigest, DecisionNote, ExecutionId, HaltScope,
    JobName, KeySource, NotDrawn, Proposal, RunOutcome, SignalKind, SpecDigest, StepId, TaskId,
    Terms, TurnId, UserId,
};
use wiiiv_gate::{ModelCall, Principal, StandingSeq};
use wiiiv_language::{Lexicon, Reading, Situation};
use wiiiv_store::{ApprovalRow, Boundary, Lease, SessionRisk};

#[expect(clippy::large_enum_variant, reason = "one at a time, moved once")]
pub enum Request {
    Message(Entry),
    /// A button that does not wait behind the turn in progress.
    Overtake {
        who: Principal,
        signal: SignalKind,
        ack: Answer<TurnId>,
    },
    Decide(Box<Decide>),
    /// A question has expired.
    Expire {
        approval: ApprovalId,
        digest: BlueprintDigest,
    },
    Shut(Shut),
    /// Committed already.
    Halted(HaltScope),
    ClearRisk(Box<ClearRisk>),
    Try {
        tried: TrialOf,
        ack: Answer<Trial, TrialError>,
    },
    /// Texts of documents, or a question about them, for the provider's model that the policy names.
    Embed(Box<EmbedRequest>),
    View(Answer<SessionView>),
    /// A cancel from outside the conversation.
    CancelRun {
        execution: ExecutionId,
        ack: Answer<TurnId>,
    },
    /// A step in doubt was resolved by a person: the run goes on from the journal.
    Resolved(ExecutionId),
    /// Documents were looked through.
    Searched(Box<Searched>),
    ModelAnswered(Box<ModelAnswer>),
    PersonaAnswered(Box<PersonaAnswer>),
    /// An answer in words was looked at, or made better.
    LookedAt(Box<SecondLook>),
    Drawn {
        turn: TurnId,
        spec: SpecDigest,
        result: DrawResult,
    },
    Tried(Box<Tried>),
    Embedded(Box<EmbedAnswer>),
    RunEnded(Box<RunEnded>),
    /// The store did not take what a run wrote.
    RunLost {
        lease: Lease,
        fault: SessionFault,
    },
}

pub type Answer<T, E = SubmitError> = oneshot::Sender<Result<T, E>>;
pub type DrawResult = Result<Box<Drawing>, Vec<NotDrawn>>;

/// Words, a form's answer, or a button that waits its turn.
#[expect(clippy::large_enum_variant, reason = "one at a time, moved once")]
pub enum Wanted {
    /// With its interpretation, if it had to wait.
    Words(Incoming, Option<Interpretation>),
    Signal(SignalKind),
}

/// A message, read in the session's situation.
#[derive(Debug)]
pub struct Interpretation {
    situation: Situation,
    pub reading: Reading,
}

impl Interpretation {
    pub fn of(lexicon: &Lexicon, text: &str, situation: Situation) -> Self {
        let reading = wiiiv_language::read(lexicon, text, &situation);
        Self { situation, reading }
    }

    /// Reads a message again only if the situation has changed.
    pub fn again(self, lexicon: &Lexicon, text: &str, situation: Situation) -> Self {
        if self.situation == situation { self } else { Self::of(lexicon, text, situation) }
    }
}

pub struct Entry {
    pub who: Principal,
    pub wanted: Wanted,
    pub ack: Answer<TurnId>,
    /// When it came in: an answer does not count for a later question.
    pub sent: Instant,
    /// What its no has left out before its turn came.
    pub left_out: Vec<LeftOut>,
}

/// A plan that does not begin, as a message that waits says no to it.
pub struct LeftOut {
    pub task: TaskId,
    pub job: JobName,
}

/// What began a turn.
pub enum Opening<'a> {
    /// The owner's message.
    Words(&'a str),
    Button,
    /// A decision on a question.
    Decision(DecisionNote),
}

/// A hold is cleared by somebody who may, which is checked already.
pub struct ClearRisk {
    pub who: Principal,
    pub reason: String,
    /// The standing that was looked at; `None`: whichever.
    pub seen: Option<StandingSeq>,
    pub answer: Answer<SessionRisk, ClearError>,
}

pub struct Decide {
    pub who: Principal,
    pub row: ApprovalRow,
    pub decision: Decision,
    pub answering: Answering,
    pub answer: Answer<Decided, DecideError>,
}

/// The account is closed and its questions are withdrawn; both are written already.
#[derive(Debug, Clone)]
pub struct Shut {
    pub user: UserId,
    pub withdrawn: Arc<BTreeSet<ApprovalId>>,
}

pub struct ModelAnswer {
    pub sent: Arc<SentCall>,
    pub result: ModelResult,
    /// The built-in understanding's proposal, where the model could not be reached.
    pub instead: Option<Proposal>,
    /// What its model was shown, where an answer in words is looked at before it is given.
    pub prompt: Option<Box<Prompt>>,
}

pub struct SecondLook {
    pub sent: Arc<SentCall>,
    pub result: LookResult,
}

pub enum LookResult {
    Check(CheckResult),
    Refine(Box<ModelResult>),
}

pub struct PersonaAnswer {
    pub sent: Arc<SentCall>,
    pub result: ReviewResult,
}

pub struct Drawing {
    pub blueprint: Blueprint,
    pub digest: BlueprintDigest,
    pub asks: Asks,
}

pub struct Tried {
    pub call: ModelCall,
    pub trial: Trial,
    pub held: Amount,
    pub ack: Answer<Trial, TrialError>,
}

pub struct EmbedRequest {
    pub wanted: EmbedTexts,
    pub ack: Answer<MadeVectors, NotCompared>,
}

pub struct EmbedAnswer {
    pub call: ModelCall,
    /// Of the model, as vectors of it are kept.
    pub name: String,
    /// How many were sent.
    pub texts: usize,
    pub key: Option<KeySource>,
    /// An administrator approved the origin that was asked.
    pub is_approved: bool,
    pub terms: Terms,
    pub result: EmbeddingsResult,
    pub ack: Answer<MadeVectors, NotCompared>,
}

/// `last` is not committed yet: the session commits it with what follows.
pub struct RunEnded {
    pub lease: Lease,
    pub turn: TurnId,
    pub execution: ExecutionId,
    pub outcome: RunOutcome,
    /// Steps skipped by conditions.
    pub skipped: Vec<StepId>,
    /// By step, then attempt; `None`: on record alone.
    pub results: Option<Vec<StepResult>>,
    pub last: Boundary,
}

impl Request {
    /// Refuses a request because the session cannot be restored.
    pub fn refuse(self, audit_changed: bool) {
        let why = "the session store is not reachable".to_owned();
        let refused = match audit_changed {
            true => SubmitError::AuditChanged,
            false => SubmitError::Unavailable(why.clone()),
        };
        match self {
            Self::Message(Entry { ack, .. })
            | Self::Overtake { ack, .. }
            | Self::CancelRun { ack, .. } => {
                let _ = ack.send(Err(refused));
            }
            Self::View(answer) => {
                let _ = answer.send(Err(refused));
            }
            Self::Decide(ask) if audit_changed => {
                let _ = ask.answer.send(Err(DecideError::AuditChanged));
            }
            Self::Decide(ask) => {
                let _ = ask.answer.send(Err(DecideError::Unavailable(why)));
            }
            Self::ClearRisk(ask) => {
                let refused = match audit_changed {
                    true => ClearError::AuditChanged,
                    false => ClearError::Unavailable(why),
                };
                let _ = ask.answer.send(Err(refused));
            }
            Self::Try { ack, .. } => {
                let _ = ack.send(Err(TrialError::Unavailable(why)));
            }
            Self::Embed(asked) => {
                let _ = asked.ack.send(Err(NotCompared::Failed));
            }
            Self::Expire { .. }
            | Self::Shut(_)
            | Self::Halted(_)
            | Self::Resolved(_)
            | Self::Searched(_)
            | Self::ModelAnswered(_)
            | Self::PersonaAnswered(_)
            | Self::LookedAt(_)
            | Self::Drawn { .. }
            | Self::Tried(_)
            | Self::Embedded(_)
            | Self::RunEnded(_)
            | Self::RunLost { .. } => {}
        }
    }
}
