//! Several jobs in one message: one after the other, each asked about by name, also across a
//! restart in the middle.

use crate::house::{House, Options};
use serde_json::json;
use wiiiv_domain::{ProviderName, StateName, TaskType};
use wiiiv_ghost::{FakeModel, ModelMode};

fn talk() -> String {
    json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "", "slots": {}}).to_string()
}

/// A write, a read, a deletion, and one that nothing here executes.
fn four() -> String {
    json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "one"}, "taskSwitch": {"kind": "new"},
        "later": [
            {"taskType": "FILE_READ", "slots": {"targetPath": "b.txt"}},
            {"taskType": "COMMAND", "slots": {"command": "npm test"}},
            {"taskType": "FILE_DELETE", "slots": {"targetPath": "c.txt"}},
        ],
    })
    .to_string()
}

async fn house_of(model: &FakeModel) -> House {
    let house = House::with(Options { origins: vec![model.origin()], ..Options::default() }).await;
    let url = model.base_url();
    house
        .change_policy(|policy| {
            policy.llm_provider = ProviderName::Custom;
            policy.llm_base_url = Some(url);
        })
        .await;
    house.put("b.txt", b"what b holds");
    house.put("c.txt", b"what c holds");
    house
}

fn script() -> ModelMode {
    ModelMode::Script(vec![four(), talk()])
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_confirmed_and_done_or_declined_by_name() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let house = house_of(&model).await;
    let session = house.session().await;
    let asked = house.say(session, "셋 다 해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    for name in ["파일 쓰기(a.txt)", "파일 읽기(b.txt)", "파일 삭제(c.txt)", "명령 실행(npm test)"]
    {
        assert!(asked.text().contains(name), "{name}: {}", asked.text());
    }
    let view = house.governor.state(session).await.unwrap();
    let waiting: Vec<_> = view.suspended.iter().map(|task| (task.task_type, task.state)).collect();
    let queued = StateName::Queued;
    assert_eq!(waiting, [(TaskType::FileRead, queued), (TaskType::FileDelete, queued)]);
    // The first is written; the second asks nobody; the third is asked about.
    let next = house.say(session, "네").await;
    assert_eq!(next.outcome, "pending", "{}", next.text());
    assert_eq!(house.file("a.txt").as_deref(), Some("one"));
    assert!(next.text().contains("what b holds"), "{}", next.text());
    assert!(next.asked().is_some(), "{}", next.text());
    let last = house.say(session, "아니").await;
    assert!(last.text().contains("파일 삭제(c.txt)"), "{}", last.text());
    assert_eq!(house.file("c.txt").as_deref(), Some("what c holds"));
    assert_eq!(house.governor.state(session).await.unwrap().suspended.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_keeps_what_waits() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let house = house_of(&model).await;
    let session = house.session().await;
    let asked = house.say(session, "do all of it").await;
    let (approval, digest) = asked.asked().expect("a preview");
    let house = house.restarted().await;
    let view = house.governor.state(session).await.unwrap();
    assert_eq!(view.suspended.len(), 2);
    let who = house.principal(&house.owner).await;
    let yes = wiiiv_governor::Decision::Approve { digest };
    let decided = house.governor.decide(&who, approval, yes).await.unwrap();
    let done = house.ended(session, decided.turn).await;
    assert_eq!(house.file("a.txt").as_deref(), Some("one"), "{}", done.text());
    assert!(done.text().contains("what b holds"), "{}", done.text());
    let (approval, digest) = done.asked().expect("the next question");
    let house = house.restarted().await;
    let who = house.principal(&house.owner).await;
    let yes = wiiiv_governor::Decision::Approve { digest };
    let decided = house.governor.decide(&who, approval, yes).await.unwrap();
    house.ended(session, decided.turn).await;
    assert_eq!(house.file("c.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_stops_all_of_it_and_names_what_was_dropped() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let house = house_of(&model).await;
    let session = house.session().await;
    house.say(session, "do all of it").await;
    let told = house.say(session, "cancel").await;
    for name in ["reading a file(b.txt)", "deleting a file(c.txt)"] {
        assert!(told.text().contains(name), "{name}: {}", told.text());
    }
    let view = house.governor.state(session).await.unwrap();
    assert_eq!((view.state, view.suspended.len()), (StateName::Listening, 0));
    assert_eq!(house.file("a.txt"), None);
}
