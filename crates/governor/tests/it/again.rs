//! A yes that was spent on a run in which nothing was begun: the next try of exactly the same needs none,
//! and no other does without.

use crate::test_governor::{SeenTurn, TestGovernor};
use wiiiv_domain::{EventBody, Recall, SessionId};
use wiiiv_fakes::{Shop, ShopMode};
use wiiiv_governor::Control;
use wiiiv_store::{ApprovalFilter, ApprovalState};

const STANDS: &str = "the yes to it still stands";

async fn press_again(test: &TestGovernor, session: SessionId) -> SeenTurn {
    let who = test.principal(&test.owner).await;
    let again = Control::Recall(Recall::Again);
    let turn = test.governor.control(&who, session, again).await.unwrap();
    test.ended(session, turn).await
}

/// Asked for, said yes to, and failed with nothing begun.
async fn failed(test: &TestGovernor, words: &str) -> SessionId {
    let session = test.session().await;
    let asked = test.say(session, words).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let failed = test.say(session, "yes").await;
    assert_eq!(failed.outcome, "error", "{}", failed.text());
    assert!(failed.text().contains(STANDS), "{}", failed.text());
    session
}

fn report(test: &TestGovernor) -> String {
    format!("get {} and save it to r.json", test.url("/items"))
}

async fn states(test: &TestGovernor, session: SessionId) -> Vec<ApprovalState> {
    let filter = ApprovalFilter { session: Some(session), ..ApprovalFilter::default() };
    let rows = test.governor.store().approvals(&filter).await.unwrap();
    rows.iter().map(|row| row.state).collect()
}

/// The write was never begun: its service was out.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_never_began_runs_the_next_try_also_behind_a_restart() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Unavailable);
    let session = failed(&test, &report(&test)).await;
    assert_eq!(states(&test, session).await, [ApprovalState::Approved]);
    let again = press_again(&test, session).await;
    assert!(again.text().contains(STANDS), "still out: {}", again.text());

    test.shop.set_mode(ShopMode::Answer);
    let test = test.restarted().await;
    let done = test.say(session, "try again").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert!(done.text().contains("runs now, without asking again"), "{}", done.text());
    assert!(test.file("r.json").is_some_and(|saved| saved.contains("Notebook")));
    let ended = |event: &EventBody| matches!(event, EventBody::TurnEnded { outcome } if outcome == "pending");
    assert!(!done.events.iter().any(|event| ended(&event.body)), "nobody was asked");
    let used = [ApprovalState::Consumed; 3];
    assert_eq!(states(&test, session).await, used, "each by a run of its own");
    // It is used up.
    let more = press_again(&test, session).await;
    assert_eq!(more.outcome, "pending", "{}", more.text());
}

/// A request that acts and of which not a byte left.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_reached_nobody_is_sent_by_the_same_yes_once() {
    let mut test = TestGovernor::new().await;
    let port = test.shop.address().port();
    let order = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    drop(std::mem::replace(&mut test.shop, Shop::open(0).await.unwrap()));
    let session = failed(&test, &order).await;
    test.shop = Shop::open(port).await.unwrap();
    let done = press_again(&test, session).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.shop.count("POST", "/orders"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_was_begun_is_spent() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Unavailable);
    let session = test.session().await;
    let order = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    test.say(session, &order).await;
    let failed = test.say(session, "yes").await;
    assert!(!failed.text().contains(STANDS), "it was sent, and answered: {}", failed.text());
    assert_eq!(states(&test, session).await, [ApprovalState::Consumed]);
    test.shop.set_mode(ShopMode::Answer);
    let again = press_again(&test, session).await;
    assert_eq!(again.outcome, "pending", "{}", again.text());
    assert_eq!(test.shop.count("POST", "/orders"), 1);
}

/// Another file under the name, another plan, other words: each is a question of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_stands_is_for_exactly_what_was_shown() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Unavailable);
    let session = failed(&test, &report(&test)).await;
    test.shop.set_mode(ShopMode::Answer);
    let other = report(&test).replace("r.json", "s.json");
    let asked = test.say(session, &other).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.say(session, "no").await;
    // The same again in other words than a try: what it asks for is shown.
    let asked = test.say(session, &report(&test)).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.say(session, "no").await;
    test.put("r.json", b"somebody else's");
    let asked = press_again(&test, session).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    assert_eq!(test.file("r.json").as_deref(), Some("somebody else's"));
}

/// What was asked about once more, and dropped by a no, is not begun by the yes before it.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_no_to_the_same_a_yes_stands_no_more() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Unavailable);
    let session = failed(&test, &report(&test)).await;
    test.shop.set_mode(ShopMode::Answer);
    let asked = test.say(session, &report(&test)).await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.say(session, "no").await;
    let again = press_again(&test, session).await;
    assert_eq!(again.outcome, "pending", "{}", again.text());
    assert_eq!(test.file("r.json"), None);
}

/// Policy asks for somebody else's by now.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_stands_is_judged_by_the_policy_of_the_next_try() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Unavailable);
    let session = failed(&test, &report(&test)).await;
    test.shop.set_mode(ShopMode::Answer);
    test.change_policy(|policy| {
        policy.approval.normal.by = wiiiv_domain::ApprovalBy::AnotherPerson;
        policy.approval.risky.by = wiiiv_domain::ApprovalBy::AnotherPerson;
    })
    .await;
    let again = press_again(&test, session).await;
    assert_eq!(again.outcome, "pending", "somebody else is asked: {}", again.text());
    assert_eq!(test.file("r.json"), None);
}
