//! Which rows come first, and what is counted of them: `가장 비싼 3개`, `cheapest first`,
//! `카테고리별 평균 가격`.

mod summed;
mod taken;
mod words;

use crate::{
    concept::Concept,
    hangul::{Syllable, last},
    lexicon::Lexicon,
    morph,
    part::Part,
    query::{Aggregate, Figure, Order, Query, Slice},
    rows::{self, Rows},
    token::Token,
};
use std::{collections::BTreeSet, ops::Range};
use taken::{first_rows, place};
pub(crate) use words::Ranking;
use words::{FIGURES, ORDER, has_one, unread};

pub(crate) use taken::{counted_in_one, nth, taken};

const DEAR: [Concept; 2] = [Concept::Expensive, Concept::Cheap];
/// Bounds, and the end of an order that the same words say.
const BOUNDS: [(Concept, Concept); 2] =
    [(Concept::Over, Concept::Highest), (Concept::Under, Concept::Lowest)];
/// Tokens from `제일` to what it is said of.
const UNDIRECTED_TOKENS_MAX: usize = 2;
/// Tokens between the size and `first`.
const FIRST_TOKENS: usize = 2;

/// What is said can only be of several rows: an order, a sum, how many.
pub(crate) fn is_of_many(tokens: &[Token<'_>]) -> bool {
    let dear = [Concept::Expensive, Concept::Cheap];
    tokens.iter().any(|t| {
        t.has(Concept::Every) || has_one(t, &ORDER) || has_one(t, &FIGURES) || has_one(t, &dear)
    })
}

/// It says an order.
fn is_worded(token: &Token<'_>) -> bool {
    has_one(token, &ORDER) || has_one(token, &DEAR)
}

/// It asks for an order or a figure: `싼`, `평균`, `가격순으로`.
pub(crate) fn is_ranked(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    has_one(token, &FIGURES) || is_order(lexicon, token)
}

/// It asks for an order.
pub(crate) fn is_order(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let cut = lexicon.parts.split(Part::Ordered, token.text).filter(|_| token.is_word());
    let ends = |tail: &str| tail.is_empty() || morph::is_endings(lexicon, tail);
    let ordered = cut.is_some_and(|(label, tail)| !label.is_empty() && ends(tail));
    ordered || is_worded(token)
}

/// `평균`, `합계`: one figure of this field, where no order and no groups are asked for.
pub(crate) fn figure(tokens: &[Token<'_>], field: &str) -> Option<Query> {
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    if tokens.iter().any(is_worded) || has(Concept::Group) {
        return None;
    }
    let figure = match (has(Concept::Sum), has(Concept::Average)) {
        (true, false) => Figure::Sum(field.to_owned()),
        (false, true) => Figure::Average(field.to_owned()),
        (true, true) | (false, false) => return None,
    };
    Some(Query::of(Aggregate::Figures { group: None, figures: vec![figure] }))
}

pub(crate) fn ranking(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    if let Some(at) = undirected(lexicon, rows, tokens) {
        return Ranking { unread: Some(at), ..Ranking::default() };
    }
    match summed::totalled(lexicon, rows, tokens) {
        Some(tokens) => ranked(lexicon, rows, &tokens),
        None => ranked(lexicon, rows, tokens),
    }
}

/// `금액 큰순으로`: what would be a bound is an order before what sorts.
pub(crate) fn sized<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let says = |at: usize| tokens.get(at).is_some_and(|token| token.has(Concept::Sort));
    let sorts = |at: usize| says(at) || starts(tokens, at);
    // `만원보다 큰 거 싼순으로`: what sorts has a size of its own.
    let own = |token: &Token<'_>| {
        has_one(token, &DEAR) || has_one(token, &[Concept::Highest, Concept::Lowest])
    };
    // `제일 큰 거 3개`: no more than three.
    let most = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|t| t.has(Concept::Most) && t.is_korean())
    };
    let bare = |at: usize| sorts(at) && !tokens.get(at).is_some_and(own);
    let sized = |(at, token): (usize, &Token<'t>)| {
        let mut token = token.clone();
        if starts(tokens, at) {
            token.concepts.insert(Concept::Sort);
        }
        for (bound, end) in BOUNDS {
            let korean = token.is_korean();
            let ordered = sorts(at) || bare(at + 1) || most(at);
            if korean && ordered && token.concepts.remove(&bound) {
                token.concepts.insert(end);
            }
        }
        token
    };
    tokens.iter().enumerate().map(sized).collect()
}

/// `싼거부터`, `금액 큰 것부터`: all of them, from that end on.
fn starts(tokens: &[Token<'_>], at: usize) -> bool {
    let sizes = |t: &Token<'_>| is_worded(t) || BOUNDS.iter().any(|(bound, _)| t.has(*bound));
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    tokens.get(at).is_some_and(|t| {
        let thing = t.has(Concept::Thing) && before.is_some_and(sizes);
        t.is_word() && t.ends(Part::Starting) && (thing || sizes(t))
    })
}

/// `cheapest first`, `largest total first`: all of them, in that order, and where that is said.
fn comes_first(tokens: &[Token<'_>]) -> Option<usize> {
    let end = |at: usize| {
        tokens.get(at + 1).is_none_or(|next| {
            !next.is_word() || next.attached || next.verb().is_some() || next.has(Concept::And)
        })
    };
    let first = |at: usize| {
        tokens.get(at).is_some_and(|t| t.has(Concept::First) && t.text.is_ascii()) && end(at)
    };
    let worded = |at: usize| {
        let before = tokens.get(at.saturating_sub(FIRST_TOKENS)..at);
        before.is_some_and(|before| before.iter().any(is_worded))
    };
    (0..tokens.len()).find(|at| first(*at) && worded(*at))
}

/// Where both ends of an order are said, the cheap one first.
fn ends(tokens: &[Token<'_>]) -> Option<(usize, usize)> {
    let sized = [Concept::Highest, Concept::Lowest];
    let sized = |token: &Token<'_>| has_one(token, &DEAR) || has_one(token, &sized);
    let dear = |at: usize| tokens.get(at).is_some_and(sized);
    // `most expensive` is one end, and `가장 싼`, `가장 짧은` the other.
    let at = |of: [Concept; 2], most: Concept| {
        tokens.iter().enumerate().position(|(at, token)| {
            has_one(token, &of) || token.has(most) && !dear(at) && !dear(at + 1)
        })
    };
    let up = at([Concept::Cheap, Concept::Lowest], Concept::Least)?;
    Some((up, at([Concept::Expensive, Concept::Highest], Concept::Most)?))
}

/// `from cheapest to most expensive`: all of them, from one end to the other; and whether down.
fn to_the_other(tokens: &[Token<'_>]) -> Option<bool> {
    let (up, down) = ends(tokens)?;
    let between = tokens.get(up.min(down) + 1..up.max(down))?;
    between.iter().any(|token| token.has(Concept::Dest)).then_some(down < up)
}

/// `비싼`, `cheapest`
pub(crate) fn is_dear(token: &Token<'_>) -> bool {
    has_one(token, &DEAR)
}

fn says(tokens: &[Token<'_>], concept: Concept) -> bool {
    tokens.iter().any(|token| token.has(concept))
}

/// What an order of rows is said with.
struct Asked {
    /// Which of them: `the second most expensive`.
    place: Option<(Range<usize>, u64)>,
    /// How many, and where that is said.
    taken: Option<(usize, u64)>,
    /// From one end to the other, and whether down.
    through: Option<bool>,
    /// Where `first` says that all are meant.
    first: Option<usize>,
    sorted: bool,
    timed: bool,
    superlative: bool,
    dear: bool,
    cheap: bool,
}

impl Asked {
    fn of(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Self {
        let has = |concept: Concept| says(tokens, concept);
        let place = place(lexicon, tokens);
        let taken = taken(lexicon, tokens).filter(|_| place.is_none());
        let ordered = tokens.iter().any(|token| ordered_by(lexicon, rows, token).is_some());
        let (through, first) = (to_the_other(tokens), comes_first(tokens));
        let sorted = has(Concept::Sort) || ordered || through.is_some() || first.is_some();
        let timed = has(Concept::Newest) || has(Concept::Oldest);
        // `재고 많은 상품 5개`
        let some = taken.is_some() && (has(Concept::Highest) || has(Concept::Lowest));
        let most = some || has(Concept::Most) || has(Concept::Least);
        let superlative = most || sorted || timed || place.is_some();
        let (dear, cheap) = (has(Concept::Expensive), has(Concept::Cheap));
        Self { place, taken, through, first, sorted, timed, superlative, dear, cheap }
    }

    /// No order, or of one only a part.
    fn unordered(&self, lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<Ranking> {
        // `the cheapest and the most expensive`: of one order one end is taken.
        let both = ends(tokens).filter(|_| self.through.is_none() && !self.sorted);
        if let Some((up, down)) = both {
            return Some(Ranking { unread: Some(up.min(down)), ..Ranking::default() });
        }
        if !(self.superlative || self.dear || self.cheap) {
            let left = summed::remaining(lexicon, rows, tokens);
            let counted = left.or_else(|| summed::counted(tokens));
            return Some(counted.unwrap_or_else(|| first_rows(tokens, self.taken)));
        }
        // `비싼 것만`: how dear is not said.
        (!self.superlative && self.taken.is_none())
            .then(|| unread(tokens, &[Concept::Expensive, Concept::Cheap]))
    }

    fn is_down(&self, tokens: &[Token<'_>]) -> bool {
        let has = |concept: Concept| says(tokens, concept);
        let down = self.dear
            || has(Concept::Newest)
            || (has(Concept::Highest) && !self.cheap)
            || (has(Concept::Most) && !self.cheap && !has(Concept::Lowest));
        self.through.unwrap_or(down)
    }

    fn query(&self, order: Order) -> Query {
        let slice = match (self.taken, &self.place) {
            (Some((_, rows)), _) => Some(Slice::Rows(0, rows)),
            (None, Some((_, nth))) => Some(Slice::Rows(nth - 1, *nth)),
            (None, None) => (!self.sorted).then_some(Slice::Rows(0, 1)),
        };
        Query { order: Some(order), slice, ..Query::default() }
    }
}

fn ranked(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    let has = |concept: Concept| says(tokens, concept);
    let sums = has(Concept::Sum) || has(Concept::Average);
    let by = || (0..tokens.len()).any(|at| summed::group(lexicon, rows, tokens, at).is_some());
    if sums || (has(Concept::Count) && (has(Concept::Group) || by())) {
        return summed::summary(lexicon, rows, tokens);
    }
    let asked = Asked::of(lexicon, rows, tokens);
    if let Some(ranking) = asked.unordered(lexicon, rows, tokens) {
        return ranking;
    }
    let Some(field) = ordering(lexicon, rows, tokens, (asked.dear || asked.cheap, asked.timed))
    else {
        // `just the top 3`
        let first = |token: &Token<'_>| !is_worded(token) || token.has(Concept::First);
        if rows.ordered && tokens.iter().all(first) {
            return first_rows(tokens, asked.taken);
        }
        return Ranking { unread: tokens.iter().position(is_worded), ..Ranking::default() };
    };
    let by = Order { field: field.to_owned(), down: asked.is_down(tokens) };
    let own = |(at, token): &(usize, &Token<'_>)| {
        is_worded(token) || is_measure(lexicon, rows, tokens, *at, field)
    };
    let said = tokens.iter().enumerate().filter(own).map(|(at, _)| at);
    let mut said: BTreeSet<usize> = said.chain(asked.first).collect();
    // `the cheapest one in each category`
    let one = asked.taken.is_none_or(|(_, rows)| rows == 1) && !asked.sorted;
    let one = one && asked.place.is_none();
    let grouped = (0..tokens.len()).find_map(|at| summed::group(lexicon, rows, tokens, at));
    if let Some((at, group)) = grouped.filter(|_| one) {
        said.extend(at.saturating_sub(2)..=at);
        let query = Query::of(Aggregate::FirstOfEach { group: group.to_owned(), by });
        return Ranking { query, said, unread: None };
    }
    said.extend(asked.place.iter().flat_map(|(said, _)| said.clone()));
    said.extend(asked.taken.into_iter().flat_map(|(at, _)| at..at + 2));
    Ranking { query: asked.query(by), said, unread: None }
}

/// `납기 제일 빠른 거`: which end of the order that is, no lexicon says.
fn undirected(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<usize> {
    let most = |t: &Token<'_>| t.has(Concept::Most) && t.is_korean();
    let at = tokens.iter().position(most)?;
    let unknown = |at: &usize| {
        tokens.get(*at).is_some_and(|t| {
            let ends = t.text.chars().next_back().and_then(Syllable::of);
            let describes = ends.is_some_and(|end| end.last == last::N);
            describes && t.is_word() && t.is_nameless() && rows.registered(lexicon, t).is_none()
        })
    };
    (at + 1..=at + UNDIRECTED_TOKENS_MAX).find(unknown)
}

/// Names that field, be it with the word before or behind.
fn is_measure(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
    at: usize,
    field: &str,
) -> bool {
    let two = |at: usize| rows.of_two(tokens.get(at)?, tokens.get(at + 1)?);
    let one = |token: &'_ Token<'_>| {
        rows.registered(lexicon, token).or_else(|| ordered_by(lexicon, rows, token)) == Some(field)
    };
    let second = at.checked_sub(1).and_then(two);
    tokens.get(at).is_some_and(one) || [two(at), second].contains(&Some(field))
}

/// The field that rows are put in order by.
fn ordering<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &[Token<'_>],
    (priced, timed): (bool, bool),
) -> Option<&'a str> {
    if priced {
        rows.measure(lexicon, rows::PRICE)
    } else if timed {
        rows.measure(lexicon, rows::DATE)
    } else {
        let place = tokens.iter().position(|token| has_one(token, &ORDER));
        let registered = |at: usize| {
            let field = field_of(lexicon, rows, tokens, at)?;
            Some(field).filter(|field| !is_of_value(rows, tokens, at, field))
        };
        let near = place.and_then(|at| nearby(tokens.len(), at).find_map(registered));
        let ordered = tokens.iter().find_map(|t| ordered_by(lexicon, rows, t));
        let told = || (0..tokens.len()).find_map(registered);
        // `재고 적은 순으로`
        let much = [Concept::Highest, Concept::Lowest];
        let amount = tokens.iter().any(|token| has_one(token, &much));
        // `제일 많은 거` says nothing of a price.
        let many = tokens.iter().any(|t| has_one(t, &much) && t.begins(Part::Many));
        let counts = |field: &&str| !many || rows.measure(lexicon, rows::QUANTITY) == Some(*field);
        let only = || rows.only_measure(lexicon).filter(|_| amount).filter(counts);
        // `the longest name` is no order of names.
        let lasts = tokens.iter().any(|token| token.has(Concept::Lasting));
        let lasting = || rows.measure(lexicon, rows::DURATION).filter(|_| lasts);
        let found = ordered.or(near).or_else(told).or_else(lasting).or_else(only);
        found.filter(|field| !lasts || lasting() == Some(*field))
    }
}

/// The field that is called so, be it in two words: `lead time`.
fn field_of<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<&'a str> {
    let one = tokens.get(at)?;
    rows.registered(lexicon, one).or_else(|| rows.of_two(one, tokens.get(at + 1)?))
}

/// `서울 창고 재고 많은 순으로`: which one it is of is said, and not what orders them.
fn is_of_value(rows: &Rows, tokens: &[Token<'_>], at: usize, field: &str) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|before| rows.value(field, before.text).is_some())
}

/// Before it and the nearest first, then behind it.
fn nearby(tokens: usize, at: usize) -> impl Iterator<Item = usize> {
    (at.saturating_sub(3)..at).rev().chain(at..(at + 4).min(tokens))
}

/// `가격순으로`
fn ordered_by<'a>(lexicon: &Lexicon, rows: &'a Rows, token: &Token<'_>) -> Option<&'a str> {
    let (label, tail) =
        lexicon.parts.split(Part::Ordered, token.text).filter(|_| token.is_word())?;
    let ends = tail.is_empty() || morph::is_endings(lexicon, tail);
    rows.labelled(label).filter(|_| ends)
}
