//! A real model that a command asks: its name, where it is, and the key that it is asked with, which comes from a file or a
//! named variable and is never an argument.

use crate::{failure::Failure, model_name, secret::from_private_file};
use secrecy::{ExposeSecret as _, SecretString};
use std::path::Path;
use wiiiv_ghost::LiveModel;
use wiiiv_llm::{asks_for_key, own_base_url};
use wiiiv_net::{Origin, Url};

/// At that address or its provider's own, and the origin that this is.
pub fn reached(
    name: &str,
    base: Option<String>,
    key: Option<SecretString>,
) -> Result<(LiveModel, Origin), Failure> {
    let (provider, model) = model_name::parsed(name)?;
    let base = base.or_else(|| own_base_url(provider).map(str::to_owned));
    let base = base.ok_or(Failure::NoBaseUrl { provider: provider.as_str() })?;
    let told = |why: String| Failure::LiveBaseUrl { base: base.clone(), why };
    let url = Url::parse(&base).map_err(|error| told(error.to_string()))?;
    let origin = Origin::of(&url).map_err(|error| told(error.to_string()))?;
    Origin::of_models(&origin.to_string()).map_err(|error| told(error.to_string()))?;
    if key.is_none() && asks_for_key(provider) {
        return Err(Failure::NoKey { provider: provider.as_str() });
    }
    Ok((LiveModel { provider, model: model.to_owned(), base, key }, origin))
}

pub fn key(file: Option<&Path>, variable: Option<&str>) -> Result<Option<SecretString>, Failure> {
    if let Some(file) = file {
        return Ok(Some(from_private_file(file)?));
    }
    let Some(variable) = variable else { return Ok(None) };
    let key = std::env::var(variable).ok().map(|text| SecretString::from(text.trim()));
    let key = key.filter(|key| !key.expose_secret().is_empty());
    key.map(Some).ok_or_else(|| Failure::NoVariable { variable: variable.to_owned() })
}
