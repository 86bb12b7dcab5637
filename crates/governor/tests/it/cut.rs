//! Cut off behind a commit that ended one of several jobs: the next one goes on.

use crate::{
    jobs::{four, house_of, talk},
    test_governor::{SeenTurn, TestGovernor},
};
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use wiiiv_domain::{BlueprintDigest, StepType};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::Decision;

/// Nothing more is journalled behind this many further events: what follows is lost, as with the
/// process.
async fn cut(test: &TestGovernor, session: wiiiv_domain::SessionId, events: u64) {
    let journal = test.governor.store().journal(session, 1).await.unwrap();
    let last = journal.last().map_or(0, |(seq, _)| *seq) + events;
    let sql = format!(
        "CREATE TRIGGER cut BEFORE INSERT ON session_event WHEN NEW.seq > {last} \
         BEGIN SELECT RAISE(ABORT, 'cut'); END"
    );
    test.intruder().await.execute_unprepared(&sql).await.unwrap();
}

/// The decision on the first of several, and what came of it behind a restart.
async fn decided(
    later: &str,
    events: u64,
    forbidden: Option<StepType>,
    decision: impl FnOnce(BlueprintDigest) -> Decision,
) -> (TestGovernor, SeenTurn) {
    let model = FakeModel::spawn(ModelMode::Script(vec![later.to_owned(), talk()])).await.unwrap();
    let test = house_of(&model).await;
    let session = test.session().await;
    let asked = test.say(session, "셋 다 해줘").await;
    let (approval, digest) = asked.asked().unwrap_or_else(|| panic!("{}", asked.text()));
    if let Some(step) = forbidden {
        test.change_policy(|policy| assert!(policy.allowed_step_types.remove(&step))).await;
    }
    cut(&test, session, events).await;
    let who = test.principal(&test.owner).await;
    // Where the turn would have ended at once, its end is what is lost.
    let _ = test.governor.decide(&who, approval, decision(digest)).await;
    test.governor.shutdown().await;
    let journal = test.governor.store().journal(session, 1).await.unwrap();
    let turn = journal.last().expect("the decision is on record").1.turn;
    test.intruder().await.execute_unprepared("DROP TRIGGER cut").await.unwrap();
    let test = test.restarted().await;
    let told = test.ended(session, turn).await;
    (test, told)
}

fn no(digest: BlueprintDigest) -> Decision {
    Decision::Reject { digest, reason: String::new() }
}

/// The accepted turn and the input: E.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_no_the_next_is_begun() {
    let (test, told) = decided(&four(), 2, None, no).await;
    assert!(told.text().contains("what b holds"), "{}", told.text());
    assert_eq!((told.outcome.as_str(), told.asked().is_some()), ("pending", true));
    assert_eq!(test.file("a.txt"), None);
}

/// The accepted turn and the input, then the ruling: T1.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_ruling_the_next_is_begun() {
    let yes = |digest| Decision::Approve { digest };
    let (test, told) = decided(&four(), 3, Some(StepType::FileWrite), yes).await;
    assert!(told.text().contains("what b holds"), "{}", told.text());
    assert_eq!((told.outcome.as_str(), told.asked().is_some()), ("pending", true));
    assert_eq!(test.file("a.txt"), None);
}

/// What is next lacks something: it is asked for, although the question was lost.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_no_the_next_is_asked_about() {
    let vague = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "one"}, "taskSwitch": {"kind": "new"},
        "later": [{"taskType": "FILE_READ", "slots": {}}],
    });
    let (_, told) = decided(&vague.to_string(), 2, None, no).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert!(!told.text().is_empty(), "the question is put");
}
