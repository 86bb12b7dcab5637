//! What calls have used, and the word that most of a budget is spent.

use crate::test_store::{TestStore, new_id, now, permissive};
use std::collections::BTreeSet;
use tokio::task::JoinSet;
use wiiiv_domain::{
    Amount, BudgetWindow, CallId, Currency, ModelPrice, ModelSlot, PriceTier, ProjectPolicy,
    ProviderName, Timestamp, Usage,
};
use wiiiv_gate::{ModelCall, Purpose, Start};
use wiiiv_store::{AuditFilter, Boundary, Chain, Point, UsageBy, UsageFilter, UsageSums, Write};

const DAY_SECONDS: i64 = 86_400;

/// Dearer from 1,000 tokens of input on.
fn tiered(mut policy: ProjectPolicy) -> ProjectPolicy {
    let tier = |from, input, output| PriceTier {
        from_input_tokens: from,
        input_micros_per_million: input,
        output_micros_per_million: output,
    };
    let tiers = vec![tier(0, 1_000_000, 2_000_000), tier(1_000, 3_000_000, 6_000_000)];
    let price = ModelPrice { currency: Currency::USD, tiers };
    policy.model_prices.insert("OLLAMA:local".into(), price);
    policy
}

/// Judged by what is really spent, as the governor does it. `None`: denied, or others were faster.
async fn held(test: &TestStore, size: (u64, u64)) -> Option<CallId> {
    held_at(test, size, now()).await
}

async fn held_at(test: &TestStore, (input, output): (u64, u64), at: Timestamp) -> Option<CallId> {
    let call = ModelCall {
        call: new_id(),
        project: test.project,
        session: test.session,
        user: test.user,
        task: new_id(),
        turn: new_id(),
        slot: ModelSlot::Governor,
        provider: ProviderName::Ollama,
        model: "local".into(),
        max_input_tokens: input,
        max_output_tokens: output,
        attempts: 1,
    };
    let evidence = test.store.evidence_for_call(&call, at).await.unwrap();
    let policy = test.snapshot().await;
    let cx = test.keeper.gather(new_id(), Purpose::Call, call, policy, evidence).unwrap();
    let (claim, _) = test.keeper.rule(cx, at);
    let Some(Start::Call(call)) = claim.guard().map(|guard| guard.start.clone()) else {
        return None;
    };
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await;
    done.ok().map(|_| call)
}

async fn settled(test: &TestStore, call: CallId, (input, output): (u64, u64), micros: Option<u64>) {
    let usage = Usage { input_tokens: input, output_tokens: output, estimated: false };
    let amount = Amount { tokens: input + output, micros };
    let boundary = Boundary::new(Point::T1).write(Write::Settle { call, usage, amount });
    test.store.append(&test.writer(), boundary).await.unwrap();
}

async fn alerts(test: &TestStore) -> Vec<serde_json::Value> {
    let filter = AuditFilter { kind: Some("budget.alerted".into()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let mut rows = test.store.audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

fn today(test: &TestStore) -> UsageFilter {
    let from = Timestamp::of_utc_day(&now().utc_day()).unwrap();
    // A test that runs over midnight finds its calls all the same.
    let from = from.plus_seconds(-DAY_SECONDS);
    UsageFilter {
        project: test.project,
        user: None,
        from,
        until: from.plus_seconds(3 * DAY_SECONDS),
    }
}

#[tokio::test]
async fn use_is_summed_up_by_day_model_and_person() {
    let test = TestStore::memory(tiered(permissive())).await;
    let first = held(&test, (100, 50)).await.unwrap();
    settled(&test, first, (80, 20), Some(120)).await;
    let second = held(&test, (100, 50)).await.unwrap();
    settled(&test, second, (100, 1), Some(102)).await;
    let unpriced = held(&test, (10, 10)).await.unwrap();
    settled(&test, unpriced, (10, 5), None).await;
    let released = held(&test, (10, 10)).await.unwrap();
    let release = Boundary::new(Point::T1).write(Write::Release { call: released });
    test.store.append(&test.writer(), release).await.unwrap();
    let _open = held(&test, (10, 10)).await.unwrap();

    let all = UsageSums {
        calls: 4,
        open: 1,
        input_tokens: 190,
        output_tokens: 26,
        tokens: 216,
        micros: 222,
        unpriced: 1,
        estimated: 0,
    };
    let by = [UsageBy::Model, UsageBy::User];
    let found = test.store.usage(&today(&test), &by).await.unwrap();
    assert_eq!((found.total, found.truncated, found.rows.len()), (all, false, 1));
    let row = &found.rows[0];
    assert_eq!(row.model, Some(("OLLAMA".to_owned(), "local".to_owned())));
    assert_eq!((row.day, row.user, row.sums), (None, Some(test.user), all));
    let days = test.store.usage(&today(&test), &[UsageBy::Day]).await.unwrap().rows;
    let calls: u64 = days.iter().map(|row| row.sums.calls).sum();
    assert_eq!((calls, days[0].day.map(|day| day.unix_ms() % 86_400_000)), (4, Some(0)));

    let nobody = UsageFilter { user: Some(new_id()), ..today(&test) };
    assert_eq!(test.store.usage(&nobody, &by).await.unwrap().rows, []);
    let elsewhere = UsageFilter { project: new_id(), ..today(&test) };
    assert_eq!(test.store.usage(&elsewhere, &by).await.unwrap().total, UsageSums::default());
    let before = UsageFilter { until: today(&test).from, ..today(&test) };
    assert_eq!(test.store.usage(&before, &by).await.unwrap().total.calls, 0);
}

#[tokio::test]
async fn a_call_that_nobody_settled_is_counted_as_it_was_held() {
    let folder = tempfile::tempdir().unwrap();
    let mut policy = tiered(permissive());
    policy.token_budget.per_user_month = Some(150);
    let test = TestStore::on_disk(folder.path(), policy).await;
    held(&test, (100, 50)).await.unwrap();
    let after = test.reopened(folder.path()).await.unwrap();
    after.store.recover_session(&after.lease).await.unwrap();
    let total = after.store.usage(&today(&after), &[]).await.unwrap().total;
    assert_eq!((total.calls, total.open, total.tokens, total.micros), (1, 0, 150, 200));
    assert_eq!((total.input_tokens, total.unpriced, total.estimated), (0, 0, 1));
    let told = alerts(&after).await;
    assert_eq!((told.len(), &told[0]["window"]), (1, &"month".into()), "{told:?}");
    assert_eq!(told[0]["user"], after.user.to_string());
}

#[tokio::test]
async fn most_of_a_budget_spent_is_said_once_for_each_cap() {
    let mut policy = tiered(permissive());
    policy.token_budget.per_month = Some(1_000);
    policy.cost_limit.per_day_micros = Some(10_000);
    let test = TestStore::memory(policy).await;
    let spend = async |tokens: u64, micros: u64| {
        // So small that the next one always fits.
        let call = held(&test, (1, 0)).await.unwrap();
        settled(&test, call, (tokens, 0), Some(micros)).await;
    };
    spend(799, 1).await;
    assert_eq!(alerts(&test).await, Vec::<serde_json::Value>::new());
    spend(1, 1).await;
    let told = alerts(&test).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["window"], &told[0]["percent"]), (&"month".into(), &80.into()));
    assert_eq!(told[0]["settled"]["tokens"], "800");
    assert_eq!(told[0]["cap"], serde_json::json!({ "tokens": "1000", "micros": null }));
    spend(50, 1).await;
    assert_eq!(alerts(&test).await.len(), 1, "once");
    // More than was held, and more than is left: it is on record all the same.
    spend(50, 9_000).await;
    let told = alerts(&test).await;
    assert_eq!((told.len(), &told[1]["window"]), (2, &"day".into()), "{told:?}");
    let month = BudgetWindow::month(test.project, now());
    let standing = test.store.budget_standing(std::slice::from_ref(&month)).await.unwrap();
    assert_eq!((standing[0].settled.tokens, standing[0].held.tokens), (900, 0));
    assert!(standing[0].alerted_at.is_some());
    assert_eq!(held(&test, (101, 0)).await, None, "the month is over");
}

/// Settled and held of a window, in tokens.
async fn tokens(test: &TestStore, window: BudgetWindow) -> (u64, u64) {
    let standing = test.store.budget_standing(&[window]).await.unwrap();
    (standing[0].settled.tokens, standing[0].held.tokens)
}

/// A call that goes on past midnight, at the end of a month: what it used is not in the new windows,
/// which have their whole caps.
#[tokio::test]
async fn a_hold_counts_in_the_windows_in_which_it_was_taken() {
    let mut policy = tiered(permissive());
    policy.token_budget.per_day = Some(150);
    policy.token_budget.per_month = Some(150);
    let test = TestStore::memory(policy).await;
    let new_year = Timestamp::of_utc_day("2026-01-01").unwrap();
    let eve = new_year.plus_seconds(-1);
    let both = async |at| {
        let day = tokens(&test, BudgetWindow::day(test.project, at)).await;
        (day, tokens(&test, BudgetWindow::month(test.project, at)).await)
    };
    let old = held_at(&test, (100, 50), eve).await.unwrap();
    assert_eq!(held_at(&test, (100, 50), eve).await, None, "both are full");
    let new = held_at(&test, (100, 50), new_year).await.unwrap();
    assert_eq!(both(eve).await, ((0, 150), (0, 150)));
    assert_eq!(both(new_year).await, ((0, 150), (0, 150)));

    settled(&test, old, (60, 20), Some(100)).await;
    assert_eq!(both(eve).await, ((80, 0), (80, 0)), "where it was held");
    assert_eq!(both(new_year).await, ((0, 150), (0, 150)), "nothing came over");
    settled(&test, new, (10, 1), Some(12)).await;
    assert_eq!(both(eve).await, ((80, 0), (80, 0)));
    assert_eq!(both(new_year).await, ((11, 0), (11, 0)));
    assert_eq!(both(now()).await, ((0, 0), (0, 0)), "the day on which it was settled");
}

/// Far from its cap, and nobody is asked any more: that is said too.
#[tokio::test]
async fn a_window_into_which_no_other_such_call_fits_is_said_to_be_near_its_cap() {
    let mut policy = permissive();
    policy.token_budget.per_day = Some(1_000);
    let test = TestStore::memory(policy).await;
    let spend = async |used| {
        let call = held(&test, (400, 0)).await.unwrap();
        settled(&test, call, (used, 0), None).await;
    };
    spend(600 - 400).await;
    spend(300).await;
    assert_eq!(alerts(&test).await, Vec::<serde_json::Value>::new(), "500 are left, and fit 400");
    spend(101).await;
    let told = alerts(&test).await;
    assert_eq!((told.len(), &told[0]["settled"]["tokens"]), (1, &"601".into()), "{told:?}");
    assert_eq!(held(&test, (400, 0)).await, None);
}

/// 500 at once, as streams are: held, then settled at less, in any order.
#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_streams_at_tiered_prices_overshoot_nothing() {
    const CAP: u64 = 100_000;
    // 2,000 tokens of input in the dearer tier, 500 of output.
    const WORST: u64 = 2_000 * 3 + 500 * 6;
    let mut policy = tiered(permissive());
    policy.cost_limit.per_user_month_micros = Some(CAP);
    policy.token_budget.per_day = None;
    let test = TestStore::memory(policy).await;
    let window = BudgetWindow::month(test.project, now()).of_user(test.user);
    let mut streams = JoinSet::new();
    for nth in 0..500_u64 {
        let (test, window) = (test.clone(), window.clone());
        streams.spawn(async move {
            let size = (1 + nth % 2_000, 1 + nth % 500);
            let worst = if size.0 < 1_000 { size.0 + 2 * size.1 } else { 3 * size.0 + 6 * size.1 };
            let mut call = None;
            for _ in 0..5 {
                call = held(&test, size).await;
                if call.is_some() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            let standing = test.store.budget_standing(&[window]).await.unwrap();
            let now = standing[0].settled.micros.unwrap() + standing[0].held.micros.unwrap();
            assert!(now <= CAP, "{now}");
            let Some(call) = call else { return (false, 0) };
            let used = (size.0, size.1 / 2);
            let micros = if size.0 < 1_000 { used.0 + 2 * used.1 } else { 3 * used.0 + 6 * used.1 };
            assert!(micros <= worst);
            settled(&test, call, used, Some(micros)).await;
            (true, micros)
        });
    }
    let ended = streams.join_all().await;
    let denied: BTreeSet<bool> = ended.iter().map(|(taken, _)| *taken).collect();
    assert_eq!(denied.len(), 2, "the cap bites, and not at once");
    let mut spent: u64 = ended.iter().map(|(_, micros)| micros).sum();
    // What was held and not used is free again, to the last call that fits.
    while let Some(call) = held(&test, (2_000, 500)).await {
        settled(&test, call, (2_000, 500), Some(WORST)).await;
        spent += WORST;
    }
    let standing = test.store.budget_standing(&[window]).await.unwrap();
    assert_eq!(standing[0].settled.micros, Some(spent));
    assert_eq!(standing[0].held.micros, Some(0));
    assert!(spent <= CAP, "{spent}");
    assert!(spent + WORST > CAP, "{spent}: less than the cap without one call");
}
