//! The prompt of whoever looks at an answer before it is given: rules of its own, what the answer was made of, and the
//! answer. It may name what is wrong, by codes, and nothing else.

use crate::{
    fence::Fence,
    prompt::Prompt,
    rendered::{Rendered, sealed::Sealed},
    rules::{RuleBook, RuleSheet},
    shape::{AnswerShape, CHECK},
};
use wiiiv_domain::RulesHash;

#[derive(Debug, Clone)]
pub struct CheckPrompt {
    rules: RuleSheet,
    fence: Fence,
    user: String,
}

impl CheckPrompt {
    /// Of a prompt whose parts hold the answer, under the guardrails that the answer is under.
    #[must_use]
    pub fn new(book: &RuleBook, prompt: &Prompt) -> Self {
        let rules = book.check_sheet(&prompt.parts().guardrails);
        Self { rules, fence: prompt.fence().clone(), user: prompt.user().to_owned() }
    }

    pub(crate) const fn fence(&self) -> &Fence {
        &self.fence
    }
    pub(crate) const fn rules(&self) -> &RuleSheet {
        &self.rules
    }
}

impl Sealed for CheckPrompt {}
impl Rendered for CheckPrompt {
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
        &CHECK
    }
}
