//! The tokens of an utterance as names are read in them.

use crate::{
    concept::Concept,
    hangul::sound,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// What separates the words of a name.
pub(super) const SEPARATORS: [char; 3] = ['-', '_', '.'];
/// Marks that make one name of the words on both sides.
const JOINERS: [&str; 6] = ["-", ".", "@", "/", "\\", "#"];

pub(super) struct Spelt {
    pub(super) lower: String,
    /// As long as it is written.
    pub(super) heard: String,
}

/// The tokens as names are read in them.
pub(crate) struct Words<'a, 't> {
    pub(super) lexicon: &'a Lexicon,
    pub(super) tokens: &'a [Token<'t>],
    pub(super) spelt: Vec<Spelt>,
    /// What fields are called: a word of these is no slip of another name.
    pub(super) fields: BTreeSet<&'a str>,
}

impl<'a, 't> Words<'a, 't> {
    pub(crate) fn new(lexicon: &'a Lexicon, tokens: &'a [Token<'t>]) -> Self {
        let spelt = |token: &Token<'_>| {
            let lower = lower(token);
            Spelt { heard: sound(&lower), lower }
        };
        let spelt = tokens.iter().map(spelt).collect();
        Self { lexicon, tokens, spelt, fields: BTreeSet::new() }
    }

    pub(crate) fn knowing(self, fields: impl Iterator<Item = &'a str>) -> Self {
        Self { fields: fields.collect(), ..self }
    }

    pub(super) fn token(&self, at: usize) -> Option<&'a Token<'t>> {
        self.tokens.get(at)
    }
    pub(super) fn attached(&self, at: usize) -> Option<&'a Token<'t>> {
        self.token(at).filter(|token| token.attached)
    }

    pub(super) fn is_hyphen(&self, at: usize) -> bool {
        self.attached(at).is_some_and(|token| token.text.chars().all(|c| SEPARATORS.contains(&c)))
    }
    /// An article, or a particle behind a word of another script.
    pub(super) fn is_between(&self, at: usize) -> bool {
        let Some(token) = self.token(at).filter(|token| token.is_word()) else { return false };
        let particle = || token.is_particle();
        // `create a new order`
        let new = token.has(Concept::New) && token.text.is_ascii();
        token.has(Concept::Vague) || new || particle()
    }

    /// Not a part of a longer name, such as `skymall-dev` or `스카이몰API`.
    pub(super) fn stands_alone(&self, from: usize, to: usize) -> bool {
        let glued = self.attached(from).and_then(|_| self.token(from.checked_sub(1)?));
        let before = match glued {
            Some(token) if token.is_word() => false,
            Some(token) if is_joiner(token) => {
                let behind = from.checked_sub(2).and_then(|at| self.token(at));
                !(self.attached(from - 1).is_some() && behind.is_some_and(is_latin))
            }
            Some(_) | None => true,
        };
        let after = match self.attached(to) {
            Some(token) if token.is_word() => !is_latin(token) && token.sticks(),
            Some(token) if is_joiner(token) => !self.attached(to + 1).is_some_and(is_latin),
            Some(_) | None => true,
        };
        before && after
    }
}

/// Quoted text is never read.
fn lower(token: &Token<'_>) -> String {
    match token.kind {
        TokenKind::Word | TokenKind::Mark => {
            token.text.to_lowercase().replace('’', "'").replace('_', "")
        }
        TokenKind::Path | TokenKind::LoosePath | TokenKind::Url => {
            token.text.to_lowercase().replace(SEPARATORS, "")
        }
        TokenKind::Quoted
        | TokenKind::Code
        | TokenKind::Json
        | TokenKind::System
        | TokenKind::Operation
        | TokenKind::Dropped => String::new(),
    }
}

fn is_joiner(token: &Token<'_>) -> bool {
    JOINERS.iter().any(|mark| token.is_mark(mark))
}

fn is_latin(token: &Token<'_>) -> bool {
    token.is_word() && !token.is_korean()
}
