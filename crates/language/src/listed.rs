//! The list of a system that is meant where none of its operations is named: the one whose rows hold
//! what is said of them (`skymall 전자제품 보여줘`, `average price of books in skymall`).

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    morph,
    rows::Rows,
    select,
    token::{Token, TokenKind},
    tokenizer,
};
use wiiiv_domain::{HttpMethod, Operation, System};

/// What a stage of an expression begins a field with.
const FIELD: &str = "(.";

/// The only one, by its place among the operations, where each word of its own is read: what is not
/// may as well say what is to be listed (`식품 인기 있는 거`).
pub(crate) fn only(lexicon: &Lexicon, system: &System, tokens: &[Token<'_>]) -> Option<usize> {
    let meant = meant(lexicon, system, tokens);
    let [nth] = meant.as_slice() else { return None };
    let rows = Rows::with(lexicon, system.operations.get(*nth)?.fields.iter());
    let said = select::select(lexicon, &rows, tokens).said;
    let unread = |(at, token): (usize, &Token<'_>)| {
        let letters = token.text.starts_with(char::is_alphabetic);
        let korean = token.text.starts_with(is_hangul);
        let ends = morph::is_endings(lexicon, token.text);
        let particle = token.attached && morph::is_after_name(lexicon, token.text);
        let own = token.is_word() && token.is_nameless() && letters && korean;
        own && !said.contains(&at) && !ends && !particle
    };
    (!tokens.iter().enumerate().any(unread)).then_some(*nth)
}

/// Those that it may be, where it is clear of several; `show me everything under 20000`.
#[must_use]
pub fn lists<'s>(lexicon: &Lexicon, system: &'s System, text: &str) -> Vec<&'s Operation> {
    let tokens = tokenizer::tokens(lexicon, text);
    let meant = meant(lexicon, system, &tokens).into_iter();
    meant.filter_map(|nth| system.operations.get(nth)).collect()
}

/// Whose rows hold the most of what is said; none where no field of any is spoken of.
fn meant(lexicon: &Lexicon, system: &System, tokens: &[Token<'_>]) -> Vec<usize> {
    if !is_open(tokens) {
        return Vec::new();
    }
    let list = |operation: &Operation| {
        operation.method == HttpMethod::Get && !operation.path.contains('{')
    };
    let lists = system.operations.iter().enumerate().filter(|(_, operation)| list(operation));
    let held: Vec<(usize, usize)> =
        lists.filter_map(|(nth, o)| Some((nth, held(lexicon, o, tokens)?))).collect();
    let most = held.iter().map(|(_, count)| *count).max();
    held.into_iter().filter(|(_, count)| Some(*count) == most).map(|(nth, _)| nth).collect()
}

/// How many tokens say which of its rows are meant, or in which order, by a field of theirs.
fn held(lexicon: &Lexicon, operation: &Operation, tokens: &[Token<'_>]) -> Option<usize> {
    let rows = Rows::with(lexicon, operation.fields.iter());
    let selection = select::select(lexicon, &rows, tokens);
    let staged = selection.stages.iter().any(|stage| stage.contains(FIELD));
    let clear = selection.unread.is_none() && !selection.is_written && !rows.is_unknown();
    let holds = clear && (staged || !selection.conditions.is_empty());
    holds.then_some(selection.said.len())
}

/// Something is to be seen or kept, and nothing to be changed or sent.
fn is_open(tokens: &[Token<'_>]) -> bool {
    let keeps = [Concept::Save, Concept::Write];
    let changes = |token: &Token<'_>| {
        token.verb().is_some_and(|verb| verb.changes() && !keeps.contains(&verb))
    };
    let given = |token: &Token<'_>| token.is_entity() && token.kind != TokenKind::Path;
    !tokens.iter().any(|token| changes(token) || given(token))
}
