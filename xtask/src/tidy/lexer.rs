//! Splits Rust text into tokens and comments, so that no rule mistakes a word in a string or a
//! comment for code.

/// A word, a sign or a literal; `::`, `->` and `=>` are one sign each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub kind: Kind,
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Sign,
    /// String, character, number or lifetime: no rule looks inside.
    Literal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'a> {
    pub text: &'a str,
    pub line: usize,
}

#[derive(Debug, Default)]
pub struct Lexed<'a> {
    pub tokens: Vec<Token<'a>>,
    pub comments: Vec<Comment<'a>>,
}

pub fn lex(text: &str) -> Lexed<'_> {
    let mut lexed = Lexed::default();
    let mut cursor = Cursor { rest: text, line: 1 };
    while let Some(first) = cursor.rest.chars().next() {
        let line = cursor.line;
        let (length, kind) = measure(cursor.rest, first);
        let text = cursor.take(length.max(first.len_utf8()));
        match kind {
            Piece::Space => {}
            Piece::Comment => lexed.comments.push(Comment { text, line }),
            Piece::Token(kind) => {
                lexed.tokens.push(Token { text: text.trim_start_matches("r#"), kind, line });
            }
        }
    }
    lexed
}

enum Piece {
    Space,
    Comment,
    Token(Kind),
}

struct Cursor<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }
}

/// Length in bytes and kind of the piece that `rest` begins with.
fn measure(rest: &str, first: char) -> (usize, Piece) {
    let literal = |length| (length, Piece::Token(Kind::Literal));
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), Piece::Comment);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), Piece::Comment);
    }
    match first {
        c if c.is_whitespace() => (c.len_utf8(), Piece::Space),
        '"' => literal(quoted(rest, '"')),
        '\'' => literal(char_or_lifetime(rest)),
        c if c.is_ascii_digit() => literal(number(rest)),
        c if is_word(c) => word(rest),
        _ => (sign(rest), Piece::Token(Kind::Sign)),
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn sign(rest: &str) -> usize {
    let pair = ["::", "->", "=>"].iter().any(|pair| rest.starts_with(pair));
    if pair { 2 } else { rest.chars().next().map_or(1, char::len_utf8) }
}

/// A word, or the literal whose prefix (`b`, `c`, `r`, `br`, `cr`) it is.
fn word(rest: &str) -> (usize, Piece) {
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
    let literal = |more: usize| (length + more, Piece::Token(Kind::Literal));
    match word {
        "b" | "c" if after.starts_with('"') => literal(quoted(after, '"')),
        "b" if after.starts_with('\'') => literal(quoted(after, '\'')),
        "r" | "br" | "cr" => match raw_string(after) {
            Some(more) => literal(more),
            None if word == "r" && after.starts_with('#') => {
                let name = after.trim_start_matches('#');
                let end = name.find(|c| !is_word(c)).unwrap_or(name.len());
                (length + (after.len() - name.len()) + end, Piece::Token(Kind::Word))
            }
            None => (length, Piece::Token(Kind::Word)),
        },
        _ => (length, Piece::Token(Kind::Word)),
    }
}

/// Length of `#*"..."#*`, if that is what `rest` begins with.
fn raw_string(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches('#');
    let hashes = rest.len() - body.len();
    let inner = body.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = inner.find(&close).map_or(inner.len(), |at| at + close.len());
    Some(hashes + 1 + end)
}

/// Length of a literal that opens and closes with `quote` and escapes by `\`.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

fn char_or_lifetime(rest: &str) -> usize {
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
        _ => {
            let name = rest.strip_prefix('\'').unwrap_or(rest);
            1 + name.find(|c| !is_word(c)).unwrap_or(name.len())
        }
    }
}

fn number(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let fraction = c == '.' && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !is_word(c) && !fraction {
            return at;
        }
    }
    rest.len()
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            match tail.chars().next() {
                Some(c) => at += c.len_utf8(),
                None => break,
            }
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let lexed = lex(text);
        let words: Vec<_> = lexed.tokens.iter().map(|token| token.text).collect();
        words.join(" ")
    }

    #[test]
    fn signs_and_words() {
        assert_eq!(words("a::b(c)->d"), "a :: b ( c ) -> d");
        assert_eq!(words("x.0.registrar 1..2"), "x . 0 . registrar 1 . . 2");
        assert_eq!(words("r#type + r"), "type + r");
    }

    #[test]
    fn literals_hide_their_text() {
        for literal in [
            r#""gate::open \" still""#,
            r###"r#"a "quoted" gate"#"###,
            "b\"gate\"",
            "'\\''",
            "'\"'",
            "'가'",
        ] {
            let text = format!("let x = {literal}; end");
            let lexed = lex(&text);
            let kinds: Vec<_> = lexed.tokens.iter().map(|token| token.kind).collect();
            use Kind::{Literal, Sign, Word};
            assert_eq!(kinds, [Word, Word, Sign, Literal, Sign, Word], "{literal}");
        }
    }

    #[test]
    fn lifetimes_do_not_swallow_code() {
        assert_eq!(words("fn f<'a>(x: &'a str, c: char) { 'x' }").matches("str").count(), 1);
    }

    #[test]
    fn comments_nest_and_lines_are_counted() {
        let lexed = lex("a\n/* b /* c */ d */ e // f\n\"x\ny\" g");
        let lines: Vec<_> = lexed.tokens.iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(lines, [("a", 1), ("e", 2), ("\"x\ny\"", 3), ("g", 4)]);
        assert_eq!(lexed.comments.iter().map(|c| c.line).collect::<Vec<_>>(), [2, 2]);
    }
}
