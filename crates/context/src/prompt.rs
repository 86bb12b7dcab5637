//! The governor's prompt: rules first, then the other parts in the order of their type.

use crate::{
    fence::{Fence, FenceFormat},
    layout::{LaidOut, lay_out},
    limits::limits_in,
    parts::PromptParts,
    plan::{PlanBounds, PlanRefusal, TokenCounter, TokenPlan},
    rendered::{REPAIR_TOKENS_RESERVED, Rendered, sealed::Sealed},
    rules::{RuleBook, RuleSheet},
    secrets::{screened, without_keys},
    shape::AnswerShape,
};
use std::ops::Range;
use wiiiv_domain::{RulesHash, Speaker};

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
    /// are never cut: of messages that are left out, what the user forbade or limited is such a fact.
    pub fn planned(
        rules: &RuleBook,
        mut parts: PromptParts,
        bounds: PlanBounds,
        counter: &impl TokenCounter,
    ) -> Result<Self, PromptError> {
        let fence = Fence::parse(&parts.fence)?;
        let rules = rules.chosen(parts.profile.is_some(), &parts.guardrails);
        let mut searched = 0;
        let (laid_out, secrets) = loop {
            let (shown, secrets) = screened(&parts);
            let laid_out = lay_out(&shown, &fence, &rules, bounds, counter);
            drop(shown);
            let kept = laid_out.as_ref().map_or(0, |laid_out| laid_out.kept);
            let left_out = parts.history.len().saturating_sub(kept);
            // A limit that is kept takes room, for which more messages may have to go.
            if !keep_limits(&mut parts, searched..left_out) {
                break (laid_out?, secrets);
            }
            searched = left_out;
        };
        let LaidOut { user, kept, older: (points, related), documents, plan } = laid_out;
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

    /// The same with every message of a conversation before it, whatever that takes: what prompts of long conversations
    /// are measured against. Its plan says nothing of those messages, so its tokens are counted anew. No session's prompt
    /// is made so.
    #[must_use]
    pub fn behind_all(mut self, said: &[(Speaker, String)]) -> Self {
        let line = |(speaker, text): &(Speaker, String)| {
            PromptParts::line(&self.fence, &(*speaker, without_keys(text).into_owned()))
        };
        self.user = said.iter().map(line).chain([self.user.clone()]).collect();
        self.plan.vocabulary = None;
        self
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

/// What the user forbade or limited in these messages, which do not fit, becomes a fact of safety. Whether any of it is new.
fn keep_limits(parts: &mut PromptParts, left_out: Range<usize>) -> bool {
    let left_out = parts.history.get(left_out).unwrap_or_default();
    let said = left_out.iter().filter(|(speaker, _)| *speaker == Speaker::User);
    let limits: Vec<String> = said.flat_map(|(_, said)| limits_in(said)).collect();
    !limits.is_empty() && parts.long_term.get_or_insert_with(Box::default).forbid(&limits)
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
