//! Verbs in their past form, in either language.

use crate::{
    hangul::{Syllable, last},
    lexicon::Lexicon,
    part::Part,
    token::Token,
};

/// `지웠대`, `저장했어요`; not `저장했으면`.
pub(crate) fn is_past(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let ends = |c: char| {
        !lexicon.parts.is(Part::Standing, c.encode_utf8(&mut [0; 4]))
            && Syllable::of(c).is_some_and(|syllable| syllable.last == last::SS)
    };
    let past = token.text.char_indices().rfind(|(_, c)| ends(*c));
    let rest = past.and_then(|(at, c)| token.text.get(at + c.len_utf8()..));
    rest.is_some_and(|rest| lexicon.telling.iter().any(|ending| ending == rest))
}

/// `deleted`, `written`: a verb in its past form.
pub(crate) fn is_participle(lexicon: &Lexicon, token: &Token<'_>) -> bool {
    let word = token.text.to_lowercase();
    token.leads()
        && (token.ends(Part::Past) && !lexicon.is_listed(&word) || lexicon.pasts.contains(&word))
}
