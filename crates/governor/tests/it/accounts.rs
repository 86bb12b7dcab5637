//! An account that is closed while something of it is under way.

use crate::{
    after::{SAVED, approved, until},
    counting::house_of,
    house::{House, now, person, policy},
};
use secrecy::ExposeSecret as _;
use std::time::Duration;
use wiiiv_domain::{ProviderName, UserId};
use wiiiv_fakes::{FakeModel, ModelMode, ShopMode};
use wiiiv_governor::{Decision, Incoming, SubmitError};
use wiiiv_store::ExecutionState;

/// Whose account is closed, and who closes it.
async fn people(house: &House) -> (UserId, UserId) {
    let (_, boss) = person(house.governor.store(), "boss", policy(&house.shop)).await;
    let text = boss.token.expose_secret();
    let boss = house.governor.store().authenticate(text, None, now()).await.unwrap().user();
    (house.principal(&house.owner).await.user(), boss)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_under_way_ends_and_what_waited_behind_it_is_refused() {
    let model = FakeModel::spawn(ModelMode::Silent).await.unwrap();
    let house = house_of(&model, ProviderName::Custom, "small").await;
    let (owner, boss) = people(&house).await;
    let session = house.session().await;
    let waits = house.send(session, "hello").await.unwrap();
    while model.open_streams() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let who = house.principal(&house.owner).await;
    let governor = house.governor.clone();
    let behind = tokio::spawn(async move {
        let words = Incoming::words("write 'x' to the file late.txt".to_owned(), None);
        governor.submit(&who, session, words).await
    });
    while house.governor.state(session).await.unwrap().queued == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    house.governor.accounts().close(owner, boss).await.unwrap();
    house.ended(session, waits).await;
    assert!(matches!(behind.await.unwrap(), Err(SubmitError::NotFound)));
    let state = house.governor.state(session).await.unwrap();
    assert_eq!((state.queued, state.pending), (0, None));
    assert_eq!(model.calls().len(), 1, "what waited was never read");
}

/// The step that is under way is broken off as by a cancel; the one behind it never begins.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_under_way_begins_no_other_step() {
    let house = House::new().await;
    let (owner, boss) = people(&house).await;
    house.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let session = approved(&house).await;
    house.governor.accounts().close(owner, boss).await.unwrap();
    until(&house, session, ExecutionState::Indeterminate).await;
    assert_eq!((house.file(SAVED), house.shop.calls().len()), (None, 1));
    // A restart does not take it up again.
    let house = house.restarted().await;
    house.governor.state(session).await.unwrap();
    until(&house, session, ExecutionState::Indeterminate).await;
    assert_eq!((house.file(SAVED), house.shop.calls().len()), (None, 1));
}

/// The store has closed the account and the server ends before a conversation is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_takes_up_no_run_of_a_closed_account() {
    for closes in [true, false] {
        let house = House::new().await;
        let (owner, boss) = people(&house).await;
        house.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
        let session = house.session().await;
        let url = house.url("/items");
        let told = house.say(session, &format!("GET {url} and save it to {SAVED}")).await;
        let (approval, digest) = told.asked().unwrap_or_else(|| panic!("{}", told.text()));
        let who = house.principal(&house.owner).await;
        house.governor.decide(&who, approval, Decision::Approve { digest }).await.unwrap();
        while house.shop.calls().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if closes {
            house.governor.store().disable_user(owner, boss).await.unwrap();
        }
        house.shop.set_mode(ShopMode::Answer);
        let house = house.restarted().await;
        house.governor.state(session).await.unwrap();
        // A read may be done again, so that the run goes on where its requester is there.
        let end = if closes { ExecutionState::Cancelled } else { ExecutionState::Succeeded };
        until(&house, session, end).await;
        assert_eq!(house.file(SAVED).is_some(), !closes);
    }
}
