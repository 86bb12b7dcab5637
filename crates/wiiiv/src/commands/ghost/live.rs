//! The real model that scenarios are played with.

use crate::args::LiveArgs;
use crate::failure::Failure;
use crate::secret::from_private_file;
use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_domain::ProviderName;
use wiiiv_ghost::LiveModel;
use wiiiv_llm::{asks_for_key, own_base_url};

/// `None`: none is named.
pub fn named(args: &LiveArgs) -> Result<Option<LiveModel>, Failure> {
    let Some(given) = &args.live_model else { return Ok(None) };
    let (provider, model) = parsed(given)?;
    let own = own_base_url(provider).map(str::to_owned);
    let base = args.live_base_url.clone().or(own);
    let base = base.ok_or(Failure::NoBaseUrl { provider: provider.as_str() })?;
    let key = key(args)?;
    if key.is_none() && asks_for_key(provider) {
        return Err(Failure::NoKey { provider: provider.as_str() });
    }
    Ok(Some(LiveModel { provider, model: model.to_owned(), base, key }))
}

/// The built-in model is no real one.
fn parsed(given: &str) -> Result<(ProviderName, &str), Failure> {
    let mut asked = ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Offline);
    let known: Vec<&str> = asked.clone().map(ProviderName::as_str).collect();
    let refused = || Failure::LiveModel { given: given.to_owned(), known: known.join("`, `") };
    let (provider, model) = given.split_once(':').ok_or_else(refused)?;
    let provider = asked.find(|name| name.as_str().eq_ignore_ascii_case(provider));
    match (provider, model.trim()) {
        (None, _) | (_, "") => Err(refused()),
        (Some(provider), model) => Ok((provider, model)),
    }
}

fn key(args: &LiveArgs) -> Result<Option<SecretString>, Failure> {
    if let Some(file) = &args.key_file {
        return Ok(Some(from_private_file(file)?));
    }
    let Some(variable) = &args.key_variable else { return Ok(None) };
    let key = std::env::var(variable).ok().map(|text| SecretString::from(text.trim()));
    let key = key.filter(|key| !key.expose_secret().is_empty());
    key.map(Some).ok_or_else(|| Failure::NoVariable { variable: variable.clone() })
}
