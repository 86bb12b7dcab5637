//! Where a text ends that Korean quotes: `회의 3시라고`, `old.txt 지우라고`.

use crate::{hangul::Syllable, lexicon::Lexicon, morph, part::Part, token::Token};

/// Where the text ends in this token, in bytes of the token.
pub(crate) fn end(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let token = tokens.get(at).filter(|token| token.is_word())?;
    let word = token.text;
    // `우유 사라고`, but not `a.txt에 소라고` and `3시라고`.
    let said = |before: &Token<'_>| before.is_word() && !before.attached;
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let first = token.attached || !before.is_some_and(said);
    let quote = lexicon.quotes.iter().find(|quote| word.ends_with(quote.as_str()))?;
    let stem = word.strip_suffix(quote.as_str())?;
    let told = lexicon.parts.is(Part::Told, quote) && is_stem(lexicon, stem, first);
    // `지우라`: what closes the order is a part of it.
    let order = quote.chars().next().filter(|_| told).map_or(0, char::len_utf8);
    Some(stem.len() + order)
}

/// Of a verb, `first`: nothing is said before it: `지우`, `적으`, and `사` behind what is to be bought.
fn is_stem(lexicon: &Lexicon, stem: &str, first: bool) -> bool {
    let letters = stem.chars().count();
    let open = |c: char| Syllable::of(c).is_some_and(|syllable| syllable.last == 0);
    let known = || {
        let verb = morph::concepts(lexicon, stem).into_iter().any(|concept| concept.is_verb());
        verb && !lexicon.is_listed(stem)
    };
    let ends = || letters > 1 && lexicon.parts.stem(Part::ToldStem, stem).is_some();
    stem.ends_with(open)
        && lexicon.parts.stem(Part::Naming, stem).is_none()
        && (known() || ends() || letters == 1 && !first)
}
