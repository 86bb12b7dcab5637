//! The governor's prompt: rules first, then the other parts in the order of their type.

use crate::{
    fence::{Fence, FenceFormat},
    layout::{LaidOut, lay_out},
    parts::PromptParts,
    plan::{PlanBounds, PlanRefusal, TokenCounter, TokenPlan},
    rendered::{REPAIR_TOKENS_RESERVED, Rendered, sealed::Sealed},
    rules::{RuleBook, RuleSheet},
    secrets::screened,
    shape::AnswerShape,
};
use wiiiv_domain::RulesHash;

/// What one call may send, and be held for, in tokens; a model may read less at once.
pub const PROMPT_TOKENS_MAX: u64 = 131_072;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    #[error(transparent)]
    Fence(#[from] FenceFormat),
    #[error(
        "what is never left out of a prompt needs `{needed}` tokens, `{max}` fit: say less at once, or keep less in mind"
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
    plan: TokenPlan,
}

/// Counts with a function.
struct By<F>(F);

impl<F: Fn(&str) -> u64> TokenCounter for By<F> {
    fn count(&self, text: &str) -> u64 {
        let Self(count) = self;
        count(text)
    }
}

impl From<PlanRefusal> for PromptError {
    fn from(PlanRefusal { needed, max }: PlanRefusal) -> Self {
        Self::TooLong { needed, max }
    }
}

impl Prompt {
    /// Within so many tokens, of which a repair has its own.
    pub fn new(
        rules: &RuleBook,
        parts: PromptParts,
        tokens_max: u64,
        count: impl Fn(&str) -> u64,
    ) -> Result<Self, PromptError> {
        let total = tokens_max.saturating_sub(REPAIR_TOKENS_RESERVED);
        let bounds = PlanBounds { total, window: tokens_max, error_percent: 0 };
        match Self::planned(rules, parts, bounds, &By(count)) {
            Err(PromptError::TooLong { needed, .. }) => {
                let needed = needed.saturating_add(REPAIR_TOKENS_RESERVED);
                Err(PromptError::TooLong { needed, max: tokens_max })
            }
            planned => planned,
        }
    }

    /// Keeps every part to its share: outputs of steps are cut shorter, passages, systems, older turns and the oldest of the
    /// conversation are left out. The rules, what is kept in mind, the profile, facts of safety, the task and the message
    /// are never cut.
    pub fn planned(
        rules: &RuleBook,
        mut parts: PromptParts,
        bounds: PlanBounds,
        counter: &impl TokenCounter,
    ) -> Result<Self, PromptError> {
        let fence = Fence::parse(&parts.fence)?;
        let rules = rules.chosen(parts.profile.is_some(), &parts.guardrails);
        let (shown, secrets) = screened(&parts);
        let laid_out = lay_out(&shown, &fence, &rules, bounds, counter)?;
        let LaidOut { user, kept, older: (points, related), documents, plan } = laid_out;
        drop(shown);
        // Whoever reads parts reads no more of the conversation than whoever reads text.
        parts.history.drain(..parts.history.len().saturating_sub(kept));
        if let Some(long_term) = &mut parts.long_term {
            long_term.keep(points, related);
        }
        if let Some(passages) = &mut parts.documents {
            *passages = passages.shown(documents, &parts.message);
        }
        Ok(Self { rules, fence, parts, user, secrets, plan })
    }

    /// What the model is shown, and what each part of it takes.
    #[must_use]
    pub const fn plan(&self) -> &TokenPlan {
        &self.plan
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
        self.parts.answer()
    }
    fn counted_by(&self, vocabulary: &str) -> Option<u64> {
        (self.plan.vocabulary == Some(vocabulary)).then(|| self.plan.used())
    }
}
