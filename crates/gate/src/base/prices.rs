//! Checks of prices before a policy is put in force.

use crate::base::policy::{MODEL_CHARS_MAX, Policy, PolicyError};
use wiiiv_domain::{Currency, ModelPrice, ProviderName};

impl Policy {
    /// The one currency that the project counts in; `None` if nothing costs anything.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.project_policy().currency(self.prices())
    }

    /// Checked when a policy is saved. For a version in force the gates decide: a price that covers
    /// nothing denies, and a model without a name does not exist.
    pub fn check_saved(&self) -> Result<(), PolicyError> {
        check_name(self.project_policy().governor_model.as_deref())?;
        self.check_prices()
    }

    fn check_prices(&self) -> Result<(), PolicyError> {
        let own = &self.project_policy().model_prices;
        own.iter().try_for_each(|(name, price)| {
            let told = |why| PolicyError::Price { name: name.clone(), why };
            is_name(name).then_some(()).ok_or_else(|| told("is not written as `OPENAI:model`"))?;
            covers(price).map_err(told)
        })?;
        let mut priced = self.project_policy().priced(self.prices());
        let Some((first, currency)) = priced.next() else { return Ok(()) };
        // Sums of money have no currency of their own, so there must be only one.
        match priced.find(|(_, other)| *other != currency) {
            None => Ok(()),
            Some((name, other)) => Err(PolicyError::Currencies { first, currency, name, other }),
        }
    }
}

fn check_name(model: Option<&str>) -> Result<(), PolicyError> {
    let told = |why| Err(PolicyError::Slot { field: "governorModel", why });
    match model {
        Some(name) if name.trim().is_empty() => told("it names no model"),
        Some(name) if name.chars().count() > MODEL_CHARS_MAX => {
            told("a name has 200 characters at most")
        }
        Some(_) | None => Ok(()),
    }
}

fn is_name(name: &str) -> bool {
    let is_provider = |given: &str| ProviderName::ALL.iter().any(|one| one.as_str() == given);
    name.split_once(':').is_some_and(|(of, model)| is_provider(of) && !model.trim().is_empty())
}

fn covers(price: &ModelPrice) -> Result<(), &'static str> {
    let starts = || price.tiers.iter().map(|tier| tier.from_input_tokens);
    if starts().next() != Some(0) {
        return Err("its first tier begins at `fromInputTokens` 0");
    }
    let ascends = starts().zip(starts().skip(1)).all(|(one, next)| one < next);
    if ascends { Ok(()) } else { Err("its tiers ascend by `fromInputTokens`") }
}
