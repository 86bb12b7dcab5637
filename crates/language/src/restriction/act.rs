//! Verbs that change something, said of an operation that only reads: `skymall 회원 탈퇴시켜줘`,
//! `add a product to skymall`. What lists rows, or keeps them in a file, changes nothing.

use super::words::{Restriction, is_name};
use crate::{concept::Concept, morph, token::Token};

/// What a system is told to do, and no more than to show something.
const ACTS: [Concept; 5] =
    [Concept::Add, Concept::Send, Concept::Edit, Concept::Create, Concept::Alter];
/// Makes a file of what was read.
const KEEPS: [Concept; 3] = [Concept::Send, Concept::Create, Concept::Edit];

/// Changes nothing, whatever it is said of.
const LOOKS: [Concept; 2] = [Concept::Read, Concept::Get];
/// The longest of their forms, in characters.
const LOOK_CHARS_MAX: usize = 10;

pub(super) fn acts(said: &Restriction<'_, '_>, at: usize) -> bool {
    if said.has(at, Concept::Cancel) {
        return true;
    }
    let Some(token) = said.token(at) else { return false };
    // `주문 넣어줘`: a phrase whose first word became a label.
    let own = || morph::concepts(said.lexicon, token.text);
    let labelled = token.is_word() && said.before(at).is_some_and(|at| said.begins_label(at));
    let own = if labelled { &own() | &token.concepts } else { token.concepts.clone() };
    let changes = ACTS.into_iter().any(|concept| own.contains(&concept));
    let whole = !said.operations.is_empty();
    // `전자제품으로 바꿔줘` of what is being done.
    let revises = said.revises && token.has(Concept::Change);
    whole && !revises && (is_unknown_verb(said, at) || (changes && !shows(said, at)))
}

/// Something is taken away or called off, said of an operation that puts something there.
pub(crate) fn takes_away(tokens: &[Token<'_>]) -> Option<usize> {
    let away = [Concept::Delete, Concept::Cancel];
    tokens.iter().position(|token| token.has_any(&away))
}

/// What is asked for is a list, or a file that holds it.
fn shows(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.token(at) else { return false };
    let keeps = token.has_any(&KEEPS);
    let kept = |token: &Token<'_>| token.has(Concept::Save) || token.has(Concept::Write);
    let file = said.tokens.iter().any(Token::is_path) && !said.tokens.iter().any(kept);
    let makes = token.has(Concept::Create) || token.has(Concept::Send);
    (keeps && (file || kept(token))) || (makes && said.tokens.iter().any(|t| is_list(said, t)))
}

/// `주문 목록`, `a list of`, also as a part of a label.
fn is_list(said: &Restriction<'_, '_>, token: &Token<'_>) -> bool {
    let lists = |word: &str| said.lexicon.form(word).is_some_and(|f| f.contains(&Concept::Listing));
    let word = token.is_word() || is_name(token);
    token.has(Concept::Listing) || (word && lists(&token.text.to_lowercase()))
}

/// `명단좀보여주세요`: what is asked for is to see it, stuck to a word that nobody knows.
pub(super) fn ends_in_a_look(said: &Restriction<'_, '_>, token: &Token<'_>) -> bool {
    let from = token.text.chars().count().saturating_sub(LOOK_CHARS_MAX).max(1);
    let mut ends = token.text.char_indices().skip(from).filter_map(|(at, _)| token.text.get(at..));
    let looks = |end: &str| {
        let known = morph::concepts(said.lexicon, end);
        let told = if known.is_empty() { morph::heard(said.lexicon, end) } else { known };
        LOOKS.into_iter().any(|concept| told.contains(&concept))
    };
    ends.any(looks)
}

/// Something is asked for that no word list knows: `상품 할인해줘`, `ship order 5001`.
fn is_unknown_verb(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.token(at) else { return false };
    let unknown = token.is_word() && token.concepts.is_empty() && !said.is_read(at);
    if token.is_korean() {
        return unknown && said.lexicon.requests_in(token.text) && !ends_in_a_look(said, token);
    }
    let led = || said.tokens.iter().any(|token| token.verb().is_some());
    unknown && at == 0 && token.text.starts_with(char::is_alphabetic) && !led()
}
