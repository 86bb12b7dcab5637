//! The one repair prompt after an answer that did not fit the schema.

use crate::{
    check::CheckPrompt,
    fence::{Fence, Fenced, Label},
    judgement::JudgementPrompt,
    parts::shown,
    persona::PersonaPrompt,
    prompt::Prompt,
    rendered::{Rendered, sealed::Sealed},
    rules::RuleSheet,
    shape::AnswerShape,
};
use wiiiv_domain::RulesHash;

/// Of the answer, in Unicode scalar values.
const ANSWER_CHARS_MAX: usize = 800;
/// Of the reason, in Unicode scalar values.
const FAULT_CHARS_MAX: usize = 300;

#[derive(Debug, Clone)]
pub struct RepairPrompt {
    rules: RuleSheet,
    user: String,
    shape: &'static AnswerShape,
}

impl RepairPrompt {
    #[must_use]
    pub fn new(prompt: &Prompt, answer: &str, fault: &str) -> Self {
        Self::of(prompt, (prompt.rules(), prompt.fence()), answer, fault)
    }

    #[must_use]
    pub fn of_persona(prompt: &PersonaPrompt, answer: &str, fault: &str) -> Self {
        Self::of(prompt, (prompt.rules(), prompt.fence()), answer, fault)
    }

    #[must_use]
    pub fn of_check(prompt: &CheckPrompt, answer: &str, fault: &str) -> Self {
        Self::of(prompt, (prompt.rules(), prompt.fence()), answer, fault)
    }

    #[must_use]
    pub fn of_judgement(prompt: &JudgementPrompt, answer: &str, fault: &str) -> Self {
        Self::of(prompt, (prompt.rules(), prompt.fence()), answer, fault)
    }

    fn of(
        prompt: &impl Rendered,
        (rules, fence): (&RuleSheet, &Fence),
        answer: &str,
        fault: &str,
    ) -> Self {
        let answer = shown(answer, ANSWER_CHARS_MAX);
        let fault = shown(fault, FAULT_CHARS_MAX);
        let answer = Fenced::new(fence, Label::Answer, &answer);
        let fault = Fenced::new(fence, Label::Fault, &fault);
        let user = [prompt.user(), answer.as_str(), fault.as_str()].concat();
        Self { rules: rules.clone(), user, shape: prompt.answer() }
    }
}

impl Sealed for RepairPrompt {}
impl Rendered for RepairPrompt {
    fn system(&self) -> &str {
        self.rules.text()
    }
    fn user(&self) -> &str {
        &self.user
    }
    fn rules_hash(&self) -> RulesHash {
        self.rules.hash()
    }
    fn answer(&self) -> &'static AnswerShape {
        self.shape
    }
}
