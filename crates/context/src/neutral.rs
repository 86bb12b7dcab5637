//! Untrusted text, changed so that a model cannot take it for a fence or a control token of its
//! chat template. All else stays the same: a model may copy the text into a file.

use std::sync::LazyLock;

/// One token a line; a line that begins with `#` is a comment.
const TOKENS_FILE: &str = include_str!("../../../prompts/chat-tokens.txt");

static TOKENS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = TOKENS_FILE.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});

/// The same text, byte for byte, where it holds neither.
pub(crate) fn neutral(text: &str, fence: &str) -> String {
    without_fence(without_tokens(text), fence)
}

/// A token's first character gives way to one that looks like it.
fn without_tokens(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        let opens = matches!(c, '<' | '[') && TOKENS.iter().any(|token| rest.starts_with(token));
        safe.push(if opens { look_alike(c) } else { c });
    }
    safe
}

const fn look_alike(c: char) -> char {
    match c {
        '<' => '‹',
        _ => '［',
    }
}

/// INVARIANT: the fence of this request does not occur in what it fences, in any case of letters.
fn without_fence(text: String, fence: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains(fence) {
        return text;
    }
    let mut safe = String::with_capacity(text.len());
    let mut at = 0;
    for (found, _) in lower.match_indices(fence) {
        safe.push_str(text.get(at..found).unwrap_or_default());
        safe.push_str("[fence]");
        at = found + fence.len();
    }
    safe.push_str(text.get(at..).unwrap_or_default());
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENCE: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn every_listed_token_is_broken_and_can_be() {
        assert!(TOKENS.len() > 50);
        for token in TOKENS.iter() {
            assert!(token.starts_with(['<', '[']), "`{token}` would not be found");
            let text = format!("a{token}b{token}");
            assert!(!neutral(&text, FENCE).contains(token), "{token}");
        }
    }

    /// What a model may have to write down again.
    #[test]
    fn ordinary_text_is_kept() {
        for text in [
            "system: x\nassistant: y\r\ndeveloper: z",
            ">>> print(1)\n<<<<<<< HEAD\n=======\n>>>>>>> main\ncat <<<word",
            "xs |> map(f) <| y; a <||> b",
            "[INSTALL] <span> <select> <tool> [/system]",
            "<<EOF\n| a | b |\n\tEOF",
            "\u{feff}x\u{c}y\u{200e}z\u{2028}\u{ad}\u{200b}",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
        ] {
            assert_eq!(neutral(text, FENCE), text);
        }
    }
}
