//! What is counted and added up of rows: `카테고리별 평균 가격`, `how many products`.

use super::words::{FIGURES, ORDER, Ranking, has_one, unread};
use crate::{
    concept::Concept,
    lexicon::Lexicon,
    morph,
    part::Part,
    query::{Aggregate, Figure, Query},
    rows::{PRICE, QUANTITY, Rows},
    token::Token,
};
use std::collections::BTreeSet;

/// Tokens between it and what is added up.
const TOTAL_TOKENS_MAX: usize = 3;

/// `total order amount`: a field called `total` that stands before another is no field here.
pub(super) fn totalled<'t>(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'t>],
) -> Option<Vec<Token<'t>>> {
    let field = |token: &Token<'_>| rows.registered(lexicon, token);
    let total = |token: &Token<'_>| token.has(Concept::Total);
    let at = tokens.iter().position(total)?;
    let behind = tokens.get(at + 1..)?.iter().take(TOTAL_TOKENS_MAX);
    let measures = [PRICE, QUANTITY].map(|measure| rows.measure(lexicon, measure));
    let measured = |t: &Token<'_>| field(t).is_some_and(|field| measures.contains(&Some(field)));
    behind.into_iter().find(|t| measured(t))?;
    let mut tokens = tokens.to_vec();
    tokens.get_mut(at)?.concepts.insert(Concept::Sum);
    Some(tokens)
}

/// `재고 몇 개 남았어?`: not of how many rows, but what they hold.
pub(super) fn remaining(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<Ranking> {
    let of = [Concept::Count, Concept::Remaining];
    let asks = of.iter().all(|concept| tokens.iter().any(|token| token.has(*concept)));
    let field = rows.measure(lexicon, QUANTITY).filter(|_| asks)?;
    let said = tokens.iter().enumerate().filter(|(_, token)| has_one(token, &of));
    let said = said.map(|(at, _)| at).collect();
    let figures = vec![Figure::Sum(field.to_owned())];
    let query = Query::of(Aggregate::Figures { group: None, figures });
    Some(Ranking { query, said, unread: None })
}

/// `상품 개수`, `how many products`; `몇 개만` is some of them.
pub(super) fn counted(tokens: &[Token<'_>]) -> Option<Ranking> {
    let counts = |token: &Token<'_>| token.has(Concept::Count) || token.has(Concept::Total);
    tokens.iter().find(|token| token.has(Concept::Count))?;
    let said: BTreeSet<usize> =
        (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(counts)).collect();
    let behind = tokens.get(said.last()? + 1);
    let some = behind.is_some_and(|next| next.attached && next.has(Concept::Only));
    (!some).then(|| Ranking { query: Query::of(Aggregate::Count), said, unread: None })
}

pub(super) fn summary(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let grouped = (0..tokens.len()).find_map(|at| group(lexicon, rows, tokens, at));
    let group = grouped.map(|(_, field)| field);
    if has(Concept::Group) && grouped.is_none() {
        return unread(tokens, &FIGURES);
    }
    let said = |token: &Token<'_>| rows.registered(lexicon, token).filter(|f| Some(*f) != group);
    let plain = || tokens.iter().filter(|t| !has_one(t, &FIGURES)).find_map(said);
    let told = || plain().or_else(|| tokens.iter().find_map(said));
    let measure = [PRICE, QUANTITY].into_iter().find_map(|measure| {
        let field = rows.measure(lexicon, measure)?;
        let named = |t: &Token<'_>| rows.registered(lexicon, t) == Some(field);
        tokens.iter().any(|t| named(t) && !has_one(t, &FIGURES)).then_some(field)
    });
    let field = measure.or_else(told).filter(|_| has(Concept::Sum) || has(Concept::Average));
    let adds = has(Concept::Sum) || has(Concept::Average);
    let of = |concept| field.filter(|_| has(concept)).map(str::to_owned);
    let figures = [
        has(Concept::Count).then_some(Figure::Count),
        of(Concept::Sum).map(Figure::Sum),
        of(Concept::Average).map(Figure::Average),
    ];
    let figures: Vec<Figure> = figures.into_iter().flatten().collect();
    if figures.is_empty() || (adds && field.is_none()) {
        return unread(tokens, &FIGURES);
    }
    let query = Query::of(Aggregate::Figures { group: group.map(str::to_owned), figures });
    let own = |t: &Token<'_>| {
        has_one(t, &FIGURES) || (field.is_some() && rows.registered(lexicon, t) == field)
    };
    let said = tokens.iter().enumerate().filter(|(_, token)| own(token)).map(|(at, _)| at);
    // The highest of them is no figure that is made here, and figures are in no order.
    let unread = tokens.iter().position(|token| has_one(token, &ORDER));
    Ranking { query, said: said.chain(grouped.map(|(at, _)| at)).collect(), unread }
}

/// `카테고리별`, `by category`.
pub(super) fn group<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(usize, &'a str)> {
    let token = tokens.get(at)?;
    let (label, tail) = lexicon.parts.split(Part::Each, token.text).unwrap_or_default();
    let ends = tail.is_empty() || morph::is_endings(lexicon, tail);
    let apart = at.checked_sub(1).and_then(|before| tokens.get(before));
    let apart = apart.filter(|_| label.is_empty() && token.begins(Part::Each));
    let key = || rows.key(lexicon, label).filter(|_| !label.is_empty());
    let field = rows.labelled(label).or_else(key).or_else(|| rows.registered(lexicon, apart?));
    if let Some(field) = field.filter(|_| ends) {
        return Some((at, field));
    }
    let named = tokens.iter().enumerate().skip(at + 1).take(2);
    // `orders by status, just the counts`; not `sorted by status`
    let orders = || tokens.iter().any(|token| has_one(token, &ORDER));
    let by = token.is(Part::By) && !orders();
    let english = (token.has(Concept::Group) && token.text.is_ascii()) || by;
    let mut named = named.filter(|_| english);
    named.find_map(|(at, t)| {
        let key = || rows.key(lexicon, t.text).filter(|_| !t.has(Concept::Vague));
        Some((at, rows.registered(lexicon, t).or_else(key)?))
    })
}
