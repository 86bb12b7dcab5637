//! What is counted for a call: what its model can read at once, and what its provider tells of.

use crate::test_governor::{Setup, TestGovernor};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wiiiv_domain::{KeyHolder, ProviderName};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::Control;
use wiiiv_store::{AuditFilter, Chain};

/// Of the model that can read little: the rules, and a few words.
const WINDOW: u64 = 13_312;

fn talk(message: &str) -> String {
    let reply =
        json!({"action": "REPLY", "taskType": "CONVERSATION", "message": message, "slots": {}});
    reply.to_string()
}

pub async fn house_of(model: &FakeModel, provider: ProviderName, name: &str) -> TestGovernor {
    let windows = [("CUSTOM:small".to_owned(), WINDOW)].into();
    let origins = vec![model.origin()];
    let test = TestGovernor::with(Setup { origins, windows, ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = provider;
        policy.llm_base_url = Some(url);
        policy.governor_model = Some(name.to_owned());
    })
    .await;
    test
}

async fn called(test: &TestGovernor) -> Vec<Value> {
    recorded(test, "model.called").await
}

/// The oldest first.
async fn recorded(test: &TestGovernor, kind: &str) -> Vec<Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let mut rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn older_words_are_left_out_of_what_a_model_can_read_and_the_rest_is_refused_unsent() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("네")])).await.unwrap();
    let test = house_of(&model, ProviderName::Custom, "small").await;
    let session = test.session().await;
    for nth in 0..6 {
        let said = format!("word-{nth} {}", "무엇을 도와드릴까요? ".repeat(60));
        assert_eq!(test.say(session, &said).await.outcome, "done");
    }
    let last = model.calls().pop().unwrap().body.to_string();
    assert!(last.contains("word-5") && last.contains("word-4"), "the newest words are carried");
    assert!(!last.contains("word-0"), "the oldest are left out");
    let sent = model.calls().len();
    let refused = test.say(session, &"가나다라 마바사 ".repeat(1_700)).await;
    assert_eq!(refused.outcome, "error", "{}", refused.text());
    assert_eq!(model.calls().len(), sent, "what cannot fit is not sent");
    // By how much, and what helps.
    let told = refused.text();
    assert!(told.contains("`context.total_tokens`"), "{told}");
}

/// A part of what a call was planned with: granted, used and left out.
fn part(call: &Value, name: &str) -> [u64; 3] {
    let parts = call["plan"]["parts"].as_array().unwrap();
    let found = parts.iter().find(|part| part[0] == name).unwrap_or_else(|| panic!("{call}"));
    [1, 2, 3].map(|at| found[at].as_u64().unwrap())
}

fn total(call: &Value) -> u64 {
    call["plan"]["total"].as_u64().unwrap()
}

/// Of a long conversation the record says what each part cost and how much was left out, in figures alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_on_record_with_the_plan_of_its_prompt() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("네")])).await.unwrap();
    let test = house_of(&model, ProviderName::Custom, "small").await;
    let session = test.session().await;
    for nth in 0..6 {
        test.say(session, &format!("word-{nth} {}", "무엇을 도와드릴까요? ".repeat(60))).await;
    }
    let called = called(&test).await;
    let (first, last) = (called.first().unwrap(), called.last().unwrap());
    let plan = &first["plan"];
    assert_eq!((&plan["window"], &plan["errorPercent"]), (&json!(WINDOW), &json!(25)));
    assert!((3_000..WINDOW).contains(&total(first)), "{first}");
    // The rules cost the same each time, and nothing was said before the first message.
    assert_eq!(part(first, "system"), part(last, "system"));
    let names = |call: &Value| -> Vec<String> {
        let parts = call["plan"]["parts"].as_array().unwrap().iter();
        parts.map(|part| part[0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(first), ["system", "task", "query"]);
    assert_eq!(names(last), ["system", "task", "recent", "query"]);
    let [granted, used, dropped] = part(last, "recent");
    assert!(used <= granted && dropped > 0, "{last}");
    let sent = model.calls().pop().unwrap().body.to_string();
    let told = (0..6).filter(|nth| sent.contains(&format!("word-{nth}"))).count();
    // Ten messages before it, of which five are the user's.
    assert!(u64::try_from(told).unwrap() <= 11 - dropped, "{dropped} {told}");
    for call in &called {
        let parts = call["plan"]["parts"].as_array().unwrap();
        let used: u64 = parts.iter().map(|part| part[2].as_u64().unwrap()).sum();
        assert!(used <= total(call), "{call}");
        assert!(!call["plan"].to_string().contains("word-"), "figures alone");
    }
}

/// Where the model reads more than that.
#[tokio::test(flavor = "multi_thread")]
async fn the_total_is_what_is_configured_and_what_a_vocabulary_counts_has_no_error() {
    for (provider, name, error) in
        [(ProviderName::Custom, "any", 25), (ProviderName::OpenAi, "gpt-4o-mini", 0)]
    {
        let model = FakeModel::spawn(ModelMode::Script(vec![talk("네")])).await.unwrap();
        let test = house_of(&model, provider, name).await;
        if provider == ProviderName::OpenAi {
            let who = test.principal(&test.owner).await;
            let (secret, origin) = ("sk-0123456789".into(), model.origin());
            let at = (KeyHolder::User(who.user()), provider);
            let given = (&secret, Some(origin.as_str()));
            test.governor.keys().set(&who, at, given, None).await.unwrap();
        }
        let session = test.session().await;
        let told = test.say(session, "안녕").await;
        assert_eq!(told.outcome, "done", "{}", told.text());
        let called = called(&test).await;
        assert_eq!(total(&called[0]), wiiiv_context::TOTAL_TOKENS_DEFAULT);
        assert_eq!(called[0]["plan"]["errorPercent"], error);
    }
}

/// The commit that holds the call does not name its key: here it removes that.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_removed_while_its_call_is_put_on_record_is_not_sent() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk("네")])).await.unwrap();
    let test = house_of(&model, ProviderName::OpenAi, "gpt-4o-mini").await;
    let who = test.principal(&test.owner).await;
    let (secret, origin) = ("sk-0123456789".into(), model.origin());
    let at = (KeyHolder::User(who.user()), ProviderName::OpenAi);
    test.governor.keys().set(&who, at, (&secret, Some(origin.as_str())), None).await.unwrap();
    let gone = "CREATE TRIGGER gone AFTER INSERT ON model_call \
                BEGIN DELETE FROM model_key WHERE revision > 0; END";
    test.intruder().await.execute_unprepared(gone).await.unwrap();
    let told = test.say(test.session().await, "안녕").await;
    assert_ne!(told.outcome, "done", "{}", told.text());
    assert!(model.calls().is_empty(), "nothing was sent");
    let used = test.used().await;
    assert_eq!((used.open, used.micros), (0, 0), "what was held is free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_tells_of_more_than_was_held_is_charged_as_held_and_on_record() {
    let model = FakeModel::spawn(ModelMode::Tells(9_000_000, talk("네"))).await.unwrap();
    let test = house_of(&model, ProviderName::Custom, "small").await;
    let session = test.session().await;
    test.say(session, "안녕").await;
    model.set_mode(ModelMode::Script(vec![talk("네")]));
    test.say(session, "고마워").await;
    let [beyond, within] = called(&test).await.try_into().unwrap();
    assert_eq!(beyond["toldBeyondHold"]["inputTokens"], 9_000_000, "{beyond}");
    assert!(beyond["usage"]["inputTokens"].as_u64().unwrap() < 100_000, "{beyond}");
    assert_eq!(beyond["usage"]["estimated"], true);
    assert_eq!(within["toldBeyondHold"], Value::Null);
    assert_eq!(within["usage"]["inputTokens"], 100);
}

/// Before its first word, and in the midst of its words: the provider sees it end, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_a_cancel_cut_off_ends_upstream_and_is_on_record_with_what_it_is_charged() {
    // Sooner than the client gives up by itself.
    for (mode, soon) in [(ModelMode::Silent, 1_900), (ModelMode::Drips, 3_500)] {
        let model = FakeModel::spawn(mode.clone()).await.unwrap();
        let test = house_of(&model, ProviderName::Custom, "small").await;
        let session = test.session().await;
        let waits = test.send(session, "안녕").await.unwrap();
        read_by(&model, 1).await;
        let who = test.principal(&test.owner).await;
        let cancelled = Instant::now();
        test.governor.control(&who, session, Control::Cancel).await.unwrap();
        test.ended(session, waits).await;
        read_by(&model, 0).await;
        let took = cancelled.elapsed();
        assert!(took < Duration::from_millis(soon), "{mode:?}: {took:?}");
        let [cut_off] = recorded(&test, "model.cut_off").await.try_into().unwrap();
        let sums = test.used().await;
        assert_eq!((sums.calls, sums.open), (1, 0), "{mode:?}");
        assert!(sums.tokens > 0, "its hold is spent");
        assert_eq!(cut_off["charged"]["tokens"], sums.tokens, "{cut_off}");
        let told = (&cut_off["provider"], &cut_off["model"]);
        assert_eq!(told, (&json!("CUSTOM"), &json!("small")));
        assert_eq!((called(&test).await.len(), model.calls().len()), (0, 1));
    }
}

/// Waits until so many answers without an end are waited for.
async fn read_by(model: &FakeModel, readers: usize) {
    let counted = async {
        while model.open_streams() != readers {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let seen = tokio::time::timeout(Duration::from_secs(10), counted).await;
    assert!(seen.is_ok(), "{} instead of {readers}", model.open_streams());
}

/// The same words: what a vocabulary counts is held as counted, else each byte is held for.
#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_counted_is_held_for_as_it_counts() {
    let mut held = Vec::new();
    for (provider, name) in [(ProviderName::OpenAi, "gpt-4o-mini"), (ProviderName::Custom, "any")] {
        let model = FakeModel::spawn(ModelMode::Tells(9_000_000, talk("네"))).await.unwrap();
        let test = house_of(&model, provider, name).await;
        if provider == ProviderName::OpenAi {
            let who = test.principal(&test.owner).await;
            let (secret, origin) = ("sk-0123456789".into(), model.origin());
            let at = (KeyHolder::User(who.user()), provider);
            let given = (&secret, Some(origin.as_str()));
            test.governor.keys().set(&who, at, given, None).await.unwrap();
        }
        let session = test.session().await;
        let told = test.say(session, &"회의록을 정리해서 알려 주세요. ".repeat(100)).await;
        assert_eq!(told.outcome, "done", "{}", told.text());
        let called = called(&test).await;
        // Clamped: as much as was held.
        held.push(called[0]["usage"]["inputTokens"].as_u64().unwrap());
        let sent = model.calls()[0].body["messages"].clone();
        let texts =
            ["/0/content", "/1/content"].map(|at| sent.pointer(at).unwrap().as_str().unwrap());
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        assert!(held[0] < u64::try_from(bytes).unwrap(), "{held:?} {bytes}");
    }
    assert!(held[0] * 5 < held[1] * 4, "{held:?}");
}
