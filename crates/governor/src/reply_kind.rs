//! The meaning of each reply for the turn, the history and its text, in one table.

use crate::session::task_position;
use wiiiv_context::LineKind;
use wiiiv_domain::{
    BlueprintDigest, ExecutionId, Grounds, ProposalFailure, ReplyCode, SlotChange, UserId,
};
use wiiiv_flow::FlowState;

#[derive(Clone, Copy)]
pub struct ReplyKind<'a> {
    /// The turn's outcome, if the reply decides it.
    pub outcome: Option<&'static str>,
    /// It is the outcome of the last request.
    pub ends_request: bool,
    pub history: HistoryPart<'a>,
    pub body: Body<'a>,
}

/// The part of the text that goes into the history.
#[derive(Clone, Copy)]
pub enum HistoryPart<'a> {
    Nothing,
    Whole,
    /// A preview's sentences.
    Sentences,
    /// The lines that code wrote; `model` stands before them.
    OwnLines {
        model: &'a str,
    },
    /// A model's words, unless it had read foreign content.
    Model,
}

/// How the text is made.
#[derive(Clone, Copy)]
pub enum Body<'a> {
    /// As the catalogue has it.
    Catalogue,
    Facts {
        execution: ExecutionId,
        message: &'a str,
    },
    RunFailed {
        execution: ExecutionId,
        code: &'a str,
    },
    RunCancelled {
        execution: ExecutionId,
    },
    Waiting {
        digest: BlueprintDigest,
    },
    Reopened {
        from: Grounds,
        to: Grounds,
    },
    Budget,
    /// By how much it is too long, where our own plan says so.
    TooLong,
    /// What came of a wish to keep something in mind.
    Remembered,
    Concerns {
        codes: &'a [String],
    },
    /// Names of jobs are the user's or a model's words.
    Jobs,
    /// Which plan it was about.
    Refused {
        digest: Option<BlueprintDigest>,
    },
    /// Who changed which values.
    Edited {
        by: Option<UserId>,
        changes: &'a [SlotChange],
    },
}

impl<'a> ReplyKind<'a> {
    const fn with(self, body: Body<'a>) -> Self {
        Self { body, ..self }
    }

    pub fn of(code: &'a ReplyCode) -> Self {
        let (history, body) = (HistoryPart::Whole, Body::Catalogue);
        let plain = Self { outcome: None, ends_request: false, history, body };
        let end = Self { ends_request: true, ..plain };
        let denied = Self { outcome: Some("denied"), ..plain };
        let error = Self { outcome: Some("error"), ..plain };
        let jobs = plain.with(Body::Jobs);
        let own = |model| Self { history: HistoryPart::OwnLines { model }, ..end };
        match code {
            ReplyCode::Told { .. }
            | ReplyCode::NothingToCancel
            | ReplyCode::NothingToConfirm
            | ReplyCode::RoundLimit
            | ReplyCode::TooManyTasks { .. }
            | ReplyCode::Busy
            | ReplyCode::Reset
            | ReplyCode::Resumed { .. }
            | ReplyCode::UnknownTask => plain,
            ReplyCode::Remember => plain.with(Body::Remembered),
            ReplyCode::Cancelled | ReplyCode::Expired { .. } => end,
            ReplyCode::Refused { digest } => end.with(Body::Refused { digest: *digest }),
            ReplyCode::Model { .. } => Self { history: HistoryPart::Model, ..plain },
            // Not part of the conversation.
            ReplyCode::Degraded { .. } | ReplyCode::FellBack { .. } => {
                Self { history: HistoryPart::Nothing, ..plain }
            }
            ReplyCode::Stale { .. } => denied,
            ReplyCode::Denied { .. } | ReplyCode::NotDrawable { .. } => {
                Self { ends_request: true, ..denied }
            }
            ReplyCode::NeedsRevision { concerns } => end.with(Body::Concerns { codes: concerns }),
            ReplyCode::DacsNo { concerns } => {
                Self { body: Body::Concerns { codes: concerns }, ends_request: true, ..denied }
            }
            ReplyCode::Reopened { from, to } => plain.with(Body::Reopened { from: *from, to: *to }),
            ReplyCode::Edited { by, changes } => Self::of_edit((*by, changes), plain),
            ReplyCode::Unavailable => error,
            ReplyCode::ModelFailed { failure } => Self::of_failure(*failure, end),
            ReplyCode::Facts { execution, message } => {
                Self { body: Body::Facts { execution: *execution, message }, ..own(message) }
            }
            ReplyCode::RunFailed { execution, code } => {
                let body = Body::RunFailed { execution: *execution, code };
                Self { body, outcome: error.outcome, ..own("") }
            }
            ReplyCode::RunCancelled { execution } => {
                Self { body: Body::RunCancelled { execution: *execution }, ..own("") }
            }
            ReplyCode::RunIndeterminate { .. } => Self { outcome: Some("pending"), ..end },
            ReplyCode::JobsTaken { .. }
            | ReplyCode::JobClosed { .. }
            | ReplyCode::JobsDropped { .. }
            | ReplyCode::JobsLeftOut { .. }
            | ReplyCode::StillWaits { aside: true, .. } => jobs,
            ReplyCode::TooManyJobs { .. } | ReplyCode::JobsDeclined { .. } => {
                Self { body: Body::Jobs, ..denied }
            }
            // It shows its preview again.
            ReplyCode::StillWaits { aside: false, .. } => {
                Self { history: HistoryPart::Sentences, ..jobs }
            }
            ReplyCode::Waiting { digest } => Self {
                outcome: Some("pending"),
                history: HistoryPart::Sentences,
                body: Body::Waiting { digest: *digest },
                ..plain
            },
        }
    }

    /// Values are somebody's content: the next prompts have them in the task.
    const fn of_edit((by, changes): (Option<UserId>, &'a [SlotChange]), plain: Self) -> Self {
        Self { history: HistoryPart::Nothing, body: Body::Edited { by, changes }, ..plain }
    }

    /// A halt is a denial; whatever else kept a model from answering is an error.
    const fn of_failure(failure: ProposalFailure, end: Self) -> Self {
        match failure {
            ProposalFailure::Halted => Self { outcome: Some("denied"), ..end },
            ProposalFailure::Budget => Self { outcome: Some("error"), body: Body::Budget, ..end },
            ProposalFailure::ContextTooLong => {
                Self { outcome: Some("error"), body: Body::TooLong, ..end }
            }
            _ => Self { outcome: Some("error"), ..end },
        }
    }
}

/// What a reply is for turns that prompts show in short. `ruled`: the plan that the gates ruled on last, of whose run a
/// report is.
pub fn line_kind(code: &ReplyCode, ruled: Option<BlueprintDigest>) -> LineKind {
    match code {
        ReplyCode::Refused { digest } => LineKind::Refusal { plan: *digest },
        ReplyCode::Expired { digest } => LineKind::Report { plan: Some(*digest) },
        ReplyCode::Facts { .. }
        | ReplyCode::RunFailed { .. }
        | ReplyCode::RunCancelled { .. }
        | ReplyCode::RunIndeterminate { .. } => LineKind::Report { plan: ruled },
        code if ReplyKind::of(code).ends_request => LineKind::Report { plan: None },
        // One that shows a preview again is no preview of its own.
        _ => LineKind::Words,
    }
}

/// The preview that this reply shows again, which a typed yes then approves.
pub fn shows(code: &ReplyCode, flow: &FlowState) -> Option<BlueprintDigest> {
    if let ReplyCode::Waiting { digest } = code {
        return Some(*digest);
    }
    let stands = matches!(code, ReplyCode::StillWaits { aside: false, .. });
    if stands { task_position::confirming(flow) } else { None }
}

/// The preview that it reports as expired.
pub const fn expired(code: &ReplyCode) -> Option<BlueprintDigest> {
    if let ReplyCode::Expired { digest } = code { Some(*digest) } else { None }
}
