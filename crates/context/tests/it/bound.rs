use crate::{bytes, parts, prompt};
use proptest::prelude::*;
use wiiiv_context::{
    PROMPT_TOKENS_MAX, Prompt, PromptError, PromptParts, Rendered, RepairPrompt, RuleBook, Speaker,
};
use wiiiv_domain::MESSAGE_CHARS_MAX;

#[test]
fn the_oldest_words_go_first_and_rules_never() {
    let history: Vec<_> = (0..10).map(|n| (Speaker::User, format!("word-{n}"))).collect();
    let parts = PromptParts { history, ..parts("안녕") };
    let all = prompt(parts.clone());
    let max = all.tokens(bytes) - 1;
    let less = Prompt::new(&RuleBook::embedded(), parts.clone(), max, bytes).unwrap();
    assert!(less.tokens(bytes) <= max);
    assert!(!less.user().contains("word-0") && less.user().contains("word-1"));
    assert_eq!(less.system(), all.system());
    let refused = Prompt::new(&RuleBook::embedded(), parts, 100, bytes);
    assert!(matches!(refused, Err(PromptError::TooLong { max: 100, .. })));
}

#[test]
fn only_the_last_messages_are_carried() {
    let history = (0..50).map(|n| (Speaker::User, format!("word-{n:02}"))).collect();
    let prompt = prompt(PromptParts { history, ..parts("안녕") });
    assert!(!prompt.user().contains("word-29") && prompt.user().contains("word-30"));
}

#[test]
fn the_longest_message_fits() {
    let _ = prompt(parts(&"가".repeat(MESSAGE_CHARS_MAX)));
    assert!(PROMPT_TOKENS_MAX > 4 * MESSAGE_CHARS_MAX as u64);
}

proptest! {
    /// What was held for the prompt covers its repair.
    #[test]
    fn a_repair_fits_what_was_set_aside(answer in "\\PC{0,2000}", fault in "\\PC{0,900}") {
        let prompt = prompt(parts("안녕"));
        let repair = RepairPrompt::new(&prompt, &answer, &fault);
        let sent = bytes(repair.system()) + bytes(repair.user());
        prop_assert!(sent <= prompt.tokens(bytes));
    }
}
