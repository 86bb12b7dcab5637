//! Where a value is said, with its field and what denies it: `status is paid`, `식품 빼고`.

use super::value::{Value, turned};
use crate::{
    character::is_hangul,
    comparison::{self, Condition},
    concept::Concept,
    either,
    hangul::jamo,
    inverse,
    lexicon::Lexicon,
    morph,
    part::{Part, Parts},
    rows::{Called, Rows},
    slip,
    token::{Token, TokenKind},
};
use std::ops::Range;

/// Tokens between what leaves rows out and which.
const EXCEPT_TOKENS_MAX: usize = 4;
/// Shorter words begin too many others.
const KIND_SYLLABLES_MIN: usize = 2;
/// Shorter values are read as they are written.
const SLIPPED_SYLLABLES_MIN: usize = 3;
const SLIPPED_LETTERS_MIN: usize = 5;
/// The same where a letter is another.
const CHANGED_LETTERS_MIN: usize = 7;
const NOT_EQUAL: &str = "!=";
/// What makes a value of a word, and what it has become: `배송중인`, `취소된`.
const STATES: [Part; 4] = [Part::Copula, Part::IsAnd, Part::IsOr, Part::Past];

/// Not within what is `held` already.
pub(super) fn found<'r>(
    lexicon: &Lexicon,
    rows: &'r Rows,
    tokens: &[Token<'_>],
    held: &[Condition],
) -> Vec<Value<'r>> {
    if rows.values().is_empty() {
        return Vec::new();
    }
    let said = Said { lexicon, rows, tokens };
    let (mut all, mut from) = (Vec::new(), 0);
    for at in 0..tokens.len() {
        if at < from || held.iter().any(|held| held.said.contains(&at)) {
            continue;
        }
        if let Some(found) = said.found(at) {
            from = found.word.end;
            all.push(found);
        }
    }
    all
}

fn states() -> Parts {
    STATES.into_iter().fold(Parts::default(), |all, part| all | part)
}

struct Said<'a, 'r, 't> {
    lexicon: &'a Lexicon,
    rows: &'r Rows,
    tokens: &'a [Token<'t>],
}

impl<'r> Said<'_, 'r, '_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }

    fn found(&self, at: usize) -> Option<Value<'r>> {
        let fitting = self.rows.values().iter();
        let fitting: Vec<(&Called, usize)> =
            fitting.filter_map(|called| Some((called, self.fits(&called.label, at)?))).collect();
        if fitting.is_empty() {
            let (called, end) = self.compound(at).or_else(|| self.slipped(at))?;
            return self.is_meant(at, end).then(|| self.with_context(called, at..end, false));
        }
        let longest = fitting.iter().map(|(_, end)| *end).max()?;
        let best: Vec<&Called> =
            fitting.iter().filter(|(_, end)| *end == longest).map(|(called, _)| *called).collect();
        // `the busan warehouse`
        let behind = self.token(longest).and_then(|next| self.rows.registered(self.lexicon, next));
        let own = self.field(at).or(behind);
        let named = |called: &&&Called| own == Some(called.field.as_str());
        let called = best.iter().find(named).or_else(|| best.first())?;
        let several = best.iter().any(|other| other.field != called.field);
        let several = several && own.is_none_or(|field| field != called.field);
        if !self.is_meant(at, longest) {
            return None;
        }
        Some(self.with_context(called, at..longest, several))
    }

    /// Where this label ends that begins here.
    fn fits(&self, label: &str, at: usize) -> Option<usize> {
        let words: Vec<&str> = label.split_whitespace().collect();
        let (last, first) = words.split_last()?;
        let same = |(nth, word): (usize, &&str)| {
            let said = self.word(at + nth);
            let tail = said.as_deref().and_then(|said| said.strip_prefix(*word));
            // `재고가 없는`
            let particle =
                |tail: &str| self.lacks(last) && morph::is_after_name(self.lexicon, tail);
            tail.is_some_and(|tail| tail.is_empty() || particle(tail))
        };
        if !first.iter().enumerate().all(same) {
            return None;
        }
        let at = at + first.len();
        let said = self.word(at)?;
        let Some(tail) = said.strip_prefix(last) else {
            return (self.lacks(last) && self.lacks(&said)).then_some(at + 1);
        };
        let plural = last.is_ascii() && self.lexicon.parts.is(Part::Plural, tail);
        let ends = tail.is_empty() || plural || self.is_state(tail);
        let attached = self.token(at + 1).filter(|next| next.attached && next.is_word());
        // `w1-2`, `VIP룸`
        let glued = attached.is_some_and(|next| !next.sticks() && !self.is_state(next.text));
        ends.then_some(at + 1).filter(|_| !glued)
    }

    /// `배송취소된거`, `주문취소된 것`: what has become of it, behind what another value of the field or the
    /// field itself begins with.
    fn compound(&self, at: usize) -> Option<(&'r Called, usize)> {
        let said = self.word(at).filter(|word| word.starts_with(is_hangul))?;
        let fits = |called: &&Called| {
            let Some((kind, tail)) = said.split_once(called.label.as_str()) else { return false };
            let past = self.lexicon.parts.behind(Part::Past, tail).is_some() && self.is_state(tail);
            past && kind.chars().count() >= KIND_SYLLABLES_MIN && self.is_kind(kind, &called.field)
        };
        let mut found = self.rows.values().iter().filter(fits);
        let first = found.next()?;
        let same = |other: &Called| other.field == first.field && other.value == first.value;
        found.all(same).then_some((first, at + 1))
    }

    /// `배송` of `배송중`, `주문` of `주문 상태`.
    fn is_kind(&self, kind: &str, field: &str) -> bool {
        let value = |called: &Called| called.field == field && called.label.starts_with(kind);
        self.rows.values().iter().any(value) || self.rows.begins(field, kind)
    }

    /// `delivred`, `being shiped`, `배송즁인`: one slip of the finger away from what is called so, where
    /// that is one value only and the word is no other.
    fn slipped(&self, at: usize) -> Option<(&'r Called, usize)> {
        let near = self.rows.values().iter();
        let mut near = near.filter_map(|called| Some((called, self.slips(&called.label, at)?)));
        let first = near.next()?;
        let same = |(other, _): (&Called, usize)| {
            other.field == first.0.field && other.value == first.0.value
        };
        near.all(same).then_some(first)
    }

    /// Where this label ends that begins here, its last word mistyped.
    fn slips(&self, label: &str, at: usize) -> Option<usize> {
        let words: Vec<&str> = label.split_whitespace().collect();
        let (last, first) = words.split_last()?;
        let same =
            |(nth, word): (usize, &&str)| self.word(at + nth).is_some_and(|said| said == **word);
        let end = at + first.len();
        let token = self.token(end).filter(|t| t.is_word() && !t.attached)?;
        let open = token.is_nameless() || token.mended;
        let field = self.rows.registered(self.lexicon, token).is_some();
        let slips = open && !field && self.is_slip(&token.text.to_lowercase(), last);
        (slips && first.iter().enumerate().all(same)).then_some(end + 1)
    }

    fn is_slip(&self, word: &str, label: &str) -> bool {
        if label.starts_with(is_hangul) {
            let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]);
            let mut cuts = ends.filter_map(|end| word.split_at_checked(end));
            return label.chars().count() >= SLIPPED_SYLLABLES_MIN
                && cuts.any(|(stem, tail)| {
                    let ends = tail.is_empty() || self.is_state(tail);
                    ends && slip::distance(&jamo(stem), &jamo(label), 1).is_some()
                });
        }
        // `boots` is no slip of `books`: short words differ by a letter.
        let other = word.len() == label.len() && !slip::is_swap(&jamo(word), &jamo(label));
        let least = if other { CHANGED_LETTERS_MIN } else { SLIPPED_LETTERS_MIN };
        let letters = word.len().min(label.len());
        let plain = word.is_ascii() && letters >= least;
        plain && slip::distance(&jamo(word), &jamo(label), 1).is_some()
    }

    fn word(&self, at: usize) -> Option<String> {
        let token = self.token(at)?;
        let word = token.is_word() || token.kind == TokenKind::Operation;
        let named = token.kind == TokenKind::Quoted && self.field(at).is_some();
        (word || named).then(|| token.text.to_lowercase())
    }

    /// `없음`, `없는`, `없는거만`: of `재고 없음` another form says the same; not `없으면`.
    fn lacks(&self, word: &str) -> bool {
        let parts = &self.lexicon.parts;
        parts.stem(Part::If, word).is_none()
            && parts.behind(Part::Lacking, word).is_some_and(|tail| self.ends_or_thing(tail))
    }

    /// `는`, `거만`, `는거만`
    fn ends_or_thing(&self, tail: &str) -> bool {
        let ends = |tail: &str| tail.is_empty() || morph::is_endings(self.lexicon, tail);
        let mut cuts = tail.char_indices().filter_map(|(at, _)| tail.split_at_checked(at));
        ends(tail)
            || cuts.any(|(head, rest)| ends(head) && comparison::is_thing(self.lexicon, rest))
    }

    /// `인`, `된`, `만`, and no verb: `취소해줘`.
    fn is_state(&self, tail: &str) -> bool {
        let state = self.lexicon.parts.behind(states(), tail);
        tail.starts_with(is_hangul)
            && self.lexicon.parts.stem(Part::If, tail).is_none()
            && (morph::is_after_name(self.lexicon, tail)
                || state.is_some() && morph::is_endings(self.lexicon, tail)
                || state.is_some_and(|rest| self.ends_or_thing(rest)))
    }

    /// The field that is said right before, particles and `is` between.
    fn field(&self, at: usize) -> Option<&'r str> {
        let from = self.field_before(at)?;
        self.rows.registered(self.lexicon, self.tokens.get(from)?)
    }

    fn field_before(&self, at: usize) -> Option<usize> {
        let light = |token: &Token<'_>| {
            let is = token.is(Part::Is) || token.is_equals();
            let particle = token.is_particle();
            is || particle || token.is_mark(NOT_EQUAL) || inverse::is_inverse(token)
        };
        let mut before = (0..at).rev().take(4);
        let from = before.find(|at| !self.token(*at).is_some_and(light))?;
        let named = self.rows.registered(self.lexicon, self.tokens.get(from)?).is_some();
        named.then_some(from)
    }

    /// `주문 5001 취소`, `food 폴더`: it is no value there.
    fn is_meant(&self, at: usize, end: usize) -> bool {
        let token = self.token(end - 1);
        let has = |at: usize, concept| self.token(at).is_some_and(|token| token.has(concept));
        let acts = (at..end).any(|at| {
            // `delivered` is what has become of it.
            let past = |token: &Token<'_>| token.text.is_ascii() && token.ends(Part::Past);
            let leads = |token: &Token<'_>| token.verb().is_some() && !past(token);
            has(at, Concept::Cancel) || self.token(at).is_some_and(leads)
        });
        let thing = |at: usize| {
            let ones = |t: &Token<'_>| t.is(Part::Ones);
            let named = |t: &Token<'_>| t.kind == TokenKind::Operation || ones(t);
            has(at, Concept::Thing) || self.token(at).is_some_and(named)
        };
        let stated = token.is_some_and(|token| {
            let holds = |part| self.lexicon.parts.split(part, token.text).is_some();
            token.is_korean() && STATES.into_iter().any(holds)
        });
        // `취소 빼고` of orders.
        let except = (end..end + 2).any(|at| has(at, Concept::Except));
        let described = stated || except || thing(end) || self.field_before(at).is_some();
        let folder = has(end, Concept::Folder);
        let called = at.checked_sub(1).is_some_and(|before| {
            let naming = |t: &Token<'_>| self.lexicon.is_naming(t.text);
            self.token(before).is_some_and(naming)
        });
        (!acts || described) && !folder && !called
    }

    fn with_context(&self, called: &'r Called, word: Range<usize>, several: bool) -> Value<'r> {
        let own = |token: &Token<'_>| self.rows.registered(self.lexicon, token).is_some();
        let unequal = word
            .start
            .checked_sub(1)
            .filter(|at| self.token(*at).is_some_and(|token| token.is_mark(NOT_EQUAL)));
        let denied = inverse::behind(self.tokens, word.end)
            .or_else(|| inverse::before(self.tokens, word.start, own))
            .or(unequal)
            .or_else(|| self.excepted(&word));
        let field = self.field_before(word.start);
        // `the food category`
        let behind = Some(word.end).filter(|at| {
            let named = self.tokens.get(*at).and_then(|t| self.rows.registered(self.lexicon, t));
            named == Some(called.field.as_str())
        });
        let all = [denied, field, behind].into_iter().flatten();
        let all = all.chain([word.start, word.end - 1]);
        let (from, to) =
            all.fold((word.start, word.end - 1), |(from, to), at| (from.min(at), to.max(at)));
        let value = called.value.as_str();
        let (value, same) = denied.map_or((value, true), |_| turned(value));
        let (field, said) = (called.field.as_str(), from..to + 1);
        Value { field, value, same, denied, word, said, several }
    }

    /// `except the cancelled ones`, `식품하고 도서 빼고`, `취소된 주문 제외하고`.
    fn excepted(&self, word: &Range<usize>) -> Option<usize> {
        let korean = self.token(word.start)?.text.starts_with(is_hangul);
        let light = |at: &usize| {
            self.token(*at).is_some_and(|token| {
                let joins =
                    token.has(Concept::And) || token.is_mark(",") || either::is_either(token);
                let thing = token.has(Concept::Thing) || token.kind == TokenKind::Operation;
                let particle = token.is_particle();
                let value = self.rows.values().iter().any(|c| self.fits(&c.label, *at).is_some());
                let vague = token.has(Concept::Vague) || token.is(Part::Ones);
                vague || joins || particle || value || thing && korean
            })
        };
        let excepts = |at: &usize| self.token(*at).is_some_and(|t| t.has(Concept::Except));
        let behind = word.end..(word.end + EXCEPT_TOKENS_MAX).min(self.tokens.len());
        let mut behind = behind.filter(|_| korean).skip_while(|at| light(at) && !excepts(at));
        let found = behind.next().filter(excepts);
        found.or_else(|| {
            // `all of them but food`
            let every = |at: usize| self.token(at).is_some_and(|t| t.has(Concept::Every));
            let but = |at: &usize| self.token(*at).is_some_and(|t| t.is(Part::But));
            let excepts = |at: &usize| excepts(at) || but(at) && (0..*at).any(every);
            let mut before = (0..word.start).rev().take(EXCEPT_TOKENS_MAX);
            let before = before.find(|at| !light(at) || excepts(at)).filter(excepts);
            before.filter(|at| self.token(*at).is_some_and(|token| token.text.is_ascii()))
        })
    }
}
