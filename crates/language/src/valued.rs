//! Values that people call by a name, as a system has registered them: `배송중인 주문`, `VIP 회원만`,
//! `orders that aren't cancelled`, `식품 빼고`.

use crate::{
    character::is_hangul,
    comparison::Condition,
    concept::Concept,
    contains, either, inverse,
    lexicon::Lexicon,
    morph,
    reading::Situation,
    rows::{Called, Rows},
    token::{Token, TokenKind},
    tokenizer,
};
use std::ops::Range;

/// What makes a value of a word, and what it has become: `배송중인`, `취소된`.
const STATES: [&str; 8] = ["인", "이고", "이며", "이면서", "이거나", "거나", "된", "됐"];
/// Between a field and its value, or such words: `status is paid`.
const IS: [&str; 6] = ["is", "are", "=", "==", "equals", "being"];
const NOT_EQUAL: &str = "!=";
/// Ends the past form of an English verb.
const PAST: &str = "ed";
/// Ends of an English word for more than one.
const PLURAL: &str = "s";
/// Stands for things that were named before.
const ONES: &str = "ones";
/// Tokens between what leaves rows out and which.
const EXCEPT_TOKENS_MAX: usize = 4;

/// Rows that hold it.
struct Found<'r> {
    field: &'r str,
    /// As JSON has it.
    value: &'r str,
    same: bool,
    /// What denies it.
    denied: Option<usize>,
    /// The value itself.
    word: Range<usize>,
    /// With its field and what denies it.
    said: Range<usize>,
    /// Another field has a value that is called so.
    several: bool,
}

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let mut all: Vec<Condition> = Vec::new();
    let mut last: Option<Found<'_>> = None;
    for found in found(lexicon, rows, tokens).into_iter().filter(|found| !found.several) {
        let text = format!(".{} {} {}", found.field, operator(found.same), found.value);
        // `식품이랑 도서만`: of several values each row has one.
        let joined = last.as_ref().is_some_and(|last| {
            last.field == found.field && last.same && found.same && is_listed(tokens, last, &found)
        });
        match all.last_mut().filter(|_| joined) {
            Some(condition) => {
                condition.text = format!("{} or {text}", condition.text);
                condition.said.end = found.said.end;
            }
            None => {
                let denied = found.denied;
                all.push(Condition {
                    denied,
                    ..Condition::new(found.field, text, found.said.clone())
                });
            }
        }
        last = Some(found);
    }
    all
}

/// Rows that were just shown have a field with a value that is called so, and nothing waits that could
/// be called off.
pub(crate) fn is_of_shown(lexicon: &Lexicon, text: &str, situation: &Situation) -> bool {
    let idle = situation.active.is_none() && situation.waiting.is_empty() && situation.aside == 0;
    let shown = idle && situation.earlier_run;
    let tokens = tokenizer::tokens(lexicon, text);
    shown && !conditions(lexicon, &Rows::ran(situation), &tokens).is_empty()
}

/// Where a value is said that two fields may have, or two values of one that no row has both of.
pub(crate) fn unclear(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<usize> {
    let found = found(lexicon, rows, tokens);
    let several = found.iter().find(|found| found.several);
    let both = || {
        found.windows(2).find_map(|pair| {
            let [one, other] = pair else { return None };
            let listed = is_listed(tokens, one, other);
            // `식품하고 의류가 아닌`, where only one of them is denied.
            let mixed = listed && one.denied.is_some() != other.denied.is_some();
            let both = one.same && other.same && one.value != other.value && !listed;
            (one.field == other.field && (mixed || both)).then_some(other)
        })
    };
    several.or_else(both).map(|found| found.word.start)
}

const fn operator(same: bool) -> &'static str {
    if same { "==" } else { "!=" }
}

/// Nothing but what lists them stands between.
fn is_listed(tokens: &[Token<'_>], one: &Found<'_>, other: &Found<'_>) -> bool {
    let between = tokens.get(one.word.end..other.word.start).unwrap_or_default();
    let joins = |t: &Token<'_>| t.has(Concept::And) || either::is_either(t) || t.is_mark(",");
    let stuck = tokens.get(one.word.end - 1).is_some_and(|token| {
        let ends = ["이랑", "랑", "하고", "과", "와", "이나", "나"];
        either::is_either(token)
            || token.text.starts_with(is_hangul) && ends.iter().any(|e| token.text.ends_with(e))
    });
    let light = |t: &Token<'_>| joins(t) || t.has(Concept::Vague);
    between.iter().all(light) && (stuck || between.iter().any(joins))
}

fn found<'r>(lexicon: &Lexicon, rows: &'r Rows, tokens: &[Token<'_>]) -> Vec<Found<'r>> {
    if rows.values().is_empty() {
        return Vec::new();
    }
    let said = Said { lexicon, rows, tokens };
    let held: Vec<Range<usize>> =
        contains::conditions(lexicon, rows, tokens).into_iter().map(|part| part.said).collect();
    let (mut all, mut from) = (Vec::new(), 0);
    for at in 0..tokens.len() {
        // `이름에 식품이 들어간`: a part of a name.
        if at < from || held.iter().any(|held| held.contains(&at)) {
            continue;
        }
        if let Some(found) = said.found(at) {
            from = found.word.end;
            all.push(found);
        }
    }
    spread(tokens, &mut all);
    all
}

/// `식품하고 의류가 아닌`, `aren't food or clothing`: what denies one value of a list denies each.
fn spread(tokens: &[Token<'_>], all: &mut [Found<'_>]) {
    for at in (1..all.len()).rev() {
        let Some((ahead, rest)) = all.split_at_mut_checked(at) else { continue };
        let (Some(one), Some(other)) = (ahead.last_mut(), rest.first()) else { continue };
        let behind = other.denied.filter(|by| *by > other.word.start);
        if let Some(by) = behind.filter(|_| one.denied.is_none() && is_one_list(tokens, one, other))
        {
            one.deny(by);
        }
    }
    for at in 1..all.len() {
        let Some((ahead, rest)) = all.split_at_mut_checked(at) else { continue };
        let (Some(one), Some(other)) = (ahead.last(), rest.first_mut()) else { continue };
        let ahead = one.denied.filter(|by| *by < one.word.start);
        if let Some(by) =
            ahead.filter(|_| other.denied.is_none() && is_one_list(tokens, one, other))
        {
            other.deny(by);
        }
    }
}

/// Values of one field, with no verb of their own: not `식품이거나 의류가 아닌`, `aren't food or are
/// clothing`.
fn is_one_list(tokens: &[Token<'_>], one: &Found<'_>, other: &Found<'_>) -> bool {
    let verb = |t: &Token<'_>| {
        let korean = t.text.starts_with(is_hangul) && either::ends_condition(t);
        korean || IS.iter().any(|is| t.text.eq_ignore_ascii_case(is))
    };
    let between = tokens.get(one.word.start..other.word.start).unwrap_or_default();
    one.field == other.field && is_listed(tokens, one, other) && !between.iter().any(verb)
}

impl Found<'_> {
    fn deny(&mut self, by: usize) {
        self.denied = Some(by);
        self.said = self.said.start.min(by)..self.said.end.max(by + 1);
        match self.value {
            "true" => self.value = "false",
            "false" => self.value = "true",
            _ => self.same = false,
        }
    }
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

    fn found(&self, at: usize) -> Option<Found<'r>> {
        let fitting = self.rows.values().iter();
        let fitting: Vec<(&Called, usize)> =
            fitting.filter_map(|called| Some((called, self.fits(&called.label, at)?))).collect();
        let longest = fitting.iter().map(|(_, end)| *end).max()?;
        let best: Vec<&Called> =
            fitting.iter().filter(|(_, end)| *end == longest).map(|(called, _)| *called).collect();
        let named = |called: &&&Called| self.field(at) == Some(called.field.as_str());
        let called = best.iter().find(named).or_else(|| best.first())?;
        let several = best.iter().any(|other| other.field != called.field);
        let several = several && self.field(at).is_none_or(|field| field != called.field);
        if !self.is_meant(at, longest) {
            return None;
        }
        Some(self.with_context(called, at..longest, several))
    }

    /// Where this label ends that begins here.
    fn fits(&self, label: &str, at: usize) -> Option<usize> {
        let words: Vec<&str> = label.split_whitespace().collect();
        let (last, first) = words.split_last()?;
        let same =
            |(nth, word): (usize, &&str)| self.word(at + nth).is_some_and(|said| said == **word);
        if !first.iter().enumerate().all(same) {
            return None;
        }
        let at = at + first.len();
        let said = self.word(at)?;
        let tail = said.strip_prefix(last)?;
        let plural = last.is_ascii() && tail == PLURAL;
        let ends = tail.is_empty() || plural || self.is_state(tail);
        let attached = self.token(at + 1).filter(|next| next.attached && next.is_word());
        // `w1-2`, `VIP룸`
        let glued = attached.is_some_and(|next| {
            !morph::is_after_name(self.lexicon, next.text) && !self.is_state(next.text)
        });
        ends.then_some(at + 1).filter(|_| !glued)
    }

    fn word(&self, at: usize) -> Option<String> {
        let token = self.token(at)?;
        let word = token.is_word() || token.kind == TokenKind::Operation;
        let named = token.kind == TokenKind::Quoted && self.field(at).is_some();
        (word || named).then(|| token.text.to_lowercase())
    }

    /// `인`, `된`, `만`, and no verb: `취소해줘`.
    fn is_state(&self, tail: &str) -> bool {
        let state = STATES.iter().any(|state| tail.starts_with(state));
        tail.starts_with(is_hangul)
            && !tail.ends_with('면')
            && (morph::is_after_name(self.lexicon, tail)
                || state && morph::is_endings(self.lexicon, tail))
    }

    /// The field that is said right before, particles and `is` between.
    fn field(&self, at: usize) -> Option<&'r str> {
        let from = self.field_before(at)?;
        self.rows.registered(self.lexicon, self.tokens.get(from)?)
    }

    fn field_before(&self, at: usize) -> Option<usize> {
        let light = |token: &Token<'_>| {
            let is = IS.iter().any(|is| token.text.eq_ignore_ascii_case(is));
            let particle = token.attached && morph::is_after_name(self.lexicon, token.text);
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
            let past = |token: &Token<'_>| token.text.is_ascii() && token.text.ends_with(PAST);
            let leads = |token: &Token<'_>| token.verb().is_some() && !past(token);
            has(at, Concept::Cancel) || self.token(at).is_some_and(leads)
        });
        let thing = |at: usize| {
            let ones = |t: &Token<'_>| t.text.eq_ignore_ascii_case(ONES);
            let named = |t: &Token<'_>| t.kind == TokenKind::Operation || ones(t);
            has(at, Concept::Thing) || self.token(at).is_some_and(named)
        };
        let stated = token.is_some_and(|token| {
            STATES.iter().any(|state| token.text.contains(state))
                && token.text.starts_with(is_hangul)
        });
        let described = stated || thing(end) || self.field_before(at).is_some();
        let folder = has(end, Concept::Folder);
        let called = at.checked_sub(1).is_some_and(|before| {
            let naming = |t: &Token<'_>| {
                self.lexicon.naming.iter().any(|word| t.text.eq_ignore_ascii_case(word))
            };
            self.token(before).is_some_and(naming)
        });
        (!acts || described) && !folder && !called
    }

    fn with_context(&self, called: &'r Called, word: Range<usize>, several: bool) -> Found<'r> {
        let own = |token: &Token<'_>| self.rows.registered(self.lexicon, token).is_some();
        let unequal = word
            .start
            .checked_sub(1)
            .filter(|at| self.token(*at).is_some_and(|token| token.is_mark(NOT_EQUAL)));
        let denied = inverse::behind(self.lexicon, self.tokens, word.end)
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
        let (value, same) = match (denied, called.value.as_str()) {
            (Some(_), "true") => ("false", true),
            (Some(_), "false") => ("true", true),
            (denied, value) => (value, denied.is_none()),
        };
        let (field, said) = (called.field.as_str(), from..to + 1);
        Found { field, value, same, denied, word, said, several }
    }

    /// `except the cancelled ones`, `식품하고 도서 빼고`, `취소된 주문 제외하고`.
    fn excepted(&self, word: &Range<usize>) -> Option<usize> {
        let korean = self.token(word.start)?.text.starts_with(is_hangul);
        let light = |at: &usize| {
            self.token(*at).is_some_and(|token| {
                let joins =
                    token.has(Concept::And) || token.is_mark(",") || either::is_either(token);
                let thing = token.has(Concept::Thing) || token.kind == TokenKind::Operation;
                let particle = token.attached && morph::is_after_name(self.lexicon, token.text);
                let value = self.rows.values().iter().any(|c| self.fits(&c.label, *at).is_some());
                let vague = token.has(Concept::Vague) || token.text.eq_ignore_ascii_case(ONES);
                vague || joins || particle || value || thing && korean
            })
        };
        let excepts = |at: &usize| self.token(*at).is_some_and(|t| t.has(Concept::Except));
        let behind = word.end..(word.end + EXCEPT_TOKENS_MAX).min(self.tokens.len());
        let mut behind = behind.filter(|_| korean).skip_while(|at| light(at) && !excepts(at));
        let found = behind.next().filter(excepts);
        found.or_else(|| {
            let mut before = (0..word.start).rev().take(EXCEPT_TOKENS_MAX);
            let before = before.find(|at| !light(at) || excepts(at)).filter(excepts);
            before.filter(|at| self.token(*at).is_some_and(|token| token.text.is_ascii()))
        })
    }
}
