//! One word of a text that waits to be written, for another: `대파 말고 양파`, `onion instead of
//! leek`, `replace leek with onion`.

use crate::{
    character::{is_hangul, is_word},
    concept::Concept,
    hangul::{Syllable, last, vowel},
    kin::{self, stem},
    lexicon::Lexicon,
    morph,
    part::Part,
    reading::Situation,
    signal::Whole,
    token::{Token, TokenKind},
};
use wiiiv_domain::SlotName;

/// Between what there is and what it becomes.
const ARROWS: [&str; 5] = ["->", "-->", "=>", "→", "⇒"];
/// The first sound of `로`.
const LIQUID: u32 = 5;

/// The known text with the other word; `None` where nothing is swapped, or where the word does not
/// stand in it just once.
pub(crate) fn swapped(
    lexicon: &Lexicon,
    known: &str,
    text: &str,
    tokens: &[Token<'_>],
) -> Option<String> {
    if let Some(new) = instead_of_it(lexicon, text, tokens) {
        // Of a text of one word that is clear.
        return (!known.contains(char::is_whitespace)).then(|| new.to_owned());
    }
    let Some((old, new)) = pair(lexicon, text, tokens) else {
        return kin(lexicon, known, text, tokens);
    };
    if !known.contains(old) {
        // `시간을 8시로 바꿔`, `change the time to 8`
        let measured = lexicon.parts.is(Part::Measured, &old.to_lowercase());
        let part = || kin(lexicon, known, text, tokens);
        return if measured { kin::renewed(lexicon, known, new) } else { part() };
    }
    // `금요일까지` with `목요일까지로`: the particle stands there already.
    let behind = known.split_once(old).map_or("", |(_, behind)| behind);
    let twice = |tail: &&String| behind.starts_with(tail.as_str()) && new.ends_with(tail.as_str());
    let twice = lexicon.particles.iter().find(twice).filter(|_| old.ends_with(is_hangul));
    let new = twice.and_then(|tail| new.strip_suffix(tail.as_str())).unwrap_or(new);
    (known.matches(old).count() == 1).then(|| known.replacen(old, new, 1))
}

/// `그거 말고 우유로`
fn instead_of_it<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<&'t str> {
    let not = tokens.iter().position(|token| token.has(Concept::NotThis))?;
    let it = tokens.get(not.checked_sub(1)?)?;
    let points = morph::concepts(lexicon, it.text).contains(&Concept::Pronoun);
    let points = points && is_korean(tokens, not);
    run(lexicon, text, tokens.get(not + 1..)?).filter(|_| points)
}

/// Without what says that it is to be so: `배로`, `배야`, `빵이에요`; also of one syllable.
fn plain<'t>(lexicon: &Lexicon, new: &'t str) -> &'t str {
    let fits = |stem: &str| {
        let ending = new.get(stem.len()..).and_then(|ending| ending.chars().next());
        let (ending, before) = (ending.and_then(Syllable::of), stem.chars().next_back());
        let Some((ending, before)) = ending.zip(before.and_then(Syllable::of)) else {
            return false;
        };
        // `빵으로` and `빵이야`, `물로`, `배로` and `배야`
        let joins = ending.is_open() && [vowel::EU, vowel::I].contains(&ending.vowel);
        let liquid = before.last == last::L && ending.lead == LIQUID;
        joins == (before.last != 0) || liquid || ending.last == last::B
    };
    let whole = lexicon.parts.is(Part::Itself, new);
    let stem = lexicon.parts.stem(Part::Toward | Part::Saying, new).filter(|_| !whole);
    stem.filter(|stem| fits(stem))
        .unwrap_or_else(|| if whole { new } else { kin::stem(lexicon, new) })
}

/// `휴지 말고` of a text with that word denies no verb, whatever it ends in.
pub(crate) fn name_again(lexicon: &Lexicon, tokens: &mut [Token<'_>], situation: &Situation) {
    let known = situation.known.get(SlotName::CONTENT).filter(|_| situation.is_confirming());
    let stands = |word: &str| {
        let mut words = known.into_iter().flat_map(|known| known.split(|c: char| !is_word(c)));
        words.any(|own| own == word)
    };
    for at in 1..tokens.len() {
        let Some([old, not]) = tokens.get_mut(at - 1..=at) else { continue };
        if not.has(Concept::Negate) && old.is_word() && stands(old.text) {
            let own = morph::concepts(lexicon, not.text);
            if own.contains(&Concept::NotThis) {
                not.concepts = own;
            }
        }
    }
}

fn pair<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<(&'t str, &'t str)> {
    let at = |concept: Concept| tokens.iter().position(|token| token.has(concept));
    let word = |at: usize| tokens.get(at).filter(|token| names(token));
    if let Some(not) = at(Concept::NotThis).filter(|not| is_korean(tokens, *not)) {
        word(not.checked_sub(1)?)?;
        let old = written_in_one(text, tokens, not - 1)?;
        let new = run(lexicon, text, tokens.get(not + 1..)?)?;
        return Some((stem(lexicon, old), new));
    }
    if let Some(unlike) = at(Concept::Unlike) {
        let behind = tokens.iter().skip(unlike + 1).find(|token| !token.has(Concept::Vague))?;
        let new = word(unlike.checked_sub(1)?)?;
        return names(behind).then_some((behind.text, new.text));
    }
    if let Some(pair) = arrow(lexicon, text, tokens) {
        return Some(pair);
    }
    let change = tokens.iter().position(|t| t.has(Concept::Change) || t.has(Concept::Edit))?;
    // `대파를 양파로 바꿔줘`
    if is_korean(tokens, change) {
        let (new, old) = before(text, tokens, change)?;
        return Some((stem(lexicon, old), plain(lexicon, new)));
    }
    let to = tokens
        .iter()
        .skip(change + 2)
        .position(|t| t.has(Concept::Dest) || t.has(Concept::Holding));
    let to = to? + change + 2;
    let said = tokens.get(change + 1..to)?;
    let measured = said.last().filter(|t| t.is(Part::Measured)).map(|t| t.text);
    let old = measured.or_else(|| run(lexicon, text, said))?;
    Some((old, run(lexicon, text, tokens.get(to + 1..)?)?))
}

/// `hello -> bye`
fn arrow<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<(&'t str, &'t str)> {
    let mark = |t: &Token<'_>| t.kind == TokenKind::Mark;
    let first = tokens.iter().position(mark).filter(|at| *at > 0)?;
    let marks = tokens.iter().skip(first).take_while(|t| mark(t)).count();
    let drawn: String = tokens.iter().skip(first).take(marks).map(|t| t.text).collect();
    let old = tokens.get(..first)?;
    let plain = ARROWS.contains(&drawn.as_str()) && old.iter().all(names);
    let old = text.get(old.first()?.start..old.last()?.end).filter(|_| plain)?;
    Some((old, run(lexicon, text, tokens.get(first + marks..)?)?))
}

/// `i meant tuesday`, `아니 4시`: what is left without the words that only turn to it.
fn kin(lexicon: &Lexicon, known: &str, text: &str, tokens: &[Token<'_>]) -> Option<String> {
    let turned = turns(lexicon, tokens);
    let tokens = undenied(lexicon, known, text, tokens).filter(|said| !postpones(lexicon, said))?;
    let aside = [Concept::Vague, Concept::Correct, Concept::Change, Concept::Edit];
    let more = [Concept::Pronoun, Concept::Negate, Concept::Content, Concept::Unlike];
    let says = |t: &&Token<'_>| {
        let light = aside.iter().chain(&more).any(|concept| t.has(*concept));
        let light =
            light && !kin::is_half(lexicon, t.text) && !kin::is_part(lexicon, known, t.text);
        let hesitates = lexicon.hesitations.contains(&t.text.to_lowercase());
        !matches!(t.kind, TokenKind::Mark | TokenKind::Dropped) && !light && !hesitates
    };
    let said: Vec<&Token<'_>> = tokens.iter().filter(says).collect();
    let (first, last) = (said.first()?, said.last()?);
    let said = text.get(first.start..last.end)?;
    let other = || kin::by_one_word(lexicon, known, said).filter(|_| turned);
    kin::renewed(lexicon, known, said).or_else(other)
}

/// What is said behind a no, and behind what is not to stay (`not monday, tuesday`); `None` where it says
/// what it is not to become: `not on tuesday`, `8시 말고`.
fn undenied<'a, 't>(
    lexicon: &Lexicon,
    known: &str,
    text: &str,
    tokens: &'a [Token<'t>],
) -> Option<&'a [Token<'t>]> {
    let not = [Concept::Negate, Concept::NotThis, Concept::Unlike, Concept::Except];
    let no = |t: &Token<'_>| {
        let wholes = lexicon.bare.closed.get(&Whole::key(t.text));
        t.has(Concept::Correct) || wholes.is_some_and(|wholes| wholes.contains(&Whole::Deny))
    };
    let denies = |t: &Token<'_>| not.into_iter().any(|concept| t.has(concept));
    let opens = tokens.first().is_some_and(|t| no(t) && !t.has(Concept::Unlike));
    let alone = tokens.get(1).is_some_and(|t| t.kind == TokenKind::Mark);
    let korean = tokens.first().is_some_and(|t| t.text.starts_with(is_hangul));
    let opens = opens && (alone || korean || !tokens.first().is_some_and(denies));
    let tokens = tokens.get(usize::from(opens)..)?;
    let Some(at) = tokens.iter().position(denies) else { return Some(tokens) };
    let comma = at + 1 + tokens.get(at + 1..)?.iter().position(|t| t.is_mark(","))?;
    let (first, last) = (tokens.get(at + 1)?, tokens.get(comma - 1)?);
    let old =
        text.get(first.start..last.end).filter(|_| comma > at + 1 && !is_korean(tokens, at))?;
    let rest = tokens.get(comma + 1..)?;
    (known.contains(old) && !rest.iter().any(denies)).then_some(rest)
}

/// `8시에 다시 할게`, `저녁에 할래`: when somebody comes back to it; not `8시로 할게`.
fn postpones(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let mut words = tokens.iter().filter(|t| t.is_word());
    let toward = words.clone().any(|t| t.ends(Part::Toward) && t.text.ends_with(is_hangul));
    let again = words.clone().skip(1).any(|t| t.is(Part::Again) && t.text.ends_with(is_hangul));
    let intends = words.next_back().is_some_and(|word| {
        let stem = lexicon.parts.stem(Part::Intending, word.text).unwrap_or_default();
        stem.chars().next_back().and_then(Syllable::of).is_some_and(|s| s.last == last::L)
    });
    !toward && (again || intends)
}

/// `no, ..`, `아니 ..`, and nothing is to be done to a file.
fn turns(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let denies = |t: &Token<'_>| {
        let wholes = lexicon.bare.closed.get(&Whole::key(t.text));
        wholes.is_some_and(|wholes| wholes.contains(&Whole::Deny)) || t.has(Concept::Correct)
    };
    let acts = |t: &Token<'_>| t.is_entity() || t.has(Concept::Delete) || t.is_mark("?");
    tokens.first().is_some_and(denies) && !tokens.iter().any(acts)
}

/// The two written words before it, the nearer first: each with what is written into one with it.
fn before<'t>(text: &'t str, tokens: &[Token<'t>], at: usize) -> Option<(&'t str, &'t str)> {
    let written = |end: usize| {
        let last = end.checked_sub(1)?;
        let from = (0..=last).rev().find(|at| tokens.get(*at).is_some_and(|t| !t.attached))?;
        let words = tokens.get(from..end)?;
        let plain = words.iter().all(|t| names(t) || t.attached && t.is_word());
        let text = text.get(words.first()?.start..words.last()?.end);
        text.filter(|_| plain && words.first().is_some_and(names)).map(|text| (from, text))
    };
    let (from, new) = written(at)?;
    Some((new, written(from)?.1))
}

/// A word and what it is written into one with: `3시`.
fn written_in_one<'t>(text: &'t str, tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    let last = tokens.get(at)?;
    let number = at.checked_sub(1).and_then(|before| tokens.get(before));
    let number = number.filter(|_| last.attached);
    let number = number.filter(|t| t.text.chars().all(|c| c.is_ascii_digit()));
    text.get(number.unwrap_or(last).start..last.end)
}

fn is_korean(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.text.starts_with(is_hangul))
}

/// A word that no lexicon knows, also where it has been taken back.
fn names(token: &Token<'_>) -> bool {
    // `change hello to goodbye`
    let plain = token.is_nameless() || token.has(Concept::Greet);
    matches!(token.kind, TokenKind::Word | TokenKind::Dropped) && plain
}

fn run<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<&'t str> {
    let words = tokens.iter().take_while(|token| names(token)).count();
    let rest = tokens.get(words..)?;
    let closes = |t: &Token<'_>| t.kind == TokenKind::Mark && !t.is_mark("?") || !t.is_nameless();
    let words = tokens.get(..words).filter(|_| rest.iter().all(closes))?;
    text.get(words.first()?.start..words.last()?.end).map(|said| plain(lexicon, said))
}
