//! Hundreds of turns at once against one cap of money: tiered prices, real streams over HTTP.

use crate::test_governor::{Setup, TestGovernor, now};
use futures::future::join_all;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio::sync::{Semaphore, watch};
use wiiiv_domain::{Amount, BudgetWindow, Currency, ModelPrice, PriceTier, ProviderName};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_net::Timeouts;
use wiiiv_store::{AuditFilter, Chain};

const TURNS: usize = 500;
/// Of one answer, so that calls overlap.
const ANSWERS_AFTER: Duration = Duration::from_millis(700);
/// Tokens that it tells of then: the dearer tier's.
const READ: u64 = 2_000;
const ENDLESS_EVERY: usize = 10;
/// Of those who were denied, how many try again side by side: more than there is room for, and so few
/// that all tries stay below the conversations that one person may have.
const AGAIN: usize = 8;
/// Of all turns together, on a machine that is busy; no call waits less, as one that gives up earlier counts as cut.
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

async fn house_of(model: &FakeModel) -> TestGovernor {
    let timeouts = Timeouts {
        connect: PATIENCE,
        first_byte: PATIENCE,
        between_chunks: PATIENCE,
        total: PATIENCE,
    };
    let origins = vec![model.origin()];
    let options = Setup { timeouts, origins, memory: true, ..Setup::default() };
    let test = TestGovernor::with(options).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.governor_model = Some("m".to_owned());
        policy.model_prices.insert("CUSTOM:m".to_owned(), tiered());
        policy.cost_limit.per_day_micros = Some(9_000_000_000_000_000);
    })
    .await;
    test
}

/// What the last call was held at, in micro-units.
async fn worst_case(test: &TestGovernor) -> u64 {
    let filter = AuditFilter { kind: Some("decision".to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    let estimate = |body: &Value| {
        let answers = body["answers"].as_array()?;
        let micros =
            |answer: &Value| answer.pointer("/figures/estimate/micros")?.as_str()?.parse().ok();
        answers.iter().find_map(micros)
    };
    rows.iter().find_map(|row| estimate(&row.body)).expect("the figures of a call")
}

/// Settled and held today.
async fn standing(test: &TestGovernor) -> (Amount, Amount) {
    let day = BudgetWindow::day(test.project, now());
    let standing = test.governor.store().budget_standing(&[day]).await.unwrap();
    (standing[0].settled, standing[0].held)
}

/// Five hundred at once; who is denied tries again, beside others, until no call fits any more. Every
/// tenth answer never ends, and is cut where its hold is spent.
#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_turns_at_once_spend_the_cap_and_no_more() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let test = Arc::new(house_of(&model).await);
    test.say(test.session().await, "hello").await;
    let worst = worst_case(&test).await;
    let before = standing(&test).await.0.micros.unwrap();
    // Room for five calls at once, and not for six.
    let cap = before + 5 * worst + worst / 2;
    test.change_policy(|policy| policy.cost_limit.per_day_micros = Some(cap)).await;

    model.set_mode(ModelMode::Mixed {
        endless_every: ENDLESS_EVERY,
        after: ANSWERS_AFTER,
        read: READ,
        text: talk(),
    });
    let (room, seen) = watch::channel(CapLeft::Some);
    let watched = tokio::spawn(look(test.clone(), (cap, worst), room));
    let again = Semaphore::new(AGAIN);
    let turns = (0..TURNS).map(|_| until_none_fits(&test, seen.clone(), &again));
    let tallies = join_all(turns).await;
    let (settled, held) = standing(&test).await;
    assert!(!watched.is_finished(), "the cap was overdrawn meanwhile");
    watched.abort();

    let sum = |one: fn(&Tally) -> usize| tallies.iter().map(one).sum::<usize>();
    let (answered, cut, denied) = (sum(|t| t.answered), sum(|t| t.cut), sum(|t| t.denied));
    println!("{answered} answered, {cut} cut, {denied} denied");
    assert!(answered >= 5 && answered + cut < TURNS && denied > TURNS / 2, "the cap bites");
    let asked = model.calls().len();
    assert_eq!(asked, 1 + answered + cut, "what was denied was never sent");
    assert_eq!(cut, (asked - 1) / ENDLESS_EVERY, "what never ends is no answer");
    let sums = test.used().await;
    assert_eq!((sums.calls, sums.open), (u64::try_from(asked).unwrap(), 0));
    let settled = settled.micros.unwrap();
    assert_eq!((held.micros, sums.micros), (Some(0), settled), "each call is counted once");
    assert!(settled <= cap, "{settled} of {cap}");
    assert!(settled + worst > cap, "{settled} of {cap}: less than the cap without one call");
}

/// What is left of the cap for another call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CapLeft {
    Some,
    /// Until one that is held is settled.
    NoneNow,
    NoneEver,
}

#[derive(Default)]
struct Tally {
    answered: usize,
    cut: usize,
    denied: usize,
}

/// Says it until it was asked of the model, or nothing will fit any more.
async fn until_none_fits(
    test: &TestGovernor,
    mut room: watch::Receiver<CapLeft>,
    again: &Semaphore,
) -> Tally {
    let mut tally = Tally::default();
    let mut turn = None;
    loop {
        // A new one for each try: what was said before would be sent along, and held for.
        let told = test.say_within(test.session().await, "hello", PATIENCE).await;
        drop(turn.take());
        match told.text() {
            _ if told.outcome == "done" => tally.answered += 1,
            text if text.contains("what is left of the project's budget") => tally.denied += 1,
            _ => tally.cut += 1,
        }
        if tally.answered + tally.cut > 0 {
            return tally;
        }
        turn = again.acquire().await.ok();
        let seen = room.wait_for(|room| *room != CapLeft::NoneNow).await;
        if !seen.is_ok_and(|room| *room == CapLeft::Some) {
            return tally;
        }
    }
}

/// Each with its own words: who reads them can do something else about each.
#[tokio::test(flavor = "multi_thread")]
async fn why_a_model_is_not_asked_is_said() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let test = house_of(&model).await;
    let told = async || test.say(test.session().await, "hello").await.text();
    test.change_policy(|policy| policy.token_budget.per_day = Some(100)).await;
    // The number, the window, and where it is changed.
    let due = "the project's budget for today (UTC). 0 tokens of 100 tokens are used or reserved.";
    let text = told().await;
    assert!(text.contains(due) && text.contains("`tokenBudget.perDay`"), "{text}");
    test.change_policy(|policy| policy.token_budget.per_day = None).await;
    test.change_policy(|policy| policy.model_prices.clear()).await;
    assert!(told().await.contains("MODEL_UNPRICED"), "{}", told().await);
    assert_eq!(model.calls().len(), 0);
}

/// Of the run nothing is used, of the month something, and yet the run's cap stops the call.
#[tokio::test(flavor = "multi_thread")]
async fn the_budget_that_stopped_a_call_is_the_one_that_is_told() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let test = house_of(&model).await;
    test.say(test.session().await, "hello").await;
    let month = BudgetWindow::month(test.project, now());
    let standing = test.governor.store().budget_standing(&[month]).await.unwrap();
    let used = standing[0].settled.tokens;
    assert!(used > 0, "{standing:?}");
    test.change_policy(|policy| {
        policy.token_budget.per_run = Some(100);
        policy.token_budget.per_month = Some(used + 10_000_000);
    })
    .await;
    let text = test.say(test.session().await, "hello").await.text();
    assert!(text.contains("`tokenBudget.perRun`"), "{text}");
}

/// What was spent is a number of one currency, today and in the past.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_has_spent_keeps_its_currency() {
    let model = FakeModel::spawn(ModelMode::Script(vec![talk()])).await.unwrap();
    let test = house_of(&model).await;
    let priced_in = async |currency| {
        let price = ModelPrice { currency, ..tiered() };
        test.try_policy(|policy| drop(policy.model_prices.insert("CUSTOM:m".into(), price))).await
    };
    priced_in(Currency::EUR).await.unwrap();
    test.say(test.session().await, "hello").await;
    let refused = priced_in(Currency::KRW).await.unwrap_err().to_string();
    assert!(refused.contains("spent in EUR") && refused.contains("KRW"), "{refused}");
    priced_in(Currency::EUR).await.unwrap();
}

/// Looks again and again, as long as it is let, and says what fits.
async fn look(test: Arc<TestGovernor>, (cap, worst): (u64, u64), room: watch::Sender<CapLeft>) {
    loop {
        let (settled, held) = standing(&test).await;
        let (settled, held) = (settled.micros.unwrap(), held.micros.unwrap());
        assert!(settled + held <= cap, "{settled} and {held} of {cap}");
        let now = match settled {
            // What is settled is never less again.
            settled if settled + worst > cap => CapLeft::NoneEver,
            settled if settled + held + worst > cap => CapLeft::NoneNow,
            _ => CapLeft::Some,
        };
        room.send_replace(now);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
