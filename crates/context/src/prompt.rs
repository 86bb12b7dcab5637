//! The governor's prompt: rules first, then the other parts in the order of their type.

use crate::{
    fence::{Fence, FenceFormat},
    parts::PromptParts,
    rendered::{REPAIR_TOKENS_RESERVED, Rendered, sealed::Sealed},
    rules::{RuleBook, RuleSheet},
    secrets::screened,
    shape::{AnswerShape, PROPOSAL},
};
use wiiiv_domain::RulesHash;

/// What one call may send, and be held for, in tokens; a model may read less at once.
pub const PROMPT_TOKENS_MAX: u64 = 131_072;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    Fence(#[from] FenceFormat),
    #[error(
        "the prompt needs `{needed}` tokens without history and systems, `{max}` fit: say less at once"
    )]
    TooLong { needed: u64, max: u64 },
    #[error("the prompt could not be counted")]
    Uncounted,
}

#[derive(Debug, Clone)]
pub struct Prompt {
    rules: RuleSheet,
    fence: Fence,
    parts: PromptParts,
    user: String,
    secrets: usize,
}

impl Prompt {
    /// Leaves out the oldest of the conversation, then systems, until the rest fits; rules are never
    /// cut.
    pub fn new(
        rules: &RuleBook,
        parts: PromptParts,
        tokens_max: u64,
        count: impl Fn(&str) -> u64,
    ) -> Result<Self, PromptError> {
        let fence = Fence::parse(&parts.fence)?;
        let rules = rules.sheet().clone();
        let fixed = count(rules.text()).saturating_add(REPAIR_TOKENS_RESERVED);
        let mut extent = parts.extent();
        let (shown, secrets) = screened(&parts);
        let user = loop {
            let user = shown.render(&fence, extent);
            let needed = fixed.saturating_add(count(&user));
            if needed <= tokens_max {
                break user;
            }
            match extent.less() {
                Some(less) => extent = less,
                None => return Err(PromptError::TooLong { needed, max: tokens_max }),
            }
        };
        drop(shown);
        Ok(Self { rules, fence, parts, user, secrets })
    }

    /// Keys that were taken out of the text. The parts hold them still: nobody is sent those.
    #[must_use]
    pub const fn secrets(&self) -> usize {
        self.secrets
    }
    /// For the built-in model, which reads parts where another reads text.
    #[must_use]
    pub const fn parts(&self) -> &PromptParts {
        &self.parts
    }
    pub(crate) const fn fence(&self) -> &Fence {
        &self.fence
    }
    pub(crate) const fn rules(&self) -> &RuleSheet {
        &self.rules
    }
}

impl Sealed for Prompt {}
impl Rendered for Prompt {
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
        &PROPOSAL
    }
}
