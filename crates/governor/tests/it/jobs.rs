//! Several jobs in one message: one after the other, each asked about by name, also across a
//! restart in the middle.

use crate::test_governor::{Setup, TestGovernor};
use serde_json::json;
use wiiiv_domain::{ProviderName, StateName, TaskType};
use wiiiv_fakes::{FakeModel, ModelMode};

pub fn talk() -> String {
    json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "", "slots": {}}).to_string()
}

/// A write, a read, a deletion, and one that nothing here executes.
pub fn four() -> String {
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

pub async fn house_of(model: &FakeModel) -> TestGovernor {
    let test =
        TestGovernor::with(Setup { origins: vec![model.origin()], ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
    })
    .await;
    test.put("b.txt", b"what b holds");
    test.put("c.txt", b"what c holds");
    test
}

fn script() -> ModelMode {
    ModelMode::Script(vec![four(), talk()])
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_confirmed_and_done_or_declined_by_name() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "셋 다 해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    for name in ["a.txt 쓰기", "b.txt 읽기", "c.txt 삭제", "npm test 실행"] {
        assert!(asked.text().contains(name), "{name}: {}", asked.text());
    }
    let view = test.governor.state(session).await.unwrap();
    let waiting: Vec<_> = view.suspended.iter().map(|task| (task.task_type, task.state)).collect();
    let queued = StateName::Queued;
    assert_eq!(waiting, [(TaskType::FileRead, queued), (TaskType::FileDelete, queued)]);
    // The first is written; the second asks nobody; the third is asked about.
    let next = test.say(session, "네").await;
    assert_eq!(next.outcome, "pending", "{}", next.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("one"));
    assert!(next.text().contains("what b holds"), "{}", next.text());
    assert!(next.asked().is_some(), "{}", next.text());
    let last = test.say(session, "아니").await;
    assert!(last.text().contains("c.txt 삭제"), "{}", last.text());
    assert_eq!(test.file("c.txt").as_deref(), Some("what c holds"));
    assert_eq!(test.governor.state(session).await.unwrap().suspended.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_in_the_middle_keeps_what_waits() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "do all of it").await;
    let (approval, digest) = asked.asked().expect("a preview");
    let test = test.restarted().await;
    let view = test.governor.state(session).await.unwrap();
    assert_eq!(view.suspended.len(), 2);
    let who = test.principal(&test.owner).await;
    let yes = wiiiv_governor::Decision::Approve { digest };
    let decided = test.governor.decide(&who, approval, yes).await.unwrap();
    let done = test.ended(session, decided.turn).await;
    assert_eq!(test.file("a.txt").as_deref(), Some("one"), "{}", done.text());
    assert!(done.text().contains("what b holds"), "{}", done.text());
    let (approval, digest) = done.asked().expect("the next question");
    let test = test.restarted().await;
    let who = test.principal(&test.owner).await;
    let yes = wiiiv_governor::Decision::Approve { digest };
    let decided = test.governor.decide(&who, approval, yes).await.unwrap();
    test.ended(session, decided.turn).await;
    assert_eq!(test.file("c.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_stops_all_of_it_and_names_what_was_dropped() {
    let model = FakeModel::spawn(script()).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    test.say(session, "do all of it").await;
    let told = test.say(session, "cancel").await;
    for name in ["Read b.txt", "Delete c.txt"] {
        assert!(told.text().contains(name), "{name}: {}", told.text());
    }
    let view = test.governor.state(session).await.unwrap();
    assert_eq!((view.state, view.suspended.len()), (StateName::Listening, 0));
    assert_eq!(test.file("a.txt"), None);
}

/// What it refers to is what was there when it was asked for, not what a job before it brought.
#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_result_is_the_one_that_was_there_when_it_was_asked_for() {
    let reads = |path: &str| {
        json!({
            "action": "EXECUTE", "taskType": "FILE_READ", "message": "",
            "slots": {"targetPath": path}, "taskSwitch": {"kind": "new"},
        })
    };
    let mut both = reads("c.txt");
    both["later"] = json!([
        {"taskType": "FILE_WRITE", "slots": {"targetPath": "prev.txt", "sourceRun": "last"}},
        {"taskType": "FILE_WRITE", "slots": {"targetPath": "none.txt", "sourceRun": "last-1"}},
    ]);
    let script = vec![reads("b.txt").to_string(), talk(), both.to_string(), talk()];
    let model = FakeModel::spawn(ModelMode::Script(script)).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    test.say(session, "b.txt 읽어줘").await;
    let asked = test.say(session, "c.txt 읽고, 아까 결과는 저장해줘").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    test.say(session, "네").await;
    assert_eq!(test.file("prev.txt").as_deref(), Some("what b holds"));
    assert_eq!(test.file("none.txt"), None);
}

/// What cannot be told apart from talk is not dropped without a word: the model is asked once more.
#[tokio::test(flavor = "multi_thread")]
async fn jobs_beside_talk_are_no_answer() {
    let beside = json!({
        "action": "REPLY", "taskType": "CONVERSATION", "message": "ok", "slots": {},
        "later": [{"taskType": "FILE_READ", "slots": {"targetPath": "b.txt"}}],
    });
    let model = FakeModel::spawn(ModelMode::Script(vec![beside.to_string(), four(), talk()]));
    let model = model.await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "do all of it").await;
    assert_eq!((asked.outcome.as_str(), model.calls().len()), ("pending", 2), "{}", asked.text());
}
