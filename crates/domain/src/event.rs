//! The session journal's document: flow inputs with the hash of the state that followed, and what
//! was said.

use crate::{
    clock::Timestamp,
    digest::{BlueprintDigest, StateHash},
    flow::{FlowInput, ReplyCode},
    id::{ApprovalId, BlueprintId, ExecutionId, TurnId, UserId},
    plan::StepId,
    slots::SlotName,
    task::TaskType,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    User,
    Governor,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionEvent {
    pub version: u32,
    pub turn: TurnId,
    pub at: Timestamp,
    pub body: EventBody,
}

impl SessionEvent {
    pub const VERSION: u32 = 1;

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
        user: UserId,
        text: String,
        language: String,
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
