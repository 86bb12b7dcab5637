//! Text to tokens, in one pass. What stands between quotation marks is one token and never read.

use crate::{
    character::{is_hangul, is_word},
    lexicon::Lexicon,
    morph,
    part::Part,
    place, spaced,
    token::{Token, TokenKind},
    words,
};
use std::collections::BTreeSet;

const QUOTES: [(char, char); 7] =
    [('\'', '\''), ('"', '"'), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('`', '`')];
/// Opens a line of a list of what is to do: no array.
const CHECKBOXES: [&str; 4] = ["[ ]", "[]", "[x]", "[X]"];
/// Opening braces that turned out not to be JSON; after so many, none is tried.
const JSON_FAILURES_MAX: usize = 4;

struct Tokenizer<'t, 'l> {
    lexicon: &'l Lexicon,
    text: &'t str,
    at: usize,
    tokens: Vec<Token<'t>>,
    /// INVARIANT: a closing mark that is missing once is missing for good, so it is looked for
    /// only once and the pass stays linear.
    missing: BTreeSet<char>,
    json_failures: usize,
    /// No path or URL begins before this place.
    tried: usize,
    /// A word of its own begins here, though no space is before it.
    cut: usize,
}

pub(crate) fn tokens<'t>(lexicon: &Lexicon, text: &'t str) -> Vec<Token<'t>> {
    let mut tokenizer = Tokenizer {
        lexicon,
        text,
        at: 0,
        tokens: Vec::new(),
        missing: BTreeSet::new(),
        json_failures: 0,
        tried: 0,
        cut: 0,
    };
    while tokenizer.step() {}
    let mut tokens = tokenizer.tokens;
    words::mark(lexicon, &mut tokens);
    spaced::join(lexicon, text, &mut tokens);
    tokens
}

impl<'t> Tokenizer<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self) -> bool {
        let Some(c) = self.rest().chars().next() else { return false };
        if c.is_whitespace() {
            self.at += c.len_utf8();
        } else if !(self.quoted(c) || self.json(c) || self.place()) {
            self.word_or_mark(c);
        }
        true
    }

    fn push(&mut self, kind: TokenKind, inner: (usize, usize), length: usize) {
        let (start, end) = (self.at, self.at + length);
        let text = self.text.get(start + inner.0..start + inner.1).unwrap_or_default();
        let attached =
            start != self.cut && self.tokens.last().is_some_and(|before| before.end == start);
        let gap = self.tokens.last().map_or(start, |before| before.end);
        let gap = self.text.get(gap..start).unwrap_or_default();
        let mut token = Token::new(self.lexicon, kind, text, (start, end), attached);
        token.opens_line = gap.contains('\n');
        // `a.txt 에` says no more than `a.txt에`.
        let into = token.is(Part::Into | Part::Toward | Part::From | Part::Object);
        let korean = gap == " " && text.starts_with(is_hangul);
        let path = korean && self.tokens.last().is_some_and(Token::is_path);
        token.attached |= path && into && token.is_word();
        self.tokens.push(token);
        self.at = end;
    }

    fn before(&self) -> Option<char> {
        self.text.get(..self.at).and_then(|t| t.chars().next_back())
    }

    fn quoted(&mut self, open: char) -> bool {
        let Some((_, close)) = QUOTES.into_iter().find(|(mark, _)| *mark == open) else {
            return false;
        };
        let apostrophe =
            open == '\'' && self.before().is_some_and(|before| before.is_ascii_alphanumeric());
        if apostrophe || self.missing.contains(&close) {
            return false;
        }
        let from = open.len_utf8();
        let inner = self.rest().get(from..).unwrap_or_default();
        let Some(length) = closing(inner, close) else {
            self.missing.insert(close);
            return false;
        };
        let kind = if open == '`' { TokenKind::Code } else { TokenKind::Quoted };
        self.push(kind, (from, from + length), from + length + close.len_utf8());
        true
    }

    fn json(&mut self, open: char) -> bool {
        if !matches!(open, '{' | '[') || self.json_failures >= JSON_FAILURES_MAX {
            return false;
        }
        let boxed = || CHECKBOXES.iter().any(|mark| self.rest().starts_with(mark));
        let Some(length) = balanced(self.rest()).filter(|_| !boxed()) else {
            self.json_failures += 1;
            return false;
        };
        self.push(TokenKind::Json, (0, length), length);
        true
    }

    fn place(&mut self) -> bool {
        if self.at < self.tried {
            return false;
        }
        let found = place::find(self.lexicon, self.rest());
        self.tried = self.at + found.run;
        let Some((kind, length)) = found.place else { return false };
        // `Next.js` is no file.
        let name = self.rest().get(..length).unwrap_or_default().to_lowercase();
        let tool = kind == TokenKind::Path && self.lexicon.is_technology(&name);
        self.push(if tool { TokenKind::Word } else { kind }, (0, length), length);
        true
    }

    /// Of a word of this length behind an entity, what ends at the particle: `a.json 으로저장해줘`.
    fn particle(&self, length: usize) -> Option<usize> {
        let behind = self.tokens.last().is_some_and(Token::is_entity);
        let word = self.rest().get(..length).filter(|_| behind)?;
        morph::particle(self.lexicon, word)
    }

    /// Of a word of this length, what ends where another begins: `왔다라고써줘`.
    fn head(&mut self, length: usize) -> Option<usize> {
        let head = morph::before_verb(self.lexicon, self.rest().get(..length)?)?;
        self.cut = self.at + head;
        Some(head)
    }

    /// `ㅋㅋ`, `ㅠㅠ`
    fn is_mood(&self, c: char) -> bool {
        self.lexicon.parts.is(Part::Mood, c.encode_utf8(&mut [0; 4]))
    }

    /// Laughter and tears behind a word are no part of it, and behind a mark nothing.
    fn korean(&mut self) {
        let length = run(self.rest(), is_hangul);
        let said = self.rest().get(..length).unwrap_or_default();
        let word = said.trim_end_matches(|c| self.is_mood(c)).len();
        if word > 0 {
            return match self.particle(word).or_else(|| self.head(word)) {
                Some(cut) => self.push(TokenKind::Word, (0, cut), cut),
                None => self.push(TokenKind::Word, (0, word), length),
            };
        }
        let start = self.at;
        match self.tokens.last_mut() {
            Some(mark) if mark.kind == TokenKind::Mark && mark.end == start => {
                mark.end += length;
                self.at += length;
            }
            Some(_) | None => self.push(TokenKind::Word, (0, length), length),
        }
    }

    fn word_or_mark(&mut self, first: char) {
        let length = if is_hangul(first) {
            return self.korean();
        } else if first.is_ascii_digit() {
            number(self.rest())
        } else if is_word(first) {
            latin(self.rest())
        } else {
            let two = ["<=", ">=", "==", "!="].iter().any(|mark| self.rest().starts_with(mark));
            let length = if two { 2 } else { first.len_utf8() };
            return self.push(TokenKind::Mark, (0, length), length);
        };
        self.push(TokenKind::Word, (0, length), length);
    }
}

/// Bytes before the closing mark. An apostrophe inside a word closes nothing.
fn closing(inner: &str, close: char) -> Option<usize> {
    inner.match_indices(close).map(|(at, _)| at).find(|at| {
        let after = inner.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        close != '\'' || !after.is_some_and(|c| c.is_ascii_alphanumeric())
    })
}

/// Bytes of a balanced object or array that looks like JSON.
fn balanced(text: &str) -> Option<usize> {
    let first = text.chars().skip(1).find(|c| !c.is_whitespace())?;
    let plausible = match text.chars().next()? {
        '{' => matches!(first, '"' | '}'),
        _ => matches!(first, '"' | '{' | '[' | ']') || first.is_ascii_digit(),
    };
    if !plausible {
        return None;
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match (in_text, c) {
            (true, _) if escaped => escaped = false,
            (true, '\\') => escaped = true,
            (_, '"') => in_text = !in_text,
            (false, '{' | '[') => depth += 1,
            (false, '}' | ']') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (true | false, _) => {}
        }
    }
    None
}

fn run(text: &str, keep: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !keep(c)).unwrap_or(text.len())
}

/// Digits with their separators, and letters that follow at once (`3pm`).
fn number(text: &str) -> usize {
    let digits = |text: &str| run(text, |c| c.is_ascii_digit());
    let mut length = digits(text);
    while let Some(after) = text.get(length..).and_then(|rest| rest.strip_prefix([',', '.'])) {
        match digits(after) {
            0 => break,
            more => length += 1 + more,
        }
    }
    length + text.get(length..).map_or(0, |rest| run(rest, |c| is_word(c) && !is_hangul(c)))
}

/// Letters that are no Hangul, with apostrophes between them.
fn latin(text: &str) -> usize {
    let letters = |text: &str| run(text, |c| is_word(c) && !is_hangul(c));
    let mut length = letters(text);
    while let Some(after) = text.get(length..).and_then(|rest| rest.strip_prefix(['\'', '’'])) {
        match letters(after) {
            0 => break,
            more => length = text.len() - after.len() + more,
        }
    }
    length
}
