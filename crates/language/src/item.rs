//! One item of a text that waits, which is to stay out of it: `계란은 빼줘`, `leave out the eggs` of `계란, 우유`
//! or `eggs and milk`. What is no item of it just once is asked about.

use crate::{
    character::is_hangul,
    concept::Concept,
    hangul::Syllable,
    lexicon::Lexicon,
    morph,
    part::Part,
    reading::Situation,
    signal::Whole,
    slots::Said,
    swap,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::{SlotName, TaskType};

/// Say that something is to stay out.
const DROPS: [Concept; 3] = [Concept::Skip, Concept::Except, Concept::Delete];
/// Say nothing of what.
const LIGHT: [Concept; 6] = [
    Concept::Vague,
    Concept::Correct,
    Concept::Then,
    Concept::Pronoun,
    Concept::Save,
    Concept::Write,
];
/// Stand between items.
const MARKS: [char; 3] = [',', '、', '\n'];

/// `계란은 빼줘`: the text without it; inside `None` where it is not clear what of it that is.
pub(crate) fn left_out(said: &Said<'_, '_>, known: &str) -> Option<Option<String>> {
    let names = named(said.lexicon, said.text, said.tokens)?;
    let left = without(said.lexicon, known, &names);
    // `깻잎은 빼고 양파로`: another stands in its place.
    let swapped = || {
        let swaps = swaps(said.tokens);
        swaps.then(|| swap::swapped(said.lexicon, known, said.text, said.tokens)).flatten()
    };
    Some(left.or_else(swapped))
}

/// What a text that waits is to be without, beside its preview.
pub(crate) fn leaves_out(situation: &Situation, said: &Said<'_, '_>) -> bool {
    let writes = situation.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
    let known = situation.known.get(SlotName::CONTENT).filter(|_| writes);
    let elsewhere = said.tokens.iter().any(Token::is_entity);
    known.and_then(|known| left_out(said, known)).flatten().is_some() && !elsewhere
}

/// What a word says that something is to stay out of a text, and what: `None` where nothing is said of it.
fn named<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<Vec<&'t str>> {
    let opens = tokens.first().is_some_and(|t| t.text.is_ascii() && t.has(Concept::Inverse));
    let opens = opens && tokens.get(1).is_some_and(Token::is_word);
    let dropped = tokens.iter().filter(|t| drops(t)).count();
    if !opens && dropped == 0 {
        return None;
    }
    // `깻잎 빼고 다 지워줘` leaves that one.
    if dropped > 1 {
        return Some(Vec::new());
    }
    let light = |t: &Token<'_>| {
        let closed = lexicon.bare.closed.contains_key(&Whole::key(t.text));
        let said = LIGHT.into_iter().any(|concept| t.has(concept));
        t.kind == TokenKind::Mark || t.attached || drops(t) || closed || said
    };
    let words = || tokens.iter().enumerate().filter(|(_, t)| !light(t));
    let (first, last) = (words().next()?.0, words().next_back()?.0);
    let said = tokens.get(first..=last)?;
    let name =
        |t: &Token<'_>| matches!(t.kind, TokenKind::Word | TokenKind::Dropped | TokenKind::Mark);
    let said = said.iter().all(name).then(|| text.get(said.first()?.start..said.last()?.end))??;
    Some(parts(lexicon, said))
}

/// Only `빼고` says so, and what follows takes its place: `깻잎은 빼고 양파로`, `깻잎 빼고 양파 넣어줘`.
fn swaps(tokens: &[Token<'_>]) -> bool {
    let mut drops = tokens.iter().filter(|t| drops(t));
    drops.next().is_some_and(|t| t.has(Concept::NotThis)) && drops.next().is_none()
}

/// `not monday, tuesday` swaps them.
fn drops(token: &Token<'_>) -> bool {
    DROPS.into_iter().any(|concept| token.has(concept)) && !token.has(Concept::Unlike)
}

/// The text without all of them; `None` where one is no item of it, or all are.
fn without(lexicon: &Lexicon, known: &str, names: &[&str]) -> Option<String> {
    let mut left = known.to_owned();
    for name in names {
        left = without_one(lexicon, &left, name)?;
    }
    (!names.is_empty()).then_some(left)
}

fn without_one(lexicon: &Lexicon, known: &str, name: &str) -> Option<String> {
    let stems = [name, stem(lexicon, name)];
    stems.into_iter().find_map(|name| {
        let (known_low, name) = (known.to_ascii_lowercase(), name.to_ascii_lowercase());
        let places = known_low.match_indices(name.as_str()).map(|(at, _)| at..at + name.len());
        let mut items = places.filter_map(|place| Item::at(lexicon, known, place));
        let item = items.next().filter(|_| items.next().is_none() && !name.is_empty())?;
        item.cut(known)
    })
}

/// `계란이랑 두부는`, `eggs and milk`
fn parts<'t>(lexicon: &Lexicon, said: &'t str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut at = 0;
    for word in said.split_inclusive([' ', ',']) {
        let bare = word.trim_end_matches([' ', ',']);
        let end = at + bare.len();
        let cut =
            if is_and(lexicon, bare) { Some(at) } else { joined(lexicon, bare).map(|c| at + c) };
        let comma = word.contains(',').then_some(end);
        at += word.len();
        if let Some(cut) = cut.or(comma).filter(|_| at < said.len()) {
            parts.extend(said.get(from..cut));
            from = at;
        }
    }
    parts.extend(said.get(from..));
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Where it stands, where the one before it ends, and where the next begins.
struct Item {
    place: Range<usize>,
    before: Option<usize>,
    next: Option<usize>,
}

impl Item {
    /// `None` where it is only a part of one.
    fn at(lexicon: &Lexicon, known: &str, place: Range<usize>) -> Option<Self> {
        let plain = is_plain(lexicon, known);
        let head = known.get(..place.start)?;
        let rest = known.get(place.end..)?;
        let before = match head.trim().is_empty() {
            true => None,
            false => Some(before(lexicon, head, plain)?),
        };
        let closes = rest.trim_matches(|c: char| c.is_whitespace() || c == '.').is_empty();
        let next = match closes {
            true => None,
            false => Some(place.end + next(lexicon, known.split_at_checked(place.end)?, plain)?),
        };
        Some(Self { place, before, next })
    }

    fn cut(&self, known: &str) -> Option<String> {
        match (self.before, self.next) {
            (_, Some(next)) => {
                Some(format!("{}{}", known.get(..self.place.start)?, known.get(next..)?))
            }
            (Some(before), None) => known.get(..before).map(str::to_owned),
            (None, None) => None,
        }
    }
}

/// `우유 계란 두부`: words that nothing else is said with.
fn is_plain(lexicon: &Lexicon, known: &str) -> bool {
    let names = |word: &str| {
        let known = morph::concepts(lexicon, &word.to_lowercase());
        word.chars().all(char::is_alphabetic) && known.is_empty()
    };
    known.split_whitespace().all(names)
}

/// Where the item before it ends.
fn before(lexicon: &Lexicon, head: &str, plain: bool) -> Option<usize> {
    let trimmed = head.trim_end();
    let newline = head.get(trimmed.len()..)?.contains('\n');
    let last = trimmed.split_whitespace().next_back()?;
    let (rest, joins) = match is_and(lexicon, last) && trimmed.len() < head.len() {
        true => (trimmed.get(..trimmed.len() - last.len())?.trim_end(), true),
        false => (trimmed, newline),
    };
    let bare = rest.trim_end_matches(|c| MARKS.contains(&c) || c == ' ');
    if joins || bare.len() < rest.len() {
        return Some(bare.len());
    }
    // `eggs` of `boiledeggs` is none.
    if trimmed.len() == head.len() {
        return None;
    }
    let cut = joined(lexicon, last).map(|cut| trimmed.len() - last.len() + cut);
    cut.or(plain.then_some(trimmed.len()))
}

/// How far behind it the next item begins.
fn next(lexicon: &Lexicon, (name, rest): (&str, &str), plain: bool) -> Option<usize> {
    let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let glued = rest.get(..word)?;
    let joins = lexicon.parts.is(Part::And | Part::AndWritten, glued);
    let particle = joins && follows(lexicon, name, glued);
    if !(glued.is_empty() || particle) {
        return None;
    }
    let behind = rest.get(word..)?;
    let bare = behind.trim_start_matches(|c: char| MARKS.contains(&c) || c == ' ');
    let marked = behind.get(..behind.len() - bare.len())?.contains(MARKS);
    let and = bare.split_whitespace().next().filter(|word| is_and(lexicon, word));
    let from = and.map_or(bare, |and| bare.get(and.len()..).unwrap_or_default().trim_start());
    let apart = particle || marked || and.is_some() || plain && bare.len() < behind.len();
    apart.then_some(rest.len() - from.len())
}

fn is_and(lexicon: &Lexicon, word: &str) -> bool {
    morph::concepts(lexicon, &word.to_lowercase()).contains(&Concept::And)
        && joined(lexicon, word).is_none()
}

/// Where `이랑` of `계란이랑` begins.
fn joined(lexicon: &Lexicon, word: &str) -> Option<usize> {
    let stem = lexicon.parts.stem(Part::And | Part::AndWritten, word)?;
    let fits = follows(lexicon, stem, word.get(stem.len()..)?);
    (stem.chars().count() > 1 && fits).then_some(stem.len())
}

/// The end of `사과` is no particle, as that follows a final.
fn follows(lexicon: &Lexicon, stem: &str, particle: &str) -> bool {
    let closed = stem.chars().next_back().and_then(Syllable::of).is_some_and(|s| s.last != 0);
    let opens = particle.chars().next().and_then(Syllable::of).is_some_and(Syllable::is_open);
    !lexicon.parts.is(Part::AndWritten, particle) || closed != opens
}

/// Without the particle of what is left out: `계란은`.
fn stem<'t>(lexicon: &Lexicon, name: &'t str) -> &'t str {
    let own = Part::Topic | Part::Object | Part::Also;
    lexicon.parts.stem(own, name).filter(|_| name.ends_with(is_hangul)).unwrap_or(name)
}
