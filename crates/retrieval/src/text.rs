//! A document's text as it is cut, hashed and searched.

use wiiiv_domain::composed;

/// Bumped whenever [`normalized`] gives other bytes for the same input.
pub const NORMALIZER_VERSION: u32 = 2;

/// Letters in NFC, every line end `\n`, no blanks at the end of a line or of the text; without control characters but
/// tabs, and without characters that nobody sees, marks of direction among them. The same again for its own result.
#[must_use]
pub fn normalized(text: &str) -> String {
    let plain = with_plain_lines(text);
    // NFC keeps ASCII as it is, and nothing of ASCII is invisible but what is gone by now.
    let plain = if plain.is_ascii() { plain } else { composed(&plain) };
    without_trailing_blanks(&plain)
}

/// A character that ends a line is `\n`; `\r\n` are one.
fn with_plain_lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => {
                rest.next_if_eq(&'\n');
                plain.push('\n');
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => plain.push('\n'),
            '\t' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

fn without_trailing_blanks(text: &str) -> String {
    let mut cut = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let has_end = line.ends_with('\n');
        cut.push_str(line.trim_end());
        if has_end {
            cut.push('\n');
        }
    }
    cut.truncate(cut.trim_end().len());
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_line_ends_and_invisible_characters() {
        for (text, due) in [
            ("a\r\nb\rc\u{2028}d", "a\nb\nc\nd"),
            ("\u{feff}제목\u{200b}\u{202e}x\u{0}\u{7}", "제목x"),
            ("\u{1112}\u{1161}\u{11ab} e\u{301}", "한 é"),
            ("a \t\n  b\u{3000}\n\n\n", "a\n  b"),
            ("soft\u{ad}ware", "software"),
            ("\u{3164}제\u{ffa0}목\u{115f}\u{1160}", "제목"),
            ("👩\u{200d}👧 가\u{200d}나", "👩\u{200d}👧 가나"),
            ("", ""),
            (" \r\n ", ""),
        ] {
            assert_eq!(normalized(text), due, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_normal_stays_as_it_is(text in prop_oneof![
            any::<String>(),
            prop::collection::vec(prop::sample::select(vec![
                "\r", "\n", " ", "\t", "e", "\u{301}", "\u{200d}", "\u{ad}", "\u{1100}", "\u{1161}", "\u{11a8}", "가",
                "\u{202e}", "\u{85}", "👩", "\u{e0067}", "\u{345}", "\u{0}",
                "\u{115f}", "\u{1160}", "\u{3164}",
            ]), 0..40).prop_map(|pieces| pieces.concat()),
        ]) {
            let once = normalized(&text);
            prop_assert_eq!(normalized(&once), once.as_str());
            prop_assert!(!once.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
            let marks = ['\u{202a}', '\u{202e}', '\u{2066}', '\u{feff}'];
            prop_assert!(!once.contains(marks));
            prop_assert!(once.lines().all(|line| line.trim_end() == line));
        }
    }
}
