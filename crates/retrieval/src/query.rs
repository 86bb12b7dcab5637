//! What is searched for, and its words.

use crate::{
    script::Scripts,
    terms::{Field, Key},
    vector::Vector,
    words::{self, Piece},
};
use wiiiv_domain::Scope;

/// Passages where a query names no number.
pub const PASSAGES_DEFAULT: usize = 5;
/// At most so many passages are found.
pub const PASSAGES_FOUND_MAX: usize = 50;
/// Different words of a query; those behind them are not searched for.
pub const QUERY_WORDS_MAX: usize = 64;

/// What is searched for. The scopes are no part of it: they come from who asks.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// A question or words, in any language.
    pub text: &'a str,
    /// The text's embedding; `None` where there is no embedder.
    pub vector: Option<&'a Vector>,
    /// How many passages, at most `PASSAGES_FOUND_MAX`.
    pub limit: usize,
}

impl<'a> Query<'a> {
    /// The best `PASSAGES_DEFAULT` passages for a text.
    #[must_use]
    pub const fn new(text: &'a str, vector: Option<&'a Vector>) -> Self {
        Self { text, vector, limit: PASSAGES_DEFAULT }
    }
}

/// A query's embedding in each scope: vectors of two embedders cannot be compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meant<'a> {
    pub(crate) most: Option<&'a Vector>,
    /// What counts in that scope in its place.
    pub(crate) own: Option<(Scope, Option<&'a Vector>)>,
}

impl<'a> Meant<'a> {
    pub(crate) fn of(&self, scope: Scope) -> Option<&'a Vector> {
        match self.own {
            Some((own, vector)) if own == scope => vector,
            Some(_) | None => self.most,
        }
    }
}

/// The words of a query.
#[derive(Debug, Default)]
pub(crate) struct QueryWords {
    pub(crate) words: Vec<QueryWord>,
    pub(crate) scripts: Scripts,
    /// `false`: no word says what it is about, so nothing is.
    pub(crate) asks_something: bool,
}

/// One word of a query, with all terms that it can be found by.
#[derive(Debug)]
pub(crate) struct QueryWord {
    /// As it is written.
    pub(crate) text: String,
    pub(crate) is_identifier: bool,
    /// Whether it says something about what the query is about.
    pub(crate) is_informative: bool,
    /// A function word of English, beside which others inform: every passage in English has it, so it ranks none. Of Korean
    /// the particles are cut off.
    pub(crate) is_left_out: bool,
    /// What the forms of the word have in common.
    pub(crate) surface: Key,
    /// Without its particle; of an identifier, its parts.
    pub(crate) forms: Vec<Key>,
    /// Of the word without its particle.
    pub(crate) pairs: Vec<Key>,
    /// Pairs past these are of the particle.
    pairs_max: usize,
}

impl QueryWords {
    pub(crate) fn of(text: &str) -> Self {
        let mut words: Vec<QueryWord> = Vec::new();
        // A repeated word is read over, with its forms and pairs; so are those of one that is too long.
        let mut is_new = false;
        words::read(text, &mut |piece| match piece {
            Piece::Surface { text, written, is_identifier } => {
                let surface = Key::of(Field::Words, text);
                is_new = words.len() < QUERY_WORDS_MAX
                    && words.iter().all(|word| word.surface != surface);
                if is_new {
                    words.push(QueryWord::new(written, surface, is_identifier));
                }
            }
            Piece::Long => is_new = false,
            Piece::Form(form) => {
                if let Some(word) = words.last_mut().filter(|_| is_new) {
                    word.add_form(form);
                }
            }
            Piece::Pair(pair) => {
                if let Some(word) = words.last_mut().filter(|_| is_new) {
                    word.add_pair(pair);
                }
            }
        });
        let asks_something = words.iter().any(|word| word.is_informative);
        for word in &mut words {
            word.is_informative |= !asks_something;
            word.is_left_out &= asks_something;
        }
        Self { words, scripts: Scripts::of(text), asks_something }
    }
}

impl QueryWords {
    /// As they are written.
    pub(crate) fn searched_for(&self) -> Vec<String> {
        let words = self.words.iter().filter(|word| !word.is_left_out);
        words.map(|word| word.text.clone()).collect()
    }
}

impl QueryWord {
    /// Every term that the word can be found by, with its field.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Key, Field)> {
        let words = std::iter::once(&self.surface).chain(&self.forms);
        let words = words.map(|key| (*key, Field::Words));
        words.chain(self.pairs.iter().map(|key| (*key, Field::Pairs)))
    }

    /// The forms that stand for the whole word.
    pub(crate) fn whole(&self) -> impl Iterator<Item = &Key> {
        let stems = if self.is_identifier { &[] } else { self.forms.as_slice() };
        std::iter::once(&self.surface).chain(stems)
    }

    /// The forms that stand for a part of the word.
    pub(crate) fn parts(&self) -> &[Key] {
        if self.is_identifier { &self.forms } else { &self.pairs }
    }

    fn new(written: &str, surface: Key, is_identifier: bool) -> Self {
        Self {
            text: written.to_owned(),
            is_identifier,
            // `IT` is no `it`.
            is_informative: is_identifier || !is_function_word(written),
            is_left_out: !is_identifier && words::is_english_function_word(written),
            surface,
            forms: Vec::new(),
            pairs: Vec::new(),
            pairs_max: words::WORD_CHARS_MAX,
        }
    }

    fn add_form(&mut self, form: &str) {
        self.forms.push(Key::of(Field::Words, form));
        if !self.is_identifier {
            // A stem of one syllable has no pair: its word's first one stands for it.
            self.pairs_max = form.chars().count().saturating_sub(1).max(1);
            self.is_informative = self.is_informative && !is_function_word(form);
        }
    }

    fn add_pair(&mut self, pair: &str) {
        if self.pairs.len() < self.pairs_max {
            self.pairs.push(Key::of(Field::Pairs, pair));
        }
    }
}

fn is_function_word(word: &str) -> bool {
    words::is_english_function_word(word) || words::is_korean_function_word(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(query: &str) -> Vec<String> {
        QueryWords::of(query).words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn a_word_is_searched_for_once() {
        assert_eq!(texts("서울 서울에서 서울"), ["서울", "서울에서"]);
        let many: String = (0..200).map(|n| format!("word{n} ")).collect();
        assert_eq!(texts(&many).len(), QUERY_WORDS_MAX);
    }

    #[test]
    fn what_is_too_long_belongs_to_no_earlier_word() {
        let joined = ["restart"; 10].join("-");
        for long in [joined, "서울에서".repeat(20)] {
            let words = QueryWords::of(&format!("kubernetes {long} 프린터")).words;
            assert_eq!(words.len(), 2, "{long}");
            assert!(words[0].forms.is_empty() && words[0].pairs.is_empty(), "{long}");
            assert_eq!(words[1].text, "프린터");
        }
    }

    #[test]
    fn a_particle_has_no_pairs() {
        let words = QueryWords::of("서울에서");
        assert_eq!(words.words[0].pairs, [Key::of(Field::Pairs, "서울")]);
        assert_eq!(words.words[0].forms, [Key::of(Field::Words, "서울")]);
    }

    #[test]
    fn english_function_words_are_not_searched_for_beside_others() {
        let searched = |query: &str| {
            let words = QueryWords::of(query).words.into_iter().filter(|word| !word.is_left_out);
            words.map(|word| word.text).collect::<Vec<_>>()
        };
        assert_eq!(
            searched("How many days of annual leave do I have?"),
            ["days", "annual", "leave"]
        );
        assert_eq!(searched("What's in the IT handbook?"), ["it", "handbook"]);
        assert_eq!(searched("the 프린터는 어디에 있나요"), ["프린터는", "어디에", "있나요"]);
        assert_eq!(searched("the of"), ["the", "of"], "there is nothing else");
        assert!(!QueryWords::of("the of").asks_something && QueryWords::of("of IT").asks_something);
    }

    #[test]
    fn function_words_inform_where_there_is_nothing_else() {
        let informs = |query: &str| {
            let words = QueryWords::of(query).words.into_iter();
            words.map(|word| word.is_informative).collect::<Vec<_>>()
        };
        assert_eq!(informs("where is the printer"), [false, false, false, true]);
        assert_eq!(informs("프린터는 어디에 있나요"), [true, false, false]);
        assert_eq!(informs("휴가는 며칠이에요"), [true, false]);
        assert_eq!(informs("영수증은 언제까지 내야 하나요"), [true, false, true, false]);
        assert_eq!(informs("who are you"), [true, true, true]);
    }
}
