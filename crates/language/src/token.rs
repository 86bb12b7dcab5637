//! Pieces of an utterance, each with its place in the text.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    morph,
    part::{Part, Parts, Played},
};
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// Between quotation marks; never read for words.
    Quoted,
    /// Between backticks.
    Code,
    /// A balanced JSON object or array.
    Json,
    /// With an extension.
    Path,
    /// With a slash and no extension: a path only where something else says so.
    LoosePath,
    Url,
    /// Of a registered system's name or alias.
    System,
    /// Of an operation's id or label.
    Operation,
    Mark,
    /// Said and taken back.
    Dropped,
}

#[derive(Debug, Clone)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    /// Without the quotation marks.
    pub(crate) text: &'t str,
    /// Byte range in the utterance, with the quotation marks.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Nothing stands between this and what is before it.
    pub(crate) attached: bool,
    pub(crate) opens_line: bool,
    pub(crate) concepts: BTreeSet<Concept>,
    played: Played,
    sticks: bool,
    is_ending: bool,
    /// Describes the next word, as `저장하는`.
    pub(crate) attributive: bool,
    /// Read as the form that it seems to be a slip of.
    pub(crate) mended: bool,
    /// A text that is given word for word: no file and no command, whatever it looks like.
    pub(crate) dictated: bool,
}

impl<'t> Token<'t> {
    pub(crate) fn new(
        lexicon: &Lexicon,
        kind: TokenKind,
        text: &'t str,
        (start, end): (usize, usize),
        attached: bool,
    ) -> Self {
        let concepts = BTreeSet::new();
        let played = lexicon.parts.played(&text.to_lowercase());
        let (attributive, mended, dictated, opens_line) = (false, false, false, false);
        let word = kind == TokenKind::Word;
        let sticks = word && morph::is_after_name(lexicon, text);
        let is_ending = word && morph::is_endings(lexicon, text);
        Self {
            kind,
            text,
            start,
            end,
            attached,
            opens_line,
            concepts,
            played,
            sticks,
            is_ending,
            attributive,
            mended,
            dictated,
        }
    }
    /// It was said, and taken back.
    pub(crate) fn drop_it(&mut self) {
        self.kind = TokenKind::Dropped;
        self.concepts.clear();
    }
    /// What leads, if this does.
    pub(crate) fn verb(&self) -> Option<Concept> {
        self.concepts.iter().copied().find(|concept| concept.is_verb())
    }
    /// It leads as no weak verb does.
    pub(crate) fn leads(&self) -> bool {
        self.verb().is_some_and(|verb| !verb.is_weak_verb())
    }
    pub(crate) fn is_korean(&self) -> bool {
        self.text.starts_with(is_hangul)
    }
    pub(crate) fn is_numeral(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }
    /// It may stick to a name: `에서만`.
    pub(crate) const fn sticks(&self) -> bool {
        self.sticks
    }
    /// The same, and it does.
    pub(crate) const fn is_particle(&self) -> bool {
        self.attached && self.sticks
    }
    /// Nothing but endings and particles.
    pub(crate) const fn is_ending(&self) -> bool {
        self.is_ending
    }
    /// A place or a thing that something can be done to.
    pub(crate) const fn is_entity(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Quoted
                | TokenKind::Code
                | TokenKind::Json
                | TokenKind::Path
                | TokenKind::LoosePath
                | TokenKind::Url
        )
    }
    /// It is one of these small words.
    pub(crate) fn is(&self, parts: impl Into<Parts>) -> bool {
        self.played.whole.meets(parts.into())
    }
    pub(crate) fn begins(&self, parts: impl Into<Parts>) -> bool {
        self.played.begins.meets(parts.into())
    }
    pub(crate) fn ends(&self, parts: impl Into<Parts>) -> bool {
        self.played.ends.meets(parts.into())
    }
    pub(crate) fn has(&self, concept: Concept) -> bool {
        self.concepts.contains(&concept)
    }
    pub(crate) fn has_any(&self, of: &[Concept]) -> bool {
        of.iter().any(|concept| self.has(*concept))
    }
    /// It may be a name: what it means matters only where a system is spoken to.
    pub(crate) fn is_nameless(&self) -> bool {
        let says_nothing = |concept: &Concept| {
            matches!(
                concept,
                Concept::Alter
                    | Concept::Listing
                    | Concept::Restore
                    | Concept::Beyond
                    | Concept::Moment
                    | Concept::Period
                    | Concept::Total
                    | Concept::Between
                    | Concept::Remaining
                    | Concept::Folder
                    | Concept::Here
                    | Concept::Condition
                    | Concept::Present
                    | Concept::Keep
                    | Concept::Manner
                    | Concept::Part
                    | Concept::Undone
                    | Concept::Letter
                    | Concept::Too
                    | Concept::Awaiting
                    | Concept::Enter
                    | Concept::Recurring
                    | Concept::Computed
                    | Concept::Relocate
                    | Concept::Title
                    | Concept::Format
                    | Concept::Tell
                    | Concept::Which
                    | Concept::Beforehand
                    | Concept::Inverse
                    | Concept::Mine
            )
        };
        self.concepts.iter().all(says_nothing)
    }
    /// `list`, `rows`: what was shown, and nothing of what it held.
    pub(crate) fn is_listed(&self) -> bool {
        let rows = self.has(Concept::Part) && self.ends(Part::Plural);
        self.is_word() && (rows || self.has(Concept::Listing) || self.has(Concept::Thing))
    }
    pub(crate) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }
    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.kind == TokenKind::Mark && self.text == mark
    }
    /// `=`, `==`
    pub(crate) fn is_equals(&self) -> bool {
        self.is_mark("=") || self.is_mark("==")
    }
    pub(crate) const fn is_path(&self) -> bool {
        matches!(self.kind, TokenKind::Path | TokenKind::LoosePath)
    }
    /// A word that could name a field of JSON.
    pub(crate) fn identifier(&self) -> Option<&'t str> {
        let plain = self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && self.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let unknown = self.is_nameless() || self.mended;
        (self.is_word() && plain && unknown).then_some(self.text)
    }
}
