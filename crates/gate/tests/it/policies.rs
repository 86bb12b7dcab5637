//! How much a policy may hold, and which models it may name.

use crate::test_gate::{host, permissive};
use std::collections::BTreeSet;
use wiiiv_domain::{HostRule, ModelFallback, PriceTable, ProjectPolicy, ProviderName};
use wiiiv_gate::{Policy, PolicyError};

fn refused(change: impl FnOnce(&mut ProjectPolicy)) -> Option<PolicyError> {
    let mut policy = ProjectPolicy { llm_provider: ProviderName::Ollama, ..permissive() };
    change(&mut policy);
    Policy::compile(policy, &PriceTable::default()).err()
}

#[test]
fn a_list_is_at_most_as_long_as_its_bound() {
    let lines = |count| (0..count).map(|nth| format!("GET /{nth}")).collect::<BTreeSet<_>>();
    let of = |rule: HostRule| refused(|policy| policy.allowed_hosts = vec![rule]);
    let reads = |count| of(HostRule { read_operations: lines(count), ..host("a.test") });
    let repeats = |count| of(HostRule { idempotent_operations: lines(count), ..host("a.test") });
    let paths = |count: u32| {
        refused(|policy| policy.allowed_paths = (0..count).map(|nth| nth.to_string()).collect())
    };
    for found in [reads(1_000), repeats(1_000), paths(1_000)] {
        assert_eq!(found, None);
    }
    for more in [1_001, 1_002] {
        assert_eq!(reads(more), Some(PolicyError::TooMany("readOperations")));
        assert_eq!(repeats(more), Some(PolicyError::TooMany("idempotentOperations")));
        assert_eq!(paths(more), Some(PolicyError::TooMany("allowedPaths")));
    }
    let cap = |micros| refused(|policy| policy.cost_limit.per_day_micros = Some(micros));
    assert_eq!(cap((1 << 53) - 1), None);
    assert_eq!(cap(1 << 53), Some(PolicyError::TooLarge("costLimit.perDayMicros")));
}

#[test]
fn four_fallbacks_are_the_most_and_each_is_a_model_that_can_be_called() {
    use ProviderName::{Custom, Offline, Ollama, OpenAi};
    let fallback =
        |provider, model: &str| ModelFallback { provider, model: model.to_owned(), base_url: None };
    let of = |own, fallbacks: Vec<ModelFallback>| {
        let found = refused(|policy| {
            (policy.llm_provider, policy.model_fallbacks) = (own, fallbacks);
        });
        assert!(matches!(found, None | Some(PolicyError::Fallback(_))), "{found:?}");
        found.is_none()
    };
    let several = |count| of(Ollama, vec![fallback(OpenAi, "m"); count]);
    assert!(several(4) && !several(5) && !several(6));
    assert!(of(Offline, Vec::new()) && !of(Offline, vec![fallback(OpenAi, "m")]));
    for odd in [fallback(Offline, "offline"), fallback(OpenAi, " "), fallback(Custom, "m")] {
        assert!(!of(Ollama, vec![odd.clone()]), "{odd:?}");
    }
    let addressed =
        ModelFallback { base_url: Some("http://b.test".into()), ..fallback(Custom, "m") };
    assert!(of(Ollama, vec![addressed]));
}

#[test]
fn a_slot_names_a_model_that_its_provider_has() {
    use ProviderName::{Custom, Offline, Ollama};
    let (longest, longer) = ("가".repeat(200), "가".repeat(201));
    for (own, named, fits) in [
        (Ollama, "m", true),
        (Ollama, "", false),
        (Ollama, " ", false),
        (Ollama, longest.as_str(), true),
        (Ollama, longer.as_str(), false),
        (Ollama, "CUSTOM:m", false),
        (Custom, "CUSTOM:m", true),
        (Custom, "m", true),
        (Ollama, "OFFLINE:offline", true),
        (Ollama, "OFFLINE:m", false),
        (Offline, "offline", true),
        (Offline, "m", false),
        (Offline, "local:e5-small", false),
    ] {
        let found = refused(|policy| {
            policy.llm_provider = own;
            policy.llm_base_url = Some("http://a.test".into());
            policy.generator_model = Some(named.to_owned());
        });
        let due = matches!(found, Some(PolicyError::Slot { field: "generatorModel", .. }));
        assert_eq!((found.is_none(), due), (fits, !fits), "{own:?} {named}: {found:?}");
    }
}

#[test]
fn local_models_are_for_embeddings_alone() {
    let embeds = |policy: &mut ProjectPolicy| {
        policy.embedding_model = Some("local:e5-small".to_owned());
    };
    assert!(refused(embeds).is_none());
    let proposes = |policy: &mut ProjectPolicy| policy.llm_provider = ProviderName::Local;
    assert!(matches!(refused(proposes), Some(PolicyError::Slot { field: "llmProvider", .. })));
    let local = ModelFallback {
        provider: ProviderName::Local,
        model: "e5-small".to_owned(),
        base_url: None,
    };
    let falls_back = |policy: &mut ProjectPolicy| {
        (policy.llm_provider, policy.model_fallbacks) = (ProviderName::Ollama, vec![local.clone()]);
    };
    assert!(matches!(refused(falls_back), Some(PolicyError::Fallback(_))));
}
