//! The prompt of whoever measures an answer for `wiiiv context eval`: rules of its own, what the answer was made of, and the
//! answer. It gives two numbers, and nothing else. No session asks by it.

use crate::{
    fence::{Fence, Fenced, Label},
    prompt::Prompt,
    rendered::{Rendered, sealed::Sealed},
    rules::{RuleBook, RuleSheet},
    secrets::without_keys,
    shape::{AnswerShape, JUDGEMENT},
};
use wiiiv_domain::RulesHash;

#[derive(Debug, Clone)]
pub struct JudgementPrompt {
    rules: RuleSheet,
    fence: Fence,
    user: String,
}

impl JudgementPrompt {
    /// Of an answer to this prompt.
    #[must_use]
    pub fn new(book: &RuleBook, prompt: &Prompt, answer: &str) -> Self {
        let fence = prompt.fence().clone();
        let answer = Fenced::new(&fence, Label::Answer, &without_keys(answer));
        let user = [prompt.user(), answer.as_str()].concat();
        Self { rules: book.judgement_sheet(), fence, user }
    }

    pub(crate) const fn fence(&self) -> &Fence {
        &self.fence
    }
    pub(crate) const fn rules(&self) -> &RuleSheet {
        &self.rules
    }
}

impl Sealed for JudgementPrompt {}
impl Rendered for JudgementPrompt {
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
        &JUDGEMENT
    }
}
