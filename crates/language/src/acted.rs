//! What changes the rows that a registered system lists, by the verb beside what they are called:
//! `주문 넣어줘` puts one there, and `delete product 3` is done only where an operation deletes one.

use crate::{
    character::is_hangul,
    concept::Concept,
    filled, implied, keyed, leading,
    lexicon::Lexicon,
    name::{Mention, OperationAt},
    numbered,
    part::Part,
    past,
    rows::Rows,
    token::{Token, TokenKind},
    valued,
};
use std::collections::BTreeSet;
use wiiiv_domain::{HttpMethod, Lang, Operation, System};

/// What is to become of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Create,
    Delete,
    Change,
    /// As only the system's own words can say it.
    Alter,
}

/// What is told to be done with what is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Acted {
    /// Nothing, or it is not clear by what.
    No,
    By(OperationAt),
    /// No operation does it.
    Impossible,
}

/// Speaks of rows, and of none that is changed: `합계`, `정렬 바꿔줘`, `파일로`.
const OTHERS: [Concept; 20] = [
    Concept::Format,
    Concept::Schedule,
    // What it hangs on cannot be waited for.
    Concept::Condition,
    Concept::Present,
    Concept::Moment,
    Concept::Awaiting,
    Concept::Save,
    Concept::Write,
    Concept::Sum,
    Concept::Average,
    Concept::Count,
    Concept::Sort,
    Concept::Listing,
    Concept::NotThis,
    Concept::Unlike,
    Concept::Correct,
    Concept::File,
    Concept::Part,
    Concept::Negate,
    Concept::Field,
];

pub(crate) fn acted(
    (lexicon, lang): (&Lexicon, Lang),
    systems: &[System],
    tokens: &[Token<'_>],
    labels: &[Mention<OperationAt>],
) -> Acted {
    let said = Said { lexicon, lang, tokens };
    if let Some(able) = said.ordered(systems, labels) {
        return Acted::By(able);
    }
    let found = said.verb().and_then(|at| Some((at, said.act(at)?)));
    let listed = || labels.iter().flat_map(|mention| &mention.of).copied();
    let others = |_: &(usize, Act)| !said.is_of_others(systems);
    let Some((at, act)) = found.filter(others) else { return Acted::No };
    // `2개 주문해줘`: the verb says what of.
    let own = said.called(systems, at);
    let verb = !own.is_empty();
    let of: BTreeSet<OperationAt> =
        if verb { own.into_iter().collect() } else { listed().collect() };
    let one = labels.iter().any(|mention| said.is_row(mention.at + mention.tokens));
    // An order that has a number is no new one: `add it to order 5001`.
    let there = one && act == Act::Create && !verb;
    let whole = if there || one && act == Act::Alter { Act::Change } else { act };
    let able: BTreeSet<OperationAt> = of.iter().flat_map(|of| able(systems, *of, whole)).collect();
    let other = !verb && act == Act::Create && said.is_of_another(labels, at);
    if able.is_empty() && !of.is_empty() && said.is_clear(at) && !other {
        return Acted::Impossible;
    }
    let mut by = able.into_iter().filter(|at| !there && is_done_so(systems, *at, act));
    let Some(only) = by.next().filter(|_| by.next().is_none()) else { return Acted::No };
    let object = verb || act != Act::Create || said.is_object(labels, at);
    let told = || said.is_clear(at) || said.sends(systems, only);
    if object && told() { Acted::By(only) } else { Acted::No }
}

/// The only operation that changes something and is called by its own name: `place an order`.
pub(crate) fn explicit(systems: &[System], labels: &[Mention<OperationAt>]) -> Option<OperationAt> {
    let changes = |(at, nth): &&OperationAt| {
        let operation = systems.get(*at).and_then(|system| system.operations.get(*nth));
        operation.is_some_and(|operation| !implied::reads(operation))
    };
    let named: BTreeSet<OperationAt> =
        labels.iter().flat_map(|mention| &mention.of).filter(changes).copied().collect();
    named.first().copied().filter(|_| named.len() == 1)
}

/// `새 주문 2건 알려줘`: what is asked for or about begins nothing.
pub(crate) fn is_asked_of(tokens: &[Token<'_>]) -> bool {
    let asks = [Concept::Tell, Concept::Question, Concept::Which];
    let told = tokens.iter().rev().find(|token| token.verb().is_some());
    let first = tokens.iter().find(|token| token.verb().is_some());
    let opens = |token: &&Token<'_>| token.text.is_ascii();
    first.filter(opens).or(told).is_some_and(|token| token.has_any(&asks))
}

/// `can i order product 114?`: asked, and not ordered.
pub(crate) fn is_wondered(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    let may = |t: &Token<'_>| t.is(Part::May | Part::Modal);
    let who = |t: &Token<'_>| t.is(Part::Speaker | Part::One);
    let asks = tokens.last().is_some_and(|last| last.is_mark("?"));
    let able = tokens.first().is_some_and(may) && tokens.get(1).is_some_and(who);
    // `주문해줄 수 있어?` asks for it.
    let requests = |verb: &Token<'_>| {
        let asked = |can: &String| {
            let said = format!("{} {can}", verb.text);
            lexicon.requests_in(&said)
        };
        lexicon.parts.of(Part::Can).iter().any(asked)
    };
    let korean = tokens.windows(3).any(|trio| match trio {
        [verb, can, there] => can.is(Part::Can) && there.begins(Part::There) && !requests(verb),
        _ => false,
    });
    asks && (able || korean)
}

/// A word is said that may change something: without one nothing has to be looked for.
pub(crate) fn may_act(tokens: &[Token<'_>]) -> bool {
    let acts = [
        Concept::Enter,
        Concept::Add,
        Concept::Create,
        Concept::Send,
        Concept::Delete,
        Concept::Edit,
        Concept::Cancel,
        Concept::Alter,
        Concept::Pieces,
    ];
    let number = |t: &Token<'_>| t.is_numeral();
    tokens.iter().any(|t| number(t) || t.has_any(&acts))
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    lang: Lang,
    tokens: &'a [Token<'t>],
}

impl Said<'_, '_> {
    fn is_of_others(&self, systems: &[System]) -> bool {
        let operations = systems.iter().flat_map(|system| &system.operations);
        let sends = operations.filter(|operation| !implied::reads(operation));
        let rows = Rows::with(self.lexicon, sends.flat_map(|operation| &operation.fields));
        // `메모는 '빠른 배송'`: a field of what is sent.
        let field =
            |t: &Token<'_>| t.has(Concept::File) && rows.registered(self.lexicon, t).is_some();
        let other = |t: &Token<'_>| t.is_path() || t.has_any(&OTHERS);
        self.tokens.iter().any(|t| other(t) && !field(t))
    }

    /// The word that says what is to be done.
    fn verb(&self) -> Option<usize> {
        let leads = leading::verb(self.lexicon, self.lang, self.tokens);
        let own = |t: &Token<'_>| {
            leads.is_some_and(|verb| t.has(verb)) || t.has(Concept::Cancel) && leads.is_none()
        };
        let describes = |t: &Token<'_>| {
            let past = past::is_participle(self.lexicon, t) || t.ends(Part::Past);
            t.attributive || t.text.is_ascii() && past
        };
        let at = self.tokens.iter().position(|t| own(t) && !describes(t))?;
        // `상품 취소 내역` is something that is listed.
        let korean = self.tokens.get(at)?.text.starts_with(is_hangul);
        let asked = || {
            let rest = self.tokens.get(at..).unwrap_or_default();
            // `해줄 수 있어` is asked for by two words.
            let said: Vec<&str> = rest.iter().map(|token| token.text).collect();
            let said = said.join(" ");
            self.lexicon.requests_in(&said) || rest.len() == 1
        };
        (!korean || asked()).then_some(at)
    }

    fn act(&self, at: usize) -> Option<Act> {
        let token = self.tokens.get(at)?;
        let has = |concepts: &[Concept]| token.has_any(concepts);
        if has(&[Concept::Read, Concept::Get, Concept::Except, Concept::Skip]) {
            None
        } else if has(&[Concept::Enter, Concept::Add, Concept::Create, Concept::Send]) {
            Some(Act::Create)
        } else if has(&[Concept::Delete]) {
            Some(Act::Delete)
        } else if has(&[Concept::Edit, Concept::Cancel]) {
            Some(Act::Change)
        } else {
            has(&[Concept::Alter]).then_some(Act::Alter)
        }
    }

    fn is_number(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word() && token.is_numeral())
    }

    /// A row is called by this number; it is not how many there are.
    fn is_row(&self, at: usize) -> bool {
        self.is_number(at) && !self.tokens.get(at + 1).is_some_and(filled::counts)
    }

    /// It is made, and nothing of it: `create a graph of orders`, `주문 그래프 만들어줘`.
    fn is_object(&self, labels: &[Mention<OperationAt>], at: usize) -> bool {
        let light = |t: &Token<'_>| {
            let light = [Concept::Vague, Concept::New, Concept::Thing, Concept::Pieces];
            let number = self.lexicon.numbers.contains_key(t.text.to_lowercase().as_str());
            t.kind == TokenKind::System
                || t.is_particle()
                || number
                || t.is_numeral()
                || t.has_any(&light)
        };
        let plain = |from: usize, to: usize| {
            self.tokens.get(from..to).is_some_and(|between| between.iter().all(light))
        };
        let korean = self.tokens.get(at).is_some_and(|t| t.is_korean());
        labels.iter().any(|mention| {
            let end = mention.at + mention.tokens;
            let own = (mention.at..end).contains(&at);
            own || if korean { plain(end, at) } else { plain(at + 1, mention.at) }
        })
    }

    /// `create a plan for our products`, `상품 계획을 만들어줘`: something else is made.
    fn is_of_another(&self, labels: &[Mention<OperationAt>], at: usize) -> bool {
        let korean = self.tokens.get(at).is_some_and(|t| t.is_korean());
        let object = |t: &Token<'_>| {
            let ends = |object: &String| t.text.ends_with(object.as_str());
            t.is_word() && t.is_nameless() && self.lexicon.objects.iter().any(ends)
        };
        let of = |t: &Token<'_>| t.is(Part::Of | Part::For | Part::About | Part::At);
        let between = |mention: &Mention<OperationAt>| {
            let end = mention.at + mention.tokens;
            let said =
                if korean { self.tokens.get(end..at) } else { self.tokens.get(at + 1..mention.at) };
            said.is_some_and(|said| {
                let other = said.iter().any(|t| t.is_word() && t.is_nameless());
                if korean { said.iter().any(object) } else { other && said.iter().any(of) }
            })
        };
        !labels.is_empty() && labels.iter().all(between)
    }

    /// Something is said that the operation is to be sent.
    fn sends(&self, systems: &[System], (at, nth): OperationAt) -> bool {
        let operation = systems.get(at).and_then(|system| system.operations.get(nth));
        operation.is_some_and(|operation| {
            let rows = Rows::with(self.lexicon, operation.fields.iter());
            filled::values(self.lexicon, &rows, self.tokens).is_some()
        })
    }

    /// `order 2 pieces of product 101`, `order product 106 for ..`: what is listed is said as a verb.
    fn ordered(&self, systems: &[System], labels: &[Mention<OperationAt>]) -> Option<OperationAt> {
        let aside = [Concept::Vague, Concept::Wish, Concept::Dest];
        let opens = |t: &Token<'_>| !t.has_any(&aside);
        let at = self.tokens.iter().position(opens).filter(|_| self.lang == Lang::En)?;
        let mention = labels.iter().find(|mention| mention.at == at && mention.tokens == 1)?;
        let able: BTreeSet<OperationAt> =
            mention.of.iter().flat_map(|of| able(systems, *of, Act::Create)).collect();
        let only = able.first().copied().filter(|_| able.len() == 1)?;
        let operation = systems.get(only.0).and_then(|system| system.operations.get(only.1))?;
        let rows = Rows::with(self.lexicon, operation.fields.iter());
        let keyed = |at: usize| keyed::key(self.lexicon, &rows, self.tokens, at).is_some();
        // `order 5001 of user 3` asks for one that is there.
        let counts = self.is_number(at + 1)
            && self.tokens.get(at + 2).is_some_and(|unit| unit.has(Concept::Pieces));
        let of = || self.tokens.get(at + 2).is_some_and(|t| t.is(Part::Of));
        let own = numbered::key_of(systems.get(only.0)?, operation);
        let some = || self.is_number(at + 1) && of() && keyed(at + 3) && self.wishes(at);
        let sent = || keyed(at + 1) && filled::is_begun(self.lexicon, &rows, self.tokens, own);
        // `order 3 tumblers`; not `order 3 details`, which has an operation of its own.
        let labelled = |word: &str| {
            let all = systems.iter().flat_map(|system| &system.operations).flat_map(|o| &o.labels);
            let mut words = all.flat_map(|label| label.split_whitespace());
            words.any(|label| label.eq_ignore_ascii_case(word))
        };
        let things = || {
            let next = self.tokens.get(at + 2);
            let own = next.is_some_and(|next| {
                !labelled(next.text) && !valued::is_called(self.lexicon, &rows, next.text)
            });
            self.is_number(at + 1) && own && filled::of_things(self.lexicon, &rows, self.tokens)
        };
        (counts || some() || sent() || things()).then_some(only)
    }

    /// `i want to order ..`: it is a verb there.
    fn wishes(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| token.has(Concept::Dest))
    }

    /// What is only sent may be sent to whoever asks.
    fn is_clear(&self, at: usize) -> bool {
        let tells = [Concept::Enter, Concept::Add, Concept::Create];
        self.tokens.get(at).is_some_and(|token| !token.has(Concept::Send) || token.has_any(&tells))
    }

    /// The operations of what a Korean verb is made of: `주문해줘`.
    fn called(&self, systems: &[System], at: usize) -> Vec<OperationAt> {
        let Some(verb) = self.tokens.get(at).filter(|t| t.is_korean()) else {
            return Vec::new();
        };
        let begins =
            |operation: &Operation| operation.labels.iter().any(|l| verb.text.starts_with(l));
        let all = systems.iter().enumerate().flat_map(|(system, of)| {
            let operations = of.operations.iter().enumerate();
            operations.map(move |(nth, operation)| ((system, nth), operation))
        });
        all.filter(|(_, operation)| begins(operation)).map(|(at, _)| at).collect()
    }
}

/// By its method and its depth: a row is never deleted by what changes it, nor the other way round,
/// and what lies deeper is done by its own name only.
fn is_done_so(systems: &[System], (at, nth): OperationAt, act: Act) -> bool {
    let operation = systems.get(at).and_then(|system| system.operations.get(nth));
    let Some((method, path)) = operation.map(|o| (o.method, o.path.as_str())) else { return false };
    let row = path.ends_with('}');
    match act {
        Act::Create => method == HttpMethod::Post && !row,
        Act::Delete => method == HttpMethod::Delete && row,
        Act::Change => matches!(method, HttpMethod::Put | HttpMethod::Patch) && row,
        Act::Alter => false,
    }
}

/// The operations that may do so to a row of what this one answers with.
fn able(systems: &[System], (at, nth): OperationAt, act: Act) -> Vec<OperationAt> {
    let Some(system) = systems.get(at) else { return Vec::new() };
    let Some(named) = system.operations.get(nth) else { return Vec::new() };
    let listing = numbered::list_of(system, named).unwrap_or(named);
    let does = |operation: &Operation| {
        let below = operation.path.strip_prefix(listing.path.as_str());
        let own = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let deeper = below.is_some_and(|rest| !rest.is_empty());
        let method = operation.method;
        let changes = !method.is_safe() && !operation.reads && own;
        changes
            && match act {
                Act::Create => method == HttpMethod::Post && !deeper,
                Act::Delete => method == HttpMethod::Delete,
                Act::Change => method != HttpMethod::Post || deeper,
                Act::Alter => true,
            }
    };
    let operations = system.operations.iter().enumerate();
    operations.filter(|(_, operation)| does(operation)).map(|(nth, _)| (at, nth)).collect()
}
