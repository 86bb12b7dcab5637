//! The one registered system that is meant where none is named: `상품 목록 보여줘`, `show me order 5003`.

use crate::{
    character::is_hangul,
    concept::Concept,
    keyed,
    lexicon::Lexicon,
    morph,
    part::Part,
    rows::{self, Rows},
    token::{Token, TokenKind},
    valued,
};
use std::collections::BTreeSet;
use wiiiv_domain::{HttpMethod, Operation, System};

/// More words say what is to be done.
const BARE_WORDS_MAX: usize = 4;
/// Asks to see something, or says which of it.
const ASKS: [Concept; 24] = [
    Concept::Between,
    Concept::Total,
    Concept::Containing,
    Concept::Tell,
    Concept::Which,
    Concept::Search,
    Concept::Read,
    Concept::Get,
    Concept::Manage,
    Concept::Pick,
    Concept::Sort,
    Concept::Sum,
    Concept::Average,
    Concept::Count,
    Concept::Most,
    Concept::Least,
    Concept::Over,
    Concept::AtLeast,
    Concept::Under,
    Concept::AtMost,
    Concept::Highest,
    Concept::Lowest,
    Concept::Newest,
    Concept::Oldest,
];
/// What else may hold rows, or do something with them.
const OTHERS: [Concept; 8] = [
    Concept::Database,
    Concept::Table,
    Concept::Workflow,
    Concept::Project,
    Concept::App,
    Concept::Web,
    Concept::CodeWord,
    Concept::Command,
];
/// One word alone may be of many rows.
const FIELDS_MIN: usize = 2;

/// Asks to see something that is no file and no page (`상품 목록 보여줘`), or to keep it in a file.
pub(crate) fn lists(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    // `회의라고 저장해줘`: what is dictated is no data.
    let closes = |text: &str| lexicon.quotes.iter().any(|quote| text.ends_with(quote.as_str()));
    let dictates = || tokens.iter().any(|token| token.is_word() && closes(token.text));
    let kept = || (says(Concept::Save) || says(Concept::Write)) && !dictates();
    let place = |token: &Token<'_>| token.kind == TokenKind::Path;
    // `이름에 '무선'이 들어간 상품`: what it is to hold.
    let held = says(Concept::Containing);
    let value = |token: &Token<'_>| held && token.kind == TokenKind::Quoted;
    let others = tokens.iter().any(|token| token.is_entity() && !place(token) && !value(token));
    let only = |t: &Token<'_>| lexicon.only.iter().any(|only| t.text.ends_with(only.as_str()));
    let some = || says(Concept::Among) && tokens.iter().any(only);
    let asks = || held || ASKS.into_iter().any(says) || some() || is_bare(tokens);
    let asks = || asks() || is_whether_there(tokens) || is_of_a_row(tokens);
    !others && (kept() || !tokens.iter().any(place) && asks())
}

/// `품절된 상품 있어?`, `any sold out products?`: whether there are some.
fn is_whether_there(tokens: &[Token<'_>]) -> bool {
    let asked = tokens.last().is_some_and(|last| last.is_mark("?"));
    let last = tokens.iter().rfind(|token| token.kind != TokenKind::Mark);
    let there = last.is_some_and(|t| {
        t.begins(Part::There | Part::Lacking) && !t.attributive && t.text.starts_with(is_hangul)
    });
    there || asked && tokens.first().is_some_and(|first| first.is(Part::Any))
}

/// `주문 5007번 상태 뭐야`: something is asked of one row.
fn is_of_a_row(tokens: &[Token<'_>]) -> bool {
    let number = |pair: &[Token<'_>]| matches!(pair, [number, next] if keyed::is_digits(number) && next.attached && next.begins(Part::Numbered));
    let asks = |token: &Token<'_>| token.has(Concept::Question);
    tokens.windows(2).any(number) && tokens.iter().any(asks)
}

/// `orders`, `주문 5003번`: nothing is said but what is to be seen.
fn is_bare(tokens: &[Token<'_>]) -> bool {
    let light =
        |t: &Token<'_>| t.has(Concept::Vague) || t.has(Concept::And) || t.has(Concept::Every);
    let words = tokens.iter().filter(|t| t.is_word() && !t.attached && !light(t)).count();
    let asks = tokens.last().is_some_and(|last| last.is_mark("?"));
    let said = [Concept::Then, Concept::Correct, Concept::Negate, Concept::Change];
    let other = |t: &Token<'_>| t.verb().is_some() || said.into_iter().any(|c| t.has(c));
    words <= BARE_WORDS_MAX && !asks && !tokens.iter().any(other)
}

/// The only system that does all that is spoken of.
pub(crate) fn system<'m>(
    mentions: impl IntoIterator<Item = &'m Vec<(usize, usize)>>,
) -> Option<usize> {
    let mut common: Option<BTreeSet<usize>> = None;
    for of in mentions {
        let own: BTreeSet<usize> = of.iter().map(|(system, _)| *system).collect();
        common = Some(common.map_or_else(|| own.clone(), |known| &known & &own));
    }
    let common = common?;
    common.first().copied().filter(|_| common.len() == 1)
}

/// The same of what is changed there: `place an order on amazon`.
pub(crate) fn acts_elsewhere(
    lexicon: &Lexicon,
    operation: &Operation,
    tokens: &[Token<'_>],
) -> bool {
    let place = |pair: &[Token<'_>]| match pair {
        [at, place] => at.is(Part::At) && is_nameless(place),
        _ => false,
    };
    tokens.windows(2).any(place) || asks_elsewhere(lexicon, operation, tokens)
}

/// `a joke about customers`, `a story about our products`: something else is told, of what is listed.
pub(crate) fn is_told_about(tokens: &[Token<'_>]) -> bool {
    let about = |token: &Token<'_>| token.is(Part::About);
    let label = |token: &Token<'_>| token.kind == TokenKind::Operation;
    let aside = |token: &&Token<'_>| token.has(Concept::Vague);
    let Some(at) = tokens.iter().position(about) else { return false };
    let (before, behind) = (tokens.get(..at), tokens.get(at + 1..));
    let thing = before.and_then(<[_]>::last).is_some_and(is_nameless);
    thing && behind.is_some_and(|rest| rest.iter().find(|t| !aside(t)).is_some_and(label))
}

/// It is asked of something that is not registered. The labels are marked.
pub(crate) fn asks_elsewhere(
    lexicon: &Lexicon,
    operation: &Operation,
    tokens: &[Token<'_>],
) -> bool {
    let rows = Rows::with(lexicon, operation.fields.iter());
    let other = |token: &Token<'_>| OTHERS.into_iter().any(|concept| token.has(concept));
    // `out of stock`: the value of a field.
    let held = valued::named(lexicon, &rows, tokens);
    let field = |at: usize| {
        let named = tokens.get(at).is_some_and(|t| rows.registered(lexicon, t).is_some());
        let value = held.iter().any(|condition| condition.said.contains(&at));
        named || value || keyed::key(lexicon, &rows, tokens, at).is_some()
    };
    tokens.iter().any(other)
        || (0..tokens.len()).any(|at| !field(at) && is_elsewhere(lexicon, tokens, at, &field))
}

/// `쿠팡에서`, `from amazon`, `상품 사진`: another place is named, or another thing; not `names of books`,
/// where a field of theirs is so.
fn is_elsewhere(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    at: usize,
    field: &dyn Fn(usize) -> bool,
) -> bool {
    let Some(token) = tokens.get(at).filter(|token| token.is_word()) else { return false };
    if !token.text.starts_with(is_hangul) {
        // `skymallx 상품`
        let label = |next: &Token<'_>| {
            // `vip 회원만`: which of them, and no place.
            let only = lexicon.only.iter().any(|only| next.text.ends_with(only.as_str()));
            next.kind == TokenKind::Operation && next.text.starts_with(is_hangul) && !only
        };
        if is_nameless(token) && tokens.get(at + 1).is_some_and(label) {
            return true;
        }
        let vague = |at: &usize| tokens.get(*at).is_some_and(|t| t.has(Concept::Vague));
        let from = token.is(Part::From | Part::Of);
        let place = (at + 1..tokens.len()).find(|at| !vague(at)).filter(|at| !field(*at));
        return from && place.and_then(|at| tokens.get(at)).is_some_and(is_nameless);
    }
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let latin = |before: &Token<'_>| before.is_word() && !before.text.starts_with(is_hangul);
    let of = Part::From | Part::Of;
    let place = match token.is(of) {
        true => token.attached && before.is_some_and(latin),
        false => token.ends(of) && is_nameless(token),
    };
    place || is_another_thing(lexicon, tokens, at)
}

/// `상품 사진`: a bare noun behind the label is what is spoken of.
fn is_another_thing(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> bool {
    let token = |at: usize| tokens.get(at);
    let is_label = |token: &Token<'_>| token.kind == TokenKind::Operation;
    let label = at.checked_sub(1).and_then(token).is_some_and(is_label);
    let Some(noun) = token(at).filter(|noun| label && is_nameless(noun)) else { return false };
    let ends = morph::is_endings(lexicon, noun.text) || morph::is_after_name(lexicon, noun.text);
    let thing = |next: &Token<'_>| is_label(next) || next.has(Concept::Thing);
    let describes = noun.attributive && token(at + 1).is_some_and(thing);
    !ends && !describes
}

fn is_nameless(token: &Token<'_>) -> bool {
    !token.has(Concept::Period)
        && token.is_word()
        && token.text.starts_with(char::is_alphabetic)
        && token.is_nameless()
}

/// The only list whose rows have all the fields that figures are asked of: `average price per
/// category`, `the cheapest one in each category`.
pub(crate) fn by_fields(
    lexicon: &Lexicon,
    systems: &[System],
    tokens: &[Token<'_>],
) -> Option<(usize, usize)> {
    let says = |of: &[Concept]| tokens.iter().any(|t| of.iter().any(|concept| t.has(*concept)));
    let figures = [Concept::Sum, Concept::Average, Concept::Cheap, Concept::Expensive];
    if !says(&figures) {
        return None;
    }
    let dear = says(&[Concept::Cheap, Concept::Expensive]);
    let all = systems.iter().enumerate().flat_map(|(at, system)| {
        let operations = system.operations.iter().enumerate();
        operations.map(move |(nth, operation)| ((at, nth), operation))
    });
    let lists = all.filter(|(_, o)| o.method == HttpMethod::Get && !o.path.contains('{'));
    let hits = lists.map(|(at, operation)| {
        let rows = Rows::with(lexicon, operation.fields.iter());
        let own = tokens.iter().filter(|t| rows.registered(lexicon, t).is_some()).count();
        (own + usize::from(dear && rows.measure(lexicon, rows::PRICE).is_some()), at)
    });
    let hits: Vec<(usize, (usize, usize))> = hits.collect();
    let most = hits.iter().map(|(count, _)| *count).max().filter(|most| *most >= FIELDS_MIN)?;
    let mut best = hits.iter().filter(|(count, _)| *count == most).map(|(_, at)| *at);
    best.next().filter(|_| best.next().is_none())
}

/// It changes nothing: what does is asked of a system that is named.
pub(crate) fn reads(operation: &Operation) -> bool {
    operation.method.is_safe() || operation.reads
}
