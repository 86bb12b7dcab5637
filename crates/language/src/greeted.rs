//! A greeting beside a request: `thanks, show order 5001`, `고마워 주문 목록 보여줘`, `list customers, thanks`.

use crate::{concept::Concept, lexicon::Lexicon, morph, signal::Whole};
use std::ops::Range;

/// `hello there`, `thanks a lot`
const WORDS_MAX: usize = 3;
/// Stand between it and what is asked for.
const MARKS: [char; 9] = [',', '.', '!', '~', '?', ';', '，', '。', '！'];

/// The text without the greeting that opens or closes it; `None` where there is none, or nothing else.
pub(crate) fn beside<'t>(lexicon: &Lexicon, text: &'t str) -> Option<&'t str> {
    let words: Vec<Range<usize>> = words(text).collect();
    let behind = (1..=WORDS_MAX).rev().find_map(|count| {
        let (greeting, rest) = text.split_at(words.get(count - 1)?.end);
        is_greeting(lexicon, greeting).then_some(rest)
    });
    let before = || {
        (1..=WORDS_MAX).rev().find_map(|count| {
            let first = words.len().checked_sub(count)?;
            let (rest, greeting) = text.split_at(words.get(first)?.start);
            is_greeting(lexicon, greeting).then_some(rest)
        })
    };
    let rest = behind.or_else(before)?;
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    let rest = without_joint(lexicon, rest);
    (!rest.is_empty()).then_some(rest)
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let other = |c: char| !c.is_alphanumeric();
    let mut at = 0;
    let pieces = text.split_inclusive(other).map(move |piece| {
        at += piece.len();
        let start = at - piece.len();
        start..start + piece.trim_end_matches(other).len()
    });
    pieces.filter(|word| !word.is_empty())
}

fn is_greeting(lexicon: &Lexicon, words: &str) -> bool {
    let wholes = lexicon.bare.closed.get(&Whole::key(words));
    wholes.is_some_and(|wholes| wholes.contains(&Whole::Greeting))
}

/// `thanks and ..`, `고마워 그리고 ..`
fn without_joint<'t>(lexicon: &Lexicon, rest: &'t str) -> &'t str {
    let Some((first, behind)) = rest.split_once(char::is_whitespace) else { return rest };
    let concepts = morph::concepts(lexicon, &first.to_lowercase());
    if concepts.contains(&Concept::And) { behind.trim_start() } else { rest }
}
