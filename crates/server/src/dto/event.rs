//! Wire forms of journal events.

use super::{
    answer::AnswerFindingView, author::Author, citation::CitationView, edit::ChangedValue,
    flow::FlowStep, form::FormView, localized::LocalizedText,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{
    AnswerFinding, Citation, DecisionNote, EventBody, JobName, Lang, ReplyCode, SessionEvent,
    UserId,
};
use wiiiv_hlx::neutralise;
use wiiiv_messages::Messages;

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
    /// A message, a button or a decision on a question, durable from here on.
    Accepted {
        author: Author,
        user: Uuid,
        /// The message of the session's owner; empty for a button and for a decision.
        text: String,
        language: String,
        /// What began the turn where it was no message: somebody's answer to a question.
        decision: Option<DecisionMade>,
    },
    /// One step of the flow, for the decision strip.
    Flow(FlowStep),
    Reply {
        author: Author,
        /// `model` and `facts` are talk and results.
        reply: String,
        #[schema(value_type = Object)]
        params: Value,
        /// What a model wrote of `text`, which begins with it; the rest is written by code.
        message: String,
        text: String,
        /// What the project's check found wrong with the answer, which was given all the same.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        findings: Vec<AnswerFindingView>,
        /// Passages that `message` cites as `[n]`, in the order in which it does.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        citations: Vec<CitationView>,
    },
    Ask {
        author: Author,
        task_type: String,
        missing: Vec<String>,
        /// What a model wrote of `text`, which begins with it; the rest is written by code.
        message: String,
        text: String,
        /// What a request to a registered system lacks, as fields to fill in: answered by `form` of a
        /// message.
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<FormView>,
    },
    Preview {
        author: Author,
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
    /// Somebody cleared the conversation's hold; of no turn.
    RiskCleared {
        by: Uuid,
        by_name: Option<String>,
        /// The score before.
        score: u32,
        /// That person's own words.
        reason: String,
    },
    /// Somebody took back their yes to a question; of no turn.
    ApprovalRevoked {
        approval: Uuid,
        by: Uuid,
        by_name: Option<String>,
        /// The run that is stopped by it; `null` where none went on.
        execution: Option<Uuid>,
        /// That person's own words.
        reason: String,
    },
    /// The last of its turn.
    Ended {
        /// `done`, `error`, `denied`, `pending` or `cancelled`.
        outcome: String,
    },
}

/// An answer to a question, as it was given.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DecisionMade {
    /// `null` in conversations that an older build wrote.
    pub approval: Option<Uuid>,
    pub answer: DecisionAnswer,
    /// What was decided on, such as `Write a.txt`; `null` in conversations that an older build wrote.
    pub subject: Option<LocalizedText>,
    /// The decider's own words; may be empty.
    pub reason: String,
    /// Where several people have to approve: how many had with this yes, and how many have to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approvers: Option<u8>,
    /// Of an edit: each value before and after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangedValue>,
    /// Whose right was used, where it is another person's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_behalf_of_name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DecisionAnswer {
    Approved,
    Rejected,
    Edited,
}

impl DecisionMade {
    /// Somebody else's no of which only the reason is known: an older build kept it as the turn's text.
    fn older(reason: &str) -> Self {
        Self {
            approval: None,
            answer: DecisionAnswer::Rejected,
            subject: None,
            reason: reason.to_owned(),
            given: None,
            approvers: None,
            changes: Vec::new(),
            on_behalf_of: None,
            on_behalf_of_name: None,
        }
    }

    fn of(note: &DecisionNote, cast: &Cast<'_>) -> Self {
        let whose = note.on_behalf_of.map(|lent| lent.delegator);
        Self {
            approval: Some(note.approval.uuid()),
            answer: match (note.approved, note.changes.is_empty()) {
                (true, _) => DecisionAnswer::Approved,
                (false, true) => DecisionAnswer::Rejected,
                (false, false) => DecisionAnswer::Edited,
            },
            subject: note.subject.as_ref().map(|job| called(cast.messages, job)),
            changes: note.changes.iter().map(ChangedValue::from).collect(),
            reason: note.reason.clone(),
            given: note.tally.map(|tally| tally.given),
            approvers: note.tally.map(|tally| tally.approvers),
            on_behalf_of: whose.map(UserId::uuid),
            on_behalf_of_name: whose.and_then(cast.name),
        }
    }
}

/// Whose words a session's events are.
pub(crate) struct Cast<'a> {
    /// Of the session.
    pub owner: UserId,
    /// Of a person of the session.
    pub name: &'a dyn Fn(UserId) -> Option<String>,
    /// What codes mean, and what plans are called.
    pub messages: &'a Messages,
}

fn called(messages: &Messages, job: &JobName) -> LocalizedText {
    let [ko, en] = [Lang::Ko, Lang::En].map(|lang| neutralise(&messages.job(lang, job)));
    LocalizedText { ko, en }
}

impl EventView {
    pub(crate) fn of(seq: u64, event: &SessionEvent, cast: &Cast<'_>) -> Self {
        Self {
            seq,
            turn: event.turn.uuid(),
            at: event.at.to_string(),
            what: EventKind::of(&event.body, cast),
        }
    }
    /// The people whose names the view of this event tells.
    pub(crate) fn people(event: &SessionEvent) -> [Option<UserId>; 2] {
        match &event.body {
            EventBody::TurnAccepted { user, decision, .. } => {
                let lent = decision.as_ref().and_then(|note| note.on_behalf_of);
                [Some(*user), lent.map(|lent| lent.delegator)]
            }
            EventBody::RiskCleared { by, .. } | EventBody::ApprovalRevoked { by, .. } => {
                [Some(*by), None]
            }
            EventBody::Input { .. }
            | EventBody::Replied { .. }
            | EventBody::Asked { .. }
            | EventBody::Previewed { .. }
            | EventBody::StepStarted { .. }
            | EventBody::StepFinished { .. }
            | EventBody::TurnEnded { .. } => [None, None],
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
            EventKind::RiskCleared { .. } => "risk_cleared",
            EventKind::ApprovalRevoked { .. } => "approval_revoked",
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
            | EventKind::RiskCleared { .. }
            | EventKind::ApprovalRevoked { .. }
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
            | EventKind::RiskCleared { .. }
            | EventKind::ApprovalRevoked { .. }
            | EventKind::Ended { .. } => false,
        }
    }
}

impl EventKind {
    fn of(body: &EventBody, cast: &Cast<'_>) -> Self {
        match body {
            EventBody::TurnAccepted { user, text, language, decision } => {
                let language = language.clone();
                let own = *user == cast.owner;
                let decision = decision.as_ref().map(|note| DecisionMade::of(note, cast));
                let reason = (!own && !text.is_empty()).then(|| DecisionMade::older(text));
                Self::Accepted {
                    author: Author::person(own, *user, (cast.name)(*user)),
                    user: user.uuid(),
                    text: if own { text.clone() } else { String::new() },
                    language,
                    decision: decision.or(reason),
                }
            }
            EventBody::Input { input, .. } => Self::Flow(FlowStep::of(input)),
            EventBody::Replied { reply: of, text, findings, citations, .. } => {
                reply(of, text, (findings, citations), cast)
            }
            EventBody::Asked { task_type, missing, message, text, form, .. } => Self::Ask {
                author: Author::ASSISTANT,
                form: form.as_deref().map(FormView::of),
                task_type: task_type.to_string(),
                missing: missing.iter().map(ToString::to_string).collect(),
                message: message.clone(),
                text: text.clone(),
            },
            EventBody::Previewed { approval, blueprint, digest, text } => Self::Preview {
                author: Author::ASSISTANT,
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
            EventBody::RiskCleared { by, score, reason } => Self::RiskCleared {
                by: by.uuid(),
                by_name: (cast.name)(*by),
                score: *score,
                reason: neutralise(reason),
            },
            EventBody::ApprovalRevoked { approval, by, execution, reason } => {
                Self::ApprovalRevoked {
                    approval: approval.uuid(),
                    by: by.uuid(),
                    by_name: (cast.name)(*by),
                    execution: execution.map(|execution| execution.uuid()),
                    reason: neutralise(reason),
                }
            }
            EventBody::TurnEnded { outcome } => Self::Ended { outcome: outcome.clone() },
        }
    }
}

/// The reply's name and what it names: codes, digests, reasons. Its words stand beside it.
fn reply(
    reply: &ReplyCode,
    text: &str,
    (findings, citations): (&BTreeSet<AnswerFinding>, &[Citation]),
    cast: &Cast<'_>,
) -> EventKind {
    let mut params = match serde_json::to_value(reply) {
        Ok(Value::Object(params)) => params,
        Ok(_) | Err(_) => Map::new(),
    };
    let mut word = |name: &str| match params.remove(name) {
        Some(Value::String(text)) => text,
        Some(_) | None => String::new(),
    };
    let (name, mut message) = (word("reply"), word("message"));
    // Words that the facts of a run do not bear out are not told, and what code tells is no model's.
    if matches!(reply, ReplyCode::Told { .. }) || !text.starts_with(&message) {
        message.clear();
    }
    let (params, text) = (Value::Object(params), text.to_owned());
    let author = Author::of_reply(reply);
    let found = |of: &AnswerFinding| AnswerFindingView::of(cast.messages, of.as_str());
    let findings = findings.iter().map(found).collect();
    let citations = citations.iter().map(CitationView::from).collect();
    EventKind::Reply { author, reply: name, params, message, text, findings, citations }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{Timestamp, TurnId};

    #[test]
    fn what_was_found_wrong_with_an_answer_is_told_with_it_in_both_languages() {
        let messages = Messages::embedded().unwrap();
        let owner = UserId::from_uuid(Uuid::nil());
        let cast = Cast { owner, name: &|_| None, messages: &messages };
        let told = |findings: &[AnswerFinding]| {
            let reply = ReplyCode::Model { message: "hi".to_owned() };
            let findings = findings.iter().copied().collect();
            let (text, foreign, citations) = ("hi".to_owned(), false, Vec::new());
            let body = EventBody::Replied { reply, text, foreign, findings, citations };
            let turn = TurnId::from_uuid(Uuid::nil());
            let event = SessionEvent::new(turn, Timestamp::from_unix_ms(0), body);
            serde_json::to_value(EventView::of(1, &event, &cast)).unwrap()
        };
        let found = told(&[AnswerFinding::Language]);
        assert_eq!(found["findings"][0]["code"], "LANGUAGE", "{found}");
        assert_eq!(found["findings"][0]["text"]["en"], "It is in another language.");
        assert_eq!(found["findings"][0]["text"]["ko"], "다른 언어로 되어 있습니다.");
        assert!(told(&[]).get("findings").is_none());
    }
}
