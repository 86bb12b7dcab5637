use crate::{bytes, parts, prompt};
use proptest::prelude::*;
use wiiiv_context::{
    MemoryBlocks, PROMPT_TOKENS_MAX, Prompt, PromptError, PromptParts, Rendered, RepairPrompt,
    RuleBook, Speaker,
};
use wiiiv_domain::{MEMORY_CHARS_MAX, MESSAGE_CHARS_MAX, MemoryText};

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

/// Two full memories: what was said before gives way to them, and where they alone are too much nothing of
/// them is left out, shortened or summarised.
#[test]
fn memory_is_never_cut_and_the_history_goes_first() {
    let full = |letter: &str| MemoryText::parse(&letter.repeat(MEMORY_CHARS_MAX)).unwrap();
    let memory = MemoryBlocks { user: full("가"), project: full("나") };
    let history: Vec<_> = (0..10).map(|n| (Speaker::User, format!("word-{n}"))).collect();
    let parts = PromptParts { memory, history, ..parts("안녕") };
    let bare = prompt(PromptParts { history: Vec::new(), ..parts.clone() });
    let max = bare.tokens(bytes);
    let fitted = Prompt::new(&RuleBook::embedded(), parts.clone(), max, bytes).unwrap();
    assert_eq!(fitted.user(), bare.user(), "nothing is left of what was said before");
    assert_eq!(fitted.user().matches(['가', '나']).count(), 2 * MEMORY_CHARS_MAX);
    let refused = Prompt::new(&RuleBook::embedded(), parts, max - 1, bytes);
    let Err(PromptError::TooLong { needed, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(needed, max);
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
