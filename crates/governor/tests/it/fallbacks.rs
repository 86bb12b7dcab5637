//! The model that policy names does not answer: the next one that policy lists is asked, under a
//! permit of its own and on record, and nothing that policy does not list.

use crate::test_governor::{SeenTurn, Setup, TestGovernor};
use serde_json::json;
use std::time::Duration;
use wiiiv_domain::{
    Currency, EventBody, ModelFallback, ModelPrice, PriceTier, ProviderName, ReplyCode,
};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_store::{AuditFilter, Chain};

/// Of the model `small`: the rules, and a few words.
const SMALL_WINDOW: u64 = 12_288;

fn writes(path: &str) -> ModelMode {
    let written = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": path, "content": "by the model"}, "taskSwitch": {"kind": "new"},
    });
    ModelMode::Script(vec![written.to_string()])
}

fn named(model: &FakeModel, name: &str) -> ModelFallback {
    let base_url = Some(model.base_url());
    ModelFallback { provider: ProviderName::Custom, model: name.to_owned(), base_url }
}

async fn house_of(first: &FakeModel, others: &[(&FakeModel, &str)]) -> TestGovernor {
    let origins = std::iter::once(first).chain(others.iter().map(|(model, _)| *model));
    let options = Setup {
        origins: origins.map(FakeModel::origin).collect(),
        pause: Some(Duration::from_millis(300)),
        windows: [("CUSTOM:small".to_owned(), SMALL_WINDOW)].into(),
        ..Setup::default()
    };
    let test = TestGovernor::with(options).await;
    let (url, fallbacks) =
        (first.base_url(), others.iter().map(|(model, name)| named(model, name)));
    let fallbacks: Vec<ModelFallback> = fallbacks.collect();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.governor_model = Some("first".to_owned());
        policy.model_fallbacks = fallbacks;
    })
    .await;
    test
}

/// From which model to which, as it was said.
fn fell_back(told: &SeenTurn) -> Vec<(String, String)> {
    let notice = |body: &EventBody| match body {
        EventBody::Replied { reply: ReplyCode::FellBack { model, to_model, .. }, .. } => {
            Some((model.clone(), to_model.clone()))
        }
        _ => None,
    };
    told.events.iter().filter_map(|event| notice(&event.body)).collect()
}

async fn audited(test: &TestGovernor, kind: &str) -> Vec<serde_json::Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let mut rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_model_that_policy_lists_answers_in_the_place_of_a_dead_one() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let second = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let third = FakeModel::spawn(writes("third.txt")).await.unwrap();
    let test = house_of(&first, &[(&second, "second"), (&third, "third")]).await;
    let session = test.session().await;
    let asked = test.say(session, "please write it").await;
    let steps = [("first", "second"), ("second", "third")];
    let steps = steps.map(|(from, to)| (from.to_owned(), to.to_owned()));
    assert_eq!(fell_back(&asked), steps, "{}", asked.text());
    assert!(asked.text().contains("third.txt"), "{}", asked.text());
    assert_eq!(asked.outcome, "pending", "a write is asked about as ever: {}", asked.text());

    let records = audited(&test, "model.fell_back").await;
    assert_eq!(records.len(), 2, "{records:?}");
    assert_eq!((&records[0]["model"], &records[0]["toModel"]), (&json!("first"), &json!("second")));
    assert_eq!(records[1]["reason"], "unavailable");
    // Each was ruled on for itself, and each call has its own record.
    let called = audited(&test, "model.called").await;
    let models: Vec<_> = called.iter().map(|body| body["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["first", "second", "third"]);
    assert_eq!(audited(&test, "model.degraded").await, Vec::<serde_json::Value>::new());
    drop((first, second, third));
}

/// The one between was not sent to: by how much it was too long for that one says nothing of the next.
#[tokio::test(flavor = "multi_thread")]
async fn the_length_that_is_told_is_of_the_model_that_was_asked_last() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let small = FakeModel::spawn(writes("small.txt")).await.unwrap();
    let refusal = r#"{"error":{"code":400,"message":"maximum context length is 4096"}}"#;
    let refuses = ModelMode::Refuses(400, refusal.to_owned());
    let last = FakeModel::spawn(refuses).await.unwrap();
    let test = house_of(&first, &[(&small, "small"), (&last, "last")]).await;
    let session = test.session().await;
    let told = test.say(session, &"가나다라 마바사 ".repeat(1_700)).await;
    assert_eq!((told.outcome.as_str(), small.calls().len()), ("error", 0), "{}", told.text());
    assert_eq!(fell_back(&told), [("first".to_owned(), "last".to_owned())], "{}", told.text());
    assert!(told.text().contains("너무 깁니다"), "{}", told.text());
    assert!(!told.text().contains("`context.total_tokens`"), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_is_asked_and_the_built_in_model_stands_in_at_the_end() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let second = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let stranger = FakeModel::spawn(writes("stranger.txt")).await.unwrap();
    let test = house_of(&first, &[(&second, "second")]).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to mine.txt").await;
    assert_eq!(fell_back(&asked).len(), 1, "{}", asked.text());
    assert!(asked.text().contains("built-in model"), "{}", asked.text());
    assert!(asked.text().contains("mine.txt"), "{}", asked.text());
    assert_eq!(audited(&test, "model.degraded").await[0]["model"], "second");
    assert_eq!(stranger.calls().len(), 0);
    // One that answers, only not well, is not passed over: it would go wrong elsewhere too.
    first.set_mode(ModelMode::Garbage);
    tokio::time::sleep(Duration::from_millis(400)).await;
    test.say(session, "아니").await;
    let told = test.say(session, "write 'y' to yours.txt").await;
    assert_eq!((told.outcome.as_str(), fell_back(&told).len()), ("error", 0), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowded_first_model_gives_way_within_one_tasks_budget() {
    let first = FakeModel::spawn(ModelMode::RateLimited).await.unwrap();
    let second = FakeModel::spawn(writes("second.txt")).await.unwrap();
    let test = house_of(&first, &[(&second, "second")]).await;
    let session = test.session().await;
    let asked = test.say(session, "please write it").await;
    assert_eq!(fell_back(&asked).len(), 1, "{}", asked.text());
    assert!(asked.text().contains("second.txt"), "{}", asked.text());
    let called = audited(&test, "model.called").await;
    assert_eq!(
        (&called[0]["failure"], &called[0]["attempts"]),
        (&json!("rate_limited"), &json!(2))
    );

    // Room for one call and a half: what the first one held is free again before the second.
    let held = worst_case(&test).await;
    test.change_policy(|policy| policy.token_budget.per_run = Some(held + held / 2)).await;
    second.set_mode(writes("again.txt"));
    test.say(session, "아니").await;
    let asked = test.say(session, "please write it").await;
    assert!(asked.text().contains("again.txt"), "{}", asked.text());
}

/// Tokens that the last call was held at.
async fn worst_case(test: &TestGovernor) -> u64 {
    let decisions = audited(test, "decision").await;
    let cost = |body: &serde_json::Value| {
        let answers = body["answers"].as_array()?;
        let tokens = answers.iter().find_map(|answer| {
            let answer = serde_json::to_value(answer).ok()?;
            answer.pointer("/figures/estimate/tokens")?.as_str()?.parse::<u64>().ok()
        });
        tokens.filter(|tokens| *tokens > 0)
    };
    decisions.iter().rev().find_map(cost).expect("the figures of a call")
}

/// One that may not be asked, or that nothing can be sent to, takes nothing away from the others.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_passed_by() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let keyless = FakeModel::spawn(writes("keyless.txt")).await.unwrap();
    let third = FakeModel::spawn(writes("third.txt")).await.unwrap();
    let test = house_of(&first, &[(&keyless, "claude"), (&third, "third")]).await;
    test.change_policy(|policy| {
        policy.model_fallbacks[0].provider = ProviderName::Anthropic;
    })
    .await;
    let session = test.session().await;
    let asked = test.say(session, "please write it").await;
    assert!(asked.text().contains("third.txt"), "{}", asked.text());
    assert_eq!(keyless.calls().len(), 0, "it answers nobody without a key");

    // Under a cap of money a model without a price is denied: the built-in one stands in.
    test.say(session, "아니").await;
    test.change_policy(|policy| {
        let tiers = vec![PriceTier {
            from_input_tokens: 0,
            input_micros_per_million: 0,
            output_micros_per_million: 0,
        }];
        let price = ModelPrice { currency: Currency::USD, tiers };
        policy.model_prices.insert("CUSTOM:first".to_owned(), price);
        policy.cost_limit.per_day_micros = Some(1_000_000);
    })
    .await;
    let told = test.say(session, "write 'x' to mine.txt").await;
    assert_eq!(fell_back(&told), [], "nobody else was asked: {}", told.text());
    assert!(told.text().contains("built-in model"), "{}", told.text());
    assert!(told.text().contains("mine.txt"), "{}", told.text());
    assert_eq!(third.calls().len(), 1);
}
