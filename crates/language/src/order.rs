//! What is to be done first and is said last (`delete a.json after you read it`) is asked about.

use crate::{concept::Concept, part::Part, token::Token};

/// `after you have read it`
const WORDS_BEFORE_MAX: usize = 3;

/// Something is to be done, and behind it stands what is to be done before; not `after that`, which is what
/// comes next, nor `after lunch`.
pub(crate) fn is_reversed(tokens: &[Token<'_>]) -> bool {
    let is_after = |t: &Token<'_>| t.is_word() && t.is(Part::After) && !t.has(Concept::Then);
    let Some(at) = tokens.iter().position(is_after) else { return false };
    let (last, first) = tokens.split_at(at);
    let acts = first.iter().skip(1).take(WORDS_BEFORE_MAX + 1).any(Token::leads);
    let entity = |t: &Token<'_>| t.has(Concept::Pronoun) || t.is_entity();
    acts && first.iter().any(entity) && last.iter().any(Token::leads)
}
