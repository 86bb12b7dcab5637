//! One word of a text that waits to be written, for another: `대파 말고 양파`, `onion instead of
//! leek`, `replace leek with onion`.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Between what there is and what it becomes.
const ARROWS: [&str; 5] = ["->", "-->", "=>", "→", "⇒"];

/// The known text with the other word; `None` where nothing is swapped, or where the word does not
/// stand in it just once.
pub(crate) fn swapped(
    lexicon: &Lexicon,
    known: &str,
    text: &str,
    tokens: &[Token<'_>],
) -> Option<String> {
    let Some((old, new)) = pair(lexicon, text, tokens) else {
        return kin(lexicon, known, text, tokens);
    };
    // `금요일까지` with `목요일까지로`: the particle stands there already.
    let behind = known.split_once(old).map_or("", |(_, behind)| behind);
    let twice = |tail: &&String| behind.starts_with(tail.as_str()) && new.ends_with(tail.as_str());
    let twice = lexicon.particles.iter().find(twice).filter(|_| old.ends_with(is_hangul));
    let new = twice.and_then(|tail| new.strip_suffix(tail.as_str())).unwrap_or(new);
    (known.matches(old).count() == 1).then(|| known.replacen(old, new, 1))
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
        let (old, new) = (word(change.checked_sub(2)?)?, word(change.checked_sub(1)?)?);
        return Some((stem(lexicon, old.text), stem(lexicon, new.text)));
    }
    let to = tokens
        .iter()
        .skip(change + 2)
        .position(|t| t.has(Concept::Dest) || t.has(Concept::Holding));
    let to = to? + change + 2;
    let old = run(lexicon, text, tokens.get(change + 1..to)?)?;
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

/// `i meant tuesday`, `아니 4시`: the only word of its kind in what is known gives way to it.
fn kin(lexicon: &Lexicon, known: &str, text: &str, tokens: &[Token<'_>]) -> Option<String> {
    let aside = [Concept::Vague, Concept::Correct, Concept::Change, Concept::Pronoun];
    let aside = [aside.as_slice(), &[Concept::Negate, Concept::Content, Concept::Unlike]].concat();
    let says = |t: &&Token<'_>| {
        let light = aside.iter().any(|concept| t.has(*concept)) && !is_kind(lexicon, t.text);
        let hesitates = lexicon.hesitations.contains(&t.text.to_lowercase());
        !matches!(t.kind, TokenKind::Mark | TokenKind::Dropped) && !light && !hesitates
    };
    let said: Vec<&Token<'_>> = tokens.iter().filter(says).collect();
    let (first, last) = (said.first()?, said.last()?);
    let new = stem(lexicon, text.get(first.start..last.end)?);
    let kind = kind(lexicon, new)?;
    let mut words = pieces(known).filter(|word| !word.eq_ignore_ascii_case(new));
    let mut same = words.by_ref().filter_map(|word| of_kind(lexicon, &kind, word));
    let old = same.next().filter(|_| same.next().is_none())?;
    (known.matches(old).count() == 1).then(|| known.replacen(old, new, 1))
}

/// What a word is one of.
#[derive(PartialEq, Eq)]
enum Kind<'l> {
    /// `monday`, `tuesday`: by the list that it stands in.
    Listed(&'l [String]),
    /// `3시`, `5pm`: a number by what is behind it.
    Counted(String),
}

fn kind<'l>(lexicon: &'l Lexicon, word: &str) -> Option<Kind<'l>> {
    let lower = word.to_lowercase();
    let listed = lexicon.kinds.iter().find(|kind| kind.contains(&lower));
    let counted = || {
        let unit = lower.trim_start_matches(|c: char| c.is_ascii_digit());
        let whole = unit.len() < lower.len() && unit.chars().all(char::is_alphabetic);
        whole.then(|| Kind::Counted(unit.to_owned()))
    };
    listed.map(|kind| Kind::Listed(kind)).or_else(counted)
}

fn is_kind(lexicon: &Lexicon, word: &str) -> bool {
    kind(lexicon, word).is_some()
}

/// The word, or what is left of it without its particle, where it is of this kind.
fn of_kind<'k>(lexicon: &Lexicon, wanted: &Kind<'_>, word: &'k str) -> Option<&'k str> {
    let own = |word: &&str| kind(lexicon, word).as_ref() == Some(wanted);
    Some(word).filter(own).or_else(|| Some(stem(lexicon, word)).filter(own))
}

fn pieces(known: &str) -> impl Iterator<Item = &str> {
    known.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
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
    text.get(words.first()?.start..words.last()?.end).map(|said| stem(lexicon, said))
}

/// Without the particle of what it becomes, or of what is changed.
fn stem<'t>(lexicon: &Lexicon, word: &'t str) -> &'t str {
    let long = |stem: &&str| stem.chars().count() > 1;
    let mut stems =
        lexicon.particles.iter().filter_map(|particle| word.strip_suffix(particle.as_str()));
    stems.find(long).filter(|_| word.ends_with(is_hangul)).unwrap_or(word)
}
