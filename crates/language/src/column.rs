//! A field's name that is also an operation's label, or begins with one: `카테고리가 식품인 상품`,
//! `by product number`.

use crate::{
    concept::Concept, keyed, lexicon::Lexicon, name::Mention, part::Part, rows::Rows,
    spoken::Spoken, token::Token, valued,
};
use std::collections::BTreeSet;
use wiiiv_domain::{Operation, System};

/// The mentions that ask for something; what only describes it is none, unless nothing else is
/// mentioned.
pub(crate) fn without<T>(
    lexicon: &Lexicon,
    systems: &[&System],
    tokens: &[Token<'_>],
    found: Vec<Mention<T>>,
) -> Vec<Mention<T>> {
    let operations = || systems.iter().flat_map(|system| &system.operations);
    let rows = Rows::with(lexicon, operations().flat_map(|operation| &operation.fields));
    let compared = Spoken::of(lexicon, &rows, tokens).fields();
    let labels: BTreeSet<&str> = operations().flat_map(labels).collect();
    // `orders of user 1`: which of the orders; `user 1` alone is what is asked for.
    let keyed = |mention: &Mention<T>| keyed::key(lexicon, &rows, tokens, mention.at).is_some();
    // `회원별 주문`, `orders per product`: by what they are put together.
    let each = |mention: &Mention<T>| {
        let word = tokens.get(mention.at).map_or("", |token| token.text);
        let before = mention.at.checked_sub(1).and_then(|at| tokens.get(at));
        let per = before.is_some_and(|token| token.has(Concept::Group));
        let stem =
            lexicon.parts.split(Part::Each, word).map(|(stem, _)| stem).or(per.then_some(word));
        stem.is_some_and(|stem| rows.key(lexicon, stem).is_some())
    };
    let keyed = |mention: &Mention<T>| keyed(mention) || each(mention);
    let rest = found.iter().any(|mention| !keyed(mention));
    let is_field = |mention: &Mention<T>| {
        let one = mention.tokens == 1;
        let grouped = tokens.get(mention.at).is_some_and(|token| token.has(Concept::Group));
        (one && (compared.contains(&mention.at) || grouped || (rest && keyed(mention))))
            || begins(&labels, tokens, mention)
    };
    let whole = |mention: &Mention<T>| begins(&labels, tokens, mention);
    // `주문 금액 합계`: what the only field is of is spoken of with it.
    let alone = found.iter().all(is_field);
    // `suppliers over 3 days`: of several nothing is measured.
    let plural = |mention: &Mention<T>| {
        tokens.get(mention.at).is_some_and(|t| t.text.is_ascii() && t.ends(Part::Plural))
    };
    // `부산 창고 알려줘`: what a value stands before is asked for, where nothing else is.
    let called = |mention: &Mention<T>| {
        let before = mention.at.checked_sub(1).and_then(|at| tokens.get(at));
        before.is_some_and(|before| valued::is_called(lexicon, &rows, before.text))
    };
    let kept = |mention: &Mention<T>| {
        let own = || whole(mention) || plural(mention) || called(mention);
        !is_field(mention) || alone && own()
    };
    let found: Vec<_> = found.into_iter().filter(kept).collect();
    let describes = |mention: &Mention<T>| mention.tokens == 1 && is_subject(tokens, mention.at);
    if found.iter().all(describes) {
        return found;
    }
    found.into_iter().filter(|mention| !describes(mention)).collect()
}

fn labels(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.fields.iter().flat_map(|field| &field.labels).map(String::as_str)
}

/// Of two words, with the word behind it.
fn begins<T>(labels: &BTreeSet<&str>, tokens: &[Token<'_>], mention: &Mention<T>) -> bool {
    let lower = |at: usize| tokens.get(at).map(|token| token.text.to_lowercase());
    let behind = mention.at + mention.tokens;
    let two = behind.checked_sub(1).and_then(lower).zip(lower(behind));
    two.is_some_and(|(one, other)| labels.contains(format!("{one} {other}").as_str()))
}

fn is_subject(tokens: &[Token<'_>], at: usize) -> bool {
    let says = |token: &Token<'_>| token.ends(Part::Copula);
    let subject = tokens.get(at).is_some_and(|token| token.ends(Part::Subject | Part::Topic));
    subject && tokens.get(at + 1).is_some_and(says)
}
