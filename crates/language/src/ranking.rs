//! Which rows come first, and what is counted of them: `가장 비싼 3개`, `cheapest first`,
//! `카테고리별 평균 가격`.

mod summed;

use crate::{
    character::is_hangul,
    concept::Concept,
    hangul::{Syllable, last},
    lexicon::Lexicon,
    morph,
    part::Part,
    rows::{self, Rows},
    token::Token,
};
use std::{collections::BTreeSet, ops::Range};

/// How many rows there are.
pub(crate) const COUNT: &str = "length";
/// Rows that a ranking asks for.
const TAKEN_MAX: u64 = 1_000;

/// jq stages over the list of rows.
#[derive(Default)]
pub(crate) struct Ranking {
    pub(crate) stages: Vec<String>,
    /// The tokens that say it.
    pub(crate) said: BTreeSet<usize>,
    /// Something was said of the order or of sums, and not of which field: where.
    pub(crate) unread: Option<usize>,
}

const ORDER: [Concept; 7] = [
    Concept::Highest,
    Concept::Lowest,
    Concept::Most,
    Concept::Least,
    Concept::Sort,
    Concept::Newest,
    Concept::Oldest,
];
const FIGURES: [Concept; 4] = [Concept::Sum, Concept::Average, Concept::Count, Concept::Group];

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
pub(crate) fn figure(tokens: &[Token<'_>], field: &str) -> Option<String> {
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    if tokens.iter().any(is_worded) || has(Concept::Group) {
        return None;
    }
    match (has(Concept::Sum), has(Concept::Average)) {
        (true, false) => Some(format!("[{{{}}}]", summed::sum(field))),
        (false, true) => Some(format!("[{{{}}}]", summed::average(field))),
        (true, true) | (false, false) => None,
    }
}

fn has_one(token: &Token<'_>, of: &[Concept]) -> bool {
    of.iter().any(|concept| token.has(*concept))
}

fn unread(tokens: &[Token<'_>], of: &[Concept]) -> Ranking {
    let unread = tokens.iter().position(|token| has_one(token, of));
    Ranking { unread, ..Ranking::default() }
}

pub(crate) fn ranking(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    if let Some(at) = undirected(lexicon, rows, tokens) {
        return Ranking { unread: Some(at), ..Ranking::default() };
    }
    match summed::totalled(lexicon, rows, tokens).or_else(|| summed::per(lexicon, rows, tokens)) {
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
    let bare = |at: usize| sorts(at) && !tokens.get(at).is_some_and(own);
    let sized = |(at, token): (usize, &Token<'t>)| {
        let mut token = token.clone();
        if starts(tokens, at) {
            token.concepts.insert(Concept::Sort);
        }
        for (bound, end) in BOUNDS {
            let korean = token.text.starts_with(is_hangul);
            if korean && (sorts(at) || bare(at + 1)) && token.concepts.remove(&bound) {
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

fn ranked(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Ranking {
    let has = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    let sums = has(Concept::Sum) || has(Concept::Average);
    let by = || (0..tokens.len()).any(|at| summed::group(lexicon, rows, tokens, at).is_some());
    if sums || (has(Concept::Count) && (has(Concept::Group) || by())) {
        return summed::summary(lexicon, rows, tokens);
    }
    let place = place(lexicon, tokens);
    let taken = taken(lexicon, tokens).filter(|_| place.is_none());
    let ordered = tokens.iter().any(|token| ordered_by(lexicon, rows, token).is_some());
    let through = to_the_other(tokens);
    let first = comes_first(tokens);
    let sorted = has(Concept::Sort) || ordered || through.is_some() || first.is_some();
    let timed = has(Concept::Newest) || has(Concept::Oldest);
    // `재고 많은 상품 5개`
    let some = taken.is_some() && (has(Concept::Highest) || has(Concept::Lowest));
    let superlative =
        some || has(Concept::Most) || has(Concept::Least) || sorted || timed || place.is_some();
    let (dear, cheap) = (has(Concept::Expensive), has(Concept::Cheap));
    // `the cheapest and the most expensive`: of one order one end is taken.
    if let Some((up, down)) = ends(tokens).filter(|_| through.is_none() && !sorted) {
        return Ranking { unread: Some(up.min(down)), ..Ranking::default() };
    }
    if !(superlative || dear || cheap) {
        let left = || summed::remaining(lexicon, rows, tokens);
        return left()
            .or_else(|| summed::counted(tokens))
            .unwrap_or_else(|| first_rows(tokens, taken));
    }
    // `비싼 것만`: how dear is not said.
    if !superlative && taken.is_none() {
        return unread(tokens, &[Concept::Expensive, Concept::Cheap]);
    }
    let field = ordering(lexicon, rows, tokens, (dear || cheap, timed));
    let Some(field) = field else {
        // `just the top 3`
        let first = |token: &Token<'_>| !is_worded(token) || token.has(Concept::First);
        if rows.ordered && tokens.iter().all(first) {
            return first_rows(tokens, taken);
        }
        return Ranking { unread: tokens.iter().position(is_worded), ..Ranking::default() };
    };
    let down = dear
        || has(Concept::Newest)
        || (has(Concept::Highest) && !cheap)
        || (has(Concept::Most) && !cheap && !has(Concept::Lowest));
    let down = through.unwrap_or(down);
    let own = |(at, token): &(usize, &Token<'_>)| {
        is_worded(token) || is_measure(lexicon, rows, tokens, *at, field)
    };
    let said = tokens.iter().enumerate().filter(own).map(|(at, _)| at);
    let mut said: BTreeSet<usize> = said.chain(first).collect();
    // `the cheapest one in each category`
    let grouped = (0..tokens.len()).find_map(|at| summed::group(lexicon, rows, tokens, at));
    if let Some((at, group)) =
        grouped.filter(|_| taken.is_none_or(|(_, rows)| rows == 1) && !sorted && place.is_none())
    {
        let first = if down { "-1" } else { "0" };
        let stages =
            vec![format!("group_by(.{group})"), format!("map(sort_by(.{field}) | .[{first}])")];
        said.extend(at.saturating_sub(2)..=at);
        return Ranking { stages, said, unread: None };
    }
    let mut stages = vec![format!("sort_by(.{field})")];
    if down {
        stages.push("reverse".to_owned());
    }
    said.extend(place.iter().flat_map(|(said, _)| said.clone()));
    match taken {
        Some((_, rows)) => stages.push(format!(".[:{rows}]")),
        None if let Some((_, nth)) = &place => stages.push(format!(".[{}:{nth}]", nth - 1)),
        None if !sorted => stages.push(".[:1]".to_owned()),
        None => {}
    }
    said.extend(taken.into_iter().flat_map(|(at, _)| at..at + 2));
    Ranking { stages, said, unread: None }
}

/// `납기 제일 빠른 거`: which end of the order that is, no lexicon says.
fn undirected(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<usize> {
    let most = |t: &Token<'_>| t.has(Concept::Most) && t.text.starts_with(is_hangul);
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
        let only = || rows.only_measure(lexicon).filter(|_| amount);
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

/// `the second most expensive`, `두 번째로 비싼`: where it stands in the order, with its tokens.
fn place(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<(Range<usize>, u64)> {
    let orders =
        |t: &Token<'_>| has_one(t, &ORDER) || has_one(t, &[Concept::Expensive, Concept::Cheap]);
    let before = |end: usize| {
        let behind = tokens.get(end..(end + 2).min(tokens.len())).unwrap_or_default();
        behind.iter().any(orders)
    };
    let mut found = (0..tokens.len()).filter_map(|at| nth(lexicon, tokens, at));
    found.find(|(said, place)| (2..=TAKEN_MAX).contains(place) && before(said.end))
}

/// `second`, `두 번째`, `2번째거`: which it is, 0 the last, where that ends here.
pub(crate) fn nth(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(Range<usize>, u64)> {
    let word = tokens.get(at).filter(|token| token.is_word())?.text.to_lowercase();
    let ordinal = |word: &str| lexicon.ordinals.get(word).copied();
    let number = |word: &str| lexicon.numbers.get(word).copied().or_else(|| ordinal(word));
    let Some((head, _)) = lexicon.parts.split(Part::Nth, &word) else {
        let next = tokens.get(at + 1).is_some_and(|next| next.begins(Part::Nth));
        return ordinal(&word).filter(|_| !next).map(|place| (at..at + 1, place));
    };
    match at.checked_sub(1).filter(|_| head.is_empty()).and_then(|at| tokens.get(at)) {
        Some(said) => {
            let digits = said.text.parse().ok();
            Some((at - 1..at + 1, digits.or_else(|| number(said.text))?))
        }
        None => Some((at..at + 1, number(head)?)),
    }
}

/// `처음 5개`, `first 5`: as they come.
fn first_rows(tokens: &[Token<'_>], taken: Option<(usize, u64)>) -> Ranking {
    let first = |at: &usize| tokens.get(*at).is_some_and(|token| token.has(Concept::First));
    let found = taken.and_then(|(at, rows)| Some((at.checked_sub(1).filter(first)?, at, rows)));
    let Some((first, at, rows)) = found else { return Ranking::default() };
    let said = [first, at, at + 1].into_iter().collect();
    Ranking { stages: vec![format!(".[:{rows}]")], said, unread: None }
}

/// `세개만`, `두건`: a number in words and what counts, in one word; and whether it is all that is wanted.
pub(crate) fn counted_in_one(lexicon: &Lexicon, token: &Token<'_>) -> Option<(u64, bool)> {
    let text = Some(token.text).filter(|text| token.is_word() && text.starts_with(is_hangul))?;
    let only = lexicon.only.iter().find_map(|only| text.strip_suffix(only.as_str()));
    let stem = only.unwrap_or(text);
    let ends = |rest: &str| {
        let counts =
            |unit: &str| lexicon.form(unit).is_some_and(|form| form.contains(&Concept::Pieces));
        let mut cuts = lexicon.objects.iter().filter_map(|o| rest.strip_suffix(o.as_str()));
        counts(rest) || cuts.any(counts)
    };
    let number = lexicon
        .numbers
        .iter()
        .filter(|(word, _)| stem.strip_prefix(word.as_str()).is_some_and(ends));
    let (_, count) = number.max_by_key(|(word, _)| word.len())?;
    Some((*count, only.is_some()))
}

/// `세 개`, `top 5`, `3 cheapest`; a number with a unit of its own counts no rows.
fn taken(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<(usize, u64)> {
    let number = |token: &Token<'_>| -> Option<u64> {
        let digits = token.text.parse().ok();
        digits.or_else(|| lexicon.numbers.get(token.text.to_lowercase().as_str()).copied())
    };
    let counts = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            [Concept::Pieces, Concept::Thing, Concept::Cheap, Concept::Expensive, Concept::Most]
                .into_iter()
                .any(|c| t.has(c))
        })
    };
    let before = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at));
    let first = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            let order = [Concept::First, Concept::Cheap, Concept::Expensive, Concept::Newest];
            has_one(t, &order) || t.has(Concept::Oldest)
        })
    };
    let in_one = |(at, token)| Some((at, counted_in_one(lexicon, token)?.0));
    if let Some(taken) = tokens.iter().enumerate().find_map(in_one) {
        return Some(taken).filter(|(_, rows)| (1..=TAKEN_MAX).contains(rows));
    }
    let rows = tokens.iter().enumerate().filter_map(|(at, token)| Some((at, number(token)?)));
    let mut rows = rows.filter(|(at, _)| counts(tokens.get(at + 1)) || first(before(*at)));
    rows.next().filter(|(_, rows)| (1..=TAKEN_MAX).contains(rows))
}
