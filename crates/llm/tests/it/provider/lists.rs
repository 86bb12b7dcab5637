//! Lists of models over the wire: where each provider is asked and with which header, and what comes
//! of one that misbehaves.

use super::{PATIENT, Program, asking, asking_within, key};
use crate::{
    party::Party::{self, Anthropic, Custom, Google, Ollama, OpenAi},
    test_models::TestModels,
};
use futures::future::join_all;
use std::time::{Duration, Instant};
use wiiiv_domain::KeyVerdict::{self, Accepted, Refused, Unreachable};
use wiiiv_fakes::{Conduct, PROVIDER_KEY};
use wiiiv_llm::{Listing, ProviderKey};
use wiiiv_net::{Origin, Timeouts};

const LISTING: [Party; 5] = [OpenAi, Anthropic, Google, Ollama, Custom];

pub async fn list(test: &TestModels, party: Party) -> Listing {
    let base = test.options.base_url.as_deref();
    test.models.list(party.provider(), base, test.options.key.as_ref()).await.unwrap()
}

#[tokio::test]
async fn each_is_asked_where_it_publishes_its_list_and_read_as_it_does() {
    let program = Program::shared();
    for (party, target, header, names) in [
        (OpenAi, "v1/models?", Some("authorization"), ["gpt-4o-mini", "text-embedding-3-small"]),
        (
            Anthropic,
            "v1/models?limit=1000",
            Some("x-api-key"),
            ["claude-sonnet-4-6", "claude-haiku-4-5-20251001"],
        ),
        (
            Google,
            "v1beta/models?pageSize=1000",
            Some("x-goog-api-key"),
            ["gemini-3.5-flash-lite", "gemini-embedding-001"],
        ),
        (Ollama, "v1/models?", None, ["llama3.1:8b", "qwen2.5:0.5b"]),
        (Custom, "v1/models?", None, ["llama3.1:8b", "qwen2.5:0.5b"]),
    ] {
        let own = key("lists", party, Conduct::Good);
        let test = asking(program, party, Conduct::Good, &own);
        let listing = list(&test, party).await;
        assert_eq!((listing.verdict, listing.whole), (Accepted, true), "{party}");
        assert_eq!(listing.models, names, "{party}");
        assert!(listing.lacks("another") && !listing.lacks(names[0]), "{party}");
        let calls = program.calls(&own).await;
        assert_eq!((calls.len(), calls[0]["path"].as_str()), (1, Some(target)), "{party}");
        assert!(calls[0]["body"].is_null(), "{party}: nothing of ours is sent");
        let headers = calls[0]["headers"].as_object().unwrap();
        let holding = headers.iter().filter(|(_, value)| value.to_string().contains(PROVIDER_KEY));
        let holding: Vec<&String> = holding.map(|(name, _)| name).collect();
        assert_eq!(holding, header.into_iter().collect::<Vec<_>>(), "{party}");
        assert_eq!(headers.contains_key("anthropic-version"), party == Anthropic, "{party}");
    }
}

#[tokio::test]
async fn a_key_that_the_provider_does_not_know_is_refused() {
    let program = Program::shared();
    for party in [OpenAi, Anthropic, Google] {
        let own = key("lists-of-a-stranger", party, Conduct::Good);
        let mut test = asking(program, party, Conduct::Good, &own);
        let origin = Origin::parse(program.url()).unwrap();
        test.options.key = Some(ProviderKey::new(origin, "sk-of-somebody-else".into()));
        let listing = list(&test, party).await;
        assert_eq!((listing.verdict, listing.models.len()), (Refused, 0), "{party}");
        assert_eq!(program.calls(&own).await.len(), 1, "{party}: it was the provider who said so");
    }
}

/// A list is asked for once, and nothing is spent.
const CASES: [(Conduct, KeyVerdict); 22] = [
    (Conduct::RateLimited, Unreachable),
    (Conduct::RateLimitedBare, Unreachable),
    (Conduct::Unpaid, Unreachable),
    (Conduct::WrongKey, Refused),
    (Conduct::Forbidden, Refused),
    (Conduct::NoSuchModel, Unreachable),
    (Conduct::RefusesOnce, Unreachable),
    (Conduct::Broken, Unreachable),
    (Conduct::Overloaded, Unreachable),
    (Conduct::HugeError, Unreachable),
    (Conduct::BreaksOff, Unreachable),
    (Conduct::EndsEarly, Unreachable),
    (Conduct::FailsMidway, Unreachable),
    (Conduct::TruncatedUtf8, Unreachable),
    (Conduct::InvalidJson, Unreachable),
    (Conduct::DeepAnswer, Unreachable),
    (Conduct::HugeEvent, Unreachable),
    (Conduct::HugeStream, Unreachable),
    (Conduct::HugeDocument, Unreachable),
    (Conduct::Endless, Unreachable),
    // Of what nobody reads the depth is nothing, and names that are none are left out.
    (Conduct::DeepEvent, Accepted),
    (Conduct::ManyInDocument, Accepted),
];
const SILENT: [Conduct; 5] =
    [Conduct::Silent, Conduct::HalfOpen, Conduct::Stalls, Conduct::Pings, Conduct::EmptyEvents];

#[tokio::test]
async fn what_goes_wrong_is_told_for_what_it_is_in_time() {
    for (conduct, verdict) in CASES {
        ends(PATIENT, (conduct, verdict)).await;
    }
    // Long enough for a request to arrive while all the others do: that it did is counted below.
    let short = Duration::from_secs(5);
    let total = short + Duration::from_millis(1_500);
    let timeouts = Timeouts { first_byte: short, between_chunks: short, total, ..PATIENT };
    join_all(SILENT.map(|conduct| ends(timeouts, (conduct, Unreachable)))).await;
}

async fn ends(timeouts: Timeouts, (conduct, verdict): (Conduct, KeyVerdict)) {
    let program = Program::shared();
    let all = LISTING.map(|party| async move {
        let own = key("list-ends", party, conduct);
        let test = asking_within(program, party, (conduct, &own), timeouts, timeouts.total);
        let start = Instant::now();
        let listing = list(&test, party).await;
        assert!(start.elapsed() < timeouts.total + Duration::from_secs(1), "{own}");
        assert_eq!((listing.verdict, listing.models.len()), (verdict, 0), "{own}");
        assert!(verdict == Accepted || !listing.lacks("m"), "{own}: nothing was said of any");
        assert_eq!(program.calls(&own).await.len(), 1, "{own}");
    });
    join_all(all).await;
}

#[tokio::test]
async fn of_a_longer_list_there_is_one_page_and_it_is_not_the_whole() {
    let program = Program::shared();
    for party in LISTING {
        let own = key("long-lists", party, Conduct::ManyModels);
        let listing = list(&asking(program, party, Conduct::ManyModels, &own), party).await;
        assert_eq!((listing.verdict, listing.whole), (Accepted, false), "{party}");
        assert_eq!((listing.models.len(), listing.models[999].as_str()), (1_000, "m-999"));
        assert!(!listing.lacks("m-1100"), "{party}: it may stand on another page");
        let slow = asking(program, party, Conduct::Slow, &own);
        assert_eq!(list(&slow, party).await.models.len(), 2, "{party}");
    }
}

#[tokio::test]
async fn a_key_among_the_names_is_shown_to_nobody() {
    let program = Program::shared();
    for party in [OpenAi, Anthropic, Google] {
        let own = key("list-echo", party, Conduct::SaysKey);
        let listing = list(&asking(program, party, Conduct::SaysKey, &own), party).await;
        assert_eq!((listing.verdict, listing.models.len()), (Accepted, 2), "{party}");
        assert!(!format!("{listing:?}").contains(PROVIDER_KEY), "{party}");
    }
}
