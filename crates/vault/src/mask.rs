//! The masked form of a secret for people.

/// Secrets with fewer characters are masked whole: their ends would reveal too much.
const MASKABLE_CHARS_MIN: usize = 20;
const MASK_HEAD_CHARS: usize = 3;
const MASK_TAIL_CHARS: usize = 4;
const MASK: &str = "****";

/// `sk-****abcd`; a secret under 20 characters is masked whole.
#[must_use]
pub fn mask(secret: &str) -> String {
    let length = secret.chars().count();
    if length < MASKABLE_CHARS_MIN {
        return MASK.to_owned();
    }
    let head: String = secret.chars().take(MASK_HEAD_CHARS).collect();
    let tail: String = secret.chars().skip(length - MASK_TAIL_CHARS).collect();
    format!("{head}{MASK}{tail}")
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn shows_the_ends_of_a_long_secret_only() {
        assert_eq!(mask("sk-0123456789xyzabcd"), "sk-****abcd");
        assert_eq!(mask("sk-0123456789xyabcd"), "****");
        assert_eq!(mask("short"), "****");
        assert_eq!(mask(""), "****");
    }

    #[test]
    fn counts_characters_not_bytes() {
        let nineteen = "가".repeat(19);
        assert_eq!(mask(&nineteen), "****");
        let twenty = "나".repeat(20);
        assert_eq!(mask(&twenty), "나나나****나나나나");
    }
}
