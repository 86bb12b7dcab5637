//! A real model that takes the place of the recorded one.

use super::{error::PlayError, rest_client::RestClient};
use crate::{merge, scanner::Canary};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_domain::ProviderName;
use wiiiv_fakes::ProviderAnswer;

/// Shorter keys occur in any text by chance, so a match would prove nothing.
const KEY_BYTES_MIN: usize = 12;

#[derive(Debug, Clone)]
pub struct LiveModel {
    pub provider: ProviderName,
    pub model: String,
    /// The address of the provider's interface, such as `https://api.openai.com/v1`.
    pub base: String,
    /// Sent to the server over REST, as a user's key, and to the provider.
    pub key: Option<SecretString>,
}

impl LiveModel {
    /// Writes the model into a policy. `base_url`: the cassettes' address, which passes requests on.
    pub(crate) fn write_into(&self, policy: &mut Value, base_url: &str) {
        let model = json!({
            "llmProvider": self.provider, "llmBaseUrl": base_url, "governorModel": self.model,
        });
        merge::patch(policy, &model);
    }

    /// Stores the key for the cassettes' origin, the only address that the server calls.
    pub(crate) async fn store_key(&self, rest: &RestClient, origin: &str) -> Result<(), PlayError> {
        let Some(key) = &self.key else { return Ok(()) };
        let provider = self.provider.as_str().to_lowercase();
        rest.put_key(&provider, key, origin).await
    }

    /// The key, to be searched for like every other secret.
    pub(crate) fn canary(&self) -> Option<Canary> {
        let key = self.key.as_ref().map(|key| key.expose_secret().to_owned());
        let secret = key.filter(|key| key.len() >= KEY_BYTES_MIN)?;
        let name = format!("key of {}", self.provider);
        Some(Canary { name, user: String::new(), secret })
    }
}

/// The model's name in the answers; all names if they differ.
pub(crate) fn revision(answers: &[ProviderAnswer]) -> Option<String> {
    let names: BTreeSet<&str> = answers.iter().filter_map(|one| one.model.as_deref()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    (!names.is_empty()).then(|| names.join(" + "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_disagree_name_no_one_revision() {
        let revision_of = |names: &[Option<&str>]| {
            let one = |name: &Option<&str>| ProviderAnswer {
                text: String::new(),
                model: name.map(str::to_owned),
            };
            revision(&names.iter().map(one).collect::<Vec<_>>())
        };
        assert_eq!(revision_of(&[Some("m-1"), None, Some("m-1")]).as_deref(), Some("m-1"));
        assert_eq!(revision_of(&[Some("m-2"), Some("m-1")]).as_deref(), Some("m-1 + m-2"));
        assert_eq!(revision_of(&[None]), None);
    }
}
