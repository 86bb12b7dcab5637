use super::*;
use ProviderName::{Anthropic, Custom, Google, Local, Offline, Ollama, OpenAi};

const PRICES: &str = include_str!("../../../../config/prices.toml");

#[test]
fn what_is_recommended_is_known() {
    let catalogue = Catalogue::embedded().unwrap();
    for provider in ProviderName::ALL {
        let Some(named) = catalogue.recommended(provider) else {
            assert!(matches!(provider, Offline | Custom | Local));
            continue;
        };
        for model in [&named.minimum, &named.value, &named.best] {
            let facts = catalogue.named(provider, model).expect(model);
            assert!(facts.window.is_some() && facts.streaming, "{provider}:{model}");
            // These think unless they are told how far.
            let bounded = catalogue.thinking(provider, model).is_some();
            assert_eq!(bounded, provider == Google, "{provider}:{model}");
            assert_eq!(catalogue.form(provider, model), Form::Schema);
        }
    }
}

#[test]
fn what_has_a_price_is_known_and_what_costs_has_a_price() {
    let catalogue = Catalogue::embedded().unwrap();
    let prices: wiiiv_domain::PriceTable = toml::from_str(PRICES).unwrap();
    for name in prices.0.keys() {
        assert!(catalogue.models.contains_key(name), "`{name}` has a price and no facts");
    }
    for name in catalogue.models.keys() {
        let free = name.starts_with(Ollama.as_str()) || name.starts_with(Custom.as_str());
        assert_eq!(prices.0.contains_key(name), !free, "`{name}`");
    }
}

#[test]
fn a_model_that_is_not_known_is_sent_no_temperature() {
    let catalogue = Catalogue::embedded().unwrap();
    assert!(!catalogue.takes_temperature(Anthropic, "claude-next"));
    assert!(catalogue.takes_temperature(Custom, "anything"));
}

#[test]
fn a_version_of_a_model_is_known_as_that_model() {
    let catalogue = Catalogue::embedded().unwrap();
    let window = |model| catalogue.facts(OpenAi, model).and_then(|facts| facts.max_output);
    assert_eq!(window("gpt-4o-2024-08-06"), Some(16_384));
    assert_eq!(window("gpt-4o-mini-2024-07-18"), Some(16_384));
    assert_eq!(window("gpt-4o-realtime"), None);
    assert_eq!(catalogue.facts(Custom, "gpt-4o"), None);
}

#[test]
fn tokens_are_counted_as_the_model_reads_them() {
    let catalogue = Catalogue::embedded().unwrap();
    for (provider, model, expected) in [
        (OpenAi, "gpt-4o-mini", "o200k_base"),
        (OpenAi, "gpt-4.1-nano", "o200k_base"),
        (OpenAi, "gpt-4-turbo", "cl100k_base"),
        (OpenAi, "o3-pro", "o200k_base"),
        (OpenAi, "ft:gpt-4o-mini:us::1", "o200k_base"),
        (OpenAi, "ft:gpt-4-0613:us::1", "cl100k_base"),
        (OpenAi, "babbage-002", "general"),
        (Google, "gemini-3.8-flash", "gemma3"),
        (Ollama, "llama3.1:8b", "llama3"),
        (Ollama, "qwen3:8b", "general"),
        (Anthropic, "claude-sonnet-4-6", "general"),
        (Custom, "gpt-4o", "general"),
    ] {
        let name = match catalogue.tokenizer(provider, model) {
            Tokenizer::Exact(vocabulary) => vocabulary.as_str(),
            Tokenizer::Estimated(name, _) => name,
        };
        assert_eq!(name, expected, "{provider}:{model}");
    }
}

#[test]
fn a_catalogue_of_another_version_is_not_read() {
    let newer = EMBEDDED.replace(&format!("version = {VERSION}"), "version = 3");
    assert!(Catalogue::parse(&newer).unwrap_err().to_string().contains("version is `3`"));
    let lacking = EMBEDDED.replace("[estimates.llama3]", "[estimates.llama9]");
    assert!(Catalogue::parse(&lacking).unwrap_err().to_string().contains("named `llama3`"));
}

#[test]
fn a_version_of_a_model_is_that_model() {
    for (asked, answering, same) in [
        ("gpt-4o", "gpt-4o", true),
        ("gpt-4o", "gpt-4o-2024-08-06", true),
        ("gpt-4o", "gpt-4o-mini-2024-07-18", false),
        ("claude-sonnet-4-6", "claude-sonnet-4-6-20260217", true),
        ("claude-sonnet-4-6", "claude-haiku-4-5", false),
        ("models/gemini-2.5-pro", "gemini-2.5-pro", true),
        ("gemini-2.5-pro", "gemini-3.8-flash", false),
        ("gemini-2.5-flash", "gemini-2.5-flash-lite", false),
        ("llama3.1", "llama3.1:latest", true),
    ] {
        assert_eq!(is_same(asked, answering), same, "{asked} {answering}");
    }
}
