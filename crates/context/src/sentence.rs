//! Sentences of a text, and a text in short.

use std::ops::Range;

/// Stands where more was left out.
pub(crate) const MORE: &str = "[…]";

/// Cut at the ends of lines, and behind a sign that ends a sentence and has white space behind it.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let of = |line| of_line(line).into_iter().filter_map(move |range| str::get(line, range));
    text.lines().flat_map(of).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// Where the sentences of one line stand, with the white space around them.
pub(crate) fn of_line(line: &str) -> Vec<Range<usize>> {
    let (mut found, mut from, mut has_ended) = (Vec::new(), 0, false);
    for (at, c) in line.char_indices() {
        if has_ended && c.is_whitespace() {
            found.push(from..at);
            from = at;
        }
        has_ended = matches!(c, '.' | '!' | '?' | '。');
    }
    found.push(from..line.len());
    found
}

/// In one line, with single spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning, in one line and in so many bytes. INVARIANT: cut between words alone: no part of a name is shown, which
/// would be another name.
pub(crate) fn shortened(text: &str, bytes_max: usize) -> String {
    let mut short = String::new();
    for word in text.split_whitespace() {
        let gap = usize::from(!short.is_empty());
        let fits = short.len() + gap + word.len() <= bytes_max;
        short.push_str(if gap > 0 { " " } else { "" });
        short.push_str(if fits { word } else { MORE });
        if !fits {
            break;
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_white_space_follows() {
        let text = "a.txt 는 지우지 마. 3.5 퍼센트까지! 좋아?\n\nNext line. ";
        let found: Vec<&str> = sentences(text).collect();
        assert_eq!(found, ["a.txt 는 지우지 마.", "3.5 퍼센트까지!", "좋아?", "Next line."]);
        assert_eq!(sentences(" \n\t").count(), 0);
    }

    #[test]
    fn what_is_cut_is_cut_between_words() {
        assert_eq!(shortened("call  a.test\n now", 80), "call a.test now");
        assert_eq!(shortened("call a.test.example now", 11), "call […]");
        assert_eq!(shortened("가나다라", 5), "[…]");
        assert_eq!(shortened("", 5), "");
    }
}
