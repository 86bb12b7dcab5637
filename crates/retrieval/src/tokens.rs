//! How many tokens a text has, whatever model counts them.

/// The same for every model: a chunk keeps its hash when the model changes. Near what tokenizers of several languages
/// make of Korean and English prose.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    let (mut quarters, mut is_inside) = (0_usize, false);
    for c in text.chars() {
        let (cost, inside) = match c {
            // A word costs one at least, and a long one more.
            'a'..='z' | 'A'..='Z' => (if is_inside { 1 } else { 3 }, true),
            c if c.is_whitespace() => (0, false),
            _ => (3, false),
        };
        (quarters, is_inside) = (quarters.saturating_add(cost), inside);
    }
    quarters.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::estimated_tokens;

    #[test]
    fn tokens_are_near_what_tokenizers_count() {
        assert_eq!(estimated_tokens(""), 0);
        for (text, least, most) in [
            ("The quick brown fox jumps over the lazy dog.", 9, 16),
            ("문서는 프로젝트의 편집자가 올립니다.", 8, 18),
            ("0190b2c4-0000", 8, 13),
        ] {
            let tokens = estimated_tokens(text);
            assert!((least..=most).contains(&tokens), "{text}: {tokens}");
        }
        assert_eq!(estimated_tokens(&"가".repeat(400)), 300);
    }
}
