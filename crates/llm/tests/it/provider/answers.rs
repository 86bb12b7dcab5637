//! Good answers, keys, and what is remembered of a server that refuses a schema.

use super::{Program, USED, asking, key};
use crate::{
    party::Party,
    test_models::{TestModels, assert_talk, parts, prompt},
};
use tokio::sync::mpsc;
use wiiiv_domain::{ProposalFailure, ProviderName, Usage};
use wiiiv_fakes::{Conduct, PROVIDER_KEY, PROVIDER_SAYS};
use wiiiv_llm::{ModelsError, ProviderKey};
use wiiiv_net::Origin;

#[tokio::test]
async fn everyone_answers_in_its_own_words_and_is_heard_as_it_speaks() {
    let program = Program::shared();
    for conduct in [Conduct::Good, Conduct::Whole, Conduct::Slow] {
        for party in Party::ALL {
            let key = key("answers", party, conduct);
            let test = asking(program, party, conduct, &key);
            let (deltas, mut told) = mpsc::channel(256);
            let asked = test.ask_with(&prompt(parts("안녕")), Some(deltas)).await;
            let done = asked.unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_talk(&done.proposal, PROVIDER_SAYS);
            assert_eq!((done.attempts, done.spent.total()), (1, USED), "{key}");
            let mut pieces = Vec::new();
            while let Some(piece) = told.recv().await {
                pieces.push(piece);
            }
            // Of one document the order of its fields is nobody's promise.
            if conduct != Conduct::Whole {
                assert_eq!(pieces.concat(), PROVIDER_SAYS, "{key}");
                assert!(pieces.len() > 1, "{key}");
            }
            assert_eq!(program.calls(&key).await.len(), 1, "{key}");
        }
    }
}

#[tokio::test]
async fn a_key_is_sent_where_it_belongs_and_nowhere_else() {
    let program = Program::shared();
    for (party, header) in [
        (Party::OpenAi, "authorization"),
        (Party::Responses, "authorization"),
        (Party::Anthropic, "x-api-key"),
        (Party::Google, "x-goog-api-key"),
    ] {
        let own = key("keys", party, Conduct::Good);
        let mut test = asking(program, party, Conduct::Good, &own);
        test.ask("안녕").await.unwrap();
        let calls = program.calls(&own).await;
        let holds = |value: &serde_json::Value| value.to_string().contains(PROVIDER_KEY);
        let headers = calls[0]["headers"].as_object().unwrap();
        let holding: Vec<&String> =
            headers.iter().filter(|(_, value)| holds(value)).map(|(name, _)| name).collect();
        assert_eq!(holding, [header]);
        assert!(!holds(&calls[0]["body"]) && !holds(&calls[0]["path"]));
        assert!(!format!("{:?}", test.options).contains(PROVIDER_KEY));
        // The same address by another name is another origin.
        let elsewhere = Origin::parse("https://gateway.test").unwrap();
        let stored = ProviderKey::new(elsewhere, PROVIDER_KEY.into());
        for kept in [None, Some(stored)] {
            let base = test.options.base_url.as_deref();
            let listed = test.models.list(party.provider(), base, kept.as_ref()).await;
            assert!(matches!(
                (listed, &kept),
                (Err(ModelsError::NoKey(_)), None) | (Err(ModelsError::KeyElsewhere(_)), Some(_))
            ));
            test.options.key = kept;
            let (failure, error) = test.failure().await;
            assert_eq!((failure, error.attempts), (ProposalFailure::Auth, 0));
            assert_eq!(error.spent.known(), Some(Usage::default()));
            assert!(!error.to_string().contains(PROVIDER_KEY));
        }
        assert_eq!(program.calls(&own).await.len(), 1, "nothing was asked without its key");
    }
}

#[tokio::test]
async fn a_server_of_ones_own_is_asked_with_a_key_only_where_there_is_one() {
    let program = Program::shared();
    for party in [Party::Ollama, Party::Custom] {
        let own = key("own", party, Conduct::Good);
        let test = asking(program, party, Conduct::Good, &own);
        test.ask("안녕").await.unwrap();
        let base = test.options.base_url.clone().unwrap();
        let keyed = TestModels::keyed(party.provider(), base, program.url(), PROVIDER_KEY);
        keyed.ask("안녕").await.unwrap();
        let calls = program.calls(&own).await;
        assert!(calls[0]["headers"].get("authorization").is_none());
        assert_eq!(calls[1]["headers"]["authorization"], format!("Bearer {PROVIDER_KEY}"));
    }
}

#[tokio::test]
async fn a_request_that_is_refused_is_asked_plainly_and_remembered() {
    let program = Program::shared();
    for party in Party::ALL {
        let key = key("plain", party, Conduct::RefusesOnce);
        let test = asking(program, party, Conduct::RefusesOnce, &key);
        for _ in 0..2 {
            let done = test.ask("안녕").await.unwrap();
            assert_talk(&done.proposal, PROVIDER_SAYS);
            assert_eq!((done.attempts, done.spent.total()), (1, USED), "{party}");
        }
        let calls = program.calls(&key).await;
        let sent_a_schema: Vec<bool> =
            calls.iter().map(|call| call["body"].to_string().contains("taskType\":{")).collect();
        assert_eq!(sent_a_schema, [true, false, false], "{party}");
        assert!(calls[1]["body"].get("temperature").is_none(), "{party}");
    }
}

/// A model that nobody here has heard of needs no line of ours.
#[tokio::test]
async fn a_model_of_the_other_interface_is_found_there_and_remembered() {
    let program = Program::shared();
    let key = key("elsewhere", Party::OpenAi, Conduct::Good);
    let mut test = asking(program, Party::OpenAi, Conduct::Good, &key);
    test.turn_to("gpt-9-codex");
    for _ in 0..2 {
        let done = test.ask("안녕").await.unwrap();
        assert_talk(&done.proposal, PROVIDER_SAYS);
        assert_eq!(
            (done.attempts, done.spent.total()),
            (1, USED),
            "what was refused costs nothing"
        );
    }
    let calls = program.calls(&key).await;
    let paths: Vec<&str> = calls.iter().map(|call| call["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["v1/chat/completions", "v1/responses", "v1/responses"]);
}

#[test]
fn a_provider_without_a_model_is_told_which_to_name() {
    let test = TestModels::offline();
    let check = |provider| test.models.check((provider, None), None).unwrap_err();
    for (provider, model) in [
        (ProviderName::OpenAi, "gpt-4o-mini"),
        (ProviderName::Anthropic, "claude-sonnet-4-6"),
        (ProviderName::Google, "gemini-3.5-flash-lite"),
        (ProviderName::Ollama, "llama3.1:8b"),
    ] {
        let told = check(provider).to_string();
        assert!(told.contains(model) && told.contains("governorModel"), "{told}");
        assert_eq!(test.models.recommended(provider).unwrap().value, model);
    }
}

/// Where a model takes no schema, what one tool is called with is the answer.
#[tokio::test]
async fn a_model_is_asked_by_a_tool_within_its_providers_rules() {
    let program = Program::shared();
    for party in Party::ALL {
        for conduct in [Conduct::Good, Conduct::Whole] {
            let key = key("tools", party, conduct);
            let test = asking(program, party, conduct, &key).by_tool();
            let done = test.ask("안녕").await.unwrap_or_else(|error| panic!("{key}: {error}"));
            assert_talk(&done.proposal, PROVIDER_SAYS);
            assert_eq!(done.spent.total(), USED, "{key}");
            let calls = program.calls(&key).await;
            assert_eq!(calls.len(), 1, "{key}: it keeps to the rules at once");
            assert!(calls[0]["body"].get("tools").is_some(), "{key}");
        }
    }
}

/// Of its words nothing is told by then that has a long part of the key in it.
#[tokio::test]
async fn a_key_that_is_said_back_is_told_to_nobody() {
    let program = Program::shared();
    for party in [Party::OpenAi, Party::Responses, Party::Anthropic, Party::Google] {
        for conduct in [Conduct::SaysKey, Conduct::SaysKeyAsModel] {
            let own = key("echo", party, conduct);
            let test = asking(program, party, conduct, &own);
            let (deltas, mut told) = mpsc::channel(1_000);
            let asked = test.ask_with(&prompt(parts("안녕")), Some(deltas)).await;
            let error = asked.unwrap_err();
            assert_eq!(
                (error.failure, error.spent.known()),
                (ProposalFailure::KeySaid, Some(USED)),
                "{own}: {error}"
            );
            assert_eq!(program.calls(&own).await.len(), 1, "{own}");
            let mut words = error.to_string();
            while let Ok(word) = told.try_recv() {
                words.push_str(&word);
            }
            let long = PROVIDER_KEY.get(..20).unwrap();
            assert!(!words.contains(long), "{own}: {words}");
        }
    }
}
