//! A provider that misbehaves, in whichever interface: the turn ends, nothing is done, and the
//! call is in the budgets once.

use crate::test_governor::{Setup, TestGovernor, now};
use futures::future::join_all;
use serde_json::Value;
use std::time::Duration;
use wiiiv_domain::{BudgetWindow, EventBody, KeyHolder, ProviderName};
use wiiiv_fakes::{Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_READS};
use wiiiv_governor::GovernorConfig;
use wiiiv_store::{AuditFilter, Chain};

/// Provider, its interface, the path behind its address, and a model of it.
const PARTIES: [(ProviderName, Dialect, &str, &str); 6] = [
    (ProviderName::OpenAi, Dialect::OpenAi, "/v1", "gpt-4o-mini"),
    (ProviderName::OpenAi, Dialect::OpenAi, "/v1", "gpt-5.3-codex"),
    (ProviderName::Anthropic, Dialect::Anthropic, "", "claude-haiku-4-5"),
    (ProviderName::Google, Dialect::Google, "/v1beta", "gemini-3.5-flash-lite"),
    (ProviderName::Ollama, Dialect::Local, "/v1", "llama3.1:8b"),
    (ProviderName::Custom, Dialect::Local, "/v1", "any"),
];

/// What is refused before anything was worked on.
const FREE: [Conduct; 8] = [
    Conduct::RateLimited,
    Conduct::RateLimitedBare,
    Conduct::Unpaid,
    Conduct::TooLong,
    Conduct::WrongKey,
    Conduct::Forbidden,
    Conduct::NoSuchModel,
    Conduct::Overloaded,
];
/// What the provider told the use of, which is paid for as told.
const TOLD: [Conduct; 4] =
    [Conduct::DeepAnswer, Conduct::WrongArguments, Conduct::Declines, Conduct::CutShort];

/// Of these nobody knows what they used: one attempt's hold is spent.
const UNTOLD: [Conduct; 16] = [
    Conduct::Silent,
    Conduct::HalfOpen,
    Conduct::Stalls,
    Conduct::Pings,
    Conduct::EmptyEvents,
    Conduct::BreaksOff,
    Conduct::FailsMidway,
    Conduct::TruncatedUtf8,
    Conduct::InvalidJson,
    Conduct::DeepEvent,
    Conduct::HugeEvent,
    Conduct::HugeStream,
    Conduct::HugeDocument,
    Conduct::ManyInEvent,
    Conduct::Endless,
    Conduct::Drips,
];

/// What these cost depends on the interface.
const OTHERS: [Conduct; 6] = [
    Conduct::Broken,
    Conduct::HugeError,
    Conduct::EndsEarly,
    Conduct::FailsBeforeWords,
    Conduct::DeclinesAtOnce,
    Conduct::ManyInDocument,
];

async fn test(provider: &FakeProvider, of: ProviderName) -> TestGovernor {
    let options = Setup {
        origins: vec![provider.url()],
        memory: true,
        // The next case is asked although the one before failed.
        pause: Some(Duration::from_millis(1)),
        ..Setup::default()
    };
    let test = TestGovernor::with(options).await;
    if !matches!(of, ProviderName::Ollama | ProviderName::Custom) {
        let who = test.principal(&test.owner).await;
        let (secret, origin) = (PROVIDER_KEY.into(), provider.url());
        let given = (&secret, Some(origin.as_str()));
        let at = (KeyHolder::User(who.user()), of);
        test.governor.keys().set(&who, at, given, None).await.unwrap();
    }
    test
}

/// Tokens that count today, and tokens that are held.
async fn standing(test: &TestGovernor) -> (u64, u64) {
    let day = BudgetWindow::day(test.project, now());
    let standing = test.governor.store().budget_standing(&[day]).await.unwrap();
    (standing[0].settled.tokens, standing[0].held.tokens)
}

/// The newest record of that kind.
async fn newest(test: &TestGovernor, kind: &str) -> Value {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.into_iter().max_by_key(|row| row.seq).unwrap().body
}

/// What was held for each of the two attempts that a call may have, in tokens.
async fn held_for_one(test: &TestGovernor) -> u64 {
    let ruled = newest(test, "decision").await;
    let estimate =
        |answer: &Value| answer.pointer("/figures/estimate/tokens")?.as_str()?.parse::<u64>().ok();
    let held = ruled["answers"].as_array().unwrap().iter().find_map(estimate).unwrap();
    held / u64::from(GovernorConfig::default().model_attempts)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_interface_fails_without_an_effect_and_is_counted_once() {
    let provider = FakeProvider::open(0).await.unwrap();
    join_all(PARTIES.map(|party| misbehaves(&provider, party))).await;
}

async fn misbehaves(
    provider: &FakeProvider,
    (name, dialect, path, model): (ProviderName, Dialect, &str, &str),
) {
    let test = test(provider, name).await;
    test.put(PROVIDER_READS, b"notes");
    let all = FREE.into_iter().chain(TOLD).chain(UNTOLD).chain(OTHERS);
    for conduct in all.chain([Conduct::Good]) {
        let case = format!("acts-{model}-{}", conduct.name()).replace([':', '.'], "-");
        let url = format!("{}/{case}/{}/{}{path}", provider.url(), conduct.name(), dialect.name());
        test.change_policy(|policy| {
            policy.llm_provider = name;
            policy.llm_base_url = Some(url);
            policy.governor_model = Some(model.to_owned());
        })
        .await;
        let before = (test.used().await, standing(&test).await.0);
        let told = test.say(test.session().await, "안녕").await;
        let done = told.events.iter().any(|event| {
            matches!(event.body, EventBody::Previewed { .. } | EventBody::StepStarted { .. })
        });
        // What it says would be done at once, if it were taken.
        assert_eq!(done, conduct == Conduct::Good, "{case}: {}", told.text());
        if done {
            continue;
        }
        let (sums, (settled, held)) = (test.used().await, standing(&test).await);
        assert_eq!((sums.calls, sums.open), (before.0.calls + 1, 0), "{case}");
        assert_eq!(held, 0, "{case}: nothing is held any more");
        let spent = settled - before.1;
        assert_eq!(spent, sums.tokens - before.0.tokens, "{case}: as in the use");
        if !OTHERS.contains(&conduct) {
            assert_eq!(spent == 0, FREE.contains(&conduct), "{case}: {spent}; {}", told.text());
        }
        let called = newest(&test, "model.called").await;
        assert_eq!(called["charged"]["tokens"], spent, "{case}: as on record");
        let attempts = called["attempts"].as_u64().unwrap();
        if UNTOLD.contains(&conduct) {
            assert_eq!(called["uncountedAttempts"], attempts, "{case}");
        }
        let most = attempts * held_for_one(&test).await;
        assert!(spent <= most, "{case}: {spent} of {most} tokens for {attempts} attempts");
        if !OTHERS.contains(&conduct) {
            let whole = spent == most && spent > 0;
            assert_eq!(whole, UNTOLD.contains(&conduct), "{case}: {spent} of {most}");
        }
    }
}
