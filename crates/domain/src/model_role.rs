//! What models are asked for, and which models a policy names for it.

use crate::{
    money::{Currency, PriceTable},
    policy::{ModelFallback, ProjectPolicy},
    provider_name::ProviderName,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The name that a policy writes where it wants no embeddings.
const NO_EMBEDDINGS: &str = "none";

named! {
    /// One of the uses that a policy can name a model for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ModelSlot {
        /// Decisions of the governor.
        Governor = "governor",
        /// Drafts: workflows, plans, code.
        Generator = "generator",
        /// Vectors for retrieval.
        Embedding = "embedding",
    }
}

impl ModelSlot {
    /// The policy's field for this slot; `None` for the governor's.
    #[must_use]
    pub const fn field(self) -> Option<&'static str> {
        match self {
            Self::Governor => None,
            Self::Generator => Some("generatorModel"),
            Self::Embedding => Some("embeddingModel"),
        }
    }
}

/// Which of a policy's models is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelPlace {
    /// 0: the governor's, then its fallbacks in their order.
    Nth(usize),
    /// The model of a slot.
    Slot(ModelSlot),
}

impl ProjectPolicy {
    /// A copy of the policy in which that model is the first; `None` if it names none there.
    #[must_use]
    pub fn placed(&self, place: ModelPlace) -> Option<Cow<'_, Self>> {
        match place {
            ModelPlace::Nth(nth) => self.asking(nth),
            ModelPlace::Slot(slot) => self.of_slot(slot),
        }
    }
    /// A copy of the policy in which its `nth` fallback is the first; 0 means unchanged.
    #[must_use]
    pub fn asking(&self, nth: usize) -> Option<Cow<'_, Self>> {
        let Some(before) = nth.checked_sub(1) else { return Some(Cow::Borrowed(self)) };
        let ModelFallback { provider, model, base_url } = self.model_fallbacks.get(before)?;
        Some(Cow::Owned(self.turned(*provider, model, base_url.clone())))
    }
    /// A copy of the policy in which that slot's model is the first; `None` if the slot is empty.
    #[must_use]
    pub fn of_slot(&self, slot: ModelSlot) -> Option<Cow<'_, Self>> {
        let named = match slot {
            ModelSlot::Governor => None,
            ModelSlot::Generator => self.generator_model.as_deref(),
            ModelSlot::Embedding => Some(self.embeddings()?),
        };
        let Some(named) = named else { return Some(Cow::Borrowed(self)) };
        let (provider, model) = self.named(named);
        // The policy's base URL belongs to its own provider only.
        let base_url = self.llm_base_url.clone().filter(|_| provider == self.llm_provider);
        Some(Cow::Owned(self.turned(provider, model, base_url)))
    }
    fn embeddings(&self) -> Option<&str> {
        let named = self.embedding_model.as_deref()?;
        (!named.trim().eq_ignore_ascii_case(NO_EMBEDDINGS)).then_some(named)
    }
    /// The slots whose model the policy names in a field of their own, with that field's name.
    pub fn slots_named(&self) -> impl Iterator<Item = (&'static str, ModelSlot, Cow<'_, Self>)> {
        let is_named = |slot: &ModelSlot| match slot {
            ModelSlot::Governor => false,
            ModelSlot::Generator => self.generator_model.is_some(),
            ModelSlot::Embedding => self.embedding_model.is_some(),
        };
        let named = ModelSlot::ALL.into_iter().filter(is_named);
        named.filter_map(|slot| Some((slot.field()?, slot, self.of_slot(slot)?)))
    }
    /// A prefix counts only if it is a provider's name: `llama3.1:8b` has none.
    fn named<'n>(&self, name: &'n str) -> (ProviderName, &'n str) {
        let prefixed = name.split_once(':').and_then(|(prefix, model)| {
            let is_it = |one: &ProviderName| one.as_str().eq_ignore_ascii_case(prefix.trim());
            Some((ProviderName::ALL.into_iter().find(is_it)?, model.trim()))
        });
        prefixed.unwrap_or((self.llm_provider, name.trim()))
    }
    fn turned(&self, provider: ProviderName, model: &str, base_url: Option<String>) -> Self {
        Self {
            llm_provider: provider,
            governor_model: Some(model.to_owned()),
            llm_base_url: base_url,
            ..self.clone()
        }
    }
    /// One copy of the policy for each model that it names: the governor's, its fallbacks, then the
    /// other slots.
    pub fn models(&self) -> impl Iterator<Item = Cow<'_, Self>> {
        let slots = [ModelSlot::Generator, ModelSlot::Embedding];
        let slots = slots.into_iter().filter_map(|slot| self.of_slot(slot));
        (0..).map_while(|nth| self.asking(nth)).chain(slots)
    }
    /// The project's currency; `None` if no model that the policy names costs anything.
    #[must_use]
    pub fn currency(&self, prices: &PriceTable) -> Option<Currency> {
        self.priced(prices).next().map(|(_, currency)| currency)
    }
    /// The models that the policy names and that cost something, each with its currency. `prices`
    /// holds the policy's own prices over the server's.
    pub fn priced<'p>(
        &'p self,
        prices: &'p PriceTable,
    ) -> impl Iterator<Item = (String, Currency)> + 'p {
        self.models().filter_map(|of| {
            let (provider, model) = (of.llm_provider.as_str(), of.model());
            let price = prices.get(provider, model).filter(|price| price.costs())?;
            Some((format!("{provider}:{model}"), price.currency))
        })
    }
    /// Whether the policy names that model for the slot.
    #[must_use]
    pub fn names_model(&self, slot: ModelSlot, provider: ProviderName, model: &str) -> bool {
        let is_it = |of: Cow<'_, Self>| (of.llm_provider, of.model()) == (provider, model);
        match slot {
            ModelSlot::Governor => (0..).map_while(|nth| self.asking(nth)).any(is_it),
            ModelSlot::Generator | ModelSlot::Embedding => self.of_slot(slot).is_some_and(is_it),
        }
    }
    /// The model of the governor slot; OFFLINE has exactly one.
    #[must_use]
    pub fn model(&self) -> &str {
        self.governor_model.as_deref().unwrap_or(match self.llm_provider {
            ProviderName::Offline => "offline",
            ProviderName::OpenAi
            | ProviderName::Anthropic
            | ProviderName::Google
            | ProviderName::Ollama
            | ProviderName::Custom
            | ProviderName::Local => "default",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn policy(change: Value) -> ProjectPolicy {
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let mut policy = json!({
            "version": 1, "allowedStepTypes": [], "allowedHosts": [], "allowedPaths": [],
            "approval": {"normal": rule, "risky": rule}, "dacsStage": "observe",
            "modelPersonas": "never", "tokenBudget": {"perRun": null, "perDay": null},
            "llmProvider": "OLLAMA", "llmBaseUrl": "http://h.test/v1", "governorModel": "llama3.1:8b",
        });
        policy.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        serde_json::from_value(policy).unwrap()
    }

    #[test]
    fn a_slot_follows_the_governor_or_names_a_model_or_another_provider() {
        use ModelSlot::{Embedding, Generator, Governor};
        let here = Some("http://h.test/v1");
        for (field, name, slot, provider, model, base_url) in [
            ("generatorModel", "", Governor, ProviderName::Ollama, "llama3.1:8b", here),
            ("generatorModel", "", Generator, ProviderName::Ollama, "llama3.1:8b", here),
            ("generatorModel", "qwen3:8b", Generator, ProviderName::Ollama, "qwen3:8b", here),
            ("generatorModel", "ollama:a:b", Generator, ProviderName::Ollama, "a:b", here),
            ("embeddingModel", "openai:e-3", Embedding, ProviderName::OpenAi, "e-3", None),
            ("embeddingModel", " GOOGLE: g ", Embedding, ProviderName::Google, "g", None),
            ("embeddingModel", "local:e5-small", Embedding, ProviderName::Local, "e5-small", None),
        ] {
            let policy = policy(json!({field: Some(name).filter(|name| !name.is_empty())}));
            let slotted = policy.of_slot(slot).unwrap();
            assert_eq!((slotted.llm_provider, slotted.model()), (provider, model), "{name}");
            assert_eq!(slotted.llm_base_url.as_deref(), base_url, "{name}");
        }
        for none in [json!({}), json!({"embeddingModel": " None "})] {
            assert!(policy(none.clone()).of_slot(Embedding).is_none(), "{none}: it is empty");
        }
    }

    #[test]
    fn what_a_policy_names_may_be_asked_and_nothing_else() {
        let fallback = json!([{"provider": "CUSTOM", "model": "f", "baseUrl": "http://f.test"}]);
        let policy = policy(json!({"embeddingModel": "openai:e-3", "modelFallbacks": fallback}));
        use ModelSlot::{Embedding, Generator, Governor};
        use ProviderName::{Custom, Ollama, OpenAi};
        for (slot, provider, model) in [
            (Governor, Ollama, "llama3.1:8b"),
            (Governor, Custom, "f"),
            (Generator, Ollama, "llama3.1:8b"),
            (Embedding, OpenAi, "e-3"),
        ] {
            assert!(policy.names_model(slot, provider, model), "{slot} {model}");
        }
        for (slot, provider, model) in [
            (Governor, OpenAi, "llama3.1:8b"),
            (Embedding, Ollama, "e-3"),
            (Governor, OpenAi, "gpt-4o"),
            (Governor, OpenAi, "e-3"),
            (Generator, Custom, "f"),
            (Embedding, Ollama, "llama3.1:8b"),
        ] {
            assert!(!policy.names_model(slot, provider, model), "{slot} {model}");
        }
    }
}
