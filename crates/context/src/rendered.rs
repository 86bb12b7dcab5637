//! Rendered prompts: the only text that is sent to a model.

use crate::shape::AnswerShape;
use wiiiv_domain::{PromptHash, RulesHash};

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// INVARIANT: sealed. A raw string cannot be sent.
pub trait Rendered: sealed::Sealed {
    /// The rules: everything above the boundary.
    fn system(&self) -> &str;
    /// Everything below it.
    fn user(&self) -> &str;
    /// Of the rules alone.
    fn rules_hash(&self) -> RulesHash;
    /// What the answer has to look like.
    fn answer(&self) -> &'static AnswerShape;

    /// Of all that is sent. The random fence in it keeps it from being guessed.
    fn prompt_hash(&self) -> PromptHash {
        let all = [self.system().as_bytes(), b"\0", self.user().as_bytes()].concat();
        PromptHash::of_bytes(&all)
    }
    /// The most that one attempt sends, a repair included.
    fn tokens(&self, count: impl Fn(&str) -> u64) -> u64
    where
        Self: Sized,
    {
        let sent = count(self.system()).saturating_add(count(self.user()));
        sent.saturating_add(REPAIR_TOKENS_RESERVED)
    }
    /// No less than this vocabulary counts of all that is sent, where that was counted as it was laid out.
    fn counted_by(&self, _vocabulary: &str) -> Option<u64> {
        None
    }
}

/// Set aside in every prompt: more than a repair can add, as a token is at least one byte.
pub const REPAIR_TOKENS_RESERVED: u64 = 5_120;
