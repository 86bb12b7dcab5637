//! Whose words stand in a message: what somebody quotes they do not say themselves. It is none of their wishes, and
//! tells nothing of them.

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
/// Backticks that fence a block of lines.
const FENCE_TICKS: usize = 3;

/// Of the same length, with the mark `"` for each byte that is quoted.
#[must_use]
pub fn unquoted(text: &str) -> String {
    let (mut open, mut rest) = (String::with_capacity(text.len()), text);
    let mut unclosed = String::new();
    while let Some(c) = rest.chars().next() {
        let quoted = quotation(&open, rest, &mut unclosed);
        let (piece, behind) = rest.split_at(quoted.unwrap_or(c.len_utf8()));
        match quoted {
            Some(length) => open.push_str(&"\"".repeat(length)),
            None => open.push_str(piece),
        }
        rest = behind;
    }
    open
}

/// Bytes of what is quoted from here on. `unclosed`: marks that nothing closes from here on, so that a text full of
/// them is looked through once for each.
fn quotation(before: &str, text: &str, unclosed: &mut String) -> Option<usize> {
    let mark = text.chars().next()?;
    let begins_line = || {
        let indent = before.trim_end_matches([' ', '\t']);
        indent.is_empty() || indent.ends_with('\n')
    };
    if mark == '>' {
        return begins_line().then(|| text.find('\n').unwrap_or(text.len()));
    }
    if mark == '`'
        && begins_line()
        && let Some(block) = fenced(text)
    {
        return Some(block);
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

/// Bytes of a block of lines between two fences. One that nothing closes goes on to the end.
fn fenced(text: &str) -> Option<usize> {
    let opened = text.trim_start_matches('`');
    let ticks = text.len() - opened.len();
    let mut lines = opened.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    // On one line it is a quotation like any other.
    if ticks < FENCE_TICKS || first.contains('`') {
        return None;
    }
    let mut length = ticks + first.len();
    for line in lines {
        length += line.len();
        let fence = line.trim();
        if fence.len() >= ticks && fence.bytes().all(|byte| byte == b'`') {
            break;
        }
    }
    // The line behind it begins as a line.
    text.get(..length).map(|block| block.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn a_mark_that_nothing_closes_quotes_nothing_however_often_it_stands() {
        let open = " 'A \u{201c}b".repeat(3000);
        assert_eq!(unquoted(&open), open);
        // What is closed behind one is quoted as ever.
        assert_eq!(unquoted("\u{201c}\u{201c} `A` B"), "\u{201c}\u{201c} \"\"\" B");
        let fences = "x ```\n".repeat(3000);
        assert_eq!(unquoted(&fences).len(), fences.len());
    }

    /// Each word `MINE` is the author's own, and none of the others.
    #[test]
    fn a_quotation_goes_on_over_lines_and_a_block_to_its_fence() {
        for text in [
            "he says 'I have THEIRS', and MINE",
            "he says \"I\nhave THEIRS\", and MINE",
            "“I have\n\nTHEIRS” and MINE",
            "MINE\n```\nTHEIRS\n```\nMINE",
            "MINE\n```text\nTHEIRS `x` THEIRS\n  ```\n> THEIRS\nMINE",
            "````\n```\nTHEIRS\n```\nTHEIRS\n````\nMINE",
            "MINE\n```\nTHEIRS",
            "```THEIRS``` MINE",
            "I'm 5'11\" and MINE",
            "don't, MINE, it's",
            "MINE > MINE",
        ] {
            let own = unquoted(text);
            assert_eq!(own.len(), text.len());
            assert!(!own.contains("THEIRS"), "{text}: {own}");
            assert_eq!(own.matches("MINE").count(), text.matches("MINE").count(), "{text}: {own}");
        }
    }
}
