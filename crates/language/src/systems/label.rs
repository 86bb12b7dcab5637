//! What the operations of registered systems are called by, among the tokens of an utterance.

use crate::{
    column,
    concept::Concept,
    implied, instead,
    lexicon::Lexicon,
    name::{Mention, Name, Names, OperationAt, Words},
    numbered,
    part::Part,
    rows::{self, Rows},
    token::Token,
};
use std::{collections::BTreeSet, ops::Range};
use wiiiv_domain::{Lang, System};

/// A field that something is compared with is no label.
pub(super) fn labels(
    lexicon: &Lexicon,
    systems: &[System],
    order: &[usize],
    tokens: &[Token<'_>],
) -> Vec<Mention<OperationAt>> {
    let operations = order.iter().flat_map(|at| {
        let of = systems.get(*at).map_or(&[][..], |system| system.operations.as_slice());
        of.iter().enumerate().map(move |(nth, operation)| ((*at, nth), operation))
    });
    let called = operations.flat_map(|(of, operation)| {
        let labels = operation.labels.iter().map(|label| Name::spoken(label));
        labels.chain([Name::id(&operation.id)]).map(move |name| (name, of))
    });
    let own = order.iter().filter_map(|at| systems.get(*at)).flat_map(|system| &system.operations);
    let fields = own.flat_map(|operation| &operation.fields).flat_map(|field| &field.labels);
    let words = Words::new(lexicon, tokens).knowing(fields.map(String::as_str));
    let found = Names::new(called).mentions(&words).into_iter();
    let (meant, replaced): (Vec<_>, Vec<_>) = found.partition(|mention| {
        !instead::is_replaced(tokens, mention.at, mention.at + mention.tokens)
    });
    let found = if meant.is_empty() { replaced } else { meant };
    let named: Vec<&System> = order.iter().filter_map(|at| systems.get(*at)).collect();
    let found = column::without(lexicon, &named, tokens, found);
    let found = without_owners(lexicon, systems, tokens, found);
    let found = without_values(lexicon, systems, tokens, found);
    let keyed = Names::new(numbered::keys(lexicon, systems, order)).mentions(&words);
    numbered::with_keys(tokens, found, keyed)
}

/// What is called the same: where, and where the values of its fields are said in several words.
struct Kind<'a> {
    of: &'a [OperationAt],
    places: Vec<usize>,
    phrases: Vec<Range<usize>>,
}

/// `products out of stock`: a word of what a field of the one holds asks for no stock.
fn without_values(
    lexicon: &Lexicon,
    systems: &[System],
    tokens: &[Token<'_>],
    found: Vec<Mention<OperationAt>>,
) -> Vec<Mention<OperationAt>> {
    let fields = |mention: &Mention<OperationAt>| {
        let named = mention.of.iter().filter_map(|(at, nth)| {
            systems.get(*at).and_then(|system| system.operations.get(*nth))
        });
        named.flat_map(|operation| &operation.fields).collect::<Vec<_>>()
    };
    // Each operation's phrases once, however often it is named.
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for mention in &found {
        if let Some(kind) = kinds.iter_mut().find(|kind| kind.of == mention.of) {
            kind.places.push(mention.at);
            continue;
        }
        let rows = Rows::with(lexicon, fields(mention).into_iter());
        let phrases = rows.values().iter().filter_map(|value| phrase(tokens, &value.label));
        let (of, places) = (&mention.of, vec![mention.at]);
        kinds.push(Kind { of, places, phrases: phrases.collect() });
    }
    let is_part = |mention: &Mention<OperationAt>| {
        let end = mention.at + mention.tokens;
        let elsewhere = |places: &[usize]| places.iter().any(|at| *at != mention.at);
        let holds = |said: &Range<usize>| said.contains(&mention.at) && end <= said.end;
        kinds.iter().any(|kind| elsewhere(&kind.places) && kind.phrases.iter().any(holds))
    };
    let parts: Vec<bool> = found.iter().map(is_part).collect();
    found.into_iter().zip(parts).filter(|(_, part)| !part).map(|(mention, _)| mention).collect()
}

/// Where several words stand in a row.
fn phrase(tokens: &[Token<'_>], label: &str) -> Option<Range<usize>> {
    let words: Vec<&str> = label.split_whitespace().collect();
    let same = |said: &[Token<'_>]| {
        said.iter().zip(&words).all(|(token, word)| token.text.eq_ignore_ascii_case(word))
    };
    let at = tokens.windows(words.len().max(1)).position(same).filter(|_| words.len() > 1)?;
    Some(at..at + words.len())
}

/// `상품 재고`, `재고 5개 미만인 상품`: rows of the one, by what they are of.
fn without_owners(
    lexicon: &Lexicon,
    systems: &[System],
    tokens: &[Token<'_>],
    found: Vec<Mention<OperationAt>>,
) -> Vec<Mention<OperationAt>> {
    if tokens.iter().any(|token| token.has(Concept::Join)) {
        return found;
    }
    let rows = |mention: &Mention<OperationAt>| {
        let (at, nth) = mention.of.first()?;
        let operation = systems.get(*at)?.operations.get(*nth)?;
        implied::reads(operation).then(|| Rows::with(lexicon, operation.fields.iter()))
    };
    let end = |mention: &Mention<OperationAt>| mention.at + mention.tokens;
    // `제품`, where only `상품번호` is called so: by any of its names.
    let named = |owner: &Mention<OperationAt>| -> Vec<String> {
        let (at, nth) = owner.of.first().copied().unwrap_or_default();
        let operation = systems.get(at).and_then(|system| system.operations.get(nth));
        operation.map(|operation| operation.labels.clone()).unwrap_or_default()
    };
    let is_of = |owner: &Mention<OperationAt>, of: &Mention<OperationAt>| {
        let word = tokens.get(owner.at).filter(|_| owner.tokens == 1).map(|token| token.text);
        let keyed = |rows: &Rows, word: &str| {
            rows.key(lexicon, word).is_some()
                || rows.key(lexicon, word.trim_end_matches('s')).is_some()
        };
        word.zip(rows(of)).is_some_and(|(word, rows)| {
            keyed(&rows, word) || named(owner).iter().any(|name| keyed(&rows, name))
        })
    };
    let lacks = |mention: &Mention<OperationAt>| {
        rows(mention).is_some_and(|rows| rows.measure(lexicon, rows::QUANTITY).is_none())
    };
    let counted = |from: usize, to: usize| {
        let said = tokens.get(from..to).unwrap_or_default();
        let has = |of: &dyn Fn(&Token<'_>) -> bool| said.iter().any(of);
        // `재고 없는 상품`, `재고 많은 상품`
        let size = [Concept::Highest, Concept::Lowest];
        let sized = |t: &Token<'_>| t.has_any(&size) || t.begins(Part::Lacking);
        let bound = |t: &Token<'_>| t.concepts.iter().any(|c| c.operator().is_some());
        has(&sized) || has(&|t| t.has(Concept::Pieces)) && has(&bound)
    };
    let owner = |at: usize| {
        let own = found.get(at)?;
        let next = found.get(at + 1).filter(|next| end(own) == next.at && is_of(own, next));
        let before = at.checked_sub(1).and_then(|at| found.get(at));
        let before = before
            .filter(|before| counted(end(before), own.at) && is_of(own, before) && lacks(own));
        next.or(before)
    };
    let owners: Vec<bool> = (0..found.len()).map(|at| owner(at).is_some()).collect();
    found.into_iter().zip(owners).filter(|(_, owner)| !owner).map(|(mention, _)| mention).collect()
}

/// The one operation of this system that is named; where its own words name none, one that was
/// named for another and is its own as well.
pub(super) fn operation(
    labels: &[Mention<OperationAt>],
    places: &[(usize, usize)],
    lang: Lang,
    system: usize,
) -> Option<usize> {
    let of = |mention: &Mention<OperationAt>| -> Vec<usize> {
        mention.of.iter().filter(|(of, _)| *of == system).map(|(_, nth)| *nth).collect()
    };
    let owned = labels.iter().filter(|mention| owner(mention, places, lang) == Some(system));
    let own: BTreeSet<usize> = owned.flat_map(of).collect();
    let all = || labels.iter().flat_map(of).collect();
    let named: BTreeSet<usize> = if own.is_empty() { all() } else { own };
    named.first().copied().filter(|_| named.len() == 1)
}

/// The nearest system that a label can belong to: Korean names it before, English after.
fn owner(mention: &Mention<OperationAt>, places: &[(usize, usize)], lang: Lang) -> Option<usize> {
    let can = |system: &usize| mention.of.iter().any(|(of, _)| of == system);
    let far = |place: usize| {
        let behind = place > mention.at;
        let against = match lang {
            Lang::Ko => behind,
            Lang::En => !behind,
        };
        (place.abs_diff(mention.at), against)
    };
    let near = places.iter().filter(|(_, system)| can(system));
    near.min_by_key(|(place, _)| far(*place)).map(|(_, system)| *system)
}
