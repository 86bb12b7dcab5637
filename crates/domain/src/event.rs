//! The session journal's document: flow inputs with the hash of the state that followed, and what
//! was said.

use crate::{
    clock::Timestamp,
    digest::{BlueprintDigest, StateHash},
    flow::{FlowInput, ReplyCode},
    id::{ApprovalId, BlueprintId, ExecutionId, TurnId, UserId},
    request::RequestForm,
    slots::SlotName,
    step_id::StepId,
    task::TaskType,
};
use serde::{Deserialize, Serialize};

/// Who wrote a text of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The server: code or a model.
    Governor,
}

/// A decision on a question, as the turn that it began keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionNote {
    /// The question that was decided.
    pub approval: ApprovalId,
    /// True for a yes.
    pub approved: bool,
    /// The decider's own words. They stand in the session store only, and in no prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Version 2 added the decision that began a turn. Version 1 kept the reason of a decision as the
/// text of the turn: nobody but the owner writes messages, so another user's text is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionEvent {
    /// [`SessionEvent::VERSION`] of the build that wrote it.
    pub version: u32,
    /// The turn that this event belongs to.
    pub turn: TurnId,
    /// When the event was recorded.
    pub at: Timestamp,
    /// What happened.
    pub body: EventBody,
}

impl SessionEvent {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 2;

    /// An event of the current version.
    #[must_use]
    pub const fn new(turn: TurnId, at: Timestamp, body: EventBody) -> Self {
        Self { version: Self::VERSION, turn, at, body }
    }
}

/// One entry of a session's journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "event")]
pub enum EventBody {
    /// T0. The text is session store only; it goes with the project's retention.
    TurnAccepted {
        /// Whoever began the turn: the session's owner, or somebody who decided on a question.
        user: UserId,
        /// The owner's message; empty for a button and for a decision.
        text: String,
        /// Language of the text as an ISO 639-1 code, `ko` or `en`.
        language: String,
        /// The decision that began the turn; `None` for a message or a button.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionNote>,
    },
    /// One transition: replaying the inputs gives the state back, and the hash proves it.
    Input {
        /// What the flow received.
        input: Box<FlowInput>,
        /// Hash of the flow state after the transition.
        state: StateHash,
    },
    /// A reply written by code, or the model's words in talk.
    Replied {
        /// Why code replied, with its data.
        reply: ReplyCode,
        /// The text as it was shown.
        text: String,
        /// A model that had read what came from outside wrote words of it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        foreign: bool,
    },
    /// The user was asked for what a task lacks.
    Asked {
        /// Type of the task that asks.
        task_type: TaskType,
        /// The slots that have no value yet.
        missing: Vec<SlotName>,
        /// What a model wrote of the text, which begins with it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The text as it was shown.
        text: String,
        /// As of a reply.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        foreign: bool,
        /// What a request lacks, as fields to fill in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<Box<RequestForm>>,
    },
    /// One question a digest.
    Previewed {
        /// The question that the preview belongs to.
        approval: ApprovalId,
        /// The plan that was shown.
        blueprint: BlueprintId,
        /// The plan's digest, which a yes must name.
        digest: BlueprintDigest,
        /// The preview as it was shown.
        text: String,
    },
    /// S1: an attempt of a step began.
    StepStarted {
        /// The run that the step belongs to.
        execution: ExecutionId,
        /// The step's name in its plan.
        step: StepId,
        /// Number of the attempt, from 1.
        attempt: u32,
    },
    /// S2: an attempt of a step ended.
    StepFinished {
        /// The run that the step belongs to.
        execution: ExecutionId,
        /// The step's name in its plan.
        step: StepId,
        /// Number of the attempt, from 1.
        attempt: u32,
        /// True if the step succeeded.
        ok: bool,
        /// Code of the failure; empty after success.
        code: String,
    },
    /// T2.
    TurnEnded {
        /// How the turn ended, e.g. `done`, `pending`, `denied`.
        outcome: String,
    },
}

impl EventBody {
    /// The owner's message, if this is one.
    #[must_use]
    pub fn message_of(&self, owner: UserId) -> Option<&str> {
        match self {
            Self::TurnAccepted { user, text, .. } if *user == owner && !text.is_empty() => {
                Some(text)
            }
            Self::TurnAccepted { .. }
            | Self::Input { .. }
            | Self::Replied { .. }
            | Self::Asked { .. }
            | Self::Previewed { .. }
            | Self::StepStarted { .. }
            | Self::StepFinished { .. }
            | Self::TurnEnded { .. } => None,
        }
    }
}
