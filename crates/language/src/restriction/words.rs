//! What is said beside rows, as the readers of it ask.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    rows::Rows,
    signs::Signs,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// How large, dear or new something is.
const MEASURES: [Concept; 13] = [
    Concept::Under,
    Concept::AtMost,
    Concept::Over,
    Concept::AtLeast,
    Concept::Equal,
    Concept::Most,
    Concept::Least,
    Concept::Expensive,
    Concept::Cheap,
    Concept::Highest,
    Concept::Lowest,
    Concept::First,
    Concept::New,
];

pub(crate) struct Restriction<'a, 't> {
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) tokens: &'a [Token<'t>],
    pub(crate) rows: &'a Rows,
    pub(crate) signs: &'a Signs,
    /// Ids of the operations that are meant.
    pub(crate) operations: &'a str,
    /// Tokens that the selection is made of.
    pub(crate) read: &'a BTreeSet<usize>,
    /// There is a task that it may change.
    pub(crate) revises: bool,
}

pub(super) const fn is_name(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::System | TokenKind::Operation)
}

impl<'t> Restriction<'_, 't> {
    pub(super) fn token(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        at.checked_sub(1)
    }
    pub(super) fn is(&self, at: usize, kind: TokenKind) -> bool {
        self.token(at).is_some_and(|token| token.kind == kind)
    }
    pub(super) fn has(&self, at: usize, concept: Concept) -> bool {
        self.token(at).is_some_and(|token| token.has(concept))
    }
    pub(super) fn is_read(&self, at: usize) -> bool {
        self.read.contains(&at)
    }
    pub(super) fn measures(&self, at: usize) -> bool {
        MEASURES.into_iter().any(|concept| self.has(at, concept))
    }
    /// The first word of an operation's label.
    pub(super) fn begins_label(&self, at: usize) -> bool {
        let label = |at: usize| self.is(at, TokenKind::Operation);
        label(at) && !self.before(at).is_some_and(label)
    }
    /// Korean letters that no lexicon knows, or others.
    pub(super) fn is_unknown(&self, at: usize, korean: bool) -> bool {
        self.token(at).is_some_and(|token| {
            let script = token.is_korean() == korean;
            let letters = token.text.starts_with(char::is_alphabetic);
            // `어 skymall 상품 ..`
            let hesitates = at == 0 && self.lexicon.hesitations.contains(token.text);
            let unknown = token.is_nameless() || token.mended;
            let folder = self.has(at + 1, Concept::Folder) || token.has(Concept::Folder);
            token.is_word() && script && letters && unknown && !hesitates && !folder
        })
    }
}
