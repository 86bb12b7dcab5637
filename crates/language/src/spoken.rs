//! All that is said of rows, as each of the rooms finds it: read once, and asked for by whoever has to
//! know which rows are meant, which fields are compared, and what of it is not clear.

use crate::{
    between,
    compared::{self, Comparison},
    comparison::{self, Condition, Held},
    concept::Concept,
    contains, equality,
    lexicon::Lexicon,
    query::Filter,
    rows::Rows,
    token::{Token, TokenKind},
    valued::{self, Value},
};
use std::{collections::BTreeSet, ops::Range};

/// Conditions of one selection.
const CONDITIONS_MAX: usize = 8;

pub(crate) struct Spoken<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
    /// `price under 5000`
    measured: Vec<Comparison<'a>>,
    /// `category가 전자제품인 것`
    is: Vec<Held<'a>>,
    /// `with status shipped`
    opened: Vec<Held<'a>>,
    /// `status is 배송중`, behind a question.
    told: Vec<Held<'a>>,
    /// `available is false`, `orders of user 1`
    equal: Vec<Condition>,
    /// `이름에 무선이 들어간`
    parts: Vec<Condition>,
    /// `between 10000 and 50000`
    between: Vec<Condition>,
    /// `배송중인 주문`
    values: Vec<Value<'a>>,
    named: Vec<Condition>,
}

impl<'a, 't> Spoken<'a, 't> {
    pub(crate) fn of(lexicon: &'a Lexicon, rows: &'a Rows, tokens: &'a [Token<'t>]) -> Self {
        let places = || 0..tokens.len();
        let parts = contains::conditions(lexicon, rows, tokens);
        let values = valued::values(lexicon, rows, tokens, &parts);
        Self {
            lexicon,
            rows,
            tokens,
            measured: compared::found(lexicon, rows, tokens),
            is: places().filter_map(|at| comparison::copula(lexicon, rows, tokens, at)).collect(),
            opened: places()
                .filter_map(|at| comparison::opened(lexicon, rows, tokens, at))
                .collect(),
            told: places().filter_map(|at| comparison::told(lexicon, rows, tokens, at)).collect(),
            equal: equality::conditions(lexicon, rows, tokens),
            between: between::conditions(lexicon, rows, tokens),
            named: valued::conditions(tokens, &values),
            parts,
            values,
        }
    }

    /// Which rows are meant.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        let measured = self.measured.iter().filter_map(|found| self.bound(found));
        let condition = |held: &Held<'_>| held.condition(self.rows);
        let (is, opened) = (self.is.iter().map(condition), self.opened.iter().map(condition));
        let told = self.told.iter().map(condition);
        // `5만원이하인거` is no `5만원인거`: what one condition is said with makes no other.
        let bounds = |said: &Range<usize>| self.measured.iter().any(|m| meet(&m.valued, said));
        let equal = is.chain(told).chain(self.equal.iter().cloned()).chain(opened);
        let equal = equal.filter(|condition| !bounds(&condition.said));
        let spoken = measured.chain(equal);
        let spoken = spoken.chain(self.parts.iter().chain(&self.between).cloned());
        // `status is cancelled`: by what it is called there.
        let known = |condition: &Condition| {
            let same = |own: &&Condition| own.filter.field() == condition.filter.field();
            self.named.iter().filter(same).any(|own| meet(&own.said, &condition.said))
        };
        let spoken: Vec<Condition> = spoken.filter(|condition| !known(condition)).collect();
        spoken.into_iter().chain(self.named.iter().cloned()).take(CONDITIONS_MAX).collect()
    }

    fn bound(&self, found: &Comparison<'_>) -> Option<Condition> {
        // `3만원 이하 말고 2만원 이하`
        let behind = self.tokens.get(found.said.end);
        let (at, field) =
            found.field.filter(|_| !behind.is_some_and(|t| t.has(Concept::NotThis)))?;
        let filter = Filter::compare(field, found.operator, found.value.as_str());
        let said = at.min(found.said.start)..found.said.end.max(at + 1);
        // `lead time under 4 days`: a field of two words.
        let two = self.tokens.get(at).zip(self.tokens.get(at + 1));
        let two = two.and_then(|(one, other)| self.rows.of_two(one, other)) == Some(field);
        let behind = at + 1 + usize::from(two);
        let between = if behind <= found.said.start { behind..found.said.start } else { 0..0 };
        Some(Condition { denied: found.denied, between, ..Condition::new(filter, said) })
    }

    /// The tokens that name what is compared.
    pub(crate) fn fields(&self) -> BTreeSet<usize> {
        let measured = self.measured.iter().filter_map(|found| Some(found.field?.0));
        let held = self.is.iter().chain(&self.opened).map(|held| &held.said);
        let conditions = self.equal.iter().chain(&self.parts).chain(&self.named);
        let held = held.chain(conditions.map(|condition| &condition.said)).cloned().flatten();
        let registered = |at: &usize| {
            let token = self.tokens.get(*at);
            token.is_some_and(|token| self.rows.registered(self.lexicon, token).is_some())
        };
        measured.chain(held.filter(registered)).collect()
    }

    /// The tokens of the values that something is compared with.
    pub(crate) fn bounds(&self) -> BTreeSet<usize> {
        self.measured.iter().flat_map(|found| found.valued.clone()).collect()
    }

    /// Where something is said and it is not clear with what it is compared, or of which field.
    pub(crate) fn unread(&self) -> Option<usize> {
        let nameless = || self.measured.iter().find(|found| found.field.is_none());
        let nameless = || nameless().map(|found| found.said.start);
        let unclear = valued::unclear(self.tokens, &self.values);
        unclear.or_else(nameless).or_else(|| self.valueless())
    }

    /// `category_id = food`
    fn valueless(&self) -> Option<usize> {
        let compares = |token: &Token<'_>| {
            token.kind == TokenKind::Mark && compared::operator(token).is_some()
        };
        let read = |at: usize| self.measured.iter().any(|found| found.said.contains(&at));
        let mut marks = self.tokens.iter().enumerate().filter(|(_, token)| compares(token));
        marks.find(|(at, _)| !read(*at)).map(|(at, _)| at + 1)
    }
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
