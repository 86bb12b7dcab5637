//! The small words of a language by the part that they play in a sentence: particles, endings and
//! what English says with words of their own. Which they are says `[parts]` of a lexicon; what they do
//! there is grammar, and stands in the rooms that ask for them.

use serde::Deserialize;
use std::{
    collections::{BTreeMap, HashMap},
    ops::BitOr,
};

/// A closed list, so that a mistyped name is found at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// Whose it is: `of`, `의`.
    Of,
    /// Where it comes from: `from`, `에서`.
    From,
    For,
    About,
    /// Before where something lies: `on`, `via`.
    At,
    /// The same, behind it: `안`.
    Within,
    /// Where something goes: `에다가`.
    Into,
    /// What something becomes, and by what: `으로`.
    Toward,
    /// How something is wanted: `국산으로`.
    As,
    /// Ends a stem that only says how: `우선적`.
    Adverbial,
    /// Begins what is said of how many there are: `많은`, and not `높은`.
    Many,
    /// Those behind the ones that were shown: `다음 3개`.
    Next,
    /// Opens a question whether there are some: `any`.
    Any,
    /// Whom it is for: `에게`.
    Dative,
    /// Before what rows are counted by: `per`.
    Per,
    By,
    /// Behind what rows are counted by: `카테고리별`.
    Each,
    /// Behind the end that an order begins with: `싼 것부터`.
    Starting,
    /// Behind what rows are ordered by: `가격순`.
    Ordered,
    To,
    With,
    After,
    That,
    The,
    /// `a`
    Article,
    /// `my`
    Owner,
    /// `them`
    Whom,
    /// Who speaks: `we`.
    Speaker,
    /// Things that were named before: `ones`.
    Ones,
    One,
    /// The same, behind whose they are: `어제꺼`.
    Thing,
    /// What somebody has to do, and not what that is: `할일`.
    Errand,
    /// Between a field and its value: `are`, `equals`.
    Is,
    Be,
    Was,
    Has,
    Not,
    /// `aren't`, `아닌`
    IsNot,
    /// Makes a value of a word before what has it: `전자제품인 것`.
    Copula,
    /// The same, before another condition: `이고`.
    IsAnd,
    /// The same, where one of two is enough: `이거나`.
    IsOr,
    /// Joins two names, one of which is enough: `식품이나`.
    Or,
    /// Joins what is listed: `랑`.
    And,
    /// The same in writing: `과`.
    AndWritten,
    /// Behind a verb before another: `고`.
    GoesOn,
    /// The same, behind what is a verb by it: `청소하고`.
    Doing,
    /// Behind what is the way to something: `요약해서`.
    Through,
    But,
    /// Behind a condition: `면`.
    If,
    /// The same, where a word is the condition: `품절이면`.
    IfIs,
    Also,
    Until,
    Topic,
    Subject,
    Object,
    /// Who did what rows tell of, before and behind: `did`, `했던`.
    Did,
    /// Ends what something has become: `ed`, `된`.
    Past,
    /// Orders that something be kept, as the first word: `keep`.
    Keep,
    /// Ends what closes like a past form and is none: `있`.
    Standing,
    /// Ends a form of a verb that tells nobody to do it: `deletes`.
    Telling,
    /// Ends what says how: `quickly`.
    Manner,
    Plural,
    /// Ends what a verb is named by: `지우기`.
    Naming,
    /// Ends the quoting of an order: `지우라고`.
    Told,
    /// Before that, the end of a verb: `하라고`.
    ToldStem,
    Polite,
    /// Laughs or weeps: `ㅋㅋ`.
    Mood,
    /// `would`
    Modal,
    /// `should`
    Must,
    /// Opens a question whether it can be: `am i able to`.
    May,
    /// Asks behind a verb for a kindness, in three words: `해줄 수 있어`.
    DoFor,
    Can,
    There,
    /// Begins what there is none of: `없는`.
    Lacking,
    Again,
    More,
    /// Whose it is, and a particle behind a word: `내`.
    Mine,
    /// Compares with another: `like`.
    Like,
    Back,
    /// Before a value: `with the price set 5`.
    Set,
    File,
    Files,
    /// What a file is to hold, before `:` or `is`: `text`.
    Text,
    /// Behind the number of a row, or of times: `5번`.
    Numbered,
    /// Behind where something stands: `두 번째`.
    Nth,
    Pieces,
    Money,
    /// How much too much: `너무`.
    Degree,
    /// What the number of a row is called: `번호`.
    Key,
    /// Ends the name of what is so or is not so: `여부`, `available`.
    Whether,
    /// Makes a sentence of a language's words, whatever values stand in it: `which`.
    Sentence,
}

/// Some of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Parts(u128);

impl Parts {
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl From<Part> for Parts {
    fn from(part: Part) -> Self {
        Self(1 << part as u32)
    }
}

impl<P: Into<Self>> BitOr<P> for Parts {
    type Output = Self;
    fn bitor(self, other: P) -> Self {
        Self(self.0 | other.into().0)
    }
}

impl BitOr for Part {
    type Output = Parts;
    fn bitor(self, other: Self) -> Parts {
        Parts::from(self) | other
    }
}

/// The parts that a written word plays as it is, that it begins with, and that it ends in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Played {
    pub(crate) whole: Parts,
    pub(crate) begins: Parts,
    pub(crate) ends: Parts,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct PartWords {
    /// Longest first.
    forms: BTreeMap<Part, Vec<String>>,
    parts: HashMap<String, Parts>,
    form_chars_max: usize,
}

impl PartWords {
    pub(crate) fn add(&mut self, part: Part, forms: Vec<String>) {
        for form in &forms {
            self.form_chars_max = self.form_chars_max.max(form.chars().count());
            let parts = self.parts.entry(form.clone()).or_default();
            *parts = *parts | part;
        }
        let all = self.forms.entry(part).or_default();
        all.extend(forms);
        all.sort_by_key(|form| std::cmp::Reverse(form.len()));
    }

    pub(crate) fn played(&self, word: &str) -> Played {
        let of = |piece: Option<&str>| {
            piece.and_then(|piece| self.parts.get(piece)).copied().unwrap_or_default()
        };
        let next = |(at, c): (usize, char)| at + c.len_utf8();
        let ends = word.char_indices().map(next).take(self.form_chars_max);
        let starts = word.char_indices().rev().map(|(at, _)| at).take(self.form_chars_max);
        Played {
            whole: of(Some(word)),
            begins: ends.fold(Parts::default(), |all, end| all | of(word.get(..end))),
            ends: starts.fold(Parts::default(), |all, start| all | of(word.get(start..))),
        }
    }

    pub(crate) fn is(&self, parts: impl Into<Parts>, word: &str) -> bool {
        self.parts.get(word).is_some_and(|own| own.meets(parts.into()))
    }

    pub(crate) fn of(&self, part: Part) -> &[String] {
        self.forms.get(&part).map_or(&[], Vec::as_slice)
    }

    /// Without the longest of them that it ends in.
    pub(crate) fn stem<'w>(&self, parts: impl Into<Parts>, word: &'w str) -> Option<&'w str> {
        let parts = parts.into();
        let starts = word.char_indices().rev().map(|(at, _)| at).take(self.form_chars_max);
        let cuts = starts.filter_map(|at| word.split_at_checked(at));
        cuts.filter(|(_, end)| self.is(parts, end)).last().map(|(stem, _)| stem)
    }

    /// What is behind the longest of them that it begins with.
    pub(crate) fn behind<'w>(&self, parts: impl Into<Parts>, word: &'w str) -> Option<&'w str> {
        let parts = parts.into();
        let next = |(at, c): (usize, char)| at + c.len_utf8();
        let ends = word.char_indices().map(next).take(self.form_chars_max);
        let cuts = ends.filter_map(|at| word.split_at_checked(at));
        cuts.filter(|(begin, _)| self.is(parts, begin)).last().map(|(_, rest)| rest)
    }

    /// What is before the first of them in it, and what is behind.
    pub(crate) fn split<'w>(&self, part: Part, word: &'w str) -> Option<(&'w str, &'w str)> {
        self.of(part).iter().find_map(|form| word.split_once(form.as_str()))
    }
}

#[cfg(test)]
mod tests;
