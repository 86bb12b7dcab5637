//! The file that was just spoken of is to hold another text as a whole: `replace it with 'x'`,
//! `change it to 'x' instead`. Of a part of it (`replace 'a' with 'x' in it`) that is not said.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    morph,
    part::Part,
    place,
    token::{Token, TokenKind},
};

/// Say nothing of what is replaced.
const LIGHT: [Concept; 4] = [Concept::Vague, Concept::Then, Concept::And, Concept::Wish];

/// Between the verb and the one quoted text stands only what points to it; behind, only that it is meant so.
pub(crate) fn is_renewed(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let changes = |t: &Token<'_>| t.has(Concept::Edit) || t.has(Concept::Change);
    // `change it to 'b.txt'` may be another name.
    let quoted = |t: &Token<'_>| t.kind == TokenKind::Quoted && !place::is_file(lexicon, t.text);
    let Some(verb) = tokens.iter().position(changes) else { return false };
    let Some(text) = tokens.iter().position(quoted).filter(|text| *text > verb) else {
        return false;
    };
    let light = |t: &Token<'_>| t.has_any(&LIGHT);
    let mark = |t: &Token<'_>| t.kind == TokenKind::Mark && !t.is_mark("?");
    // A form of several words has taken its own: `change it to`.
    let it = |t: &Token<'_>| {
        t.is_word() && morph::concepts(lexicon, &t.text.to_lowercase()).contains(&Concept::Pronoun)
    };
    let goes = |t: &Token<'_>| t.has(Concept::Dest) || t.is(Part::With | Part::To);
    let part = |range: std::ops::Range<usize>| tokens.get(range).unwrap_or_default();
    let between = part(verb + 1..text);
    between.iter().any(it)
        && between.iter().all(|t| it(t) || goes(t))
        && part(0..verb).iter().all(|t| light(t) || mark(t))
        && part(text + 1..tokens.len()).iter().all(|t| light(t) || mark(t) || changes(t))
}
