//! A model by its name, `PROVIDER:model`.

use crate::failure::Failure;
use wiiiv_domain::ProviderName;

/// The built-in model is no real one.
pub fn parsed(given: &str) -> Result<(ProviderName, &str), Failure> {
    let mut asked = ProviderName::ALL.into_iter().filter(|name| !name.is_built_in());
    let known: Vec<&str> = asked.clone().map(ProviderName::as_str).collect();
    let refused = || Failure::LiveModel { given: given.to_owned(), known: known.join("`, `") };
    let (provider, model) = given.split_once(':').ok_or_else(refused)?;
    let provider = asked.find(|name| name.as_str().eq_ignore_ascii_case(provider));
    match (provider, model.trim()) {
        (None, _) | (_, "") => Err(refused()),
        (Some(provider), model) => Ok((provider, model)),
    }
}
