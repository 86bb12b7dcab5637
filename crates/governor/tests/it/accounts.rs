//! An account that is closed while something of it is under way.

use crate::{
    after::{SAVED, approved, until},
    counting::house_of,
    test_governor::{TestGovernor, now, person, policy},
};
use std::time::Duration;
use wiiiv_domain::{ProviderName, UserId};
use wiiiv_fakes::{FakeModel, ModelMode, ShopMode};
use wiiiv_governor::{Decision, Incoming, SubmitError};
use wiiiv_store::ExecutionState;

/// Whose account is closed, and who closes it.
async fn people(test: &TestGovernor) -> (UserId, UserId) {
    let (_, boss) = person(test.governor.store(), "boss", policy(&test.shop)).await;
    let text = boss.token.as_str();
    let boss = test.governor.store().authenticate(text, None, now()).await.unwrap().user();
    (test.principal(&test.owner).await.user(), boss)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_under_way_ends_and_what_waited_behind_it_is_refused() {
    let model = FakeModel::spawn(ModelMode::Silent).await.unwrap();
    let test = house_of(&model, ProviderName::Custom, "small").await;
    let (owner, boss) = people(&test).await;
    let session = test.session().await;
    let waits = test.send(session, "hello").await.unwrap();
    while model.open_streams() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let who = test.principal(&test.owner).await;
    let governor = test.governor.clone();
    let behind = tokio::spawn(async move {
        let words = Incoming::words("write 'x' to the file late.txt".to_owned(), None);
        governor.submit(&who, session, words).await
    });
    while test.governor.state(session).await.unwrap().queued == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    test.governor.accounts().close(owner, boss).await.unwrap();
    test.ended(session, waits).await;
    assert!(matches!(behind.await.unwrap(), Err(SubmitError::NotFound)));
    let state = test.governor.state(session).await.unwrap();
    assert_eq!((state.queued, state.pending), (0, None));
    assert_eq!(model.calls().len(), 1, "what waited was never read");
}

/// The step that is under way is broken off as by a cancel; the one behind it never begins.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_under_way_begins_no_other_step() {
    let test = TestGovernor::new().await;
    let (owner, boss) = people(&test).await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let session = approved(&test).await;
    test.governor.accounts().close(owner, boss).await.unwrap();
    until(&test, session, ExecutionState::Indeterminate).await;
    assert_eq!((test.file(SAVED), test.shop.calls().len()), (None, 1));
    // A restart does not take it up again.
    let test = test.restarted().await;
    test.governor.state(session).await.unwrap();
    until(&test, session, ExecutionState::Indeterminate).await;
    assert_eq!((test.file(SAVED), test.shop.calls().len()), (None, 1));
}

/// The store has closed the account and the server ends before a conversation is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_takes_up_no_run_of_a_closed_account() {
    for closes in [true, false] {
        let test = TestGovernor::new().await;
        let (owner, boss) = people(&test).await;
        test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
        let session = test.session().await;
        let url = test.url("/items");
        let told = test.say(session, &format!("GET {url} and save it to {SAVED}")).await;
        let (approval, digest) = told.asked().unwrap_or_else(|| panic!("{}", told.text()));
        let who = test.principal(&test.owner).await;
        test.governor.decide(&who, approval, Decision::Approve { digest }).await.unwrap();
        while test.shop.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if closes {
            test.governor.store().disable_user(owner, boss).await.unwrap();
        }
        test.shop.set_mode(ShopMode::Answer);
        let test = test.restarted().await;
        test.governor.state(session).await.unwrap();
        // A read may be done again, so that the run goes on where its requester is there.
        let end = if closes { ExecutionState::Cancelled } else { ExecutionState::Succeeded };
        until(&test, session, end).await;
        assert_eq!(test.file(SAVED).is_some(), !closes);
    }
}
