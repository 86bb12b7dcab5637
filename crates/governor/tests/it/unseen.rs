//! A yes or no answers what its writer had seen: never a question that was put behind it.

use crate::{
    house::House,
    jobs::{house_of, talk},
};
use serde_json::json;
use wiiiv_domain::StateName;
use wiiiv_fakes::{FakeModel, ModelMode};

/// A write, and a deletion behind it.
fn two() -> ModelMode {
    let both = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "one"}, "taskSwitch": {"kind": "new"},
        "later": [{"taskType": "FILE_DELETE", "slots": {"targetPath": "c.txt"}}],
    });
    ModelMode::Script(vec![both.to_string(), talk()])
}

/// Sent one right behind the other: the second waits behind the turn of the first.
async fn twice(house: &House, word: &str) -> wiiiv_domain::SessionId {
    let session = house.session().await;
    let asked = house.say(session, "둘 다 해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let (one, two) = tokio::join!(house.send(session, word), house.send(session, word));
    let first = house.ended(session, one.unwrap()).await;
    let second = house.ended(session, two.unwrap()).await;
    assert_eq!((first.outcome.as_str(), second.outcome.as_str()), ("pending", "pending"));
    let view = house.governor.state(session).await.unwrap();
    assert_eq!(view.state, StateName::Confirming, "{}", second.text());
    assert_eq!(house.file("c.txt").as_deref(), Some("what c holds"));
    session
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_yes_does_not_approve_what_was_shown_behind_it() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let house = house_of(&model).await;
    let session = twice(&house, "네").await;
    assert_eq!(house.file("a.txt").as_deref(), Some("one"));
    // Now it has been shown, twice.
    let done = house.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(house.file("c.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_no_does_not_decline_what_was_shown_behind_it() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let house = house_of(&model).await;
    twice(&house, "아니").await;
    assert_eq!(house.file("a.txt"), None);
}

/// The number is the journal's, so that it means the same behind a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_from_before_a_restart_is_for_what_it_saw() {
    let house = House::new().await;
    let session = house.session().await;
    house.say(session, "write 'one' to a.txt").await;
    let laptop = house.newest(session).await;
    house.say(session, "cancel").await;
    house.say(session, "write 'two' to b.txt").await;
    let phone = house.newest(session).await;
    let house = house.restarted().await;
    for seen in [Some(laptop), Some(phone + 1), None] {
        let turn = house.send_having_seen(session, "yes", seen).await.unwrap();
        let told = house.ended(session, turn).await;
        assert_eq!(told.outcome, "pending", "{seen:?}: {}", told.text());
        assert!(told.text().contains("two"), "{}", told.text());
    }
    assert_eq!((house.file("a.txt"), house.file("b.txt")), (None, None));
    let house = house.restarted().await;
    let shown = house.newest(session).await;
    let turn = house.send_having_seen(session, "yes", Some(shown)).await.unwrap();
    assert_eq!(house.ended(session, turn).await.outcome, "done");
    assert_eq!(house.file("b.txt").as_deref(), Some("two"));
}

/// With two jobs a yes to both is a yes to the one that is shown.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_both_is_for_what_was_seen() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let house = house_of(&model).await;
    let session = house.session().await;
    let before = house.newest(session).await;
    house.say(session, "둘 다 해줘").await;
    for seen in [Some(before), None] {
        let turn = house.send_having_seen(session, "yes to both", seen).await.unwrap();
        let told = house.ended(session, turn).await;
        assert_eq!(told.outcome, "pending", "{seen:?}: {}", told.text());
        assert_eq!(house.file("a.txt"), None);
        assert_eq!(house.file("c.txt").as_deref(), Some("what c holds"));
    }
}
