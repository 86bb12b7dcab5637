//! What is to be written and stands without any marks: `k1.txt에 빵 추가`, `두부랑 콩나물 적어줘`,
//! `make a.txt with eggs and milk in it`. Words that describe a text are none.

use crate::{
    concept::Concept,
    hangul::Syllable,
    lexicon::Lexicon,
    part::Part,
    signal,
    token::{Token, TokenKind},
};

/// A shorter word ends in what only looks like a particle: `포도`.
const STEM_CHARS_MIN: usize = 2;
/// Between the place and the verb; of an answer, before the verb; or behind it (`a.txt에 적어줘 빵`).
pub(crate) fn korean<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    // `x.txt에 가나다 저장해줘`; not `x.txt로 저장해줘`.
    let into = target.and_then(|at| tokens.get(at + 1)).is_some_and(|t| t.has(Concept::Within));
    let saves = |t: &Token<'_>| into && t.has(Concept::Save) && !t.attributive;
    let verb = tokens.iter().rposition(dictates).or_else(|| tokens.iter().rposition(saves))?;
    let behind = tokens.get(verb + 1..)?;
    let before = tokens.get(target.map_or(0, |target| target + 1)..verb)?;
    // `음 써줘`
    let hesitates = |t: &Token<'_>| t.is_word() && lexicon.hesitations.contains(t.text);
    let murmurs = |t: &Token<'_>| target.is_none() && hesitates(t);
    let own = |t: &&Token<'_>| is_aside(t) || is_frame(t) || murmurs(t);
    let from = before.iter().take_while(own).count();
    // `버터도 그 파일에 추가해줘`
    let pointed = before.len() - pointed_behind(before);
    let before = before.get(..pointed)?;
    let to = before.len() - before.iter().rev().take_while(|t| is_aside(t)).count();
    let to = to - measured(lexicon, before.get(..to)?);
    let closes = |t: &Token<'_>| t.kind == TokenKind::Mark && !t.is_mark("?") || is_aside(t);
    let named = |words| named(lexicon, text, words);
    match before.get(from..to).filter(|words| !words.is_empty()) {
        Some(words) => named(words).filter(|_| behind.iter().all(closes)),
        None if behind.iter().all(closes) => {
            listed(lexicon, tokens.get(..target?)?).and_then(named)
        }
        None => named(behind).filter(|_| target.is_some()),
    }
}

/// `회의록.txt 만들어줘 내용은 3시 회의`: all that is behind it, where that is nothing but names.
pub(crate) fn spoken_of<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
) -> Option<&'t str> {
    let at = tokens.iter().rposition(|token| token.has(Concept::Content))?;
    let ends = |t: &Token<'_>| t.ends(Part::Topic);
    let own = tokens.get(at).is_some_and(ends);
    let apart = tokens.get(at + 1).is_some_and(|t| t.attached && ends(t));
    let behind = tokens.get(at + 1 + usize::from(!own)..).filter(|_| own || apart)?;
    let ends = behind.iter().rev().take_while(|token| is_end(token)).count();
    named(lexicon, text, behind.get(..behind.len() - ends)?)
}

/// How many tokens at the end say how much is written, and not what: `우유 한 줄`.
fn measured(lexicon: &Lexicon, words: &[Token<'_>]) -> usize {
    let one = |t: &Token<'_>| lexicon.numbers.get(t.text).is_some_and(|count| *count == 1);
    match words {
        [_, .., number, line] if one(number) && line.has(Concept::Part) => 2,
        _ => 0,
    }
}

/// How many tokens at the end point to the file that something goes to: `그 파일에`, `거기에다`.
fn pointed_behind(words: &[Token<'_>]) -> usize {
    let frame = [Concept::File, Concept::There, Concept::That, Concept::Earlier];
    let own = |t: &&Token<'_>| t.attached || t.has_any(&frame);
    let pointed = words.iter().rev().take_while(own).count();
    let there = |t: &Token<'_>| t.has(Concept::There) || t.has(Concept::File);
    let place = words.get(words.len() - pointed..).unwrap_or_default();
    if place.iter().any(there) && pointed < words.len() { pointed } else { 0 }
}

/// `파일에`, `메모에다`: something goes there.
pub(crate) fn is_place_of(file: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    file.ends(Part::Into) || next.is_some_and(|next| next.attached && next.is(Part::Into))
}

/// `두부랑 콩나물 장보기.txt에 적어줘`: several things, or what carries the particle of an object.
fn listed<'a, 't>(lexicon: &Lexicon, words: &'a [Token<'t>]) -> Option<&'a [Token<'t>]> {
    let last = words.last()?;
    let joins = |t: &Token<'_>| t.is_mark(",") || t.has(Concept::And);
    let several = words.iter().any(|t| joins(t) || t.is_word() && t.ends(Part::And));
    (several || without_particle(lexicon, last.text) != last.text).then_some(words)
}

fn named<'t>(lexicon: &Lexicon, text: &'t str, words: &[Token<'t>]) -> Option<&'t str> {
    let (first, last) = (words.first()?, words.last()?);
    // `우유 두 개`
    let pieces = |at: usize| {
        let number = words.get(at).is_some_and(|number| is_number(lexicon, number));
        number && words.get(at + 1).is_some_and(|unit| unit.has(Concept::Pieces))
    };
    let counted = |at: usize| pieces(at) || at.checked_sub(1).is_some_and(pieces);
    let said = text.get(first.start..last.end).map(|said| without_particle(lexicon, said))?;
    let nothing = signal::is_evasion(lexicon, said);
    let named = |(at, t): (usize, &Token<'_>)| is_name(t) || at > 0 && counted(at);
    let tells = words.iter().enumerate().all(named) && !describes(lexicon, last) && !nothing;
    tells.then_some(said)
}

/// `put hello in it`, of a place that was named before or is asked about.
pub(crate) fn framed<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
) -> Option<&'t str> {
    let puts = [Concept::Write, Concept::Save, Concept::Add];
    let puts = |t: &Token<'_>| t.text.is_ascii() && t.has_any(&puts);
    let verb = tokens.iter().rposition(puts)?;
    let place = tokens.get(verb + 1..)?.iter().position(|t| t.has(Concept::There) || opens(t))?;
    let place = place + verb + 1;
    let points = is_pointer(tokens.get(place..)?);
    stated(lexicon, text, tokens.get(verb + 1..place).filter(|_| points)?)
}

/// `make a.txt with eggs, milk and bread in it`
pub(crate) fn held<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
    target: Option<usize>,
) -> Option<&'t str> {
    let opening = target? + 1;
    tokens.get(opening).filter(|token| token.has(Concept::Holding))?;
    let rest = tokens.get(opening + 1..)?;
    let end = rest.iter().position(|t| t.has(Concept::There) || opens(t));
    let end = end.filter(|at| rest.get(*at..).is_some_and(is_pointer));
    let words = rest.get(..end.unwrap_or(rest.len()))?;
    let words = words.split_last().filter(|(last, _)| is_end(last)).map_or(words, |(_, w)| w);
    let listed = words.iter().any(|t| t.is_mark(",") || t.has(Concept::And));
    let one = words.len() == 1;
    stated(lexicon, text, words).filter(|_| end.is_some() || listed || one)
}

/// A text, and not what only says of what kind it is: `a haiku`, `the result`, `3 lines`.
fn stated<'t>(lexicon: &Lexicon, text: &'t str, words: &[Token<'t>]) -> Option<&'t str> {
    let (first, last) = (words.first()?, words.last()?);
    let word = first.text.to_lowercase();
    let counted = word.starts_with(|c: char| c.is_ascii_digit()) && words.len() > 1;
    let kind = lexicon.indefinite.contains(&word) || first.has(Concept::Vague) || counted;
    let points = [Concept::Result, Concept::Pronoun, Concept::That, Concept::Content];
    let refers = |t: &Token<'_>| t.has_any(&points);
    let plain = |t: &Token<'_>| t.is_word() || t.kind == TokenKind::Mark;
    let tells = !kind && words.iter().all(plain) && !words.iter().any(refers);
    text.get(first.start..last.end).filter(|_| tells)
}

fn opens(token: &Token<'_>) -> bool {
    token.has(Concept::Dest) || token.has(Concept::Append) && token.verb().is_none()
}

fn is_end(token: &Token<'_>) -> bool {
    [".", "!", ","].iter().any(|mark| token.is_mark(mark))
}

/// `in it`, `to the file`, `there`, and nothing behind it.
fn is_pointer(tokens: &[Token<'_>]) -> bool {
    let says = |t: &Token<'_>| opens(t) || t.has(Concept::There) || !t.has(Concept::Vague);
    let aside = |t: &&Token<'_>| !is_end(t) && says(t) && !t.has(Concept::And);
    let words: Vec<&Token<'_>> = tokens.iter().filter(aside).collect();
    match words.as_slice() {
        // `put milk at the end`
        [there] => there.has(Concept::There) || there.has(Concept::Append),
        [to, it] => opens(to) && (it.has(Concept::Pronoun) || it.has(Concept::File)),
        [to, that, file] => opens(to) && that.has(Concept::That) && file.has(Concept::File),
        _ => false,
    }
}

/// The verb that what is dictated stands before.
fn dictates(token: &Token<'_>) -> bool {
    let writes = token.has(Concept::Write) || token.has(Concept::Add);
    // The first word of `한 줄 추가` describes nothing.
    let line = token.has(Concept::Append) && token.text.chars().count() == 1;
    writes && (line || !token.attributive) && token.is_korean()
}

/// Says how, or how much, and nothing of what: `좀`, `한 줄 더`.
fn is_aside(token: &Token<'_>) -> bool {
    let word = token.is_word() && !token.concepts.is_empty();
    let aside =
        [Concept::Vague, Concept::Append, Concept::Then, Concept::New, Concept::Add, Concept::Too];
    word && token.concepts.iter().all(|concept| aside.contains(concept))
}

/// Belongs to the place: its particle, `파일 하나 만들어서`, `거기다`.
fn is_frame(token: &Token<'_>) -> bool {
    let frame = [Concept::File, Concept::Create, Concept::There, Concept::Pronoun, Concept::That];
    token.has_any(&frame)
        || token.has_any(&[Concept::Overwrite, Concept::Both])
        || token.is_mark(",")
        || (token.attached && token.is_word() && token.is_ending())
}

fn is_number(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    token.is_numeral() || lexicon.numbers.contains_key(token.text)
}

/// A word that no lexicon knows, or what joins two of them.
fn is_name(token: &Token<'_>) -> bool {
    // `밥`, `bye`: what greets may be written, too.
    let named = token.is_nameless() || token.concepts.iter().all(|c| *c == Concept::Greet);
    let unknown = token.is_word() && named && !token.attributive && !token.has(Concept::Computed);
    let attached = || token.attached && token.is_ending();
    let boxed = ["-", "[", "]", "*"].iter().any(|mark| token.is_mark(mark));
    unknown || boxed || token.is_mark(",") || token.has(Concept::And) || attached()
}

/// How it is to be written, or of what kind it is, and not what: `짧게`, `정리해서`, `장 볼거`.
fn describes(lexicon: &Lexicon, last: &Token<'_>) -> bool {
    let ends = |ending: &String| last.text.ends_with(ending.as_str());
    let long = last.text.chars().count() > STEM_CHARS_MIN;
    let kind = last.is(Part::Errand) || last.ends(Part::Thing) && last.is_korean();
    kind || last.ends(Part::Manner) || long && lexicon.connectives.iter().any(ends)
}

/// `빵을`, `대파도`; not `가을` and `포도`.
pub(crate) fn without_particle<'t>(lexicon: &Lexicon, text: &'t str) -> &'t str {
    if let Some(stem) = lexicon.parts.stem(Part::Also, text) {
        let word = stem.rsplit(char::is_whitespace).next().unwrap_or(stem);
        return if word.chars().count() < STEM_CHARS_MIN { text } else { stem };
    }
    let Some(stem) = lexicon.parts.stem(Part::Object, text) else { return text };
    let syllable = |c: Option<char>| c.and_then(Syllable::of);
    let particle = syllable(text.get(stem.len()..).and_then(|particle| particle.chars().next()));
    let before = syllable(stem.chars().next_back());
    // Behind a consonant stands the one that begins with none.
    let fits = |(particle, before): (Syllable, Syllable)| particle.is_open() == (before.last != 0);
    if particle.zip(before).is_some_and(fits) { stem } else { text }
}

#[cfg(test)]
mod tests;
