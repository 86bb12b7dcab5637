//! One word of a text that waits to be written, for another: `대파 말고 양파`, `onion instead of
//! leek`, `replace leek with onion`.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// The known text with the other word; `None` where nothing is swapped, or where the word does not
/// stand in it just once.
pub(crate) fn swapped(
    lexicon: &Lexicon,
    known: &str,
    text: &str,
    tokens: &[Token<'_>],
) -> Option<String> {
    let (old, new) = pair(lexicon, text, tokens)?;
    (known.matches(old).count() == 1).then(|| known.replacen(old, new, 1))
}

fn pair<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<(&'t str, &'t str)> {
    let at = |concept: Concept| tokens.iter().position(|token| token.has(concept));
    let word = |at: usize| tokens.get(at).filter(|token| names(token));
    if let Some(not) = at(Concept::NotThis).filter(|not| is_korean(tokens, *not)) {
        let old = word(not.checked_sub(1)?)?;
        let new = run(lexicon, text, tokens.get(not + 1..)?)?;
        return Some((stem(lexicon, old.text), new));
    }
    if let Some(unlike) = at(Concept::Unlike) {
        let behind = tokens.iter().skip(unlike + 1).find(|token| !token.has(Concept::Vague))?;
        let new = word(unlike.checked_sub(1)?)?;
        return names(behind).then_some((behind.text, new.text));
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

fn is_korean(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.text.starts_with(is_hangul))
}

/// A word that no lexicon knows, also where it has been taken back.
fn names(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Word | TokenKind::Dropped) && token.is_nameless()
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
