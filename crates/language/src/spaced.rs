//! Paths with a space in them: `docs/my file.txt` is one place where nothing stands between its
//! words. Where something does, no part of it is taken for the whole: it is asked for.

use crate::{
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Words between a directory and what may be the rest of its path.
const WORDS_MAX: usize = 3;

pub(crate) fn join<'t>(lexicon: &Lexicon, text: &'t str, tokens: &mut Vec<Token<'t>>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(whole) = whole(lexicon, text, tokens, at) {
            tokens.splice(at..=at + 1, [whole]);
        } else if let Some(end) = doubtful(tokens, at) {
            for token in tokens.iter_mut().take(end + 1).skip(at) {
                if token.kind == TokenKind::Path {
                    token.kind = TokenKind::LoosePath;
                }
            }
        }
        at += 1;
    }
}

/// It goes on below a directory, and names no file yet.
fn is_open(token: &Token<'_>) -> bool {
    let name = token.text.rsplit_once('/').map(|(_, name)| name);
    token.kind == TokenKind::LoosePath && name.is_some_and(|name| !name.is_empty())
}

/// With what stands a space behind it.
fn whole<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    at: usize,
) -> Option<Token<'t>> {
    let first = tokens.get(at).filter(|token| is_open(token))?;
    let last = tokens.get(at + 1).filter(|token| is_rest(token))?;
    let gap = text.get(first.end..last.start)?;
    let written = text.get(first.start..last.end).filter(|_| gap == " ")?;
    Some(Token::new(lexicon, TokenKind::Path, written, (first.start, last.end), first.attached))
}

fn is_rest(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Path && !token.text.starts_with(['/', '.', '~'])
}

/// Where the path ends that may be the rest of this one: `docs/my long file.txt`, `notes/오늘의 일.md`.
fn doubtful(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    tokens.get(at).filter(|token| is_open(token))?;
    let mut behind = tokens.iter().enumerate().skip(at + 1).take(WORDS_MAX + 1);
    let (end, _) =
        behind.find(|(nth, token)| !(is_plain(token) || (*nth == at + 1 && token.attached)))?;
    tokens.get(end).filter(|token| is_rest(token)).map(|_| end)
}

/// A word that says nothing, as names are made of.
fn is_plain(token: &Token<'_>) -> bool {
    token.is_word() && token.is_nameless()
}
