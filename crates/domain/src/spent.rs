//! Usage of the attempts of one model call, and its price.

use crate::{
    budget::{Amount, Usage},
    money::{Currency, ModelPrice, worst_case},
};

/// Usage by attempt: the size of each attempt decides its price tier, and each is rounded up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spent {
    counted: Vec<Usage>,
    unknown: u32,
}

impl Spent {
    /// One attempt whose usage is known.
    #[must_use]
    pub fn of(usage: Usage) -> Self {
        Self { counted: vec![usage], unknown: 0 }
    }
    /// Adds an attempt whose usage is known.
    pub fn count(&mut self, usage: Usage) {
        self.counted.push(usage);
    }
    /// Counts an attempt whose usage is unknown; what was held for it counts as spent.
    pub fn count_unknown(&mut self) {
        self.unknown = self.unknown.saturating_add(1);
    }
    /// Sum over all attempts; estimated if the usage of any is unknown.
    #[must_use]
    pub fn total(&self) -> Usage {
        let all = Usage { estimated: self.unknown > 0, ..Usage::default() };
        self.counted.iter().fold(all, |sum, one| Usage {
            input_tokens: sum.input_tokens.saturating_add(one.input_tokens),
            output_tokens: sum.output_tokens.saturating_add(one.output_tokens),
            estimated: sum.estimated || one.estimated,
        })
    }
    /// How many attempts cost something, or may have.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.counted.len()).unwrap_or(u32::MAX).saturating_add(self.unknown)
    }
    /// How many attempts have unknown usage.
    #[must_use]
    pub const fn uncounted(&self) -> u32 {
        self.unknown
    }
    /// The sum of all attempts; `None` if the usage of any is unknown.
    #[must_use]
    pub fn known(&self) -> Option<Usage> {
        (self.unknown == 0).then(|| self.total())
    }
}

/// The price of a call and the amount held for it.
// INVARIANT: if no more attempts than allowed were made, and none used more than was held for one,
// the cost is at most the amount held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    price: Option<ModelPrice>,
    attempt: Amount,
    held: Amount,
}

impl Terms {
    /// `None` for a model without a price.
    #[must_use]
    pub fn new(
        price: Option<&ModelPrice>,
        (max_input_tokens, max_output_tokens): (u64, u64),
        attempts: u32,
    ) -> Self {
        let worst = |attempts| worst_case(price, max_input_tokens, max_output_tokens, attempts);
        Self { price: price.cloned(), attempt: worst(1), held: worst(attempts) }
    }
    /// The amount held for the whole call.
    #[must_use]
    pub const fn held(&self) -> Amount {
        self.held
    }
    /// The currency of the price; the default one if there is no price.
    #[must_use]
    pub fn currency(&self) -> Currency {
        self.price.as_ref().map_or_else(Currency::default, |price| price.currency)
    }
    /// What the attempts cost: each by its tier, an unknown one at the worst case.
    #[must_use]
    pub fn cost(&self, spent: &Spent) -> Amount {
        let nothing = Amount { tokens: 0, micros: self.price.as_ref().map(|_| 0) };
        let counted = spent.counted.iter().map(|usage| self.cost_of(*usage));
        let unknown = (0..spent.unknown).map(|_| self.attempt);
        counted.chain(unknown).fold(nothing, Amount::plus)
    }
    fn cost_of(&self, usage: Usage) -> Amount {
        let Usage { input_tokens, output_tokens, .. } = usage;
        Amount {
            tokens: input_tokens.saturating_add(output_tokens),
            micros: self.price.as_ref().and_then(|price| price.cost(input_tokens, output_tokens)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::PriceTier;

    const MAX: (u64, u64) = (1_500, 100);

    fn tiered() -> ModelPrice {
        let tier = |from_input_tokens, micros: u64| PriceTier {
            from_input_tokens,
            input_micros_per_million: micros * 1_000_000,
            output_micros_per_million: micros * 2_000_000,
        };
        ModelPrice { currency: Currency::KRW, tiers: vec![tier(0, 1), tier(2_000, 10)] }
    }

    fn used(input_tokens: u64) -> Usage {
        Usage { input_tokens, output_tokens: 10, estimated: false }
    }

    #[test]
    fn two_small_attempts_are_no_large_one() {
        let (price, mut spent) = (tiered(), Spent::of(used(1_200)));
        spent.count(used(1_300));
        let terms = Terms::new(Some(&price), MAX, 2);
        let cost = terms.cost(&spent);
        assert_eq!(cost, Amount { tokens: 2_520, micros: Some(2_540) });
        assert_eq!((spent.total().input_tokens, terms.currency()), (2_500, Currency::KRW));
        assert!(cost.micros <= terms.held().micros && cost.tokens <= terms.held().tokens);
    }

    #[test]
    fn an_attempt_that_nobody_counted_costs_what_was_held_for_one() {
        let (price, mut spent) = (tiered(), Spent::of(used(100)));
        assert_eq!(spent.known(), Some(used(100)));
        spent.count_unknown();
        assert_eq!((spent.known(), spent.total().estimated), (None, true));
        let terms = Terms::new(Some(&price), MAX, 2);
        assert_eq!(terms.cost(&spent), Amount { tokens: 110 + 1_600, micros: Some(120 + 1_700) });
        spent.counted.clear();
        spent.count_unknown();
        assert_eq!(terms.cost(&spent), terms.held());
        assert_eq!(Terms::new(None, MAX, 2).cost(&spent).micros, None);
    }
}
