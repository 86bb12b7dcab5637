//! The same of another list of the system that was just asked: `make that orders instead`,
//! `상품 말고 주문으로`, `and the orders?`

use crate::{
    concept::Concept,
    part::Part,
    reading::Situation,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, System, TaskType};

/// More words say what is to be done.
const ASKED_WORDS_MAX: usize = 5;
/// The system that was just asked, or that a call which waits is of.
pub(crate) fn system(situation: &Situation) -> Option<(usize, &System)> {
    let calls = |task: &TaskType| *task == TaskType::ApiWorkflow;
    let name = match &situation.active {
        Some((task, _)) if calls(task) => situation.known.get(SlotName::DOMAIN),
        None if situation.earlier_run => situation.ran.get(SlotName::DOMAIN),
        _ => None,
    }?;
    let mut systems = situation.systems.iter().enumerate();
    systems.find(|(_, system)| system.is_called(name))
}

/// Nothing is said but what it is to be of.
pub(crate) fn is_correction(tokens: &[Token<'_>]) -> bool {
    let corrects = [Concept::Change, Concept::Correct, Concept::NotThis, Concept::Unlike];
    let says = |of: &[Concept]| tokens.iter().any(|t| t.has_any(of));
    let dropped = tokens.iter().any(|token| token.kind == TokenKind::Dropped);
    let leads = |t: &Token<'_>| t.verb().is_some_and(|verb| verb.changes());
    (says(&corrects) || dropped) && !tokens.iter().any(|t| t.is_entity() || leads(t))
}

/// `주문은?`, `and the cancelled orders?`, `what about users` of what was just shown.
pub(crate) fn is_asked_on(tokens: &[Token<'_>]) -> bool {
    let opened = opening(tokens);
    let rest = tokens.get(opened..).unwrap_or_default();
    let asks = opened > 0 || tokens.last().is_some_and(|last| last.is_mark("?"));
    let light = [Concept::Vague, Concept::And, Concept::Then];
    let light = |t: &Token<'_>| t.attached || t.has_any(&light);
    let words = rest.iter().filter(|t| t.is_word() && !light(t)).count();
    // `delivered` is what has become of them.
    let past = |t: &Token<'_>| t.text.is_ascii() && t.ends(Part::Past);
    let leads = |t: &Token<'_>| t.verb().is_some() && !past(t) || t.is_entity();
    asks && words <= ASKED_WORDS_MAX && !rest.iter().any(leads)
}

/// `그럼 발주는?`, where it was only asked which rows of another list are meant, and a look at a list where
/// it was asked what to send: that is let go.
pub(crate) fn is_another(situation: &Situation, tokens: &[Token<'_>]) -> bool {
    let missing = situation.active.as_ref().map_or(&[][..], |(_, missing)| missing);
    let only = |slot: &str| !missing.is_empty() && missing.iter().all(|m| m.as_str() == slot);
    let turns = |t: &Token<'_>| t.has(Concept::Then) || t.has(Concept::And);
    let turned = opening(tokens) > 0 || tokens.first().is_some_and(turns);
    let looks = [Concept::Read, Concept::Get, Concept::Listing];
    let looks = |t: &Token<'_>| t.has_any(&looks);
    let asked_on = || only(SlotName::SELECT) && turned && is_asked_on(tokens);
    let looks = || only(SlotName::BODY) && tokens.iter().any(looks);
    situation.is_asked() && (asked_on() || looks())
}

/// The tokens of `what about`, `and how about`, which ask for nothing else.
pub(crate) fn opening(tokens: &[Token<'_>]) -> usize {
    let light = |t: &Token<'_>| t.has(Concept::And) || t.has(Concept::Then);
    let from = tokens.iter().take_while(|t| light(t) || t.is_mark(",")).count();
    match tokens.get(from..from + 2) {
        Some([what, about]) if what.has(Concept::Question) && about.is(Part::About) => from + 2,
        _ => 0,
    }
}

/// What stands there is not meant: `상품 말고`, `not the products`.
pub(crate) fn is_replaced(tokens: &[Token<'_>], from: usize, to: usize) -> bool {
    let behind = tokens.iter().skip(to).find(|token| !token.attached);
    let mut before = tokens.get(..from).unwrap_or_default().iter().rev();
    let ahead = before.find(|token| !token.has(Concept::Vague));
    // `상품 말고 상품명` leaves nothing else.
    let last = tokens.len() == to;
    behind.is_some_and(|token| token.has(Concept::NotThis))
        || ahead.is_some_and(|token| token.has(Concept::Unlike)) && (last || from > 1)
}
