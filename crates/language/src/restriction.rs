//! What is said of which rows are meant and is not read. Acting would drop it: it is asked about.
//!
//! A word that narrows stands beside what it narrows: before `상품` and `것`, in one with `만`,
//! behind `only`, `except` and `products in`. Where nothing has read it, the utterance is unclear.

mod act;
mod english;
mod korean;
mod unclaimed;
mod words;

use crate::{
    concept::Concept,
    either, ranking,
    token::{Token, TokenKind},
};

pub(crate) use act::takes_away;
pub(crate) use words::Restriction;
use words::is_name;

/// Tokens around a field's label that may show that a file is named by it.
const NEAR_TOKENS: usize = 2;

/// The first token that narrows and that nothing has read.
pub(crate) fn unread(said: &Restriction<'_, '_>) -> Option<usize> {
    let open = |at: &usize| !said.read.contains(at);
    let narrows = (0..said.tokens.len()).filter(open).find_map(|at| {
        let told = excepts(said, at)
            || said.is_idle_field(at)
            || said.is_idle_number(at)
            || said.is_of_a_time(at)
            || said.groups(at)
            || said.joins(at)
            || act::acts(said, at);
        told.then_some(at)
            .or_else(|| korean::narrows(said, at))
            .or_else(|| english::narrows(said, at))
    });
    narrows.or_else(|| unclaimed::unclaimed(said))
}

/// `식품 빼고`, `except food`, `식품 말고`; and one of two conditions is no list of them.
fn excepts(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.tokens.get(at) else { return false };
    let before = || at.checked_sub(1).and_then(|at| said.tokens.get(at));
    // `a.txt 말고 b.txt`, `상품 말고 재고 목록`
    let place = || before().is_some_and(|token| token.text.contains(['.', '/']));
    let named = |token: &Token<'_>| {
        let digits = token.is_numeral();
        digits || is_name(token) || (token.is_entity() && place())
    };
    let instead = || said.tokens.get(at + 1).is_some_and(named);
    let dropped = || before().is_some_and(|token| token.kind == TokenKind::Dropped);
    let either = either::is_either(token);
    // `중복은 제거하고`: what is taken out of it.
    token.has(Concept::Except)
        || token.has(Concept::Delete)
        || (token.has(Concept::NotThis) && dropped() && !instead())
        || (either && !said.read.is_empty())
}

impl Restriction<'_, '_> {
    /// `카테고리 식품 상품`: a field is named, and nothing is made of it.
    fn is_idle_field(&self, at: usize) -> bool {
        let field = |token: &Token<'_>| self.rows.registered(self.lexicon, token).is_some();
        if !self.token(at).is_some_and(field) {
            return false;
        }
        // `파일 이름은 a.json`
        let near = at.saturating_sub(NEAR_TOKENS)..=at + NEAR_TOKENS;
        let file =
            |at: usize| self.has(at, Concept::File) || self.token(at).is_some_and(Token::is_entity);
        !near.into_iter().any(file)
    }

    /// `재고 7`, `상품 세개`: a number right behind what is asked for, of which nothing is made.
    fn is_idle_number(&self, at: usize) -> bool {
        let digits = |token: &Token<'_>| token.is_word() && token.is_numeral();
        let name = self.before(at).is_some_and(|before| self.is(before, TokenKind::Operation));
        let counts = |token: &Token<'_>| ranking::counted_in_one(self.lexicon, token).is_some();
        name && self.token(at).is_some_and(|token| digits(token) || counts(token))
    }

    /// `오늘 주문`, `orders from last week`: rows have no time here that it could be held against;
    /// and bounds that are none.
    fn is_of_a_time(&self, at: usize) -> bool {
        let bounds = self.has(at, Concept::Period) || self.has(at, Concept::Between);
        !self.operations.is_empty() && bounds
    }

    fn groups(&self, at: usize) -> bool {
        self.has(at, Concept::Group) || self.token(at).is_some_and(|t| korean::is_each(self, t))
    }

    /// Of one answer and an earlier one there is only the earlier.
    fn joins(&self, at: usize) -> bool {
        use crate::lexicon::Sign;
        self.has(at, Concept::Join) && self.signs.has(Sign::EarlierRun)
    }
}
