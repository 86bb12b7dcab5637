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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    User,
    Governor,
}

/// A decision on a question, as the turn that it began keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionNote {
    pub approval: ApprovalId,
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
    pub version: u32,
    pub turn: TurnId,
    pub at: Timestamp,
    pub body: EventBody,
}

impl SessionEvent {
    pub const VERSION: u32 = 2;

    #[must_use]
    pub const fn new(turn: TurnId, at: Timestamp, body: EventBody) -> Self {
        Self { version: Self::VERSION, turn, at, body }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "event")]
pub enum EventBody {
    /// T0. The text is session store only; it goes with the project's retention.
    TurnAccepted {
        /// Whoever began the turn: the session's owner, or somebody who decided on a question.
        user: UserId,
        /// The owner's message; empty for a button and for a decision.
        text: String,
        language: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionNote>,
    },
    /// One transition: replaying the inputs gives the state back, and the hash proves it.
    Input {
        input: Box<FlowInput>,
        state: StateHash,
    },
    /// A reply written by code, or the model's words in talk.
    Replied {
        reply: ReplyCode,
        text: String,
        /// A model that had read what came from outside wrote words of it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        foreign: bool,
    },
    Asked {
        task_type: TaskType,
        missing: Vec<SlotName>,
        /// What a model wrote of the text, which begins with it.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
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
        approval: ApprovalId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
        text: String,
    },
    StepStarted {
        execution: ExecutionId,
        step: StepId,
        attempt: u32,
    },
    StepFinished {
        execution: ExecutionId,
        step: StepId,
        attempt: u32,
        ok: bool,
        code: String,
    },
    /// T2.
    TurnEnded {
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
