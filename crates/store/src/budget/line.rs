//! A window of spending as the ledger has it, and what is drawn for it from its cap.

use crate::database::number::COUNT_MAX;
use wiiiv_domain::{BudgetWindow, Timestamp, WindowKind};
use wiiiv_gate::Cap;

/// A tranche is this part of a cap: a window is written at most so often until its cap is drawn, however
/// many calls there are, and a server that ends leaves no more than this drawn for nothing.
const TRANCHES: u64 = 16;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) tokens: u64,
    pub(crate) micros: u64,
}

impl Sum {
    pub(crate) const ZERO: Self = Self { tokens: 0, micros: 0 };

    pub(crate) const fn plus(self, other: Self) -> Self {
        let tokens = self.tokens.saturating_add(other.tokens);
        Self { tokens, micros: self.micros.saturating_add(other.micros) }
    }
    pub(crate) const fn minus(self, other: Self) -> Self {
        let tokens = self.tokens.saturating_sub(other.tokens);
        Self { tokens, micros: self.micros.saturating_sub(other.micros) }
    }
    pub(crate) fn least(self, other: Self) -> Self {
        Self { tokens: self.tokens.min(other.tokens), micros: self.micros.min(other.micros) }
    }
    pub(crate) const fn is_zero(self) -> bool {
        self.tokens == 0 && self.micros == 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) settled: Sum,
    pub(crate) held: Sum,
    /// What its row counts as spent. Under a cap never less than what is settled and held, and more than the cap
    /// where calls have spent more than was held for them.
    pub(crate) drawn: Sum,
    /// That the last hold was taken under. With one, the window has a row.
    pub(crate) cap: Cap,
    /// When most of that cap was spent.
    pub(crate) alerted_at: Option<Timestamp>,
}

/// What a hold needs of a window's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Draw {
    pub(crate) more: Sum,
    /// Under another cap than its row has.
    is_recapped: bool,
}

impl Draw {
    pub(crate) const fn is_nothing(self) -> bool {
        self.more.is_zero() && !self.is_recapped
    }
}

impl Line {
    pub(crate) const fn used(&self) -> Sum {
        self.settled.plus(self.held)
    }

    /// Holds so much in it. `None`: it does not fit under the cap. Under another cap than before, what
    /// came near the former says nothing any more.
    // INVARIANT: nothing is held beyond the cap, nor beyond what is drawn once the answer is written.
    pub(crate) fn hold(&mut self, window: &BudgetWindow, amount: Sum, cap: Cap) -> Option<Draw> {
        let (used, drawn) = (self.used(), self.drawn);
        let more = Sum {
            tokens: more(window, (used.tokens, amount.tokens), drawn.tokens, cap.tokens)?,
            micros: more(window, (used.micros, amount.micros), drawn.micros, cap.micros)?,
        };
        let is_recapped = self.cap != cap;
        if is_recapped {
            (self.cap, self.alerted_at) = (cap, None);
        }
        self.held = self.held.plus(amount);
        self.drawn = drawn.plus(more);
        Some(Draw { more, is_recapped })
    }

    /// So much of what was held in it ends, as so much spent.
    pub(crate) const fn end(&mut self, held: Sum, spent: Sum) {
        self.held = self.held.minus(held);
        self.settled = self.settled.plus(spent);
    }

    /// What is used under a cap and not drawn: more was spent than was held. It is drawn from now on.
    pub(crate) fn cover(&mut self) -> Sum {
        let beyond = self.used().minus(self.drawn);
        let under = |cap: Option<u64>, count: u64| cap.map_or(0, |_| count);
        let Cap { tokens, micros } = self.cap;
        let beyond =
            Sum { tokens: under(tokens, beyond.tokens), micros: under(micros, beyond.micros) };
        self.drawn = self.drawn.plus(beyond);
        beyond
    }
}

/// What is to be drawn: nothing without a cap, or while what is drawn has room. `None`: it does not fit.
fn more(
    window: &BudgetWindow,
    (used, amount): (u64, u64),
    drawn: u64,
    cap: Option<u64>,
) -> Option<u64> {
    let needed = used.saturating_add(amount);
    let limit = cap.unwrap_or(COUNT_MAX).min(COUNT_MAX);
    if needed > limit {
        return None;
    }
    if cap.is_none() || needed <= drawn {
        return Some(0);
    }
    Some(needed.saturating_add(tranche(window, limit)).min(limit) - drawn)
}

/// A task is one conversation's, which one server has: nobody else could use what is left.
const fn tranche(window: &BudgetWindow, cap: u64) -> u64 {
    match window.window {
        WindowKind::Run(_) => cap,
        WindowKind::Day(_) | WindowKind::Month(_) => cap / TRANCHES,
    }
}

#[cfg(test)]
mod tests {
    use super::{Draw, Line, Sum, TRANCHES};
    use wiiiv_domain::{BudgetWindow, Timestamp};
    use wiiiv_gate::Cap;

    const NO_CAP: Cap = Cap { tokens: None, micros: None };

    fn line() -> Line {
        let (settled, held, drawn) = (Sum::ZERO, Sum::ZERO, Sum::ZERO);
        Line { settled, held, drawn, cap: NO_CAP, alerted_at: None }
    }

    fn day() -> BudgetWindow {
        BudgetWindow::day(uuid::Uuid::from_u128(1).into(), Timestamp::from_unix_ms(0))
    }

    fn tokens(tokens: u64) -> Sum {
        Sum { tokens, micros: 0 }
    }

    fn cap(tokens: u64) -> Cap {
        Cap { tokens: Some(tokens), micros: None }
    }

    #[test]
    fn a_window_is_drawn_a_few_times_and_held_to_its_last_token() {
        for amount in [1, 7, 100, 1_000, 5_000] {
            let (mut line, mut draws, mut held) = (line(), 0, 0);
            while let Some(draw) = line.hold(&day(), tokens(amount), cap(10_000)) {
                held += amount;
                draws += u64::from(!draw.is_nothing());
                assert!(line.used().tokens <= line.drawn.tokens && line.drawn.tokens <= 10_000);
            }
            assert!(held > 10_000 - amount && held <= 10_000, "{held}");
            assert!(draws <= TRANCHES + 1, "{amount}: {draws}");
        }
    }

    #[test]
    fn a_window_without_a_cap_is_not_written_until_it_has_one() {
        let mut line = line();
        assert_eq!(line.hold(&day(), tokens(50), NO_CAP).map(Draw::is_nothing), Some(true));
        let draw = line.hold(&day(), tokens(10), cap(160)).unwrap();
        assert_eq!((draw.more, line.drawn), (tokens(70), tokens(70)), "all that counts, and more");
        assert_eq!(line.hold(&day(), tokens(10), NO_CAP).map(Draw::is_nothing), Some(false));
    }

    #[test]
    fn a_lower_cap_binds_at_once_and_a_higher_one_is_drawn_from() {
        let mut line = line();
        line.hold(&day(), tokens(100), cap(1_600)).unwrap();
        assert_eq!(line.drawn, tokens(200));
        line.alerted_at = Some(Timestamp::from_unix_ms(1));
        assert_eq!(line.hold(&day(), tokens(51), cap(150)), None, "though it is drawn");
        assert!(line.alerted_at.is_some(), "nothing was held");
        let draw = line.hold(&day(), tokens(50), cap(150)).unwrap();
        assert_eq!((draw.more, draw.is_nothing(), line.alerted_at), (Sum::ZERO, false, None));
        let draw = line.hold(&day(), tokens(100), cap(3_200)).unwrap();
        assert_eq!((draw.more, line.drawn), (tokens(250), tokens(450)));
    }

    #[test]
    fn what_is_spent_beyond_what_was_held_is_drawn() {
        let mut line = line();
        line.hold(&day(), tokens(10), cap(160)).unwrap();
        line.end(tokens(10), tokens(20));
        assert_eq!(line.cover(), Sum::ZERO, "within the tranche");
        line.end(Sum::ZERO, Sum { tokens: 30, micros: 9 });
        assert_eq!((line.cover(), line.drawn), (tokens(30), tokens(50)), "money has no cap");
        assert_eq!(line.settled, Sum { tokens: 50, micros: 9 });
    }
}
