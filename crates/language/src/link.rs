//! An address that is to be written down and not opened: `links.txt에 https://a.test 라고 적어줘`,
//! `add https://a.test to links.txt`.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Makes a text of such an address.
pub(crate) fn dictate(lexicon: &Lexicon, tokens: &mut [Token<'_>]) {
    if !tokens.iter().any(|token| token.kind == TokenKind::Path) {
        return;
    }
    let url = |at: &usize| tokens.get(*at).is_some_and(|token| token.kind == TokenKind::Url);
    let kind = |at: usize| {
        // Words before it belong to what is said.
        let said = is_said(lexicon, tokens, at).then_some(TokenKind::Word);
        said.or_else(|| is_added(tokens, at).then_some(TokenKind::Quoted))
    };
    let places = (0..tokens.len()).filter(url).filter_map(|at| Some((at, kind(at)?)));
    for (at, kind) in places.collect::<Vec<_>>() {
        if let Some(token) = tokens.get_mut(at) {
            token.kind = kind;
        }
    }
}

/// `.. 라고`
fn is_said(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> bool {
    let quotes = |word: &str| lexicon.quotes.iter().any(|quote| word.starts_with(quote.as_str()));
    tokens.get(at + 1).is_some_and(|next| next.is_word() && quotes(next.text))
}

/// Between the verb that adds and the file, or right before a Korean verb that does.
fn is_added(tokens: &[Token<'_>], at: usize) -> bool {
    let adds = |token: &Token<'_>| token.has(Concept::Add) && !token.has(Concept::Send);
    let aside = |token: &&Token<'_>| {
        token.has(Concept::Vague) || token.has(Concept::Web) || token.has(Concept::New)
    };
    let before = tokens.get(..at).unwrap_or_default();
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let verb = before.iter().rev().find(|token| !aside(token));
    let to = |pair: &[Token<'_>]| matches!(pair, [to, path, ..] if to.has(Concept::Dest) && path.kind == TokenKind::Path);
    let english = verb.is_some_and(adds) && to(behind);
    let particle = |t: &&Token<'_>| t.is_particle() || aside(t);
    let next = behind.iter().find(|token| !particle(token));
    let place = before.iter().any(|token| token.kind == TokenKind::Path);
    let korean = place && next.is_some_and(|t| adds(t) || t.has(Concept::Write));
    english || korean && next.is_some_and(|t| !t.text.is_ascii())
}
