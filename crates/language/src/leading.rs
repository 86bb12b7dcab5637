//! Which of several verbs says what is wanted.

use crate::{concept::Concept, token::Token};
use wiiiv_domain::Lang;

/// English asks first and adds; Korean closes with what is to be done.
pub(crate) fn verb(lang: Lang, tokens: &[Token<'_>]) -> Option<Concept> {
    let verb = |token: &Token<'_>| token.concepts.iter().copied().find(|c| c.is_verb());
    match lang {
        Lang::En => tokens.iter().find_map(verb),
        Lang::Ko => tokens.iter().rev().find_map(verb),
    }
}
