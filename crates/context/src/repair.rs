//! The one repair prompt after an answer that did not fit the schema.

use crate::{
    fence::{Fenced, Label},
    parts::shown,
    prompt::Prompt,
    rendered::{Rendered, sealed::Sealed},
    rules::RuleSheet,
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
}

impl RepairPrompt {
    #[must_use]
    pub fn new(prompt: &Prompt, answer: &str, fault: &str) -> Self {
        let answer = shown(answer, ANSWER_CHARS_MAX);
        let fault = shown(fault, FAULT_CHARS_MAX);
        let answer = Fenced::new(prompt.fence(), Label::Answer, &answer);
        let fault = Fenced::new(prompt.fence(), Label::Fault, &fault);
        let user = [prompt.user(), answer.as_str(), fault.as_str()].concat();
        Self { rules: prompt.rules().clone(), user }
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
}
