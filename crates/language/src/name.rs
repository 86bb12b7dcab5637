//! Names that projects register, found among the tokens of an utterance.
//!
//! A name is matched word for word as it is heard, letter case, spaces and hyphens aside, with what
//! may stick to its words: `스카이몰의`, `상품의 목록을`, `purchase orders`, `제고 시스탬`.

mod mistyped;
mod words;

use crate::{hangul::sound, lexicon::Lexicon, morph, part::Part};
use std::collections::BTreeMap;
use words::{SEPARATORS, Spelt};

pub(crate) use words::Words;

/// Articles and particles that may stand between the words of one name.
const SKIPPED_TOKENS_MAX: usize = 2;
/// A shorter name is read only as it is written.
const HEARD_CHARS_MIN: usize = 2;

pub(crate) struct Name {
    /// Lower case, without what separates its words.
    text: String,
    /// As it is heard; as long as the text.
    heard: String,
    /// Byte places in the text where a word ends.
    ends: Vec<usize>,
    /// Only where it is written in one.
    in_one: bool,
}

impl Name {
    /// What people say.
    pub(crate) fn spoken(written: &str) -> Self {
        let (text, heard) = (String::new(), String::new());
        let mut name = Self { text, heard, ends: Vec::new(), in_one: false };
        let separates = |c: char| c.is_whitespace() || SEPARATORS.contains(&c);
        for word in written.split(separates).filter(|word| !word.is_empty()) {
            name.text.extend(word.chars().flat_map(char::to_lowercase));
            name.ends.push(name.text.len());
        }
        name.heard = sound(&name.text);
        name
    }

    /// Words of it that follow each other, as they are heard.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.flat_map(move |start| {
            let ends = self.ends.iter().filter(move |end| **end > start);
            ends.filter_map(move |end| self.heard.get(start..*end))
        })
    }

    /// An id is no sentence: `get_product` is not `get the product`.
    pub(crate) fn id(written: &str) -> Self {
        Self { in_one: true, ..Self::spoken(written) }
    }

    /// How far the name is read after this written word, and how well.
    fn read(&self, lexicon: &Lexicon, word: &Spelt, from: usize) -> Option<(usize, Fit)> {
        let mut ends = self.ends.iter().rev().copied().filter(|end| *end > from);
        let whole = ends.find(|end| {
            let Some(piece) = self.heard.get(from..*end) else { return false };
            fits(lexicon, &word.heard, piece) || self.is_done(lexicon, word, piece, *end)
        });
        let end = whole.or_else(|| {
            let part = !word.heard.is_empty() && self.heard.get(from..)?.starts_with(&word.heard);
            part.then_some(from + word.heard.len())
        })?;
        let piece = self.text.get(from..end)?;
        let exact = word.lower.starts_with(piece) || piece.starts_with(&word.lower);
        Some((end, Fit { plain: piece == word.lower, exact }))
    }

    /// What several words name may be asked for as a verb: `주문 등록` as `주문 등록해줘`.
    fn is_done(&self, lexicon: &Lexicon, word: &Spelt, piece: &str, end: usize) -> bool {
        let last = self.ends.len() > 1 && end == self.text.len();
        let named = last && word.heard.starts_with(piece);
        let tail = word.lower.get(piece.len()..).filter(|_| named);
        tail.is_some_and(|tail| morph::is_endings(lexicon, tail))
    }

    /// What carries the name from here on.
    fn reach(&self, said: &Words<'_, '_>, at: usize) -> Option<Reach> {
        let (mut read, mut next, mut skipped, mut plain, mut exact) = (0, at, 0, 0, true);
        while read < self.text.len() {
            let word = said.spelt.get(next)?;
            if self.in_one && next > at && said.attached(next).is_none() {
                return None;
            }
            match self.read(said.lexicon, word, read) {
                Some((further, fit)) => {
                    read = further;
                    plain += usize::from(fit.plain);
                    exact &= fit.exact;
                }
                None if !self.ends.contains(&read) => return None,
                None if said.is_hyphen(next) => {}
                None if said.is_between(next) && skipped < SKIPPED_TOKENS_MAX => skipped += 1,
                None => return None,
            }
            next += 1;
        }
        let short = self.text.chars().count() < HEARD_CHARS_MIN;
        let reach = Reach { tokens: next - at, exact, plain, bytes: self.text.len() };
        (next > at && (exact || !short) && said.stands_alone(at, next)).then_some(reach)
    }
}

/// How a word is a part of a name.
struct Fit {
    /// It stands as it is, without an ending.
    plain: bool,
    /// Letter by letter, and not only as it is heard.
    exact: bool,
}

/// How well a name fits: declaration order is what counts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reach {
    tokens: usize,
    exact: bool,
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

/// A name that was found, and all that are called so.
pub(crate) struct Mention<T> {
    pub(crate) at: usize,
    pub(crate) tokens: usize,
    pub(crate) of: Vec<T>,
    /// By another spelling.
    pub(crate) mended: bool,
}

/// Names by their first character as it is heard.
pub(crate) struct Names<T>(BTreeMap<char, Vec<(Name, T)>>);

impl<T: Copy + PartialEq> Names<T> {
    pub(crate) fn new(names: impl IntoIterator<Item = (Name, T)>) -> Self {
        let mut all: BTreeMap<char, Vec<(Name, T)>> = BTreeMap::new();
        for (name, of) in names {
            if let Some(first) = name.heard.chars().next() {
                all.entry(first).or_default().push((name, of));
            }
        }
        Self(all)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Name> {
        self.0.values().flatten().map(|(name, _)| name)
    }

    /// INVARIANT: the name that fits best at a place wins, no token belongs to two, and what is
    /// mistyped is looked for only where nothing fits.
    pub(crate) fn mentions(&self, said: &Words<'_, '_>) -> Vec<Mention<T>> {
        let mut found = self.each(said, &[], |at| self.whole(said, at));
        let seeming = self.each(said, &found, |at| self.seeming(said, at));
        found.extend(seeming);
        found.sort_by_key(|mention| mention.at);
        found
    }

    fn each(
        &self,
        said: &Words<'_, '_>,
        taken: &[Mention<T>],
        find: impl Fn(usize) -> Option<Mention<T>>,
    ) -> Vec<Mention<T>> {
        let is_taken = |at: usize| taken.iter().any(|m| (m.at..m.at + m.tokens).contains(&at));
        let mut found = Vec::new();
        let mut at = 0;
        while at < said.tokens.len() {
            let mention = if is_taken(at) { None } else { find(at) };
            let free = |m: &Mention<T>| !(m.at..m.at + m.tokens).any(is_taken);
            let mention = mention.filter(free);
            at += mention.as_ref().map_or(1, |mention| mention.tokens);
            found.extend(mention);
        }
        found
    }

    fn at(&self, said: &Words<'_, '_>, at: usize) -> Option<Mention<T>> {
        let first = said.spelt.get(at)?.heard.chars().next()?;
        let named = self.0.get(&first)?;
        let (reach, of) = best(named.iter(), |name| name.reach(said, at))?;
        Some(Mention { at, tokens: reach.tokens, of, mended: !reach.exact })
    }

    /// `상품 목럭`: of a name that goes on in a word that means nothing, all of it; not of `주문 상태가
    /// paid인`, where something is said of that word.
    fn whole(&self, said: &Words<'_, '_>, at: usize) -> Option<Mention<T>> {
        let found = self.at(said, at)?;
        let next = said.token(at + found.tokens).filter(|next| next.is_word() && !next.attached);
        let open = next.is_some_and(|next| next.concepts.is_empty() && !next.ends(Part::Subject));
        let seeming = if open { self.seeming(said, at) } else { None };
        Some(seeming.filter(|longer| longer.tokens > found.tokens).unwrap_or(found))
    }

    fn seeming(&self, said: &Words<'_, '_>, at: usize) -> Option<Mention<T>> {
        let (seems, of) = best(self.0.values().flatten(), |name| name.seems(said, at))?;
        Some(Mention { at, tokens: seems.tokens, of, mended: true })
    }
}

/// The best of the names, and all that are called so.
fn best<'n, T: Copy + PartialEq + 'n, R: Ord>(
    names: impl Iterator<Item = &'n (Name, T)>,
    fit: impl Fn(&Name) -> Option<R>,
) -> Option<(R, Vec<T>)> {
    let mut best: Option<(R, Vec<T>)> = None;
    for (name, of) in names {
        let Some(fit) = fit(name) else { continue };
        match &mut best {
            Some((known, all)) if *known == fit => {
                if !all.contains(of) {
                    all.push(*of);
                }
            }
            Some((known, _)) if *known > fit => {}
            Some(_) | None => best = Some((fit, vec![*of])),
        }
    }
    best
}

/// By its place among the systems, then among the system's operations.
pub(crate) type OperationAt = (usize, usize);
