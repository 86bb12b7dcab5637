//! What a turn costs in commits, and what is kept where two boundaries were to be one.

use crate::{
    after::{SAVED, approved, until},
    test_governor::{TestGovernor, now},
};
use sea_orm::ConnectionTrait as _;
use std::time::Duration;
use uuid::Uuid;
use wiiiv_domain::{
    EventBody, ExecutionId, PolicyDocument, ProjectPolicy, SessionId, StepOutcome, StepType,
};
use wiiiv_fakes::ShopMode;
use wiiiv_gate::{UserEvent, UserEventKind, policy as gate_policy};
use wiiiv_governor::Decision;
use wiiiv_store::{AuditFilter, Boundary, Chain, ExecutionState, Point, Writer};

/// Long enough for what is done while the order is under way.
const SLOW: ShopMode = ShopMode::Slow(Duration::from_millis(700));

/// Of the same turn three times, the least: the audit's head is signed beside it now and then.
async fn commits(test: &TestGovernor, words: &str) -> u64 {
    let mut counted = Vec::new();
    for _ in 0..3 {
        let session = test.session().await;
        let asked = test.say(session, words).await;
        let (approval, digest) = asked.asked().expect("a preview");
        let who = test.principal(&test.owner).await;
        let before = test.governor.store().counters().commits;
        let yes = Decision::Approve { digest };
        let decided = test.governor.decide(&who, approval, yes).await.unwrap();
        let done = test.ended(session, decided.turn).await;
        assert_eq!(done.outcome, "done", "{}", done.text());
        counted.push(test.governor.store().counters().commits - before);
    }
    counted.into_iter().min().unwrap()
}

/// From a yes to the end of its turn.
#[tokio::test(flavor = "multi_thread")]
async fn an_approved_turn_commits_as_often_as_something_may_happen_behind_it() {
    let test = TestGovernor::new().await;
    // E with the turn, T1, S1, S2 with the report's call, T2.
    assert_eq!(commits(&test, "write 'x' to a.txt").await, 5);
    // The end of the first step goes with the start of the second.
    let words = format!("get {} and save it to r.json", test.url("/items"));
    assert_eq!(commits(&test, &words).await, 6);
}

/// A new version that the governor's own policies do not hear of: they find it out at a commit.
async fn change_unheard(test: &TestGovernor, change: impl FnOnce(&mut ProjectPolicy)) {
    let (who, store) = (test.principal(&test.owner).await, test.governor.store());
    let before = store.policy(test.project).await.unwrap();
    let current = before.body().document().clone();
    let (expected, number) = (current.id, current.number + 1);
    let id = Uuid::now_v7().into();
    let author = Some(who.user());
    let mut document = PolicyDocument { id, number, author, at: now(), ..current };
    change(&mut document.policy);
    let digest = gate_policy::digest(&document).unwrap();
    let kind = UserEventKind::EditPolicy { digest };
    let event = UserEvent::of(&who, test.project, None, kind, now()).unwrap();
    let writer = Writer::Project(test.project);
    let event = store.record_user_event(&writer, Boundary::new(Point::P), event).await;
    let (event, _) = event.unwrap();
    let version = gate_policy::edited(&event, document, &before).unwrap();
    store.record_policy(expected, version).await.unwrap();
}

/// Steps that began and ended, in the journal's order.
async fn steps(test: &TestGovernor, session: SessionId) -> Vec<String> {
    let journal = test.governor.store().journal(session, 1).await.unwrap();
    let told = journal.into_iter().filter_map(|(_, event)| match event.body {
        EventBody::StepStarted { step, .. } => Some(format!("{step} began")),
        EventBody::StepFinished { step, code, .. } => Some(format!("{step}: {code}")),
        _ => None,
    });
    told.collect()
}

/// The first step's end, with what it put out.
async fn ended(test: &TestGovernor, run: ExecutionId) -> bool {
    let attempts = test.governor.store().attempts(run).await.unwrap();
    let first = attempts.iter().find(|row| row.step.as_str() == "call").expect("an attempt");
    matches!(first.outcome, Some(StepOutcome::Success { .. })) && !first.in_doubt()
}

async fn count(test: &TestGovernor, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

/// The claim of the second step finds another policy: nothing of it is written, and the end of the first
/// step is, by itself.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_step_outlives_the_refused_claim_of_the_next() {
    for forbidden in [false, true] {
        let test = TestGovernor::new().await;
        test.shop.set_mode(SLOW);
        let session = approved(&test).await;
        change_unheard(&test, |policy| {
            let file_write = StepType::FileWrite;
            assert!(!forbidden || policy.allowed_step_types.remove(&file_write));
        })
        .await;
        let state = if forbidden { ExecutionState::Failed } else { ExecutionState::Succeeded };
        let run = until(&test, session, state).await;
        assert!(ended(&test, run).await);
        assert_eq!(test.shop.orders().len(), 1);
        assert_eq!(test.file(SAVED).is_some(), !forbidden);
        let told = steps(&test, session).await;
        let (first, second) = told.split_at(2);
        assert_eq!(first, ["call began", "call: OK"], "once, and in its order");
        assert_eq!(second.len(), if forbidden { 0 } else { 2 }, "{told:?}");
        assert_eq!(count(&test, "step.finished").await, if forbidden { 1 } else { 2 });
    }
}

/// Nothing can be ruled on any more: the run stops, and knows what it has done.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_step_outlives_a_run_that_cannot_go_on() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(SLOW);
    let session = approved(&test).await;
    let run = until(&test, session, ExecutionState::Running).await;
    test.change_policy(|policy| policy.allowed_paths.push("other".to_owned())).await;
    let broken = "UPDATE policy_version SET evidence = X'00'";
    test.intruder().await.execute_unprepared(broken).await.unwrap();
    for _ in 0..400 {
        if ended(&test, run).await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(ended(&test, run).await, "the order is on record");
    assert_eq!(steps(&test, session).await, ["call began", "call: OK"]);
    assert_eq!(test.file(SAVED), None);
}
