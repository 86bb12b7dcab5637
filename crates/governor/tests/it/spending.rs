//! Hundreds of turns at once against one cap of money: tiered prices, real streams over HTTP.

use crate::house::{House, Options, now};
use futures::future::join_all;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use wiiiv_domain::{Amount, BudgetWindow, Currency, ModelPrice, PriceTier, ProviderName};
use wiiiv_ghost::{FakeModel, ModelMode};
use wiiiv_store::{AuditFilter, Chain};

const TURNS: usize = 500;
/// Of one answer, so that calls overlap.
const ANSWERS_AFTER: Duration = Duration::from_millis(1_500);
/// Of all turns together, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);

fn talk() -> String {
    json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "네", "slots": {}}).to_string()
}

/// Micro-units a token: three times as dear from 1,000 tokens of input on.
fn tiered() -> ModelPrice {
    let tier = |from_input_tokens, micros: u64| PriceTier {
        from_input_tokens,
        input_micros_per_million: micros * 1_000_000,
        output_micros_per_million: 2 * micros * 1_000_000,
    };
    ModelPrice { currency: Currency::USD, tiers: vec![tier(0, 1), tier(1_000, 3)] }
}

async fn house_of(model: &FakeModel) -> House {
    let options = Options { origins: vec![model.origin()], memory: true, ..Options::default() };
    let house = House::with(options).await;
    let url = model.base_url();
    house
        .change_policy(|policy| {
            policy.llm_provider = ProviderName::Custom;
            policy.llm_base_url = Some(url);
            policy.governor_model = Some("m".to_owned());
            policy.model_prices.insert("CUSTOM:m".to_owned(), tiered());
            policy.cost_limit.per_day_micros = Some(9_000_000_000_000_000);
        })
        .await;
    house
}

/// What the last call was held at, in micro-units.
async fn worst_case(house: &House) -> u64 {
    let filter = AuditFilter { kind: Some("decision".to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(house.project);
    let rows = house.governor.store().audit_search(chain, &filter).await.unwrap();
    let estimate = |body: &Value| {
        let answers = body["answers"].as_array()?;
        let micros =
            |answer: &Value| answer.pointer("/figures/estimate/micros")?.as_str()?.parse().ok();
        answers.iter().find_map(micros)
    };
    rows.iter().find_map(|row| estimate(&row.body)).expect("the figures of a call")
}

/// Settled and held today.
async fn standing(house: &House) -> (Amount, Amount) {
    let day = BudgetWindow::day(house.project, now());
    let standing = house.governor.store().budget_standing(&[day]).await.unwrap();
    (standing[0].settled, standing[0].held)
}

#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_turns_at_once_spend_no_more_than_the_cap() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let house = Arc::new(house_of(&model).await);
    house.say(house.session().await, "hello").await;
    let worst = worst_case(&house).await;
    let before = standing(&house).await.0.micros.unwrap();
    // Room for five calls at once, and not for six.
    let cap = before + 5 * worst + worst / 2;
    house.change_policy(|policy| policy.cost_limit.per_day_micros = Some(cap)).await;

    model.set_mode(ModelMode::Slow(ANSWERS_AFTER, talk()));
    let watched = tokio::spawn(watch(house.clone(), cap));
    let turns = (0..TURNS).map(|_| async {
        let session = house.session().await;
        house.say_within(session, "hello", PATIENCE).await.outcome
    });
    let outcomes = join_all(turns).await;
    assert!(!watched.is_finished(), "the cap was overdrawn meanwhile");
    watched.abort();
    let talked = outcomes.iter().filter(|outcome| *outcome == "done").count();
    println!("{talked} of {TURNS} turns were answered");
    assert!((5..TURNS).contains(&talked), "the cap bites, and not at once: {talked}");
    let asked = model.calls().len();
    assert_eq!(asked, 1 + talked, "what was denied was never sent");
    let sums = house.used().await;
    assert_eq!((sums.calls, sums.open), (u64::try_from(asked).unwrap(), 0));

    // What was held and not used is free again, to the last call that fits.
    model.set_mode(ModelMode::NoUsage(talk()));
    let session = house.session().await;
    while house.say(session, "hello").await.outcome == "done" {}
    let (settled, held) = standing(&house).await;
    let (settled, sums) = (settled.micros.unwrap(), house.used().await);
    assert_eq!((held.micros, sums.micros), (Some(0), settled), "each call is counted once");
    assert!(settled <= cap, "{settled} of {cap}");
    assert!(settled + worst > cap, "{settled} of {cap}: less than the cap without one call");
}

/// Each with its own words: who reads them can do something else about each.
#[tokio::test(flavor = "multi_thread")]
async fn why_a_model_is_not_asked_is_said() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let house = house_of(&model).await;
    let told = async || house.say(house.session().await, "hello").await.text();
    house.change_policy(|policy| policy.token_budget.per_day = Some(100)).await;
    assert!(told().await.contains("what is left of a budget"), "{}", told().await);
    house.change_policy(|policy| policy.token_budget.per_day = None).await;
    house.change_policy(|policy| policy.model_prices.clear()).await;
    assert!(told().await.contains("MODEL_UNPRICED"), "{}", told().await);
    assert_eq!(model.calls().len(), 0);
}

/// What was spent is a number of one currency, today and in the past.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_has_spent_keeps_its_currency() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let house = house_of(&model).await;
    let priced_in = async |currency| {
        let price = ModelPrice { currency, ..tiered() };
        house.try_policy(|policy| drop(policy.model_prices.insert("CUSTOM:m".into(), price))).await
    };
    priced_in(Currency::EUR).await.unwrap();
    house.say(house.session().await, "hello").await;
    let refused = priced_in(Currency::KRW).await.unwrap_err().to_string();
    assert!(refused.contains("spent in EUR") && refused.contains("KRW"), "{refused}");
    priced_in(Currency::EUR).await.unwrap();
}

/// Looks again and again, as long as it is let.
async fn watch(house: Arc<House>, cap: u64) {
    loop {
        let (settled, held) = standing(&house).await;
        let sum = settled.micros.unwrap() + held.micros.unwrap();
        assert!(sum <= cap, "{sum} of {cap}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
