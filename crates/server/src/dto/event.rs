//! Journal events as clients see them.

use super::flow::FlowStep;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{EventBody, ReplyCode, SessionEvent};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventView {
    pub seq: u64,
    pub turn: Uuid,
    pub at: String,
    #[serde(flatten)]
    pub what: EventKind,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub(crate) enum EventKind {
    /// A message or a button, durable from here on.
    Accepted {
        user: Uuid,
        text: String,
        language: String,
    },
    /// One step of the flow, for the decision strip.
    Flow(FlowStep),
    Reply {
        /// `model` and `facts` are talk and results.
        reply: String,
        #[schema(value_type = Object)]
        params: Value,
        /// What a model wrote of `text`, which begins with it; the rest is written by code.
        message: String,
        text: String,
    },
    Ask {
        task_type: String,
        missing: Vec<String>,
        /// What a model wrote of `text`, which begins with it; the rest is written by code.
        message: String,
        text: String,
    },
    Preview {
        approval: Uuid,
        blueprint: Uuid,
        digest: String,
        text: String,
    },
    StepStarted {
        execution: Uuid,
        step: String,
        attempt: u32,
    },
    StepFinished {
        execution: Uuid,
        step: String,
        attempt: u32,
        ok: bool,
        code: String,
    },
    /// The last of its turn.
    Ended {
        /// `done`, `error`, `denied`, `pending` or `cancelled`.
        outcome: String,
    },
}

impl EventView {
    pub(crate) fn of(seq: u64, event: &SessionEvent) -> Self {
        Self {
            seq,
            turn: event.turn.uuid(),
            at: event.at.to_string(),
            what: EventKind::of(&event.body),
        }
    }
    /// The name under which it is streamed; a turn's last event is named after its outcome.
    pub(crate) fn name(&self) -> &str {
        match &self.what {
            EventKind::Accepted { .. } => "accepted",
            EventKind::Flow(_) => "flow",
            EventKind::Reply { .. } => "reply",
            EventKind::Ask { .. } => "ask",
            EventKind::Preview { .. } => "preview",
            EventKind::StepStarted { .. } => "step_started",
            EventKind::StepFinished { .. } => "step_finished",
            EventKind::Ended { outcome } => outcome,
        }
    }
    pub(crate) fn is_last(&self) -> bool {
        matches!(self.what, EventKind::Ended { .. })
    }
    /// Part of the conversation as people read it.
    pub(crate) fn is_said(&self) -> bool {
        match &self.what {
            EventKind::Accepted { .. }
            | EventKind::Reply { .. }
            | EventKind::Ask { .. }
            | EventKind::Preview { .. }
            | EventKind::Ended { .. } => true,
            EventKind::Flow(_) | EventKind::StepStarted { .. } | EventKind::StepFinished { .. } => {
                false
            }
        }
    }
    /// Of one run, without a word of the conversation that it belongs to.
    pub(crate) fn is_of_run(&self, run: Uuid) -> bool {
        match &self.what {
            EventKind::StepStarted { execution, .. }
            | EventKind::StepFinished { execution, .. } => *execution == run,
            EventKind::Flow(step) => step.execution == Some(run),
            EventKind::Accepted { .. }
            | EventKind::Reply { .. }
            | EventKind::Ask { .. }
            | EventKind::Preview { .. }
            | EventKind::Ended { .. } => false,
        }
    }
}

impl EventKind {
    fn of(body: &EventBody) -> Self {
        match body {
            EventBody::TurnAccepted { user, text, language } => {
                Self::Accepted { user: user.uuid(), text: text.clone(), language: language.clone() }
            }
            EventBody::Input { input, .. } => Self::Flow(FlowStep::of(input)),
            EventBody::Replied { reply: code, text, .. } => reply(code, text),
            EventBody::Asked { task_type, missing, message, text, .. } => Self::Ask {
                task_type: task_type.to_string(),
                missing: missing.iter().map(ToString::to_string).collect(),
                message: message.clone(),
                text: text.clone(),
            },
            EventBody::Previewed { approval, blueprint, digest, text } => Self::Preview {
                approval: approval.uuid(),
                blueprint: blueprint.uuid(),
                digest: digest.to_string(),
                text: text.clone(),
            },
            EventBody::StepStarted { execution, step, attempt } => Self::StepStarted {
                execution: execution.uuid(),
                step: step.to_string(),
                attempt: *attempt,
            },
            EventBody::StepFinished { execution, step, attempt, ok, code } => Self::StepFinished {
                execution: execution.uuid(),
                step: step.to_string(),
                attempt: *attempt,
                ok: *ok,
                code: code.clone(),
            },
            EventBody::TurnEnded { outcome } => Self::Ended { outcome: outcome.clone() },
        }
    }
}

/// The reply's name and what it names: codes, digests, reasons. Its words stand beside it.
fn reply(reply: &ReplyCode, text: &str) -> EventKind {
    let mut params = match serde_json::to_value(reply) {
        Ok(Value::Object(params)) => params,
        Ok(_) | Err(_) => Map::new(),
    };
    let mut word = |name: &str| match params.remove(name) {
        Some(Value::String(text)) => text,
        Some(_) | None => String::new(),
    };
    let (name, mut message) = (word("reply"), word("message"));
    // Words that the facts of a run do not bear out are not told.
    if !text.starts_with(&message) {
        message.clear();
    }
    EventKind::Reply { reply: name, params: Value::Object(params), message, text: text.to_owned() }
}
