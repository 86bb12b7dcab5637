//! Prompts from outside: their bytes, their order, and what does not even build.
#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot set up")]

mod bound;
mod boundary;
mod compile_fail;
mod rendering;

use wiiiv_context::{PROMPT_TOKENS_MAX, Prompt, PromptParts, RuleBook};
use wiiiv_domain::Lang;

const FENCE: &str = "0123456789abcdef0123456789abcdef";

fn bytes(text: &str) -> u64 {
    text.len() as u64
}

fn parts(message: &str) -> PromptParts {
    PromptParts {
        fence: FENCE.to_owned(),
        language: Lang::Ko,
        task: None,
        suspended: Vec::new(),
        revision: Vec::new(),
        facts: None,
        earlier_run: false,
        systems: std::sync::Arc::default(),
        history: Vec::new(),
        message: message.to_owned(),
    }
}

fn prompt(parts: PromptParts) -> Prompt {
    Prompt::new(&RuleBook::embedded(), parts, PROMPT_TOKENS_MAX, bytes).unwrap()
}
