//! Which of several verbs says what is wanted.

use crate::{concept::Concept, lexicon::Lexicon, token::Token};
use wiiiv_domain::Lang;

/// English asks first and adds; Korean closes with what is to be done.
pub(crate) fn verb(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>]) -> Option<Concept> {
    match lang {
        Lang::En => english(tokens),
        Lang::Ko => korean(lexicon, tokens),
    }
}

fn strong(token: &Token<'_>) -> Option<Concept> {
    token.verb().filter(|verb| !verb.is_weak_verb())
}

/// What follows `a workflow that ..` says what the workflow does.
fn english(tokens: &[Token<'_>]) -> Option<Concept> {
    let made =
        |t: &Token<'_>| t.has(Concept::Workflow) || t.has(Concept::Project) || t.has(Concept::App);
    let describes = |pair: &[Token<'_>]| matches!(pair, [thing, next] if made(thing) && next.has(Concept::Relative));
    let told = tokens.windows(2).position(describes).and_then(|at| tokens.get(..=at));
    let wants =
        |tokens: &[Token<'_>]| tokens.iter().any(|t| t.verb().is_some() || t.has(Concept::Wish));
    let tokens = told.filter(|told| wants(told)).unwrap_or(tokens);
    let first = tokens.iter().find_map(strong);
    first.or_else(|| tokens.iter().find_map(Token::verb))
}

/// The last that is asked for (`지워 주세요`), else the last that does not describe (`지우는 ..`).
fn korean(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<Concept> {
    let asked = |text: &str| lexicon.requests_in(text);
    let request = |at: usize, token: &Token<'_>| {
        let next = tokens.get(at + 1).filter(|next| next.verb().is_none());
        asked(token.text) || next.is_some_and(|next| asked(next.text))
    };
    let closing = |token: &Token<'_>| strong(token).filter(|_| !token.attributive);
    let mut verbs = tokens.iter().enumerate().rev();
    let last = verbs.find_map(|(at, t)| closing(t).filter(|_| request(at, t)));
    let last = last.or_else(|| tokens.iter().rev().find_map(closing));
    if last.is_some() || tokens.iter().any(|token| token.has(Concept::Wish)) {
        let plain = |token: &Token<'_>| token.verb().filter(|_| !token.attributive);
        return last.or_else(|| tokens.iter().rev().find_map(plain));
    }
    tokens.iter().rev().find_map(strong).or_else(|| tokens.iter().rev().find_map(Token::verb))
}
