//! Prices of models. A model without a price is unpriced, never free.

use crate::budget::Amount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

named! {
    /// ISO 4217.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Currency {
        /// US dollar.
        #[default]
        USD = "USD",
        /// South Korean won.
        KRW = "KRW",
        /// Euro.
        EUR = "EUR",
    }
}

/// Micro-units of the currency for a million tokens, from `from_input_tokens` of input upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceTier {
    /// Smallest input, in tokens, that this tier covers.
    pub from_input_tokens: u64,
    /// Micro-units for a million input tokens.
    pub input_micros_per_million: u64,
    /// Micro-units for a million output tokens.
    pub output_micros_per_million: u64,
}

/// Tiers in ascending order of `from_input_tokens`; the first begins at 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelPrice {
    /// The currency of every tier.
    pub currency: Currency,
    /// Prices by size of the input.
    pub tiers: Vec<PriceTier>,
}

impl ModelPrice {
    fn tier(&self, input_tokens: u64) -> Option<&PriceTier> {
        self.tiers.iter().rev().find(|t| t.from_input_tokens <= input_tokens)
    }
    /// Whether any tier has a price above 0.
    #[must_use]
    pub fn costs(&self) -> bool {
        let costs =
            |t: &PriceTier| t.input_micros_per_million > 0 || t.output_micros_per_million > 0;
        self.tiers.iter().any(costs)
    }
    /// Micro-units, rounded up per call; `None` where no tier covers the input.
    #[must_use]
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> Option<u64> {
        let tier = self.tier(input_tokens)?;
        let input = u128::from(input_tokens) * u128::from(tier.input_micros_per_million);
        let output = u128::from(output_tokens) * u128::from(tier.output_micros_per_million);
        u64::try_from((input + output).div_ceil(1_000_000)).ok()
    }
}

/// Prices by `PROVIDER:model`, e.g. `OPENAI:gpt-4o-mini`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PriceTable(pub BTreeMap<String, ModelPrice>);

impl PriceTable {
    /// The price of a provider's model; `None` means unpriced.
    #[must_use]
    pub fn get(&self, provider: &str, model: &str) -> Option<&ModelPrice> {
        self.0.get(&format!("{provider}:{model}"))
    }
}

/// The most that `attempts` calls of this size can cost. A dearer tier may begin below the maximum,
/// so every tier in reach is checked.
#[must_use]
pub fn worst_case(
    price: Option<&ModelPrice>,
    max_input_tokens: u64,
    max_output_tokens: u64,
    attempts: u32,
) -> Amount {
    let attempts = u64::from(attempts);
    let one = max_input_tokens.saturating_add(max_output_tokens);
    let micros = price.and_then(|p| {
        let starts = p.tiers.iter().map(|t| t.from_input_tokens);
        let ends = starts.map(|from| from.saturating_sub(1)).chain([max_input_tokens]);
        let sizes = ends.filter(|size| *size <= max_input_tokens);
        let costs: Option<Vec<u64>> = sizes.map(|size| p.cost(size, max_output_tokens)).collect();
        costs?.into_iter().max()
    });
    Amount {
        tokens: one.saturating_mul(attempts),
        micros: micros.map(|m| m.saturating_mul(attempts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_case_asks_every_tier_and_rounds_up() {
        let tier = |from, input, output| PriceTier {
            from_input_tokens: from,
            input_micros_per_million: input,
            output_micros_per_million: output,
        };
        let falling = ModelPrice {
            currency: Currency::USD,
            tiers: vec![tier(0, 10_000_000, 0), tier(1000, 1_000_000, 0)],
        };
        assert_eq!(worst_case(Some(&falling), 2000, 0, 2).micros, Some(2 * 9990));
        assert_eq!(falling.cost(1, 0), Some(10));
        assert_eq!(ModelPrice { tiers: vec![tier(0, 1, 1)], ..falling }.cost(1, 0), Some(1));
        assert_eq!(worst_case(None, 10, 5, 2), Amount { tokens: 30, micros: None });
    }
}
