//! What is taken out of an answer.

use crate::{
    comparison::Condition,
    concept::Concept,
    either, excluded, fields,
    lexicon::Lexicon,
    part::Part,
    query::Query,
    ranking::{self, Ranking},
    rows::Rows,
    spoken::Spoken,
    token::{Token, TokenKind},
};
use std::{borrow::Cow, collections::BTreeSet};

/// Tokens behind a condition that are of it: `취소된 것도`.
const ALSO_TOKENS: usize = 2;

/// What is said of the rows that are meant, as far as it is read.
#[derive(Default)]
pub(crate) struct Selection {
    pub(crate) query: Query,
    /// Where its filter is said.
    pub(crate) conditions: Vec<Condition>,
    /// An expression of the user's own, in place of all of it.
    pub(crate) written: Option<String>,
    /// It adds rows to those that were meant: `취소된 것도`, `also the cancelled ones`.
    pub(crate) also: bool,
    /// The tokens that say it.
    pub(crate) said: BTreeSet<usize>,
    /// Where something is said that is not clear.
    pub(crate) unread: Option<usize>,
}

impl Selection {
    pub(crate) fn expr(&self) -> Option<String> {
        self.written.clone().or_else(|| self.query.jq())
    }
    /// Nothing of it is said.
    pub(crate) fn is_empty(&self) -> bool {
        self.written.is_none() && self.query == Query::default()
    }
    /// What was kept before with this; `None` where it cannot be told what becomes of it.
    pub(crate) fn revising(&self, known: &str) -> Option<String> {
        if self.written.is_some() {
            return self.written.clone();
        }
        Some(Query::read(known)?.merged(&self.query, self.also)?.written())
    }
}

/// Written out in backticks or after `jq`, or made from named fields, conditions and an order.
pub(crate) fn select(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Selection {
    if let Some(at) = written(tokens) {
        let written = tokens.get(at).map(|token| token.text.trim().to_owned());
        let said = (0..tokens.len()).collect();
        return Selection { written, said, ..Selection::default() };
    }
    let sized = ranking::sized(tokens);
    let tokens = sized.as_slice();
    let spoken = Spoken::of(lexicon, rows, tokens);
    let conditions = spoken.conditions();
    let also = conditions.iter().any(|condition| is_also(tokens, condition));
    let Ranking { query, mut said, unread } =
        ranking::ranking(lexicon, rows, &unbounded(lexicon, tokens, &spoken));
    let lost = excluded::unclear(lexicon, tokens, &conditions, &said);
    let idle = idle(&conditions);
    let (mut conditions, unclear) = either::joined(tokens, conditions);
    let held: BTreeSet<usize> = conditions.iter().flat_map(|c| c.said.clone()).collect();
    let held: BTreeSet<usize> = held.difference(&idle).copied().collect();
    said.extend(&held);
    // `any being shipped? status is 배송중`: said twice, it is one.
    let mut filter = Vec::new();
    conditions.retain(|condition| {
        let new = !filter.contains(&condition.filter);
        filter.extend(new.then(|| condition.filter.clone()));
        new
    });
    let compared = spoken.fields();
    let registered = fields::registered(lexicon, rows, tokens, &compared, &held);
    let is_compared = |name: &&str| {
        let mut named = tokens.iter().enumerate().filter(|(_, token)| token.text == *name);
        // `only the cancelled ones`: a value, and no field.
        named.all(|(at, _)| compared.contains(&at) || held.contains(&at))
    };
    let plain: Vec<&str> =
        fields::fields(tokens).into_iter().filter(|name| !is_compared(name)).collect();
    let names = if registered.len() >= plain.len() { registered } else { plain };
    let kept = |token: &Token<'_>| {
        let name = rows.registered(lexicon, token).or_else(|| token.identifier());
        let field = token.has(Concept::Field) && !names.is_empty();
        field || name.is_some_and(|name| names.contains(&name))
    };
    said.extend((0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(kept)));
    // `only vip customers` of a system: one word alone may as well be a value.
    let has = |concept| tokens.iter().any(|token| token.has(concept));
    let system = tokens.iter().any(|token| token.kind == TokenKind::System);
    let odd = system && rows.is_unknown() && names.len() == 1 && !has(Concept::Field);
    let foreign = |token: &Token<'_>| {
        // `emails` of the field `email`
        let own = rows.registered(lexicon, token).is_some();
        token.identifier().is_some_and(|name| odd || !own && rows.lacks(name))
    };
    let foreign = || tokens.iter().position(|token| kept(token) && foreign(token));
    let unread = unread.or(unclear).or(lost).or_else(|| spoken.unread()).or_else(foreign);
    let fields = names.into_iter().map(str::to_owned).collect();
    let query = Query { filter, fields, ..query };
    Selection { query, conditions, written: None, also, said, unread }
}

/// `재고 5개 이상인 것 중에 제일 많은 거`: what a bound is said with counts no rows.
fn unbounded<'s, 't>(
    lexicon: &Lexicon,
    tokens: &'s [Token<'t>],
    spoken: &Spoken<'_, '_>,
) -> Cow<'s, [Token<'t>]> {
    let bounds = spoken.bounds();
    if !ranking::taken(lexicon, tokens).is_some_and(|(at, _)| bounds.contains(&at)) {
        return Cow::Borrowed(tokens);
    }
    let mut rest = tokens.to_vec();
    let own = rest.iter_mut().enumerate().filter(|(at, _)| bounds.contains(at));
    own.for_each(|(_, token)| token.drop_it());
    Cow::Owned(rest)
}

/// `도` ends the condition, or what it is said of; `also` stands anywhere.
fn is_also(tokens: &[Token<'_>], condition: &Condition) -> bool {
    let behind = tokens.iter().skip(condition.said.start);
    let mut own = behind.take(condition.said.len() + ALSO_TOKENS);
    let word = |t: &Token<'_>| t.is_word() || t.kind == TokenKind::Operation;
    own.any(|t| word(t) && t.ends(Part::Also)) || tokens.iter().any(|t| t.has(Concept::Too))
}

/// `price of shiny products over 5000`: what stands within a condition, and is none.
fn idle(conditions: &[Condition]) -> BTreeSet<usize> {
    let between = conditions.iter().flat_map(|condition| condition.between.clone());
    let read =
        |at: &usize| conditions.iter().any(|c| c.said.contains(at) && !c.between.contains(at));
    between.filter(|at| !read(at)).collect()
}

/// The token that is a jq expression.
pub(crate) fn written(tokens: &[Token<'_>]) -> Option<usize> {
    let code = tokens.iter().position(|t| t.kind == TokenKind::Code);
    code.or_else(|| {
        let named = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let after = tokens.iter().skip(at + 1).take(2);
            before.into_iter().chain(after).any(|t| t.has(Concept::Filter))
        };
        tokens
            .iter()
            .enumerate()
            .find_map(|(at, token)| (token.kind == TokenKind::Quoted && named(at)).then_some(at))
    })
}
