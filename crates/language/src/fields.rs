//! Which fields of each row are kept.

use crate::{
    concept::Concept,
    keyed,
    lexicon::Lexicon,
    part::Part,
    rows::Rows,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// Fields of one projection.
const FIELDS_MAX: usize = 16;
/// Tokens on either side of the mark that are looked at.
const REACH_TOKENS_MAX: usize = 48;

/// `name, price 필드만`, `only the fields name and price`; empty where none is named.
pub(crate) fn fields<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let marks = (0..tokens.len()).filter(|at| is_mark(tokens, *at));
    marks
        .map(|at| {
            let before = backward(tokens, at);
            if before.is_empty() { forward(tokens, at) } else { before }
        })
        .find(|names| !names.is_empty())
        .unwrap_or_default()
}

/// Registered fields that are all that is wanted: `이름이랑 가격만`, `only name and price`.
pub(crate) fn registered<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &[Token<'_>],
    compared: &BTreeSet<usize>,
    held: &BTreeSet<usize>,
) -> Vec<&'a str> {
    let field = |at: usize| tokens.get(at).and_then(|token| rows.registered(lexicon, token));
    let only = |at: usize| {
        let has = |at: usize| {
            tokens.get(at).is_some_and(|t| t.has(Concept::Only) || t.has(Concept::Field))
        };
        // `just give me the names`
        let aside = |at: &usize| {
            let light = |t: &Token<'_>| t.has(Concept::Vague) || t.has(Concept::Get);
            tokens.get(*at).is_some_and(|t| light(t) && !t.has(Concept::Only))
        };
        let before = (0..at).rev().find(|at| !aside(at));
        has(at + 1) || before.is_some_and(has)
    };
    let marked = |at: usize| {
        let closes = tokens.get(at).is_some_and(|t| lexicon.ends_in_only(t.text));
        field(at).is_some() && !compared.contains(&at) && (closes || only(at))
    };
    if !(0..tokens.len()).any(marked) && !are_listed(lexicon, rows, tokens, (compared, held)) {
        return Vec::new();
    }
    // `only name and price of products over 50000`: it is wanted, whatever else is said of it.
    let listed = |at: &usize| {
        let before = at.checked_sub(2).filter(|at| !compared.contains(at));
        let joined = tokens.get(at.saturating_sub(1)).is_some_and(joins);
        let of = tokens.get(at + 1).is_some_and(is_of);
        joined && of && before.and_then(field).is_some()
    };
    let wanted = |at: &usize| !compared.contains(at) || listed(at);
    let mut names: Vec<&str> = Vec::new();
    for name in (0..tokens.len()).filter(wanted).filter_map(field) {
        if !names.contains(&name) && names.len() < FIELDS_MAX {
            names.push(name);
        }
    }
    names
}

/// `names and emails of the users`, `책 이름이랑 가격 보여줘`: nothing else is asked for of them. A value
/// that is `held` stands for the rows that have it, and what is `compared` is no field that is wanted.
fn are_listed(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
    (compared, held): (&BTreeSet<usize>, &BTreeSet<usize>),
) -> bool {
    let said = Listed { lexicon, rows, tokens, held };
    let begins = |at: usize| said.is_field(at) && !compared.contains(&at);
    (0..tokens.len()).filter(|at| begins(*at)).any(|first| said.is_listed_from(first))
}

struct Listed<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
    held: &'a BTreeSet<usize>,
}

impl Listed<'_, '_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }
    fn names(&self, token: &Token<'_>) -> bool {
        self.rows.registered(self.lexicon, token).is_some()
    }
    fn is_field(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| self.names(token))
    }
    fn is_label(&self, at: usize) -> bool {
        let label = |t: &Token<'_>| t.kind == TokenKind::Operation;
        self.held.contains(&at) || self.token(at).is_some_and(label)
    }
    /// A number behind a label says which row is meant, where it is no part of the label.
    fn is_row(&self, at: usize) -> bool {
        let digits = |t: &Token<'_>| t.is_numeral();
        self.tokens.iter().skip(at).take(2).any(|t| t.is_word() && digits(t))
    }

    fn is_listed_from(&self, first: usize) -> bool {
        let light = |t: &Token<'_>| {
            let particle = t.is_particle();
            let aside = t.has(Concept::Vague) || t.has(Concept::Every);
            self.names(t) || joins(t) || particle || aside
        };
        let rest = self.tokens.get(first..).unwrap_or_default();
        let end = first + rest.iter().take_while(|t| light(t)).count();
        let named = self.tokens.get(first..end).unwrap_or_default();
        let behind = self.is_label(end) && !self.is_row(end + 1) && named.iter().any(is_of);
        let closes = |t: &Token<'_>| t.kind == TokenKind::Mark || t.has(Concept::Dest);
        let ends = self.token(end).is_none_or(closes);
        let before = first.checked_sub(1);
        let korean = self.token(first).is_some_and(|t| t.is_korean());
        let shown = || self.is_shown(named, end);
        behind
            || ends && self.is_whose(first)
            || before.is_some_and(|at| self.is_label(at) && korean && shown())
    }

    /// `save all users' emails to a.json`, `order 5007 status`
    fn is_whose(&self, first: usize) -> bool {
        let plural = |t: &Token<'_>| t.is_mark("'") || t.is(Part::Plural);
        let row = |t: &Token<'_>| t.kind == TokenKind::Operation && keyed::is_number(t);
        let before = first.checked_sub(1).and_then(|at| self.token(at));
        let owner = first.checked_sub(2).is_some_and(|at| self.is_label(at));
        before.is_some_and(|before| owner && plural(before) || row(before))
    }

    /// `이름이랑 가격 a.json에 저장해줘`; one name alone may be that of the file.
    fn is_shown(&self, named: &[Token<'_>], end: usize) -> bool {
        let looks = [Concept::Read, Concept::Get, Concept::Tell, Concept::Question];
        let shown = self.token(end).is_some_and(|t| t.has_any(&looks));
        let several = named.iter().filter(|t| self.names(t)).count() > 1;
        let place = self.token(end).is_some_and(|t| t.kind == TokenKind::Path);
        let saves = |t: &Token<'_>| t.has(Concept::Save);
        let kept = several && place && self.tokens.iter().any(saves);
        shown || kept || self.token(end).is_some_and(saves)
    }
}

fn is_of(token: &Token<'_>) -> bool {
    token.is(Part::Of | Part::From | Part::For)
}

fn is_mark(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    // `만` after a number is ten thousand.
    let before = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|_| token.attached);
    let number = before.is_some_and(|t| t.text.chars().all(|c| c.is_ascii_digit()));
    // `sort by price` orders them, and keeps all of them.
    let picks = token.has(Concept::Pick) && !token.has(Concept::Sort);
    names_fields(token) || picks || (token.has(Concept::Only) && !number)
}

fn joins(token: &Token<'_>) -> bool {
    token.is_mark(",") || token.is_mark("&") || token.has(Concept::And)
}

/// Names that stand right before the mark, in the order of the text.
fn backward<'t>(tokens: &[Token<'t>], at: usize) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut open = true;
    for token in tokens.iter().take(at).rev().take(REACH_TOKENS_MAX) {
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
    let after = tokens.iter().skip(at + 1).take(REACH_TOKENS_MAX).skip_while(|t| {
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
