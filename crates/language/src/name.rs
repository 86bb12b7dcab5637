//! Names that projects register, found among the tokens of an utterance.
//!
//! A name is matched word for word, letter case, spaces and hyphens aside, with what may stick to
//! its words: `스카이몰의`, `상품의 목록을`, `purchase orders`.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    morph,
    token::{Token, TokenKind},
};
use std::collections::BTreeMap;

/// Articles and particles that may stand between the words of one name.
const SKIPPED_TOKENS_MAX: usize = 2;
/// What separates the words of a name.
const SEPARATORS: [char; 3] = ['-', '_', '.'];
/// Marks that make one name of the words on both sides.
const JOINERS: [&str; 6] = ["-", ".", "@", "/", "\\", "#"];

pub(crate) struct Name {
    /// Lower case, without what separates its words.
    text: String,
    /// Byte places in the text where a word ends.
    ends: Vec<usize>,
    /// Only where it is written in one.
    in_one: bool,
}

impl Name {
    /// What people say.
    pub(crate) fn spoken(written: &str) -> Self {
        let mut name = Self { text: String::new(), ends: Vec::new(), in_one: false };
        let separates = |c: char| c.is_whitespace() || SEPARATORS.contains(&c);
        for word in written.split(separates).filter(|word| !word.is_empty()) {
            name.text.extend(word.chars().flat_map(char::to_lowercase));
            name.ends.push(name.text.len());
        }
        name
    }

    /// An id is no sentence: `get_product` is not `get the product`.
    pub(crate) fn id(written: &str) -> Self {
        Self { in_one: true, ..Self::spoken(written) }
    }

    /// How far the name is read after this written word, and whether the word stands as it is.
    fn read(&self, lexicon: &Lexicon, word: &str, from: usize) -> Option<(usize, bool)> {
        let mut ends = self.ends.iter().rev().copied().filter(|end| *end > from);
        let fits = |end: &usize| {
            let Some(piece) = self.text.get(from..*end) else { return false };
            fits(lexicon, word, piece) || self.is_done(lexicon, word, piece, *end)
        };
        let whole = ends.find(fits).map(|end| (end, self.text.get(from..end) == Some(word)));
        whole.or_else(|| {
            let rest = self.text.get(from..)?;
            let part = !word.is_empty() && rest.starts_with(word);
            part.then_some((from + word.len(), true))
        })
    }

    /// What several words name may be asked for as a verb: `주문 등록` as `주문 등록해줘`.
    fn is_done(&self, lexicon: &Lexicon, word: &str, piece: &str, end: usize) -> bool {
        let last = self.ends.len() > 1 && end == self.text.len();
        let tail = word.strip_prefix(piece).filter(|_| last);
        tail.is_some_and(|tail| morph::is_endings(lexicon, tail))
    }

    /// What carries the name from here on.
    fn reach(&self, said: &Words<'_, '_>, at: usize) -> Option<Reach> {
        let (mut read, mut next, mut skipped, mut plain) = (0, at, 0, 0);
        while read < self.text.len() {
            let word = said.lower.get(next)?;
            if self.in_one && next > at && said.attached(next).is_none() {
                return None;
            }
            match self.read(said.lexicon, word, read) {
                Some((further, is_plain)) => {
                    read = further;
                    plain += usize::from(is_plain);
                }
                None if !self.ends.contains(&read) => return None,
                None if said.is_hyphen(next) => {}
                None if said.is_between(next) && skipped < SKIPPED_TOKENS_MAX => skipped += 1,
                None => return None,
            }
            next += 1;
        }
        let reach = Reach { tokens: next - at, plain, bytes: self.text.len() };
        (next > at && said.stands_alone(at, next)).then_some(reach)
    }
}

/// How well a name fits: declaration order is what counts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reach {
    tokens: usize,
    /// Words that stand as they are, without an ending.
    plain: usize,
    bytes: usize,
}

/// A word with an ending on one side or the other.
fn fits(lexicon: &Lexicon, word: &str, piece: &str) -> bool {
    let longer = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|tail| morph::is_after_name(lexicon, tail))
    };
    !word.is_empty() && (longer(word, piece) || (piece.is_ascii() && longer(piece, word)))
}

/// The tokens as names are read in them.
pub(crate) struct Words<'a, 't> {
    lexicon: &'a Lexicon,
    tokens: &'a [Token<'t>],
    lower: Vec<String>,
}

impl<'a, 't> Words<'a, 't> {
    pub(crate) fn new(lexicon: &'a Lexicon, tokens: &'a [Token<'t>]) -> Self {
        let lower = tokens.iter().map(lower).collect();
        Self { lexicon, tokens, lower }
    }

    fn token(&self, at: usize) -> Option<&'a Token<'t>> {
        self.tokens.get(at)
    }
    fn attached(&self, at: usize) -> Option<&'a Token<'t>> {
        self.token(at).filter(|token| token.attached)
    }

    fn is_hyphen(&self, at: usize) -> bool {
        self.attached(at).is_some_and(|token| token.text.chars().all(|c| SEPARATORS.contains(&c)))
    }
    /// An article, or a particle behind a word of another script.
    fn is_between(&self, at: usize) -> bool {
        let Some(token) = self.token(at).filter(|token| token.is_word()) else { return false };
        let particle = || token.attached && morph::is_after_name(self.lexicon, token.text);
        token.has(Concept::Vague) || particle()
    }

    /// Not a part of a longer name, such as `skymall-dev` or `스카이몰API`.
    fn stands_alone(&self, from: usize, to: usize) -> bool {
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
            Some(token) if token.is_word() => {
                !is_latin(token) && morph::is_after_name(self.lexicon, token.text)
            }
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
    token.is_word() && !token.text.starts_with(is_hangul)
}

/// A name that was found, and all that are called so.
pub(crate) struct Mention<T> {
    pub(crate) at: usize,
    pub(crate) tokens: usize,
    pub(crate) of: Vec<T>,
}

/// Names by their first character.
pub(crate) struct Names<T>(BTreeMap<char, Vec<(Name, T)>>);

impl<T: Copy + PartialEq> Names<T> {
    pub(crate) fn new(names: impl IntoIterator<Item = (Name, T)>) -> Self {
        let mut all: BTreeMap<char, Vec<(Name, T)>> = BTreeMap::new();
        for (name, of) in names {
            if let Some(first) = name.text.chars().next() {
                all.entry(first).or_default().push((name, of));
            }
        }
        Self(all)
    }

    /// INVARIANT: the name that fits best at a place wins, and no token belongs to two.
    pub(crate) fn mentions(&self, said: &Words<'_, '_>) -> Vec<Mention<T>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < said.tokens.len() {
            let mention = self.at(said, at);
            at += mention.as_ref().map_or(1, |mention| mention.tokens);
            found.extend(mention);
        }
        found
    }

    fn at(&self, said: &Words<'_, '_>, at: usize) -> Option<Mention<T>> {
        let first = said.lower.get(at)?.chars().next()?;
        let mut best: Option<(Reach, Vec<T>)> = None;
        for (name, of) in self.0.get(&first)? {
            let Some(reach) = name.reach(said, at) else { continue };
            match &mut best {
                Some((known, all)) if *known == reach => {
                    if !all.contains(of) {
                        all.push(*of);
                    }
                }
                Some((known, _)) if *known > reach => {}
                Some(_) | None => best = Some((reach, vec![*of])),
            }
        }
        best.map(|(reach, of)| Mention { at, tokens: reach.tokens, of })
    }
}
