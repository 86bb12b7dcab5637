//! Where a text ends that Korean quotes: `회의 3시라고`, `old.txt 지우라고`.

use crate::{hangul::Syllable, lexicon::Lexicon, morph, token::Token};

/// Ends what somebody is told to do, before what quotes it.
const TOLD: &str = "라";
/// Quotes that, and a name that ends in a vowel.
const QUOTE: &str = "라고";
/// Ends the stem of a verb, and no name: `적으라고`, `청소하라고`.
const STEMS: [char; 2] = ['으', '하'];

/// Makes a noun of a verb: `지우기라고`.
const DOING: char = '기';

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
    let told = quote == QUOTE && is_stem(lexicon, stem, first);
    Some(stem.len() + if told { TOLD.len() } else { 0 })
}

/// Of a verb, `first`: nothing is said before it: `지우`, `적으`, and `사` behind what is to be bought.
fn is_stem(lexicon: &Lexicon, stem: &str, first: bool) -> bool {
    let letters = stem.chars().count();
    let open = |c: char| Syllable::of(c).is_some_and(|syllable| syllable.last == 0);
    let known = || {
        let verb = morph::concepts(lexicon, stem).into_iter().any(|concept| concept.is_verb());
        verb && !lexicon.is_listed(stem)
    };
    let ends = || letters > 1 && stem.ends_with(STEMS);
    stem.ends_with(open) && !stem.ends_with(DOING) && (known() || ends() || letters == 1 && !first)
}
