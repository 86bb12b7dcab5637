//! Shows characters that could disguise a text by their code point.

/// One line: line ends are shown too.
#[must_use]
pub fn neutralise(text: &str) -> String {
    shown(text, |c| c == '\n')
}

/// Several lines: line ends are kept.
pub(super) fn lines(text: &str) -> String {
    shown(text, |_| false)
}

fn shown(text: &str, also: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_deceptive(c) || also(c) {
            shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Controls (escape sequences begin with one), direction marks, invisible and tag characters,
/// private use, and the brackets that stand for them here.
fn is_deceptive(c: char) -> bool {
    let kept = matches!(c, '\n' | '\t');
    let invisible = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
        | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}'
        | '⟨' | '⟩');
    (c.is_control() && !kept) || invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_shown_and_the_rest_is_kept() {
        assert_eq!(neutralise("회의 3시 — naïve\t👍"), "회의 3시 — naïve\t👍");
        assert_eq!(
            neutralise("a\u{202e}b\u{1b}[31m\r\n"),
            "a⟨U+202E⟩b⟨U+001B⟩[31m⟨U+000D⟩⟨U+000A⟩"
        );
        assert_eq!(lines("a\nb\u{200b}"), "a\nb⟨U+200B⟩");
        assert_eq!(neutralise("⟨U+202E⟩"), "⟨U+27E8⟩U+202E⟨U+27E9⟩");
        assert_eq!(neutralise("x\u{e0041}"), "x⟨U+E0041⟩");
    }
}
