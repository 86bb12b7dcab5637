//! After a refusal, a cancel, a doubt and a restart: what was let go of stays let go of, and what
//! waited goes on.

use crate::test_governor::{TestGovernor, now};
use sea_orm::ConnectionTrait as _;
use std::time::Duration;
use wiiiv_domain::{ApprovalId, BlueprintDigest, ExecutionId, SessionId, StepId};
use wiiiv_fakes::ShopMode;
use wiiiv_gate::Resolution;
use wiiiv_governor::{Control, Decision, ResolveError};
use wiiiv_store::{ExecutionFilter, ExecutionRow, ExecutionState};

pub const SAVED: &str = "out.json";

/// A POST whose answer is saved to a file: two steps.
async fn ordered(test: &TestGovernor) -> (SessionId, ApprovalId, BlueprintDigest) {
    let session = test.session().await;
    let url = test.url("/orders");
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {url} and save it to {SAVED}");
    let told = test.say(session, &text).await;
    let (approval, digest) = told.asked().unwrap_or_else(|| panic!("{}", told.text()));
    (session, approval, digest)
}

pub async fn approved(test: &TestGovernor) -> SessionId {
    let (session, approval, digest) = ordered(test).await;
    let who = test.principal(&test.owner).await;
    let yes = Decision::Approve { digest };
    test.governor.decide(&who, approval, yes).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    session
}

async fn run_of(test: &TestGovernor, session: SessionId) -> ExecutionRow {
    let filter = ExecutionFilter { session: Some(session), ..ExecutionFilter::default() };
    let rows = test.governor.store().executions(&filter).await.unwrap();
    rows.into_iter().next().expect("a run")
}

pub async fn until(test: &TestGovernor, session: SessionId, state: ExecutionState) -> ExecutionId {
    for _ in 0..400 {
        let row = run_of(test, session).await;
        if row.state == state {
            return row.id;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{:?}", run_of(test, session).await);
}

pub async fn resolve(
    test: &TestGovernor,
    execution: ExecutionId,
    resolution: Resolution,
) -> Result<(), ResolveError> {
    let who = test.principal(&test.owner).await;
    let step = StepId::parse("call").unwrap();
    test.governor.executions().resolve(&who, execution, step, resolution).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_after_a_refused_turn_survives_a_restart() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let refused = test.say(session, "GET https://nowhere.example/items").await;
    assert_eq!(refused.asked(), None, "{}", refused.text());
    test.say(session, "cancel").await;
    let asked = test.say(session, "write 'x' to a.txt").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    let test = test.restarted().await;
    let before = test.governor.state(session).await.unwrap();
    assert!(before.pending.is_some(), "{before:?}");
    let done = test.say(session, "네").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_begins_after_a_cancel_whatever_is_resolved() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let session = approved(&test).await;
    let who = test.principal(&test.owner).await;
    let turn = test.governor.control(&who, session, Control::Cancel).await.unwrap();
    test.ended(session, turn).await;
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    for text in ["hello", "안녕"] {
        let told = test.say(session, text).await;
        assert_eq!(told.outcome, "done");
        assert!(!told.text().trim().is_empty(), "an answer, not only an end");
    }
    resolve(&test, execution, Resolution::Happened).await.unwrap();
    until(&test, session, ExecutionState::Cancelled).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(test.file(SAVED), None);
    assert_eq!(test.shop.calls().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_cancelled_before_a_stop_is_not_running_after_it() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let session = approved(&test).await;
    let who = test.principal(&test.owner).await;
    test.governor.control(&who, session, Control::Cancel).await.unwrap();
    let test = test.restarted().await;
    until(&test, session, ExecutionState::Indeterminate).await;
    let told = test.say(session, "hello").await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(test.file(SAVED), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_under_way_is_not_in_doubt() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_millis(1_500)));
    let session = approved(&test).await;
    let execution = run_of(&test, session).await.id;
    let early = resolve(&test, execution, Resolution::DidNotHappen).await;
    assert!(matches!(early, Err(ResolveError::NotInDoubt)), "{early:?}");
    until(&test, session, ExecutionState::Succeeded).await;
    assert!(test.file(SAVED).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_is_no_output() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::DropAfter);
    test.put(SAVED, b"kept");
    let session = approved(&test).await;
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    resolve(&test, execution, Resolution::Happened).await.unwrap();
    until(&test, session, ExecutionState::Failed).await;
    assert_eq!(test.file(SAVED).as_deref(), Some("kept"));
    assert_eq!(test.shop.orders().len(), 1);
}

/// A run counts as what it came to in the end: the last one had no file, so `that file` is not the one of
/// a run before it.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_succeeds_after_a_doubt_is_the_last_one() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    test.say(session, "write 'marmalade' to a.txt").await;
    test.say(session, "yes").await;
    let read = test.say(session, "read that file").await;
    assert!(read.text().contains("marmalade"), "{}", read.text());
    test.shop.set_mode(ShopMode::DropAfter);
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    assert_eq!(test.say(session, &text).await.outcome, "pending");
    test.say(session, "yes").await;
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    test.say(session, "hello").await;
    resolve(&test, execution, Resolution::Happened).await.unwrap();
    until(&test, session, ExecutionState::Succeeded).await;
    let read = test.say(session, "read that file").await;
    assert!(!read.text().contains("marmalade"), "{}", read.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_question_can_be_answered() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to a.txt").await;
    let (approval, digest) = asked.asked().expect("a preview");
    test.put("b.txt", b"bee");
    let read = test.say(session, "read b.txt").await;
    assert_eq!(read.outcome, "done", "{}", read.text());
    let who = test.principal(&test.owner).await;
    let decided = test.governor.decide(&who, approval, Decision::Approve { digest }).await;
    let decided = decided.unwrap_or_else(|e| panic!("{e:?}"));
    test.ended(session, decided.turn).await;
    let row = test.governor.store().approval(approval).await.unwrap().unwrap();
    assert!(row.decided_at.is_some_and(|at| at <= now()), "{row:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_a_session_that_fell_says_nothing_to_the_restored_one() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let session = approved(&test).await;
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE INSERT ON session_event \
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    let who = test.principal(&test.owner).await;
    test.governor.control(&who, session, Control::Cancel).await.unwrap_err();
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    let execution = until(&test, session, ExecutionState::Indeterminate).await;
    resolve(&test, execution, Resolution::DidNotHappen).await.unwrap();
    until(&test, session, ExecutionState::Failed).await;
    assert_eq!(test.shop.calls().len(), 1);
    assert_eq!(test.file(SAVED), None);
    let told = test.say(session, "hello").await;
    assert_eq!(told.outcome, "done", "{}", told.text());
}

/// Another request's boundary fails while a POST is under way: what the service then answers is on record, nobody is
/// asked what became of it, and the run goes on once the session is restored.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_step_came_to_is_on_record_though_its_session_fell_meanwhile() {
    let test = TestGovernor::new().await;
    let session = test.session().await;
    let first = test.say(session, "write 'x' to a.txt").await.asked().expect("a preview");
    let url = test.url("/orders");
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {url} and save it to {SAVED}");
    let (approval, digest) = test.say(session, &text).await.asked().expect("a preview");
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE UPDATE ON approval WHEN NEW.state = 'rejected' \
                BEGIN SELECT RAISE(ABORT, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    test.shop.set_mode(ShopMode::Slow(Duration::from_millis(300)));
    let who = test.principal(&test.owner).await;
    test.governor.decide(&who, approval, Decision::Approve { digest }).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let no = Decision::Reject { digest: first.1, reason: String::new() };
    test.governor.decide(&who, first.0, no).await.unwrap_err();
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    until(&test, session, ExecutionState::Succeeded).await;
    assert_eq!(test.shop.calls().len(), 1);
    assert!(test.file(SAVED).is_some());
}
