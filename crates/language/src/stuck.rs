//! Words that were written into one with the name of a registered system or the label of an
//! operation: `스카이몰상품`, `시스템에서거래처`, `목록보여줘`.

use crate::{
    character::is_hangul,
    hangul::sound,
    lexicon::Lexicon,
    morph,
    name::Name,
    token::{Token, TokenKind},
};
use std::{cmp::Reverse, collections::BTreeSet};

/// The shortest word of two, and the shortest part of it.
const WORD_CHARS_MIN: usize = 4;
const PART_CHARS_MIN: usize = 2;
/// What is known is surer than so many words that are not.
const UNKNOWN_WORDS: usize = 4;
/// Shorter ones make another name of a name: `상품권`, `회원가입`.
const UNKNOWN_CHARS_MIN: usize = 4;
/// Longer words are noise.
const WORD_CHARS_MAX: usize = 24;

/// What may be written into one, as it is heard.
pub(crate) struct Parts {
    /// Words that follow each other in a name.
    names: BTreeSet<String>,
    /// What fields are called: `상품번호` is no `상품`.
    fields: BTreeSet<String>,
}

impl Parts {
    pub(crate) fn new<'n>(
        names: impl Iterator<Item = &'n Name>,
        fields: impl Iterator<Item = &'n str>,
    ) -> Self {
        let korean = |part: &&str| part.chars().all(is_hangul);
        let long = |part: &&str| part.chars().count() >= PART_CHARS_MIN;
        let parts = names.flat_map(Name::parts).filter(korean).filter(long);
        let fields = fields.map(|label| sound(&label.split_whitespace().collect::<String>()));
        Self { names: parts.map(str::to_owned).collect(), fields: fields.collect() }
    }

    pub(crate) fn is_field(&self, lexicon: &Lexicon, piece: &str) -> bool {
        is_one_of(&self.fields, lexicon, &sound(piece))
    }
    fn all(&self) -> impl Iterator<Item = &String> {
        self.names.iter().chain(&self.fields)
    }
    fn is_name(&self, lexicon: &Lexicon, piece: &str) -> bool {
        is_one_of(&self.names, lexicon, piece)
    }

    /// A word that says nothing here: `그러는데`, before a name only where it is no part of one.
    fn unknown(&self, lexicon: &Lexicon, from: usize, piece: &str, heard: &str) -> Option<usize> {
        let closes = |ends: &[String]| ends.iter().any(|end| piece.ends_with(end.as_str()));
        let apart = closes(&lexicon.connectives) || closes(&lexicon.particles);
        let long = piece.chars().count() >= UNKNOWN_CHARS_MIN;
        let names = self.names.iter().any(|part| heard.contains(part.as_str()));
        (((apart && from == 0) || long) && !names).then_some(UNKNOWN_WORDS)
    }

    /// Where the words of this one begin; empty where it is one, or made of anything else.
    fn cuts(&self, lexicon: &Lexicon, word: &str) -> Vec<usize> {
        let chars = word.chars().count();
        let plain =
            (WORD_CHARS_MIN..=WORD_CHARS_MAX).contains(&chars) && word.chars().all(is_hangul);
        let heard = sound(word);
        if !plain || !self.all().any(|part| heard.contains(part.as_str())) {
            return Vec::new();
        }
        let bounds: Vec<usize> =
            word.char_indices().map(|(at, _)| at).chain([word.len()]).collect();
        let mut ways: Vec<Option<Way>> = vec![None; bounds.len()];
        if let Some(first) = ways.first_mut() {
            *first = Some(Way::default());
        }
        for (from, start) in bounds.iter().enumerate() {
            let Some(way) = ways.get(from).cloned().flatten() else { continue };
            for (to, end) in bounds.iter().enumerate().skip(from + PART_CHARS_MIN) {
                let heard = heard.get(*start..*end).unwrap_or_default();
                let written = word.get(*start..*end).unwrap_or_default();
                let named = self.is_name(lexicon, heard);
                let known = named || is_one_of(&self.fields, lexicon, heard);
                let words = if known { Some(1) } else { morph::forms(lexicon, written) };
                let Some(words) = words.or_else(|| self.unknown(lexicon, from, written, heard))
                else {
                    continue;
                };
                let next = way.and(*start, words, known);
                if let Some(there) = ways.get_mut(to)
                    && there.as_ref().is_none_or(|old| next.cost() < old.cost())
                {
                    *there = Some(next);
                }
            }
        }
        let way = ways.pop().flatten().filter(|way| way.named > 0 && way.begins.len() > 1);
        way.map(|way| way.begins).unwrap_or_default()
    }
}

/// A word and what may stick to it.
fn is_one_of(words: &BTreeSet<String>, lexicon: &Lexicon, piece: &str) -> bool {
    let cuts = piece.char_indices().map(|(at, _)| at).chain([piece.len()]).skip(PART_CHARS_MIN);
    let mut cuts = cuts.filter_map(|cut| piece.split_at_checked(cut));
    cuts.any(|(word, tail)| words.contains(word) && morph::is_after_name(lexicon, tail))
}

/// Pieces so far; fewest words are surest, and names surer than other words.
#[derive(Clone, Default)]
struct Way {
    begins: Vec<usize>,
    words: usize,
    named: usize,
}

impl Way {
    fn and(&self, start: usize, words: usize, named: bool) -> Self {
        let begins = self.begins.iter().copied().chain([start]).collect();
        let (words, named) = (self.words + words, self.named + usize::from(named));
        Self { begins, words, named }
    }
    fn cost(&self) -> (usize, Reverse<usize>) {
        (self.words, Reverse(self.named))
    }
}

/// Words in pieces.
pub(crate) struct Apart<'t> {
    pub(crate) tokens: Vec<Token<'t>>,
    /// Which token each of them was.
    pub(crate) origins: Vec<usize>,
}

/// The tokens with such words in pieces, as far as they may be cut; `None` where none is.
pub(crate) fn apart<'t>(
    lexicon: &Lexicon,
    parts: &Parts,
    tokens: &[Token<'t>],
    may: impl Fn(usize) -> bool,
) -> Option<Apart<'t>> {
    let mut apart = Apart { tokens: Vec::with_capacity(tokens.len()), origins: Vec::new() };
    let mut cut = false;
    for (at, token) in tokens.iter().enumerate() {
        let free = token.is_word() && may(at);
        let cuts = if free { parts.cuts(lexicon, token.text) } else { Vec::new() };
        let first = token.text.get(..cuts.get(1).copied().unwrap_or(token.text.len()));
        let named = || first.is_some_and(|first| parts.is_name(lexicon, &sound(first)));
        let follows = free && follows_latin(tokens, at) && named();
        cut |= follows || !cuts.is_empty();
        let begins = if cuts.is_empty() { vec![0] } else { cuts };
        let ends = begins.iter().copied().skip(1).chain([token.text.len()]);
        for (from, to) in begins.iter().copied().zip(ends) {
            let mut piece = piece(lexicon, token, from, to);
            piece.attached &= !follows;
            apart.tokens.push(piece);
            apart.origins.push(at);
        }
    }
    cut.then_some(apart)
}

/// `skymall상품`
fn follows_latin(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let latin = before.is_some_and(|t| t.is_word() && !t.text.ends_with(is_hangul));
    latin && tokens.get(at).is_some_and(|token| token.attached)
}

/// A word of its own, which it was not written as.
fn piece<'t>(lexicon: &Lexicon, token: &Token<'t>, from: usize, to: usize) -> Token<'t> {
    let Some(text) = token.text.get(from..to).filter(|text| *text != token.text) else {
        return token.clone();
    };
    let (start, end) = (token.start + from, token.start + to);
    let mut piece =
        Token::new(lexicon, TokenKind::Word, text, (start, end), token.attached && from == 0);
    piece.concepts = morph::concepts(lexicon, text);
    if piece.concepts.is_empty() {
        piece.concepts = morph::heard(lexicon, text);
        piece.mended = !piece.concepts.is_empty();
    }
    piece.attributive = morph::is_attributive(lexicon, text);
    piece
}
