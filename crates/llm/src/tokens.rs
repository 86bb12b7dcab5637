//! Token counts: exact, estimated, or bounded if an estimate is not good enough.

mod counts;
mod estimate;
mod file;
mod vocabulary;

pub use crate::tokens::file::parts::TokenizerError;
pub(crate) use counts::{Counter, Counts};
pub(crate) use estimate::Estimate;
pub use file::{TOKENIZER_BYTES_MAX, TokenizerFile};
pub(crate) use vocabulary::Vocabulary;

use wiiiv_domain::Usage;

/// INVARIANT: never less than the truth, as a token is at least one byte.
#[must_use]
pub fn token_bound(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// INVARIANT: never more than the truth, as no token reaches from one word or number into the next.
pub(crate) fn at_least(sent: &[&str]) -> u64 {
    let runs = sent.iter().map(|text| runs(text)).sum::<usize>();
    u64::try_from(runs).unwrap_or(u64::MAX)
}

/// Of letters and digits without anything between them.
fn runs(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()).count()
}

/// Where the provider did not say what it used: the bound, so that a budget is never undercut.
pub(crate) fn estimated(sent: &[&str], answered_bytes: u64) -> Usage {
    let input_tokens = sent.iter().fold(0_u64, |sum, text| sum.saturating_add(token_bound(text)));
    Usage { input_tokens, output_tokens: answered_bytes, estimated: true }
}

/// More than was held for would break the budget's ceiling on a provider's word. A figure that is
/// not the provider's own is marked.
pub(crate) fn held_to(used: Usage, max_input_tokens: u64, max_output_tokens: u64) -> Usage {
    let input_tokens = used.input_tokens.min(max_input_tokens);
    let output_tokens = used.output_tokens.min(max_output_tokens);
    let clamped = (input_tokens, output_tokens) != (used.input_tokens, used.output_tokens);
    Usage { input_tokens, output_tokens, estimated: used.estimated || clamped }
}

/// What was told, where it is more than was held for.
pub(crate) fn beyond(told: Usage, max_input_tokens: u64, max_output_tokens: u64) -> Option<Usage> {
    let more = told.input_tokens > max_input_tokens || told.output_tokens > max_output_tokens;
    more.then_some(told)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod bounds {
    use super::*;

    #[test]
    fn a_bound_is_never_less_than_the_bytes() {
        let used = estimated(&["가나", "12345"], 7);
        assert_eq!(used, Usage { input_tokens: 11, output_tokens: 7, estimated: true });
    }

    #[test]
    fn the_fewest_are_no_more_than_the_words() {
        assert_eq!(at_least(&["{\"action\": \"REPLY\"}", " 회의 3시 "]), 4);
        assert_eq!(at_least(&["", "====    ====\n\n"]), 0);
    }

    /// What slack covers the schema, which is sent and not counted.
    #[test]
    fn the_schema_is_smaller_than_the_rules() {
        let sheet = wiiiv_context::RuleBook::embedded().sheet().text().len();
        assert!(wiiiv_context::PROPOSAL_SCHEMA.len() < sheet);
    }

    #[test]
    fn what_is_clamped_is_marked() {
        let told = Usage { input_tokens: 100, output_tokens: 20, estimated: false };
        assert_eq!(held_to(told, 100, 20), told);
        let less = Usage { input_tokens: 99, output_tokens: 20, estimated: true };
        assert_eq!(held_to(told, 99, 20), less);
        assert!(held_to(told, 100, 19).estimated);
        assert_eq!([beyond(told, 100, 20), beyond(told, 100, 19)], [None, Some(told)]);
    }
}
