//! The model of a provider that a project's policy names for embeddings, as vectors of it are kept.
//!
//! `NAME:DIMENSIONS#PROJECT`, where the name is `provider:model`. Of a server that is not the provider's own the name has a
//! mark of its address: two servers may call two models the same. The same name may give other dimensions one day. Each
//! project has vectors of its own, so that what it pays tells nothing of what others hold.

use wiiiv_domain::{ContentDigest, ModelSlot, ProjectId, ProjectPolicy, ProviderName};

/// Of an address, in hexadecimal digits. What it holds cannot be told from them.
const MARK_DIGITS: usize = 8;

/// The one that is named. `None`: none, or one of this process, which is the server's to choose.
pub fn provider_model(policy: &ProjectPolicy) -> Option<String> {
    let rules = policy.of_slot(ModelSlot::Embedding)?;
    if rules.llm_provider.is_built_in() {
        return None;
    }
    Some(name_of((rules.llm_provider, rules.model()), rules.llm_base_url.as_deref()))
}

/// As it is asked at that address; `None`: the provider's own.
pub fn name_of((provider, model): (ProviderName, &str), address: Option<&str>) -> String {
    let provider = provider.as_str().to_ascii_lowercase();
    let address = address.map(str::trim).filter(|url| !url.is_empty());
    let mark = address.map(|url| ContentDigest::of_bytes(url.as_bytes()).to_string());
    match mark.as_deref().and_then(|mark| mark.get(..MARK_DIGITS)) {
        Some(mark) => format!("{provider}:{model}@{mark}"),
        None => format!("{provider}:{model}"),
    }
}

/// What its vectors of that project's texts are kept under.
pub fn kept_as(name: &str, dimensions: usize, project: ProjectId) -> String {
    format!("{name}:{dimensions}#{project}")
}

/// As people are told of it. What is kept so for no project is of this machine, whose names have no `#`.
pub fn shown(kept: &str) -> &str {
    kept.rsplit_once('#').map_or(kept, |(shown, _)| shown)
}

/// Whether vectors that are kept so are of this machine's model, and shared by scopes.
pub fn is_local(kept: &str) -> bool {
    !kept.contains('#')
}

/// Whether vectors that are kept so are of the model of that name.
pub fn is_of(kept: &str, name: &str) -> bool {
    kept.rsplit_once(':').is_some_and(|(model, _)| model == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn named(embedding: &str, base_url: Option<&str>) -> Option<String> {
        let rule = json!({"by": "requester", "ttlSeconds": 60});
        let policy = json!({
            "version": 1, "allowedStepTypes": [], "allowedHosts": [], "allowedPaths": [],
            "approval": {"normal": rule, "risky": rule}, "dacsStage": "observe",
            "modelPersonas": "never", "tokenBudget": {"perRun": null, "perDay": null},
            "llmProvider": "CUSTOM", "llmBaseUrl": base_url, "embeddingModel": embedding,
        });
        provider_model(&serde_json::from_value(policy).unwrap())
    }

    #[test]
    fn a_server_of_ones_own_is_no_other_that_names_its_model_the_same() {
        let own = named("e", Some("http://a.test/v1?key=canary")).unwrap();
        assert!(own.starts_with("custom:e@") && !own.contains("a.test"), "{own}");
        assert!(!own.contains("canary"), "{own}");
        assert_ne!(Some(own), named("e", Some("http://b.test/v1")));
        let openai = named("openai:text-embedding-3-small", Some("http://a.test/v1"));
        assert_eq!(openai.as_deref(), Some("openai:text-embedding-3-small"));
        for none in ["local:e5-small", "none"] {
            assert_eq!(named(none, Some("http://a.test/v1")), None, "{none}");
        }
    }

    #[test]
    fn dimensions_are_no_part_of_the_name() {
        let project = ProjectId::from(uuid::Uuid::from_u128(7));
        let kept = kept_as("ollama:a:b", 768, project);
        assert_eq!(shown(&kept), "ollama:a:b:768");
        assert_eq!(shown("local:e5-small"), "local:e5-small");
        assert!(is_of(&kept, "ollama:a:b") && !is_of(&kept, "ollama:a") && !is_of("", "ollama:a"));
    }
}
