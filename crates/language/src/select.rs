//! What is taken out of an answer, as a jq expression.

use crate::{
    comparison::Condition,
    concept::Concept,
    either, excluded, fields,
    lexicon::Lexicon,
    part::Part,
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
    pub(crate) expr: Option<String>,
    pub(crate) conditions: Vec<Condition>,
    /// An order, a number of rows, or what is counted of them.
    pub(crate) stages: Vec<String>,
    /// `{name, price}`
    pub(crate) fields: Option<String>,
    /// It is an expression of the user's own.
    pub(crate) is_written: bool,
    /// It adds rows to those that were meant: `취소된 것도`, `also the cancelled ones`.
    pub(crate) also: bool,
    /// The tokens that say it.
    pub(crate) said: BTreeSet<usize>,
    /// Where something is said that is not clear.
    pub(crate) unread: Option<usize>,
}

/// Written out in backticks or after `jq`, or made from named fields, conditions and an order.
pub(crate) fn select(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Selection {
    if let Some(at) = written(tokens) {
        let expr = tokens.get(at).map(|token| token.text.trim().to_owned());
        let said = (0..tokens.len()).collect();
        return Selection { expr, said, is_written: true, ..Selection::default() };
    }
    let sized = ranking::sized(tokens);
    let tokens = sized.as_slice();
    let spoken = Spoken::of(lexicon, rows, tokens);
    let conditions = spoken.conditions();
    let also = conditions.iter().any(|condition| is_also(tokens, condition));
    let Ranking { stages, mut said, unread } =
        ranking::ranking(lexicon, rows, &unbounded(lexicon, tokens, &spoken));
    let lost = excluded::unclear(lexicon, tokens, &conditions, &said);
    let idle = idle(&conditions);
    let (mut conditions, unclear) = either::joined(lexicon, tokens, conditions);
    let held: BTreeSet<usize> = conditions.iter().flat_map(|c| c.said.clone()).collect();
    let held: BTreeSet<usize> = held.difference(&idle).copied().collect();
    said.extend(&held);
    // `any being shipped? status is 배송중`: said twice, it is one.
    let mut known = BTreeSet::new();
    conditions.retain(|condition| known.insert(condition.text.clone()));
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
    let fields = (!names.is_empty()).then(|| format!("{{{}}}", names.join(", ")));
    let expr = expression(&conditions, stages.clone(), fields.clone());
    Selection { expr, conditions, stages, fields, is_written: false, also, said, unread }
}

/// `재고 5개 이상인 것 중에 제일 많은 거`: what a bound is said with counts no rows.
fn unbounded<'s, 't>(
    lexicon: &Lexicon,
    tokens: &'s [Token<'t>],
    spoken: &Spoken<'_, '_>,
) -> Cow<'s, [Token<'t>]> {
    let bounds = spoken.bounds();
    if !ranking::taken_at(lexicon, tokens).is_some_and(|at| bounds.contains(&at)) {
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

fn expression(
    conditions: &[Condition],
    stages: Vec<String>,
    kept: Option<String>,
) -> Option<String> {
    let mut each = vec![".[]".to_owned()];
    each.extend(conditions.iter().map(|condition| format!("select({})", condition.text)));
    if stages.is_empty() {
        each.extend(kept);
        return (each.len() > 1).then(|| format!("[{}]", each.join(" | ")));
    }
    let mut all = vec![format!("[{}]", each.join(" | "))];
    all.extend(stages);
    // A summary has fields of its own.
    let summed =
        all.get(1).is_some_and(|stage| stage.starts_with(['g', '[']) || stage == ranking::COUNT);
    all.extend(kept.filter(|_| !summed).map(|kept| format!("map({kept})")));
    Some(all.join(" | "))
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
