//! Conditions without a word that compares: `where available is false`, `재고 0인 상품`,
//! `only the available ones`.

use crate::{
    comparison::{self, Condition},
    concept::Concept,
    inverse, keyed,
    lexicon::Lexicon,
    morph, number,
    part::{Part, Parts},
    query::{Filter, Op},
    rows::{self, Rows},
    token::{Token, TokenKind},
};
use std::ops::Range;

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let said = Said { lexicon, rows, tokens };
    let at = |at: usize| {
        said.is_number(at)
            .or_else(|| said.is_flag(at))
            .or_else(|| said.is_stuck_flag(at))
            .or_else(|| keyed::condition(lexicon, rows, tokens, at))
    };
    (0..tokens.len()).filter_map(at).collect()
}

/// How a number is said of rows.
struct Counted {
    /// They are as many.
    is: bool,
    /// The thing that is so many is written into one with it.
    thing: bool,
    /// What its unit counts.
    measure: Option<&'static str>,
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
}

impl Said<'_, '_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }
    fn is(&self, at: usize, parts: impl Into<Parts>) -> bool {
        self.token(at).is_some_and(|token| token.is(parts))
    }
    /// Between a field and its value.
    fn is_copula(&self, at: usize) -> bool {
        self.token(at).is_some_and(|t| t.is(Part::Is | Part::Be) || t.is_equals())
    }
    fn field(&self, at: usize) -> Option<&str> {
        self.rows.registered(self.lexicon, self.token(at)?)
    }
    /// A condition, denied by what stands at `denied`.
    fn condition(
        &self,
        field: &str,
        (same, denied): (bool, Option<usize>),
        value: &str,
        said: Range<usize>,
    ) -> Condition {
        let filter = Filter::compare(field, Op::is(same), value);
        Condition { denied, ..Condition::new(filter, said) }
    }

    /// Where the copula before this begins, and whether it says that it is so.
    fn copula(&self, at: usize) -> Option<(usize, bool)> {
        let before = at.checked_sub(1)?;
        if self.is_copula(before) {
            return Some((before, true));
        }
        if self.is(before, Part::IsNot) {
            return Some((before, false));
        }
        let is = before.checked_sub(1)?;
        (self.is(before, Part::Not) && self.is_copula(is)).then_some((is, false))
    }

    /// `재고 0인 상품`, `수량이 0개인 것`, `가격이 3만원이 아닌 상품`, `0개인 건 빼고`
    fn is_number(&self, at: usize) -> Option<Condition> {
        self.token(at).filter(|token| token.is_numeral())?;
        let number = number::at(self.lexicon, self.tokens, at)?;
        let value = number.value.parse::<u64>().ok()?;
        let counted = self.counted(number.said.end.checked_sub(1)?)?;
        let excepted = self.excepted(number.said.end).filter(|_| counted.is || value == 0);
        let denied = inverse::behind(self.tokens, number.said.end).or(excepted);
        let end = match denied {
            Some(denied) => denied + 1,
            None => number.said.end,
        };
        let named = counted.thing || excepted.is_some() || self.names(end);
        let before = self.before(at);
        let label =
            before.and_then(|at| self.token(at)).is_some_and(|t| t.kind == TokenKind::Operation);
        let labelled = || self.rows.measure(self.lexicon, rows::QUANTITY).filter(|_| label);
        let field = before.and_then(|at| self.field(at)).or_else(labelled);
        let own = || Some((at, self.rows.measure(self.lexicon, counted.measure?)?));
        let (from, field) = before.zip(field).or_else(own)?;
        let said = from..end;
        ((counted.is || denied.is_some()) && named)
            .then(|| self.condition(field, (denied.is_none(), denied), &value.to_string(), said))
    }

    /// What stands behind the digits of a number: `개인`, `개인거`, `원인`.
    fn counted(&self, at: usize) -> Option<Counted> {
        let unit = self.token(at)?.text;
        let unit = unit.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
        let cut = self.lexicon.parts.split(Part::Copula, unit);
        let thing = |tail: &str| comparison::is_thing(self.lexicon, tail);
        let is = cut.filter(|(_, tail)| tail.is_empty() || thing(tail));
        let measures = [(Concept::Pieces, rows::QUANTITY), (Concept::Currency, rows::PRICE)];
        let concepts = morph::concepts(self.lexicon, is.map_or(unit, |(unit, _)| unit));
        let measure = measures.into_iter().find(|(concept, _)| concepts.contains(concept));
        Some(Counted {
            is: is.is_some(),
            thing: is.is_some_and(|(_, tail)| !tail.is_empty()),
            measure: measure.map(|(_, measure)| measure),
        })
    }

    /// `빼고` behind what ends here, or behind the thing that it is said of.
    fn excepted(&self, end: usize) -> Option<usize> {
        let excepts = |at: &usize| self.token(*at).is_some_and(|t| t.has(Concept::Except));
        let thing = self.token(end).is_some_and(|t| t.has(Concept::Thing));
        Some(end + usize::from(thing)).filter(excepts)
    }

    /// The word before this and before its particle.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let particle = |t: &Token<'_>| t.is_particle();
        let apart = self.token(before).is_some_and(|t| t.is_word() && particle(t));
        if apart { before.checked_sub(1) } else { Some(before) }
    }

    /// A thing, whose number or state was said before it.
    fn names(&self, at: usize) -> bool {
        let thing = |t: &Token<'_>| {
            t.kind == TokenKind::Operation || t.has(Concept::Thing) || t.has(Concept::Only)
        };
        self.token(at).is_some_and(thing) || self.is(at, Part::Ones | Part::One)
    }

    /// `판매중인거`, `판매 중이고`: a state, with what makes a condition of it.
    fn is_stuck_flag(&self, at: usize) -> Option<Condition> {
        let token = self.token(at).filter(|token| token.is_word())?;
        let word = |at: usize| self.token(at).filter(|token| token.is_word());
        let before = at.checked_sub(1).and_then(word);
        let before = before.map(|before| format!("{} {}", before.text, token.text));
        let behind = word(at + 1).filter(|next| next.attached);
        let behind = behind.map(|next| format!("{}{}", token.text, next.text));
        let flag = |text: &str, last: usize| {
            self.rows.states().find_map(|(label, field)| {
                let tail = text.strip_prefix(label)?;
                self.makes_condition(last, tail).then_some(field)
            })
        };
        let two = || Some((flag(before.as_deref()?, at)?, at - 1, at));
        let next = || Some((flag(behind.as_deref()?, at + 1)?, at, at + 1));
        let (field, from, last) =
            two().or_else(|| Some((flag(token.text, at)?, at, at))).or_else(next)?;
        let own = self.before(from).and_then(|before| self.field(before)).is_none();
        own.then(|| self.condition(field, (true, None), "true", from..last + 1))
    }

    /// `인거`, `인 것`, `이고`
    fn makes_condition(&self, at: usize, tail: &str) -> bool {
        let joins = || self.lexicon.parts.is(Part::IsAnd, tail);
        let is = |rest: &str| {
            if rest.is_empty() {
                self.names(at + 1)
            } else {
                comparison::is_thing(self.lexicon, rest)
            }
        };
        joins() || self.lexicon.parts.behind(Part::Copula, tail).is_some_and(is)
    }

    /// `the available ones`, `판매중인 상품`, `that are not available`: a field that is a state.
    fn is_flag(&self, at: usize) -> Option<Condition> {
        let field = self.field(at).filter(|field| self.rows.is_state(field))?;
        let token = self.token(at)?;
        // `상태가 판매중인 것`
        let own = self.before(at).and_then(|before| self.field(before)).is_none();
        let no = self.is(at + 1, Part::IsNot) && self.names(at + 2);
        let korean = (token.ends(Part::Copula) && self.names(at + 1)) || no;
        if korean {
            let end = at + 1 + usize::from(no);
            let (value, denied) = if no { ("false", Some(at + 1)) } else { ("true", None) };
            return own.then(|| self.condition(field, (true, denied), value, at..end));
        }
        let system = |at: &usize| !self.token(*at).is_some_and(|t| t.kind == TokenKind::System);
        let next = (at + 1..self.tokens.len()).find(system);
        let before = next.is_some_and(|next| self.names(next)) && token.text.is_ascii();
        let copula = self.copula(at);
        let last = |token: &Token<'_>| token.kind == TokenKind::Mark || token.has(Concept::And);
        let behind = copula.is_some() && self.token(at + 1).is_none_or(last);
        let denied = at.checked_sub(1).filter(|before| self.is(*before, Part::Not));
        let from = copula.map(|(is, _)| is).or(denied).unwrap_or(at);
        let same = copula.map_or(denied.is_none(), |(_, same)| same);
        let (value, denied) = if same { ("true", None) } else { ("false", Some(at - 1)) };
        let said = from..at + 1;
        (own && (before || behind)).then(|| self.condition(field, (true, denied), value, said))
    }
}
