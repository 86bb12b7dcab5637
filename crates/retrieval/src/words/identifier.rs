//! Words in letters and digits, and identifiers: `getUserName`, `user_name`, `utf-8`, `a.b.c`.

use super::{
    english::stem,
    piece::{Piece, WORD_CHARS_MAX},
};

/// Joins the parts of an identifier where a letter or digit stands on both sides.
const fn is_connector(c: char) -> bool {
    matches!(c, '_' | '-' | '.')
}

/// Where the run of letters, digits and single connectors between them ends.
pub(super) fn end(text: &str, is_letter: impl Fn(char) -> bool) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let mut joins = || chars.peek().is_some_and(|(_, next)| is_letter(*next));
        let goes_on = is_letter(c) || (is_connector(c) && joins());
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// The whole first, joined, so that each way to write an identifier finds the others; then its parts.
pub(super) fn read(run: &str, take: &mut impl FnMut(Piece<'_>)) {
    let parts = parts(run);
    if let [part] = parts.as_slice() {
        let written: String =
            part.chars().take(WORD_CHARS_MAX).flat_map(char::to_lowercase).collect();
        let mut word = written.clone();
        stem(&mut word);
        let is_identifier = is_acronym(part);
        return take(Piece::Surface { text: &word, written: &written, is_identifier });
    }
    let written = joined(run);
    if written.chars().nth(WORD_CHARS_MAX).is_none() {
        let mut whole = written.clone();
        stem(&mut whole);
        take(Piece::Surface { text: &whole, written: &written, is_identifier: true });
    } else {
        take(Piece::Long);
    }
    let mut word = String::new();
    for part in parts.into_iter().filter(|part| part.chars().nth(1).is_some()) {
        word.clear();
        word.extend(part.chars().take(WORD_CHARS_MAX).flat_map(char::to_lowercase));
        stem(&mut word);
        take(Piece::Form(&word));
    }
}

/// `ENOENT`, `USB`: whoever writes one means it exactly.
fn is_acronym(part: &str) -> bool {
    part.chars().nth(1).is_some() && part.chars().all(char::is_uppercase)
}

/// Without connectors, but between digits: `1.2` is not `12`.
fn joined(run: &str) -> String {
    let mut whole = String::with_capacity(run.len());
    let mut chars = run.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        let between_digits =
            last.is_numeric() && chars.peek().is_some_and(|next| next.is_numeric());
        if !is_connector(c) || between_digits {
            whole.extend(c.to_lowercase());
        }
        last = c;
    }
    whole
}

/// Cut at connectors; what stands between two of them also at capitals and digits, if it is short enough
/// for a name: a longer one is a key or data in letters, and one word.
fn parts(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for name in run.split(is_connector).filter(|name| !name.is_empty()) {
        if name.chars().nth(WORD_CHARS_MAX).is_some() {
            parts.push(name);
            continue;
        }
        let mut start = 0;
        for at in borders(name) {
            parts.extend(name.get(start..at));
            start = at;
        }
        parts.extend(name.get(start..));
    }
    parts
}

fn borders(name: &str) -> Vec<usize> {
    let mut borders = Vec::new();
    let mut last = None;
    for (at, c) in name.char_indices() {
        let Some(before) = last.replace(c) else { continue };
        let changes = c.is_numeric() != char::is_numeric(before);
        let rises = c.is_uppercase() && char::is_lowercase(before);
        // `HTTPServer`, but not `PDFs`.
        let mut after = name.get(at + c.len_utf8()..).unwrap_or_default().chars();
        let begins = c.is_uppercase()
            && char::is_uppercase(before)
            && after.next().is_some_and(char::is_lowercase)
            && after.next().is_some_and(char::is_lowercase);
        if changes || rises || begins {
            borders.push(at);
        }
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(run: &str) -> String {
        let mut words = Vec::new();
        read(run, &mut |piece| match piece {
            Piece::Surface { text, is_identifier: true, .. } => words.push(format!("[{text}]")),
            Piece::Surface { text, .. } | Piece::Form(text) | Piece::Pair(text) => {
                words.push(text.to_owned());
            }
            Piece::Long => {}
        });
        words.join(" ")
    }

    #[test]
    fn an_identifier_is_itself_and_its_parts() {
        let known = [
            ("getUserName", "[getusernam] get user nam"),
            ("get_user_name", "[getusernam] get user nam"),
            ("user-name", "[usernam] user nam"),
            ("HTTPServer", "[httpserver] http server"),
            ("PDFs", "pdf"),
            ("ENOENT", "[enoent]"),
            ("utf8", "[utf8] utf"),
            ("1.2.3", "[1.2.3]"),
            ("x86_64", "[x86_64] 86 64"),
            ("org.gnome.Nautilus", "[orggnomenautilus] org gnom nautilus"),
            ("LibreOffice", "[libreoffic] libr offic"),
            ("Files", "fil"),
        ];
        for (run, words) in known {
            assert_eq!(read_all(run), words, "{run}");
        }
    }

    #[test]
    fn what_is_too_long_for_a_name_is_one_word() {
        let key = "aB3".repeat(1_000);
        assert_eq!(read_all(&key), "ab3".repeat(1_000).chars().take(64).collect::<String>());
        let path = format!("{}.txt", "a1".repeat(40));
        assert_eq!(read_all(&path), format!("{} txt", "a1".repeat(32)));
    }
}
