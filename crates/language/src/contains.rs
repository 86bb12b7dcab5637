//! What a field is to hold somewhere in it: `이름에 무선이 들어간 상품`, `name contains wireless`.

use crate::{
    comparison::Condition,
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    query::{Filter, text},
    rows::Rows,
    token::{Token, TokenKind},
};

use std::collections::BTreeSet;

/// Words of such a value.
const VALUE_WORDS_MAX: usize = 3;
/// A shorter word ends in what only looks like a particle.
const STEM_CHARS_MIN: usize = 2;

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let said = Said { lexicon, rows, tokens };
    let found = |at: usize| said.korean(at).or_else(|| said.english(at));
    (0..tokens.len()).filter_map(found).collect()
}

/// Quoted tokens that are such a value.
pub(crate) fn quoted(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    let quoted = |at: &usize| tokens.get(*at).is_some_and(|token| token.kind == TokenKind::Quoted);
    if !(0..tokens.len()).any(|at| quoted(&at)) {
        return BTreeSet::new();
    }
    let said = conditions(lexicon, rows, tokens).into_iter().flat_map(|condition| condition.said);
    said.filter(quoted).collect()
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
}

impl Said<'_, '_> {
    fn field(&self, at: usize) -> Option<&str> {
        self.rows.registered(self.lexicon, self.tokens.get(at)?)
    }

    fn holds(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(Concept::Containing))
    }

    /// `이름에 무선이 들어간 것`: from the field to the word for it.
    fn korean(&self, at: usize) -> Option<Condition> {
        self.tokens.get(at).filter(|token| token.is_korean())?;
        let holds = at.checked_sub(2).filter(|_| self.holds(at))?;
        let from = (holds.saturating_sub(VALUE_WORDS_MAX)..=holds).rev().find_map(|from| {
            let field = self.field(from)?;
            Some((from, field))
        });
        let (from, field) = from?;
        let first = from + 1 + usize::from(self.is_particle(from + 1));
        // `'무선'이 들어간`
        let quoted = self.tokens.get(first).is_some_and(|t| t.kind == TokenKind::Quoted);
        let end = if quoted && self.is_particle(first + 1) { first + 1 } else { at };
        let value = self.value(first, end)?;
        let value = self.without_particle(&value);
        Some(condition(field, value, from..at + 1))
    }

    /// `name contains wireless`
    fn english(&self, at: usize) -> Option<Condition> {
        let token = self.tokens.get(at).filter(|token| token.text.is_ascii())?;
        let holds = token.has(Concept::Saying) || token.has(Concept::Containing);
        let field = at.checked_sub(1).and_then(|at| self.field(at)).filter(|_| holds)?;
        let end = self.end(at + 1);
        Some(condition(field, &self.value(at + 1, end)?, at - 1..end))
    }

    /// Where the value ends that begins here: with the sentence.
    fn end(&self, from: usize) -> usize {
        let plain = |t: &Token<'_>| t.kind != TokenKind::Mark && !t.has(Concept::And);
        let words = self.tokens.iter().skip(from).take_while(|t| plain(t)).count();
        from + words
    }

    fn is_particle(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_particle())
    }

    /// Words that no lexicon knows, or one in quotation marks.
    fn value(&self, from: usize, to: usize) -> Option<String> {
        let words = self.tokens.get(from..to).filter(|words| !words.is_empty())?;
        if let [quoted] = words
            && quoted.kind == TokenKind::Quoted
        {
            return Some(quoted.text.to_owned());
        }
        let names = |t: &Token<'_>| t.is_word() && t.is_nameless();
        let few = words.len() <= VALUE_WORDS_MAX && words.iter().all(names);
        few.then(|| words.iter().map(|token| token.text).collect::<Vec<_>>().join(" "))
    }

    fn without_particle<'v>(&self, value: &'v str) -> &'v str {
        let long = |stem: &&str| stem.chars().count() >= STEM_CHARS_MIN;
        let ends = self.lexicon.parts.stem(Part::Subject | Part::Object, value);
        ends.filter(long).unwrap_or(value)
    }
}

/// Without regard to letter case, as people look for something.
fn condition(field: &str, value: &str, said: std::ops::Range<usize>) -> Condition {
    let value = text(&value.to_lowercase());
    Condition::new(Filter::Contains(field.to_owned(), value), said)
}
