//! Where a text may be cut without parting what is read as one character. It refuses some places that Unicode's rules
//! allow, and allows none that they refuse.

use unicode_normalization::char::is_combining_mark;

/// Longer than anything that is written: only a text that is made to be never cut has more in one piece. There it may be
/// cut between any two scalar values.
const GRAPHEME_CHARS_MAX: usize = 32;

/// The byte offsets at which the text may be cut, its ends aside, and whether white space stands right before. The
/// text's beginning is such a place.
pub(crate) fn cuts(text: &str) -> impl Iterator<Item = (usize, bool)> {
    let (mut before, mut length, mut flags) = (None, 0_usize, 0_usize);
    text.char_indices().filter_map(move |(at, c)| {
        let last: char = before.replace(c)?;
        length += 1;
        flags = if is_flag(last) { flags + 1 } else { 0 };
        let parts_flag = is_flag(c) && flags % 2 == 1;
        let joins = extends(c) || binds(last) || parts_flag;
        if joins && length < GRAPHEME_CHARS_MAX {
            return None;
        }
        length = 0;
        let is_word = last.is_whitespace() && !c.is_whitespace();
        Some((at, is_word))
    })
}

/// Half of a flag.
const fn is_flag(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Goes with what stands before it.
fn extends(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c)
            || matches!(c,
                '\u{200c}' | '\u{200d}' | '\u{ff9e}' | '\u{ff9f}' | '\u{1f3fb}'..='\u{1f3ff}'
                // Vowels and final consonants of Hangul, in parts.
                | '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7ff}'
                // Spacing vowels of Thai and Lao.
                | '\u{e33}' | '\u{eb3}'))
}

/// Goes with what stands behind it: joiners, signs before numbers, and the signs that make one of two consonants.
const fn binds(c: char) -> bool {
    matches!(c,
        '\u{200d}' | '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{d4e}'
        | '\u{110bd}' | '\u{110cd}' | '\u{111c2}' | '\u{111c3}' | '\u{113d1}' | '\u{1193f}' | '\u{11941}'
        | '\u{11a3a}' | '\u{11a84}'..='\u{11a89}' | '\u{11d46}' | '\u{11f02}'
        | '\u{94d}' | '\u{9cd}' | '\u{a4d}' | '\u{acd}' | '\u{b4d}' | '\u{bcd}' | '\u{c4d}' | '\u{ccd}' | '\u{d4d}'
        | '\u{ddf}' | '\u{1039}' | '\u{17d2}' | '\u{1a60}' | '\u{1b44}' | '\u{1bab}' | '\u{a9c0}' | '\u{aaf6}'
        | '\u{10a3f}' | '\u{11133}' | '\u{113d0}' | '\u{1193e}' | '\u{11a47}' | '\u{11a99}' | '\u{11f42}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let ends = cuts(text).map(|(at, _)| at).chain([text.len()]);
        let mut from = 0;
        ends.map(|end| &text[std::mem::replace(&mut from, end)..end]).collect()
    }

    #[test]
    fn what_is_read_as_one_is_one() {
        for one in [
            "e\u{301}\u{323}",
            "👩\u{200d}👩\u{200d}👧",
            "👍\u{1f3fd}",
            "\u{1f1f0}\u{1f1f7}",
            "\u{1112}\u{1161}\u{11ab}",
            "❤\u{fe0f}",
            "क\u{94d}ष",
            "\u{600}1",
        ] {
            let text = format!("{one}가{one}");
            assert_eq!(pieces(&text), [one, "가", one], "{one}");
        }
        let flags = "\u{1f1f0}\u{1f1f7}".repeat(50);
        assert!(pieces(&flags).iter().all(|flag| flag.chars().count() == 2));
        assert_eq!(pieces("ab c"), ["a", "b", " ", "c"]);
        assert_eq!(pieces(""), [""]);
    }

    #[test]
    fn words_are_known_by_the_space_before_them() {
        let words: Vec<usize> =
            cuts("가 나  b").filter(|(_, word)| *word).map(|(at, _)| at).collect();
        assert_eq!(words, [4, 9]);
    }

    #[test]
    fn what_never_ends_is_cut_all_the_same() {
        let endless = format!("a{}", "\u{301}".repeat(10_000));
        let pieces = pieces(&endless);
        assert!(pieces.iter().all(|piece| piece.chars().count() <= GRAPHEME_CHARS_MAX));
        assert_eq!(pieces.concat(), endless);
    }
}
