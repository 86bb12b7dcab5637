//! Which path an utterance is about.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    place,
    token::{Token, TokenKind},
};

/// How many words may stand between a path and the word that takes it back.
const BESIDE_TOKENS_MAX: usize = 2;

/// The quoted text that is a path, where no path is written bare.
pub(crate) fn quoted(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<usize> {
    if tokens.iter().any(|t| t.kind == TokenKind::Path) {
        return None;
    }
    let file = |t: &Token<'_>| t.kind == TokenKind::Quoted && place::is_file(lexicon, t.text);
    let mut files = tokens.iter().enumerate().filter(|(_, t)| file(t)).map(|(at, _)| at);
    files.next().filter(|_| files.next().is_none())
}

/// The one place in the tokens that is meant; `None` where there is none, or no telling which.
pub(crate) fn target(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<usize> {
    let of = |kind: TokenKind| -> Vec<usize> {
        let found = tokens.iter().enumerate().filter(|(_, token)| token.kind == kind);
        found.map(|(at, _)| at).filter(|at| !taken_back(tokens, *at)).collect()
    };
    let mut candidates = of(TokenKind::Path);
    if candidates.is_empty() {
        candidates.extend(quoted(lexicon, tokens));
    }
    if candidates.is_empty() {
        candidates = of(TokenKind::LoosePath);
    }
    let text = |at: &usize| tokens.get(*at).map(|token| token.text);
    let first = candidates.first().copied()?;
    candidates.iter().all(|at| text(at) == text(&first)).then_some(first)
}

/// `a.md 말고 ..`, `.. instead of a.md`.
fn taken_back(tokens: &[Token<'_>], at: usize) -> bool {
    let change = |t: &Token<'_>| t.has(Concept::Change);
    let before = |t: &Token<'_>| change(t) && t.text.eq_ignore_ascii_case("instead");
    let from = at.saturating_sub(BESIDE_TOKENS_MAX);
    let ahead = tokens.iter().take(at).skip(from);
    let behind = tokens.iter().skip(at + 1).take(1);
    ahead.into_iter().any(before) || behind.into_iter().any(|t| change(t) && !t.text.is_ascii())
}
