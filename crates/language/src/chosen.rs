//! Which rows an utterance means, and whether all that it says of them is read.

use crate::{
    concept::Concept,
    join, request,
    restriction::{self, Restriction},
    select,
    slots::Said,
};
use wiiiv_domain::HttpMethod;

/// As much of what is not understood is named, in bytes.
const WORDS_BYTES_MAX: usize = 120;

/// What is to be taken out of an answer.
pub(crate) struct Chosen<'t> {
    pub(crate) expr: Option<String>,
    /// Words that say something of it and are not read: acting would leave it out.
    pub(crate) unread: Option<&'t str>,
}

pub(crate) fn chosen<'t>(said: &Said<'_, 't>) -> Chosen<'t> {
    let selection = select::select(said.lexicon, said.rows, said.tokens);
    if selection.is_written {
        return Chosen { expr: selection.expr, unread: None };
    }
    let words = |at: usize| words(said, at);
    if !said.named.is_several() {
        let unread = selection.unread.or_else(|| restricted(said, &selection.said));
        return Chosen { expr: selection.expr, unread: unread.and_then(words) };
    }
    // How two answers are made one is not said by what they are.
    let first = || selection.said.first().copied().filter(|_| selection.expr.is_some());
    let joins = || said.tokens.iter().position(|token| token.has(Concept::Join));
    let (expr, unread) = match join::join(said) {
        Some(join) => {
            let more = selection.unread.or_else(first).filter(|at| !join.said.contains(at));
            (Some(join.expr), more.or_else(|| restricted(said, &join.said)))
        }
        None => {
            let unread = selection.unread.or_else(|| restricted(said, &selection.said));
            (None, unread.or_else(first).or_else(joins))
        }
    };
    Chosen { expr, unread: unread.and_then(words) }
}

/// What is sent somewhere is not chosen from an answer.
fn restricted(said: &Said<'_, '_>, read: &std::collections::BTreeSet<usize>) -> Option<usize> {
    let method = said.named.method().or_else(|| request::method(said.tokens, said.signs));
    if let Some(method) = method.filter(|method| !method.is_safe()) {
        let puts = method != HttpMethod::Delete && said.named.method().is_some();
        return restriction::takes_away(said.tokens).filter(|_| puts);
    }
    let Said { lexicon, tokens, rows, signs, .. } = *said;
    let operations = &said.named.operation().unwrap_or_default();
    let revises = said.revises;
    restriction::unread(&Restriction { lexicon, tokens, rows, signs, operations, read, revises })
}

/// The word and what is written into one with it.
fn words<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let first = said.tokens.get(at)?;
    let joined = said.tokens.iter().skip(at + 1).take_while(|token| token.attached);
    let last = joined.last().filter(|last| last.is_word()).unwrap_or(first);
    let words = said.text.get(first.start..last.end)?;
    words.get(..words.floor_char_boundary(WORDS_BYTES_MAX))
}
