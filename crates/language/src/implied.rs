//! The one registered system that is meant where none is named: `상품 목록 보여줘`, `show me order 5003`.

use crate::{
    concept::Concept,
    keyed,
    lexicon::Lexicon,
    part::Part,
    rows::Rows,
    token::{Token, TokenKind},
    valued,
};
use std::collections::BTreeSet;
use wiiiv_domain::Operation;

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

/// Asks to see something that is no file and no page (`상품 목록 보여줘`), or to keep it in a file.
pub(crate) fn lists(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let says = |concept: Concept| tokens.iter().any(|token| token.has(concept));
    // `회의라고 저장해줘`: what is dictated is no data.
    let closes = |text: &str| lexicon.quotes_before(text);
    let dictates = || tokens.iter().any(|token| token.is_word() && closes(token.text));
    let kept = || (says(Concept::Save) || says(Concept::Write)) && !dictates();
    let place = |token: &Token<'_>| token.kind == TokenKind::Path;
    // `이름에 '무선'이 들어간 상품`: what it is to hold.
    let held = says(Concept::Containing);
    let value = |token: &Token<'_>| held && token.kind == TokenKind::Quoted;
    let others = tokens.iter().any(|token| token.is_entity() && !place(token) && !value(token));
    let only = |t: &Token<'_>| lexicon.ends_in_only(t.text);
    let some = || says(Concept::Among) && tokens.iter().any(only);
    let asks = || held || ASKS.into_iter().any(says) || some() || is_bare(tokens);
    let asks = || asks() || is_whether_there(tokens) || is_of_a_row(tokens);
    !others && (kept() || !tokens.iter().any(place) && asks())
}

/// `품절된 상품 있어?`, `any sold out products?`: whether there are some.
fn is_whether_there(tokens: &[Token<'_>]) -> bool {
    let asked = tokens.last().is_some_and(|last| last.is_mark("?"));
    let last = tokens.iter().rfind(|token| token.kind != TokenKind::Mark);
    let there = last
        .is_some_and(|t| t.begins(Part::There | Part::Lacking) && !t.attributive && t.is_korean());
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
    let other = |t: &Token<'_>| t.verb().is_some() || t.has_any(&said);
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
    let other = |token: &Token<'_>| token.has_any(&OTHERS);
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
    if !token.is_korean() {
        // `skymallx 상품`
        let label = |next: &Token<'_>| {
            // `vip 회원만`: which of them, and no place.
            let only = lexicon.ends_in_only(next.text);
            next.kind == TokenKind::Operation && next.is_korean() && !only
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
    let latin = |before: &Token<'_>| before.is_word() && !before.is_korean();
    let of = Part::From | Part::Of;
    let place = match token.is(of) {
        true => token.attached && before.is_some_and(latin),
        false => token.ends(of) && is_nameless(token),
    };
    place || is_another_thing(tokens, at)
}

/// `상품 사진`: a bare noun behind the label is what is spoken of.
fn is_another_thing(tokens: &[Token<'_>], at: usize) -> bool {
    let token = |at: usize| tokens.get(at);
    let is_label = |token: &Token<'_>| token.kind == TokenKind::Operation;
    let label = at.checked_sub(1).and_then(token).is_some_and(is_label);
    let Some(noun) = token(at).filter(|noun| label && is_nameless(noun)) else { return false };
    let ends = noun.is_ending() || noun.sticks();
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

/// It changes nothing: what does is asked of a system that is named.
pub(crate) fn reads(operation: &Operation) -> bool {
    operation.method.is_safe() || operation.reads
}
