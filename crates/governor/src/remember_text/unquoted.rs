//! Whoever quotes a wish does not ask for it.

const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('«', '»'),
];

/// In small letters and of the same length, with a mark for each byte that is quoted.
pub(super) fn unquoted(text: &str) -> String {
    let (mut open, mut rest) = (String::with_capacity(text.len()), text);
    let mut unclosed = String::new();
    while let Some(c) = rest.chars().next() {
        let quoted = quotation(&open, rest, &mut unclosed);
        let (piece, behind) = rest.split_at(quoted.unwrap_or(c.len_utf8()));
        match quoted {
            Some(length) => open.push_str(&"\"".repeat(length)),
            None => open.push_str(&piece.to_ascii_lowercase()),
        }
        rest = behind;
    }
    open
}

/// Bytes of what is quoted from here on. `unclosed`: marks that nothing closes from here on, so that a text full of
/// them is looked through once for each.
fn quotation(before: &str, text: &str, unclosed: &mut String) -> Option<usize> {
    let mark = text.chars().next()?;
    if mark == '>' {
        let indent = before.trim_end_matches([' ', '\t']);
        let begins = indent.is_empty() || indent.ends_with('\n');
        return begins.then(|| text.find('\n').unwrap_or(text.len()));
    }
    let (_, end) = QUOTES.into_iter().find(|(begin, _)| *begin == mark)?;
    // `don't`, but `'기억해줘'라고`.
    let is_single = matches!(end, '\'' | '’');
    let joins = |c: Option<char>| is_single && c.is_some_and(|c| c.is_ascii_alphanumeric());
    if joins(before.chars().next_back()) || unclosed.contains(mark) {
        return None;
    }
    let begin = mark.len_utf8();
    let ends = text.get(begin..)?.match_indices(end);
    let mut ends = ends.map(|(at, found)| begin + at + found.len());
    let end = ends.find(|end| !joins(text.get(*end..).and_then(|rest| rest.chars().next())));
    if end.is_none() {
        unclosed.push(mark);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn a_mark_that_nothing_closes_quotes_nothing_however_often_it_stands() {
        let open = " 'A \u{201c}b".repeat(3000);
        assert_eq!(unquoted(&open), open.to_ascii_lowercase());
        // What is closed behind one is quoted as ever.
        assert_eq!(unquoted("\u{201c}\u{201c} `A` B"), "\u{201c}\u{201c} \"\"\" b");
    }
}
