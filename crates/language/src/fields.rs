//! Which fields of each row are kept.

use crate::{concept::Concept, token::Token};

/// Fields of one projection.
const FIELDS_MAX: usize = 16;

/// `name, price 필드만`, `only the fields name and price`; empty where none is named.
pub(crate) fn fields<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let marks = |t: &Token<'_>| t.has(Concept::Field) || only(tokens, t) || t.has(Concept::Pick);
    let at = tokens.iter().enumerate().filter(|(_, t)| marks(t)).map(|(at, _)| at);
    at.map(|at| {
        let before = backward(tokens, at);
        if before.is_empty() { forward(tokens, at) } else { before }
    })
    .find(|names| !names.is_empty())
    .unwrap_or_default()
}

/// `만` after a number is ten thousand.
fn only(tokens: &[Token<'_>], token: &Token<'_>) -> bool {
    let number = |t: &Token<'_>| t.end == token.start && t.text.chars().all(|c| c.is_ascii_digit());
    token.has(Concept::Only) && !tokens.iter().any(number)
}

fn joins(token: &Token<'_>) -> bool {
    token.is_mark(",") || token.is_mark("&") || token.has(Concept::And)
}

/// Names that stand right before the mark, in the order of the text.
fn backward<'t>(tokens: &[Token<'t>], at: usize) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut open = true;
    for token in tokens.iter().take(at).rev() {
        match token.identifier() {
            Some(name) if open && names.len() < FIELDS_MAX => {
                names.push(name);
                open = false;
            }
            None if joins(token) => open = true,
            None if names.is_empty() && names_fields(token) => {}
            Some(_) | None => break,
        }
    }
    names.reverse();
    names
}

/// Names that follow the mark and its articles.
fn forward<'t>(tokens: &[Token<'t>], at: usize) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut open = true;
    let after = tokens.iter().skip(at + 1).skip_while(|t| {
        names_fields(t) || t.has(Concept::Vague) || t.has(Concept::Only) || t.is_mark(":")
    });
    for token in after {
        match token.identifier() {
            Some(name) if open && names.len() < FIELDS_MAX => {
                names.push(name);
                open = false;
            }
            None if joins(token) => open = true,
            Some(_) | None => break,
        }
    }
    names
}

fn names_fields(token: &Token<'_>) -> bool {
    token.has(Concept::Field)
}
