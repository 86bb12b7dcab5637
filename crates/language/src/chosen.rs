//! Which rows an utterance means, and whether all that it says of them is read.

use crate::{
    concept::Concept,
    join,
    lexicon::Sign,
    request,
    restriction::{self, Restriction},
    said::Said,
    token::{Token, TokenKind},
    words,
};
use wiiiv_domain::HttpMethod;

/// As much of what is not understood is named, in bytes.
const WORDS_BYTES_MAX: usize = 120;

/// Tokens behind a word that opens a condition.
const OPENED_TOKENS_MAX: usize = 4;
/// Tokens before the word that leaves them out.
const EXCEPTED_TOKENS_MAX: usize = 2;
/// Say nothing of which rows are meant without what follows.
const OPENING: [Concept; 5] =
    [Concept::Among, Concept::Relative, Concept::Where, Concept::Vague, Concept::Except];

fn opens(token: &Token<'_>) -> bool {
    token.has_any(&OPENING)
}

/// What is to be taken out of an answer.
pub(crate) struct Chosen<'t> {
    pub(crate) expr: Option<String>,
    /// Words that say something of it and are not read: acting would leave it out.
    pub(crate) unread: Option<&'t str>,
}

pub(crate) fn chosen<'t>(said: &Said<'_, 't>) -> Chosen<'t> {
    let selection = said.selection();
    if selection.written.is_some() {
        return Chosen { expr: selection.expr(), unread: None };
    }
    let words = |at: usize| named(said, at);
    if !said.named.is_several() {
        let unread = selection.unread.or_else(|| restricted(said, &selection.said));
        let unread = unread.or_else(|| counted(said, &selection.said));
        return Chosen { expr: selection.expr(), unread: unread.and_then(words) };
    }
    // How two answers are made one is not said by what they are.
    let first = || selection.said.first().copied().filter(|_| !selection.is_empty());
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

/// `몰에 전자제품 몇 개 있어?`: what is counted is called by a word that nothing reads.
fn counted(said: &Said<'_, '_>, read: &std::collections::BTreeSet<usize>) -> Option<usize> {
    let count = said.tokens.iter().position(|token| token.has(Concept::Count))?;
    let korean = said.tokens.get(count).is_some_and(|token| token.is_korean());
    let aside = |at: &usize| said.tokens.get(*at).is_some_and(|token| token.has(Concept::Vague));
    let at = if korean {
        count.checked_sub(1)
    } else {
        (count + 1..said.tokens.len()).find(|at| !aside(at))
    };
    let unknown = |token: &Token<'_>| {
        let letters = token.text.starts_with(char::is_alphabetic) && !token.attached;
        let field = said.rows.registered(said.lexicon, token).is_some();
        token.is_word() && token.is_nameless() && letters && !field
    };
    at.filter(|at| !read.contains(at) && said.tokens.get(*at).is_some_and(unknown))
}

/// `skymall 상품 검색 커피`: a word of its own, which no field takes.
fn is_looked_for(token: &Token<'_>) -> bool {
    let word = token.is_word() && token.text.starts_with(char::is_alphabetic) && !token.attached;
    (word && token.is_nameless()) || token.kind == TokenKind::Quoted
}

/// What is sent somewhere is not chosen from an answer.
fn restricted(said: &Said<'_, '_>, read: &std::collections::BTreeSet<usize>) -> Option<usize> {
    let method = said.named.method().or_else(|| request::method(said.tokens, said.signs));
    if let Some(method) = method.filter(|method| !method.is_safe()) {
        let puts = method != HttpMethod::Delete && said.named.method().is_some();
        let lost = || said.tokens.iter().position(|token| is_looked_for(token));
        let searches = said.named.is_search() && !said.signs.has(Sign::Json);
        let taken = restriction::takes_away(said.tokens).filter(|_| puts);
        return taken.or_else(|| if searches { lost() } else { None });
    }
    let Said { lexicon, tokens, rows, signs, .. } = *said;
    let operations = &said.named.operation().unwrap_or_default();
    let revises = said.revises;
    restriction::unread(&Restriction { lexicon, tokens, rows, signs, operations, read, revises })
}

/// The word and what is written into one with it; behind a word that says nothing by itself, what
/// it opens: `that are out of stock`.
fn named<'t>(said: &Said<'_, 't>, at: usize) -> Option<&'t str> {
    let first = said.tokens.get(at)?;
    let behind = || said.tokens.iter().skip(at + 1);
    let joined = behind().take_while(|token| token.attached);
    let last = joined.last().filter(|last| last.is_word()).unwrap_or(first);
    let goes_on = |token: &&Token<'_>| {
        let place = token.has(Concept::Dest) && !token.has(Concept::Within);
        let leads = token.leads();
        token.is_word() && !leads && !place && !token.has(Concept::Then)
    };
    let opened = behind().take_while(goes_on).take(OPENED_TOKENS_MAX).last();
    let last = opened.filter(|_| opens(first)).unwrap_or(last);
    let phrase = words::rest_of_phrase(said.lexicon, said.tokens, at);
    let phrase = said.tokens.get(at + phrase).filter(|_| first.has(Concept::Period) && phrase > 0);
    let last = phrase.unwrap_or(last);
    // `취소된 주문 빼고`: what is left out stands before it.
    let korean = first.has(Concept::Except) && first.is_korean();
    let out = (0..at).rev().take(EXCEPTED_TOKENS_MAX).filter(|_| korean);
    let out = out.take_while(|at| said.tokens.get(*at).is_some_and(|t| t.kind != TokenKind::Mark));
    let first = out.last().and_then(|at| said.tokens.get(at)).unwrap_or(first);
    let words = said.text.get(first.start..last.end)?;
    words.get(..words.floor_char_boundary(WORDS_BYTES_MAX))
}
