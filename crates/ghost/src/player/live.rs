//! A real model in place of the recorded one.

use super::{error::PlayError, rest::Rest};
use crate::{invariant::Canary, merge, model::Heard};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_domain::ProviderName;

/// Shorter ones stand in any text by chance, so nothing could be said of where they are found.
const KEY_BYTES_SOUGHT: usize = 12;

#[derive(Debug, Clone)]
pub struct LiveModel {
    pub provider: ProviderName,
    pub model: String,
    /// Of the provider's interface, such as `https://api.openai.com/v1`.
    pub base: String,
    /// It goes to the server over REST, as a user's key, and to the provider.
    pub key: Option<SecretString>,
}

impl LiveModel {
    /// As a policy names it. `base_url`: where the player listens for it.
    pub(super) fn named(&self, policy: &mut Value, base_url: &str) {
        let model = json!({
            "llmProvider": self.provider, "llmBaseUrl": base_url, "governorModel": self.model,
        });
        merge::patch(policy, &model);
    }

    /// Sealed for the address that the server knows: the player sends it on.
    pub(super) async fn give_key(&self, rest: &Rest, origin: &str) -> Result<(), PlayError> {
        let Some(key) = &self.key else { return Ok(()) };
        let provider = self.provider.as_str().to_lowercase();
        rest.put_key(&provider, key, origin).await
    }

    /// The key is looked for wherever other secrets are.
    pub(crate) fn canary(&self) -> Option<Canary> {
        let key = self.key.as_ref().map(|key| key.expose_secret().to_owned());
        let secret = key.filter(|key| key.len() >= KEY_BYTES_SOUGHT)?;
        let name = format!("key of {}", self.provider);
        Some(Canary { name, user: String::new(), secret })
    }
}

/// As the answers named it; several where they did not agree.
pub(super) fn revision(heard: &[Heard]) -> Option<String> {
    let named: BTreeSet<&str> = heard.iter().filter_map(|one| one.model.as_deref()).collect();
    let named: Vec<&str> = named.into_iter().collect();
    (!named.is_empty()).then(|| named.join(" + "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_disagree_name_no_one_revision() {
        let heard = |names: &[Option<&str>]| {
            let one =
                |name: &Option<&str>| Heard { text: String::new(), model: name.map(str::to_owned) };
            revision(&names.iter().map(one).collect::<Vec<_>>())
        };
        assert_eq!(heard(&[Some("m-1"), None, Some("m-1")]).as_deref(), Some("m-1"));
        assert_eq!(heard(&[Some("m-2"), Some("m-1")]).as_deref(), Some("m-1 + m-2"));
        assert_eq!(heard(&[None]), None);
    }
}
