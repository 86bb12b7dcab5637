//! Tokens where no tokenizer is at hand: a bound that holds for every model, and an estimate.

use wiiiv_domain::Usage;

/// Text in bytes for one token, on average over Korean and English.
const BYTES_PER_TOKEN: u64 = 3;

/// INVARIANT: never less than the truth, as a token is at least one byte.
#[must_use]
pub fn token_bound(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// Where the provider did not say what it used.
pub(crate) fn estimated(sent: &[&str], answered: &str) -> Usage {
    let tokens = |bytes: u64| bytes.div_ceil(BYTES_PER_TOKEN);
    Usage {
        input_tokens: tokens(sent.iter().map(|text| token_bound(text)).sum()),
        output_tokens: tokens(token_bound(answered)),
        estimated: true,
    }
}
