//! The session journal's documents: flow inputs, each with the hash of the next state, and texts
//! that were shown.

use crate::{
    answer::AnswerFinding,
    citation::Citation,
    clock::Timestamp,
    delegation::OnBehalfOf,
    digest::{BlueprintDigest, StateHash},
    edit::SlotChange,
    effect::Effect,
    flow::{FlowInput, ReplyCode},
    id::{ApprovalId, BlueprintId, ExecutionId, TurnId, UserId},
    proposal::JobName,
    provenance::ValueSources,
    request::RequestForm,
    slots::SlotName,
    step_id::StepId,
    task::TaskType,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Who wrote a text of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The server: code or a model.
    Governor,
}

/// How many of the people who have to say yes to a question have said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tally {
    /// So many have.
    pub given: u8,
    /// So many have to.
    pub approvers: u8,
}

/// A decision on a question, stored with the turn that it began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionNote {
    /// The question that was decided.
    pub approval: ApprovalId,
    /// True for a yes.
    pub approved: bool,
    /// The decider's own words. They are in the session store only, and in no prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What a yes brought it to, where several people have to say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// The values that were changed in place of an answer; empty for a yes and a no.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SlotChange>,
    /// Whose right it was given in, where that is another person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<OnBehalfOf>,
    /// What its plan is called. Absent in journals that are older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<JobName>,
}

/// Version 2 added the decision that began a turn. Version 1 stored the decision's reason as the
/// turn's text; a text by another user than the owner is one.
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
    /// T0. The text is in the session store only; retention deletes it.
    TurnAccepted {
        /// Who began the turn: the session's owner, or the person who decided on a question.
        user: UserId,
        /// The owner's message; empty for a button and for a decision.
        text: String,
        /// Language of the text as an ISO 639-1 code, `ko` or `en`.
        language: String,
        /// The decision that began the turn; `None` for a message or a button.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<DecisionNote>,
    },
    /// One transition. A replay of the inputs gives the state, and the hash proves it.
    Input {
        /// What the flow received.
        input: Box<FlowInput>,
        /// Hash of the flow state after the transition.
        state: StateHash,
        /// The greatest effect of a spec that goes to its review with it. Absent where none does, and in
        /// journals that are older.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reviews: Option<Effect>,
        /// Of a model's answer: memories that somebody else wrote, as far as models have read any in the
        /// conversation. Their answers stay in its history, whatever becomes of a memory. Absent where there is none.
        #[serde(default, skip_serializing_if = "ValueSources::is_empty")]
        memories: ValueSources,
    },
    /// A reply written by code, or the model's words in talk.
    Replied {
        /// Why code replied, with its data.
        reply: ReplyCode,
        /// The text as it was shown.
        text: String,
        /// A model wrote part of the text after it had read content from outside.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        foreign: bool,
        /// What the policy's check found wrong with the model's answer, which was given all the same.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        findings: BTreeSet<AnswerFinding>,
        /// Passages that the text cites, by number. Absent where it cites none, and in journals that are older.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        citations: Vec<Citation>,
    },
    /// The user was asked for what a task lacks.
    Asked {
        /// Type of the task that asks.
        task_type: TaskType,
        /// The slots that have no value yet.
        missing: Vec<SlotName>,
        /// The model's part of the text, at its beginning.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        message: String,
        /// The text as it was shown.
        text: String,
        /// As in `Replied`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        foreign: bool,
        /// A form for what the request lacks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        form: Option<Box<RequestForm>>,
    },
    /// A preview was shown. There is one question for each digest.
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
    /// Somebody with the role cleared the session's risk. It belongs to no turn: its id is its own.
    RiskCleared {
        /// The person.
        by: UserId,
        /// The score before.
        score: u32,
        /// The person's own words. They are in the session store only, and in no prompt.
        reason: String,
    },
    /// Somebody took back their yes to a question. It belongs to no turn: its id is its own.
    ApprovalRevoked {
        /// The question.
        approval: ApprovalId,
        /// The person.
        by: UserId,
        /// The run that is stopped by it; `None` where none went on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        execution: Option<ExecutionId>,
        /// The person's own words. They are in the session store only, and in no prompt.
        reason: String,
    },
    /// T2: the turn ended.
    TurnEnded {
        /// How the turn ended, e.g. `done`, `pending`, `denied`.
        outcome: String,
    },
}

impl EventBody {
    /// A reply whose words are code's alone.
    #[must_use]
    pub const fn replied(reply: ReplyCode, text: String) -> Self {
        let findings = BTreeSet::new();
        Self::Replied { reply, text, foreign: false, findings, citations: Vec::new() }
    }

    /// The owner's message, if this is one.
    #[must_use]
    pub fn message_of(&self, owner: UserId) -> Option<&str> {
        let Self::TurnAccepted { user, text, .. } = self else { return None };
        (*user == owner && !text.is_empty()).then_some(text)
    }
}
