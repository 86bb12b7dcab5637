//! The model that policy names does not answer: the next one that policy lists is asked, under a
//! permit of its own and on record, and nothing that policy does not list.

use crate::house::{House, Options, Told};
use serde_json::json;
use std::time::Duration;
use wiiiv_domain::{EventBody, ModelFallback, ProviderName, ReplyCode};
use wiiiv_ghost::{FakeModel, ModelMode};
use wiiiv_store::{AuditFilter, Chain};

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

async fn house_of(first: &FakeModel, others: &[(&FakeModel, &str)]) -> House {
    let origins = std::iter::once(first).chain(others.iter().map(|(model, _)| *model));
    let options = Options {
        origins: origins.map(FakeModel::origin).collect(),
        pause: Some(Duration::from_millis(300)),
        ..Options::default()
    };
    let house = House::with(options).await;
    let (url, fallbacks) =
        (first.base_url(), others.iter().map(|(model, name)| named(model, name)));
    let fallbacks: Vec<ModelFallback> = fallbacks.collect();
    house
        .change_policy(|policy| {
            policy.llm_provider = ProviderName::Custom;
            policy.llm_base_url = Some(url);
            policy.governor_model = Some("first".to_owned());
            policy.model_fallbacks = fallbacks;
        })
        .await;
    house
}

/// From which model to which, as it was said.
fn fell_back(told: &Told) -> Vec<(String, String)> {
    let notice = |body: &EventBody| match body {
        EventBody::Replied { reply: ReplyCode::FellBack { model, to_model, .. }, .. } => {
            Some((model.clone(), to_model.clone()))
        }
        _ => None,
    };
    told.events.iter().filter_map(|event| notice(&event.body)).collect()
}

async fn audited(house: &House, kind: &str) -> Vec<serde_json::Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(house.project);
    let mut rows = house.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_model_that_policy_lists_answers_in_the_place_of_a_dead_one() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let second = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let third = FakeModel::spawn(writes("third.txt")).await.unwrap();
    let house = house_of(&first, &[(&second, "second"), (&third, "third")]).await;
    let session = house.session().await;
    let asked = house.say(session, "please write it").await;
    let steps = [("first", "second"), ("second", "third")];
    let steps = steps.map(|(from, to)| (from.to_owned(), to.to_owned()));
    assert_eq!(fell_back(&asked), steps, "{}", asked.text());
    assert!(asked.text().contains("third.txt"), "{}", asked.text());
    assert_eq!(asked.outcome, "pending", "a write is asked about as ever: {}", asked.text());

    let records = audited(&house, "model.fell_back").await;
    assert_eq!(records.len(), 2, "{records:?}");
    assert_eq!((&records[0]["model"], &records[0]["toModel"]), (&json!("first"), &json!("second")));
    assert_eq!(records[1]["reason"], "unavailable");
    // Each was ruled on for itself, and each call has its own record.
    let called = audited(&house, "model.called").await;
    let models: Vec<_> = called.iter().map(|body| body["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["first", "second", "third"]);
    assert_eq!(audited(&house, "model.degraded").await, Vec::<serde_json::Value>::new());
    drop((first, second, third));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_is_asked_and_the_built_in_model_stands_in_at_the_end() {
    let first = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let second = FakeModel::spawn(ModelMode::Broken).await.unwrap();
    let stranger = FakeModel::spawn(writes("stranger.txt")).await.unwrap();
    let house = house_of(&first, &[(&second, "second")]).await;
    let session = house.session().await;
    let asked = house.say(session, "write 'x' to mine.txt").await;
    assert_eq!(fell_back(&asked).len(), 1, "{}", asked.text());
    assert!(asked.text().contains("built-in understanding"), "{}", asked.text());
    assert!(asked.text().contains("mine.txt"), "{}", asked.text());
    assert_eq!(audited(&house, "model.degraded").await[0]["model"], "second");
    assert_eq!(stranger.calls().len(), 0);
    // One that answers, only not well, is not passed over: it would go wrong elsewhere too.
    first.set_mode(ModelMode::Garbage);
    tokio::time::sleep(Duration::from_millis(400)).await;
    house.say(session, "아니").await;
    let told = house.say(session, "write 'y' to yours.txt").await;
    assert_eq!((told.outcome.as_str(), fell_back(&told).len()), ("error", 0), "{}", told.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowded_first_model_gives_way_and_the_budget_counts_both() {
    let first = FakeModel::spawn(ModelMode::RateLimited).await.unwrap();
    let second = FakeModel::spawn(writes("second.txt")).await.unwrap();
    let house = house_of(&first, &[(&second, "second")]).await;
    let session = house.session().await;
    let asked = house.say(session, "please write it").await;
    assert_eq!(fell_back(&asked).len(), 1, "{}", asked.text());
    assert!(asked.text().contains("second.txt"), "{}", asked.text());
    // No room for a second call: the first one's failure is what is told.
    house.change_policy(|policy| policy.token_budget.per_day = Some(1)).await;
    let told = house.say(session, "아니, 다른 거 써줘").await;
    assert_eq!((told.outcome.as_str(), fell_back(&told).len()), ("error", 0), "{}", told.text());
}
