//! A yes or no answers what its writer had seen: never a question that was put behind it.

use crate::{
    jobs::{house_of, talk},
    test_governor::TestGovernor,
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
async fn twice(test: &TestGovernor, word: &str) -> wiiiv_domain::SessionId {
    let session = test.session().await;
    let asked = test.say(session, "둘 다 해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let (one, two) = tokio::join!(test.send(session, word), test.send(session, word));
    let first = test.ended(session, one.unwrap()).await;
    let second = test.ended(session, two.unwrap()).await;
    assert_eq!((first.outcome.as_str(), second.outcome.as_str()), ("pending", "pending"));
    let view = test.governor.state(session).await.unwrap();
    assert_eq!(view.state, StateName::Confirming, "{}", second.text());
    assert_eq!(test.file("c.txt").as_deref(), Some("what c holds"));
    session
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_yes_does_not_approve_what_was_shown_behind_it() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let test = house_of(&model).await;
    let session = twice(&test, "네").await;
    assert_eq!(test.file("a.txt").as_deref(), Some("one"));
    // Now it has been shown, twice.
    let done = test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("c.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_no_does_not_decline_what_was_shown_behind_it() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let test = house_of(&model).await;
    twice(&test, "아니").await;
    assert_eq!(test.file("a.txt"), None);
}

/// The number is the journal's, so that it means the same behind a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_from_before_a_restart_is_for_what_it_saw() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "write 'one' to a.txt").await;
    let laptop = test.newest(session).await;
    test.say(session, "cancel").await;
    test.say(session, "write 'two' to b.txt").await;
    let phone = test.newest(session).await;
    let test = test.restarted().await;
    for seen in [Some(laptop), Some(phone + 1), None] {
        let turn = test.send_having_seen(session, "yes", seen).await.unwrap();
        let told = test.ended(session, turn).await;
        assert_eq!(told.outcome, "pending", "{seen:?}: {}", told.text());
        assert!(told.text().contains("two"), "{}", told.text());
    }
    assert_eq!((test.file("a.txt"), test.file("b.txt")), (None, None));
    let test = test.restarted().await;
    let shown = test.newest(session).await;
    let turn = test.send_having_seen(session, "yes", Some(shown)).await.unwrap();
    assert_eq!(test.ended(session, turn).await.outcome, "done");
    assert_eq!(test.file("b.txt").as_deref(), Some("two"));
}

/// With two jobs a yes to both is a yes to the one that is shown.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_both_is_for_what_was_seen() {
    let model = FakeModel::spawn(two()).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let before = test.newest(session).await;
    test.say(session, "둘 다 해줘").await;
    for seen in [Some(before), None] {
        let turn = test.send_having_seen(session, "yes to both", seen).await.unwrap();
        let told = test.ended(session, turn).await;
        assert_eq!(told.outcome, "pending", "{seen:?}: {}", told.text());
        assert_eq!(test.file("a.txt"), None);
        assert_eq!(test.file("c.txt").as_deref(), Some("what c holds"));
    }
}
