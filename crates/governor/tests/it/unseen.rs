//! A yes or no answers what its writer had seen: never a question that was put behind it.

use crate::{
    house::House,
    jobs::{house_of, talk},
};
use serde_json::json;
use wiiiv_domain::StateName;
use wiiiv_ghost::{FakeModel, ModelMode};

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
