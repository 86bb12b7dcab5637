//! Wire form of what came of looking at an answer in words before it was given.

use super::localized::LocalizedText;
use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_messages::Messages;

/// An answer in words that the policy's check looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct AnswerCheckView {
    /// Of its record in the project's audit.
    pub seq: u64,
    /// `rules`: code alone; `model`: a model as well.
    pub by: String,
    /// What is wrong with it; empty: nothing was found.
    pub findings: Vec<AnswerFindingView>,
    /// The model answered once more, and that answer was given.
    pub refined: bool,
    /// What the policy asks for and was not done; the answer was given as it was.
    pub left_out: Vec<LeftOutStageView>,
}

/// One thing that is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct AnswerFindingView {
    /// `EMPTY`, `REPEATS`, `REFUSES`, `LANGUAGE`, `UNKNOWN_NAME`, `GUARDRAIL`, `UNANSWERED`, `UNFOUNDED` or `UNCLEAR`.
    pub code: String,
    /// What it means.
    pub text: LocalizedText,
}

impl AnswerFindingView {
    pub(crate) fn of(messages: &Messages, code: &str) -> Self {
        let text = LocalizedText::meaning(messages, "answer_finding", code);
        Self { code: code.to_owned(), text }
    }
}

/// A stage that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct LeftOutStageView {
    /// `check`: a model looks at the answer; `refine`: a model answers once more.
    pub stage: String,
    /// Why: the code of what kept a model from answering, or `no_better`.
    pub reason: String,
    /// What it means.
    pub text: LocalizedText,
}
