//! A yes that was used for a run in which nothing was begun is given back, and for no other run.

use crate::{
    plan::{step, success},
    seals::Hand,
    test_store::{TestStore, new_id, now, password, policy},
};
use serde_json::json;
use std::collections::BTreeSet;
use wiiiv_domain::{
    ApprovalId, Blueprint, BlueprintId, ContentDigest, ExecutionId, FailureCategory, RunOutcome,
    StepFailure, StepOutcome,
};
use wiiiv_gate::{Resolved, RunPermit};
use wiiiv_store::{
    ApprovalError, ApprovalState, AuditFilter, Boundary, Chain, CommitRefused, DrawnAgain, Moved,
    NewUser, Point, Role, StoreError, Write, outcome_digest,
};

async fn begun(test: &TestStore, plan: &Blueprint) -> RunPermit {
    let (claim, ruled) = test.rule(plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    ruled.seal(done).unwrap().begin()
}

/// S1 of the one step, which writes.
async fn started(test: &TestStore, run: &mut RunPermit, attempt: u32) {
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let ruled = run.rule_step(&step(), attempt, Resolved::default(), &policy, &standing, now());
    let (claim, ruled) = ruled.unwrap();
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::S1), claim).await.unwrap();
    assert!(ruled.seal(done).is_ok());
}

async fn finished(test: &TestStore, execution: ExecutionId, attempt: u32, outcome: StepOutcome) {
    let bytes = matches!(outcome, StepOutcome::Success { .. }).then(|| b"done".to_vec());
    let body = json!({
        "execution": execution, "step": step(), "attempt": attempt,
        "outcome": outcome_digest(&outcome),
    });
    let write = Write::StepFinished { execution, step: step(), attempt, outcome, bytes };
    let s2 = Boundary::new(Point::S2).write(write).entry("step.finished", body);
    test.store.append(&test.writer(), s2).await.unwrap();
}

async fn over(test: &TestStore, execution: ExecutionId, outcome: RunOutcome) {
    let write = Write::ExecutionFinished { execution, outcome };
    test.store.append(&test.writer(), Boundary::new(Point::T2).write(write)).await.unwrap();
}

fn failure(not_started: bool, effect_unknown: bool) -> StepOutcome {
    StepOutcome::Failure {
        failure: StepFailure {
            category: FailureCategory::IoError,
            code: "FILE_IO".to_owned(),
            message: String::new(),
            effect_unknown,
            retry_after_ms: None,
            status: None,
            redirected_to: None,
            not_started,
        },
    }
}

fn failed() -> RunOutcome {
    RunOutcome::Failed { code: "FILE_IO".to_owned() }
}

async fn state(test: &TestStore, id: ApprovalId) -> (ApprovalState, Option<ExecutionId>) {
    let row = test.store.approval(id).await.unwrap().unwrap();
    (row.state, row.consumed_by)
}

async fn released(test: &TestStore) -> usize {
    let kind = Some("approval.released".to_owned());
    let filter = AuditFilter { kind, ..AuditFilter::default() };
    test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap().len()
}

fn drawn_again(approval: ApprovalId, blueprint: BlueprintId) -> DrawnAgain {
    DrawnAgain { approval, blueprint, words: ContentDigest::of_bytes(b"again") }
}

#[tokio::test]
async fn a_yes_comes_back_where_no_step_was_begun() {
    let test = TestStore::memory(policy()).await;
    let (plan, id) = test.approved_plan().await;
    let execution = begun(&test, &plan).await.execution();
    assert_eq!(state(&test, id).await, (ApprovalState::Consumed, Some(execution)));
    over(&test, execution, failed()).await;
    assert_eq!(state(&test, id).await, (ApprovalState::Approved, None));
    assert_eq!(released(&test).await, 1);
    // A plan runs once all the same.
    let (claim, _) = test.rule(&plan).await;
    let again = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(again, Err(CommitRefused::Moved(Moved::AlreadyStarted, _))), "{again:?}");
    assert_eq!(state(&test, id).await, (ApprovalState::Approved, None), "undone whole");
}

#[tokio::test]
async fn a_yes_comes_back_where_every_attempt_is_on_record_as_not_started() {
    let test = TestStore::memory(policy()).await;
    for outcome in [failure(true, false), StepOutcome::Cancelled { source: "run".to_owned() }] {
        let (plan, id) = test.approved_plan().await;
        let mut run = begun(&test, &plan).await;
        let execution = run.execution();
        for attempt in 1..=2 {
            started(&test, &mut run, attempt).await;
            finished(&test, execution, attempt, outcome.clone()).await;
        }
        over(&test, execution, failed()).await;
        assert_eq!(state(&test, id).await.0, ApprovalState::Approved, "{outcome:?}");
    }
}

#[tokio::test]
async fn a_yes_is_spent_once_a_step_that_acts_was_begun() {
    let test = TestStore::memory(policy()).await;
    let attempts: [&[Option<StepOutcome>]; 6] = [
        // It was started, and how it ended nobody knows.
        &[None],
        &[Some(failure(false, false))],
        &[Some(failure(false, true))],
        // A report that contradicts itself is no proof.
        &[Some(failure(true, true))],
        &[Some(success(b"done"))],
        // One attempt of several is enough.
        &[Some(failure(false, false)), Some(failure(true, false))],
    ];
    for outcomes in attempts {
        let (plan, id) = test.approved_plan().await;
        let mut run = begun(&test, &plan).await;
        let execution = run.execution();
        for (attempt, outcome) in (1..).zip(outcomes) {
            started(&test, &mut run, attempt).await;
            if let Some(outcome) = outcome {
                finished(&test, execution, attempt, outcome.clone()).await;
            }
        }
        over(&test, execution, failed()).await;
        assert_eq!(state(&test, id).await, (ApprovalState::Consumed, Some(execution)));
    }
    assert_eq!(released(&test).await, 0);
}

#[tokio::test]
async fn what_a_person_stopped_or_what_is_in_doubt_gives_nothing_back() {
    let test = TestStore::memory(policy()).await;
    for outcome in [RunOutcome::Cancelled, RunOutcome::Indeterminate, RunOutcome::Succeeded] {
        let (plan, id) = test.approved_plan().await;
        let execution = begun(&test, &plan).await.execution();
        over(&test, execution, outcome).await;
        assert_eq!(state(&test, id).await, (ApprovalState::Consumed, Some(execution)));
    }
}

#[tokio::test]
async fn a_yes_that_came_back_counts_once_for_the_same_plan_drawn_again() {
    let test = TestStore::memory(policy()).await;
    let (plan, id) = test.approved_plan().await;
    let execution = begun(&test, &plan).await.execution();
    let of = (test.project, test.session);
    let digest = plan.digest().unwrap();
    let find = || test.store.released_approval(of, digest, now());
    assert!(find().await.unwrap().is_none(), "it is used");
    over(&test, execution, failed()).await;
    let found = find().await.unwrap().unwrap();
    assert_eq!((found.given.body().id(), found.preview.as_deref()), (id, Some("{}")));

    let again = Blueprint { id: new_id(), task: new_id(), ..plan.clone() };
    assert_eq!(again.digest().unwrap(), digest);
    let take = |taken: ApprovalId| {
        let drawn = Write::Blueprint(Box::new(again.clone()));
        let boundary = Boundary::new(Point::E).write(drawn);
        let (test, found, again) = (&test, &found, again.id);
        async move {
            let writer = test.writer();
            test.store.take_up_approval(&writer, boundary, found, drawn_again(taken, again)).await
        }
    };
    let taken = new_id();
    let (recorded, _) = take(taken).await.unwrap();
    assert_eq!(recorded.body().blueprint(), again.id);
    assert_eq!(recorded.body().event(), found.given.body().event(), "the same word");
    assert_eq!(state(&test, id).await, (ApprovalState::Consumed, Some(execution)));
    assert_eq!(state(&test, taken).await.0, ApprovalState::Approved);
    let writer = test.writer();
    let more = drawn_again(new_id(), again.id);
    let more = test.store.take_up_approval(&writer, Boundary::new(Point::E), &found, more).await;
    assert!(matches!(more, Err(ApprovalError::Expired)), "only once: {more:?}");
    let execution = begun(&test, &again).await.execution();
    assert_eq!(state(&test, taken).await, (ApprovalState::Consumed, Some(execution)));
    assert!(find().await.unwrap().is_none());
}

#[tokio::test]
async fn a_yes_that_came_back_ends_with_its_time_and_with_the_right_to_give_it() {
    let test = TestStore::memory(policy()).await;
    let (plan, id) = test.approved_plan().await;
    let execution = begun(&test, &plan).await.execution();
    over(&test, execution, failed()).await;
    let of = (test.project, test.session);
    let digest = plan.digest().unwrap();
    let later = now().plus_seconds(601);
    assert!(test.store.released_approval(of, digest, later).await.unwrap().is_none());
    let due = test.store.approvals_due(later, 10).await.unwrap();
    assert_eq!(due.iter().map(|row| row.request.id).collect::<Vec<_>>(), [id]);
    let new = NewUser { name: "lee".into(), password: password(), admin: false };
    let other = test.store.create_user(new, policy()).await.unwrap().user;
    for (user, role) in [(other, Role::Owner), (test.user, Role::Viewer)] {
        let roles = BTreeSet::from([role]);
        test.store.set_roles(test.project, user, roles, test.user).await.unwrap();
    }
    assert!(test.store.released_approval(of, digest, now()).await.unwrap().is_none());
}

/// Written into the row by somebody who has the file, and by no record.
#[tokio::test]
async fn a_yes_that_nobody_gave_back_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let (plan, _) = test.approved_plan().await;
    let execution = begun(&test, &plan).await.execution();
    over(&test, execution, RunOutcome::Succeeded).await;
    let of = (test.project, test.session);
    let digest = plan.digest().unwrap();
    assert!(test.store.released_approval(of, digest, now()).await.unwrap().is_none());
    let hand = Hand::on(folder.path()).await;
    hand.run("UPDATE approval SET state = 'approved', consumed_by = NULL").await;
    hand.gone().await;
    let found = test.store.released_approval(of, digest, now()).await;
    assert!(matches!(found, Err(StoreError::Tampered { .. })), "{found:?}");
}

/// Somebody who has the file takes the traces of an effect away before its run has ended.
#[tokio::test]
async fn rows_that_were_changed_while_a_run_went_on_give_no_yes_back() {
    let not_started = serde_json::to_string(&failure(true, false)).unwrap();
    let says_not_started = format!("UPDATE step_attempt SET outcome = '{not_started}'");
    let changes = [
        (None, "DELETE FROM step_attempt".to_owned()),
        (Some(failure(true, false)), "UPDATE audit_record SET seal = NULL".to_owned()),
        (None, format!("{says_not_started}, state = 'finished', finished_at = started_at + 1")),
        (Some(failure(false, false)), says_not_started),
        (Some(failure(false, false)), "UPDATE step_attempt SET step = 'reads'".to_owned()),
        (
            Some(failure(false, false)),
            "UPDATE blueprint_text SET canonical = CAST(replace(CAST(canonical AS TEXT), \
             '\"effect\":\"write\"', '\"effect\":\"read\"') AS BLOB)"
                .to_owned(),
        ),
    ];
    for (outcome, change) in changes {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), policy()).await;
        let (plan, id) = test.approved_plan().await;
        let mut run = begun(&test, &plan).await;
        let execution = run.execution();
        started(&test, &mut run, 1).await;
        if let Some(outcome) = outcome {
            finished(&test, execution, 1, outcome).await;
        }
        let hand = Hand::on(folder.path()).await;
        assert_ne!(hand.with(&change, Vec::new()).await, 0, "{change}");
        hand.gone().await;
        over(&test, execution, failed()).await;
        assert_eq!(state(&test, id).await.0, ApprovalState::Consumed, "{change}");
        assert_eq!(released(&test).await, 0, "{change}");
    }
}

/// Of another opening of the gate: the store records nothing that rests on it.
#[tokio::test]
async fn what_another_opening_found_is_not_taken_up() {
    let test = TestStore::memory(policy()).await;
    let (plan, _) = test.approved_plan().await;
    let execution = begun(&test, &plan).await.execution();
    over(&test, execution, failed()).await;
    let of = (test.project, test.session);
    let digest = plan.digest().unwrap();
    let found = test.store.released_approval(of, digest, now()).await.unwrap().unwrap();
    let other = TestStore::memory(policy()).await;
    let boundary = Boundary::new(Point::E);
    let again = drawn_again(new_id(), plan.id);
    let taken = other.store.take_up_approval(&other.writer(), boundary, &found, again).await;
    let foreign =
        matches!(taken, Err(ApprovalError::Store(StoreError::Foreign { what: "evidence" })));
    assert!(foreign, "{taken:?}");
}
