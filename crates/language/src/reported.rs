//! What somebody else wants, or the one who speaks will do: neither asks for it. `my boss told me to
//! delete a.txt`, `a.txt 지우라고 하던데`, `지우려고 해`.

use crate::{
    character::is_hangul,
    concept::Concept,
    hangul::{Syllable, last},
    lexicon::Lexicon,
    part::Part,
    token::{Token, TokenKind},
};
use wiiiv_domain::Lang;

/// A Korean verb and what says so are written in at most so many words.
const WORDS_MAX: usize = 3;
/// More may follow the mark.
const OPEN: char = '~';
/// The mark follows a syllable that ends in ㄹ.
const CLOSED_BY_L: char = 'ㄹ';
/// The mark follows one that does not.
const NOT_BY_L: char = '-';

/// A verb that changes something, and that is only reported.
pub(crate) fn is_reported(lexicon: &Lexicon, lang: Lang, tokens: &[Token<'_>], at: usize) -> bool {
    let Some(verb) = tokens.get(at) else { return false };
    if !verb.verb().is_some_and(Concept::changes) {
        return false;
    }
    match lang {
        Lang::En => is_said_before(lexicon, tokens.get(..at).unwrap_or_default()),
        Lang::Ko => is_said_behind(lexicon, verb, tokens.get(at + 1..).unwrap_or_default()),
    }
}

fn is_said_before(lexicon: &Lexicon, before: &[Token<'_>]) -> bool {
    let words = before.iter().filter(|token| token.is_word());
    let words: Vec<String> =
        words.map(|token| token.text.to_lowercase().replace('’', "'")).collect();
    let entity = before.last().is_some_and(Token::is_entity);
    let ends = |mark: &String| {
        let mark: Vec<&str> = mark.split(' ').collect();
        let from = words.len().checked_sub(mark.len());
        let same = |from: usize| words.get(from..).is_some_and(|said| *said == *mark);
        let own = |from: usize| {
            let who = from.checked_sub(1).and_then(|before| words.get(before));
            who.is_some_and(|who| lexicon.parts.is(Part::Speaker, who))
        };
        from.is_some_and(|from| same(from) && !own(from))
    };
    !entity && lexicon.reporting.iter().any(ends)
}

fn is_said_behind(lexicon: &Lexicon, verb: &Token<'_>, behind: &[Token<'_>]) -> bool {
    let mut joined = verb.text.to_owned();
    let more = behind.iter().take_while(|t| t.kind == TokenKind::Word && t.verb().is_none());
    let mut nexts = more.take(WORDS_MAX - 1);
    loop {
        let marks = lexicon.reporting.iter().filter(|mark| mark.contains(is_hangul));
        if marks.into_iter().any(|mark| is_marked(&joined, verb.text.len(), mark)) {
            return true;
        }
        let Some(next) = nexts.next() else { return false };
        joined.push_str(next.text);
    }
}

/// The mark begins in the verb or right behind it, so that it is said of it.
fn is_marked(joined: &str, verb: usize, mark: &str) -> bool {
    let bare = mark.trim_end_matches(OPEN).trim_start_matches([CLOSED_BY_L, NOT_BY_L]);
    let open = mark.ends_with(OPEN);
    let place = if open { joined.find(bare) } else { joined.strip_suffix(bare).map(str::len) };
    let Some(place) = place.filter(|place| (1..=verb).contains(place)) else { return false };
    let before = joined.get(..place).and_then(|text| text.chars().next_back());
    let closed = before.and_then(Syllable::of).is_some_and(|s| s.last == last::L);
    match mark.chars().next() {
        Some(CLOSED_BY_L) => closed,
        Some(NOT_BY_L) => !closed,
        Some(_) | None => true,
    }
}
