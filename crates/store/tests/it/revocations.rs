//! A yes is taken back: while others have to join it, and while the run that rests on it goes on.

use crate::{
    commits::{begun, commit, moved},
    faults::intruder,
    plan::step,
    quorum::{approver, asked, close, join, state, two_people},
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, policy, store_on},
};
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use std::path::Path;
use wiiiv_domain::{
    ApprovalBy, Blueprint, ContentDigest, ExecutionId, ProjectPolicy, RunOutcome, UserId,
};
use wiiiv_gate::{ApprovalRequest, Resolved, RunPermit};
use wiiiv_store::{
    ApprovalError, ApprovalRow, ApprovalState, AuditFilter, AuditFit, Boundary, Chain, DrawnAgain,
    Moved, Point, StoreError, Write,
};

fn another() -> ProjectPolicy {
    let mut policy = policy();
    policy.approval.normal.by = ApprovalBy::AnotherPerson;
    policy
}

/// As the governor writes it.
async fn revoke(
    test: &TestStore,
    asked: &ApprovalRequest,
    by: UserId,
    run: Option<ExecutionId>,
) -> Result<(), StoreError> {
    let mut body = json!({"approval": asked.id, "blueprint": asked.blueprint,
        "digest": asked.digest, "by": by, "reasonHmac": "00"});
    if let Some(run) = run {
        body["run"] = json!(run);
    }
    let write = Write::RevokeApproval { id: asked.id, by, run };
    let boundary = Boundary::new(Point::E).write(write).entry("approval.revoked", body);
    test.store.append(&test.writer(), boundary).await.map(drop)
}

/// A run that rests on the yes of that person.
async fn running(test: &TestStore) -> (ApprovalRequest, UserId, RunPermit) {
    let min = approver(test, "min").await;
    let plan = test.plan().await;
    let request = test.ask_people(&plan, 600, (ApprovalBy::AnotherPerson, 1)).await;
    close(test, &min.token, &request).await.unwrap();
    (request, min.user, begun(test, &plan).await)
}

#[tokio::test]
async fn a_yes_that_waits_for_others_is_taken_back_and_said_again() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    let others = revoke(&test, &request, han.user, None).await;
    assert!(matches!(others, Err(StoreError::NotPending { .. })), "not theirs: {others:?}");
    revoke(&test, &request, min.user, None).await.unwrap();
    assert!(test.store.quorum_yeses(&[request.id]).await.unwrap().is_empty());
    let alone = close(&test, &han.token, &request).await;
    assert!(matches!(alone, Err(ApprovalError::Miscounted)), "{alone:?}");
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);

    join(&test, &min.token, &request).await.unwrap();
    close(&test, &han.token, &request).await.unwrap();
    let late = revoke(&test, &request, min.user, None).await;
    let approved = ApprovalState::Approved;
    assert!(matches!(late, Err(StoreError::NotPending { state }) if state == approved));
    let _run = begun(&test, &plan).await;
    assert_eq!(state(&test, &request).await, ApprovalState::Consumed);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_revocation_and_the_last_yes_one_wins() {
    for _ in 0..5 {
        let test = TestStore::memory(two_people()).await;
        let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
        let (_, request) = asked(&test).await;
        join(&test, &min.token, &request).await.unwrap();
        let (back, last) = tokio::join!(
            revoke(&test, &request, min.user, None),
            close(&test, &han.token, &request)
        );
        assert_ne!(back.is_ok(), last.is_ok(), "{back:?} {last:?}");
        let due = if last.is_ok() { ApprovalState::Approved } else { ApprovalState::Pending };
        assert_eq!(state(&test, &request).await, due);
    }
}

/// A yes that nothing has used is taken back by a no.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_revocation_and_the_claim_that_uses_the_yes_one_wins() {
    for _ in 0..5 {
        let test = TestStore::memory(another()).await;
        let min = approver(&test, "min").await;
        let plan = test.plan().await;
        let request = test.ask_people(&plan, 600, (ApprovalBy::AnotherPerson, 1)).await;
        close(&test, &min.token, &request).await.unwrap();
        let (claim, _) = test.rule(&plan).await;
        let no = Write::RejectApproval { id: request.id, by: min.user, on_behalf_of: None };
        let writer = test.writer();
        let no = test.store.append(&writer, Boundary::new(Point::E).write(no));
        let (back, began) = tokio::join!(no, commit(&test, claim));
        assert_ne!(back.is_ok(), began.is_ok(), "{back:?}");
        let due = if began.is_ok() { ApprovalState::Consumed } else { ApprovalState::Rejected };
        assert_eq!(state(&test, &request).await, due);
    }
}

/// The numbers of the records of that kind.
async fn recorded(test: &TestStore, kind: &str) -> Vec<u64> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let rows = test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    rows.iter().map(|row| row.seq).collect()
}

async fn row(test: &TestStore, request: &ApprovalRequest) -> ApprovalRow {
    test.store.approval(request.id).await.unwrap().unwrap()
}

/// The same yes twice, and the yeses of two people that one run rests on.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_revocations_one_wins_and_one_is_on_record() {
    for _ in 0..5 {
        let test = TestStore::memory(two_people()).await;
        let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
        let (plan, request) = asked(&test).await;
        join(&test, &min.token, &request).await.unwrap();
        let (one, other) = tokio::join!(
            revoke(&test, &request, min.user, None),
            revoke(&test, &request, min.user, None)
        );
        assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
        let lost = one.and(other);
        let pending = ApprovalState::Pending;
        assert!(matches!(lost, Err(StoreError::NotPending { state }) if state == pending));
        assert_eq!(recorded(&test, "approval.revoked").await.len(), 1);

        join(&test, &min.token, &request).await.unwrap();
        close(&test, &han.token, &request).await.unwrap();
        let run = Some(begun(&test, &plan).await.execution());
        let (one, other) = tokio::join!(
            revoke(&test, &request, min.user, run),
            revoke(&test, &request, han.user, run)
        );
        assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
        let first = if one.is_ok() { min.user } else { han.user };
        let revoked = row(&test, &request).await.revoked;
        assert_eq!(revoked.map(|revoked| revoked.by), Some(first));
        assert_eq!(recorded(&test, "approval.revoked").await.len(), 2);
    }
}

/// Whichever comes first: one that began is on record before the revocation.
#[tokio::test(flavor = "multi_thread")]
async fn no_step_begins_behind_a_revocation() {
    for revokes_first in [true, false].repeat(3) {
        let test = TestStore::memory(another()).await;
        let (request, min, mut run) = running(&test).await;
        let execution = Some(run.execution());
        let (policy, standing) =
            (test.snapshot().await, test.store.standing(test.session).await.unwrap());
        let inputs = Resolved::default();
        let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
        let (back, start) = (revoke(&test, &request, min, execution), commit(&test, claim));
        let (back, start) = if revokes_first {
            tokio::join!(back, start)
        } else {
            let (start, back) = tokio::join!(start, back);
            (back, start)
        };
        back.unwrap();
        let revoked = recorded(&test, "approval.revoked").await;
        let rulings = recorded(&test, "decision").await;
        if start.is_ok() {
            assert_eq!((revoked.len(), rulings.len()), (1, 2));
            assert!(rulings.iter().max() < revoked.first(), "{rulings:?} {revoked:?}");
        } else {
            assert_eq!(moved(start), Moved::AlreadyStarted);
            assert_eq!((revoked.len(), rulings.len()), (1, 1), "nothing of the step is kept");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_revocation_and_the_end_of_the_run_the_first_is_told() {
    for revokes_first in [true, false].repeat(3) {
        let test = TestStore::memory(another()).await;
        let (request, min, run) = running(&test).await;
        let execution = run.execution();
        let over = Write::ExecutionFinished { execution, outcome: RunOutcome::Succeeded };
        let writer = test.writer();
        let over = test.store.append(&writer, Boundary::new(Point::T2).write(over));
        let back = revoke(&test, &request, min, Some(execution));
        let (back, over) = if revokes_first {
            tokio::join!(back, over)
        } else {
            let (over, back) = tokio::join!(over, back);
            (back, over)
        };
        over.unwrap();
        let row = row(&test, &request).await;
        assert_eq!((row.state, row.revoked.is_some()), (ApprovalState::Consumed, back.is_ok()));
        let records = recorded(&test, "approval.revoked").await.len();
        assert_eq!(records, usize::from(back.is_ok()), "{back:?}");
    }
}

#[tokio::test]
async fn a_run_whose_yes_was_taken_back_begins_no_step_and_gives_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), another()).await;
    let (request, min, mut run) = running(&test).await;
    let execution = run.execution();
    for (by, of) in [(test.user, execution), (min, new_id())] {
        let wrong = revoke(&test, &request, by, Some(of)).await;
        assert!(matches!(wrong, Err(StoreError::NotPending { .. })), "{wrong:?}");
    }
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let ruled = run.rule_step(&step(), 1, Resolved::default(), &policy, &standing, now());
    let (claim, _) = ruled.unwrap();
    revoke(&test, &request, min, Some(execution)).await.unwrap();
    assert_eq!(moved(commit(&test, claim).await), Moved::AlreadyStarted);
    assert!(revoke(&test, &request, min, Some(execution)).await.is_err(), "once");

    let outcome = RunOutcome::Failed { code: "APPROVAL_REVOKED".to_owned() };
    let body = json!({"execution": execution, "outcome": outcome});
    let over = Write::ExecutionFinished { execution, outcome };
    let over = Boundary::new(Point::T2).write(over).entry("execution.finished", body);
    test.store.append(&test.writer(), over).await.unwrap();
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    assert_eq!((row.state, row.consumed_by), (ApprovalState::Consumed, Some(execution)));
    assert_eq!(row.revoked.map(|revoked| revoked.by), Some(min));
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn behind_the_end_of_the_run_nothing_is_taken_back() {
    let test = TestStore::memory(another()).await;
    let (request, min, run) = running(&test).await;
    let execution = run.execution();
    let over = Write::ExecutionFinished { execution, outcome: RunOutcome::Succeeded };
    test.store.append(&test.writer(), Boundary::new(Point::T2).write(over)).await.unwrap();
    let late = revoke(&test, &request, min, Some(execution)).await;
    assert!(matches!(late, Err(StoreError::NotPending { .. })), "{late:?}");
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    assert_eq!(row.revoked, None);
}

async fn failed(test: &TestStore, execution: ExecutionId) {
    let outcome = RunOutcome::Failed { code: "FILE_IO".to_owned() };
    let over = Write::ExecutionFinished { execution, outcome };
    test.store.append(&test.writer(), Boundary::new(Point::T2).write(over)).await.unwrap();
}

#[derive(Debug, Clone, Copy)]
enum LaterNo {
    Rejected,
    Dropped,
    TakenBack,
}

/// The same plan was asked about once more: what is said then counts against the yes that was given back.
#[tokio::test]
async fn behind_a_later_no_an_older_yes_is_not_taken_up() {
    for end in [LaterNo::Rejected, LaterNo::Dropped, LaterNo::TakenBack] {
        let test = TestStore::memory(another()).await;
        let min = approver(&test, "min").await;
        let people = (ApprovalBy::AnotherPerson, 1);
        let plan = test.plan().await;
        let old = test.ask_people(&plan, 600, people).await;
        close(&test, &min.token, &old).await.unwrap();
        failed(&test, begun(&test, &plan).await.execution()).await;
        let of = ((test.project, test.session), plan.digest().unwrap());
        let find = || test.store.released_approval(of.0, of.1, now());
        let drawn = Blueprint { id: new_id(), task: new_id(), ..plan.clone() };
        let body = json!({"task": drawn.task, "blueprint": drawn.id, "policy": drawn.policy,
            "digest": of.1});
        let write = Write::Blueprint(Box::new(drawn.clone()));
        let boundary = Boundary::new(Point::T1).write(write).entry("blueprint.drawn", body);
        test.store.append(&test.writer(), boundary).await.unwrap();
        let asked = test.ask_people(&drawn, 600, people).await;
        let found = find().await.unwrap().unwrap();
        let (id, by) = (asked.id, min.user);
        let write = match end {
            LaterNo::Rejected => Write::RejectApproval { id, by, on_behalf_of: None },
            LaterNo::Dropped => Write::WithdrawApproval { id },
            LaterNo::TakenBack => {
                close(&test, &min.token, &asked).await.unwrap();
                let run = Some(begun(&test, &drawn).await.execution());
                Write::RevokeApproval { id, by, run }
            }
        };
        test.store.append(&test.writer(), Boundary::new(Point::E).write(write)).await.unwrap();
        assert!(find().await.unwrap().is_none(), "{end:?}");
        let words = ContentDigest::of_bytes(b"again");
        let again = DrawnAgain { approval: new_id(), blueprint: drawn.id, words };
        let boundary = Boundary::new(Point::E);
        let taken = test.store.take_up_approval(&test.writer(), boundary, &found, again).await;
        assert!(matches!(taken, Err(ApprovalError::Expired)), "{end:?}: {taken:?}");
        assert_eq!(state(&test, &old).await, ApprovalState::Approved);
    }
}

async fn is_found(folder: &Path, test: TestStore, done: &str) {
    by_hand(folder, done).await;
    let found = looked(folder).await;
    assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    drop(test);
    let started = store_on(folder).await;
    assert!(started.check_writable().await.is_err(), "{done}");
}

/// A run would go on, or a yes count again: neither the start nor `doctor` takes it.
#[tokio::test]
async fn a_revocation_that_somebody_undid_is_found() {
    for done in [
        "UPDATE approval SET revoked_at = NULL, revoked_by = NULL",
        "UPDATE approval SET revoked_at = revoked_at + 1",
        "UPDATE approval SET revoked_by = requester",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), another()).await;
        let (request, min, run) = running(&test).await;
        revoke(&test, &request, min, Some(run.execution())).await.unwrap();
        is_found(folder.path(), test, done).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), two_people()).await;
    let min = approver(&test, "min").await;
    let (_, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    by_hand(folder.path(), "CREATE TABLE kept AS SELECT * FROM approval_yes").await;
    revoke(&test, &request, min.user, None).await.unwrap();
    let back = "INSERT INTO approval_yes SELECT * FROM kept; DROP TABLE kept";
    is_found(folder.path(), test, back).await;
}

/// SQLite ends the transaction by itself where a write to the file fails: at this statement.
fn full_at(statement: &str) -> String {
    format!("CREATE TRIGGER fault BEFORE {statement} BEGIN SELECT RAISE(ROLLBACK, 'full'); END")
}

/// At the row, at what is written last, and at the COMMIT.
fn full(row: &str) -> [String; 3] {
    let last = "INSERT ON audit_record";
    let commit = format!(
        "CREATE TABLE trap (x uuid REFERENCES account (id) DEFERRABLE INITIALLY DEFERRED); \
         CREATE TRIGGER fault BEFORE {last} BEGIN INSERT INTO trap VALUES ('nobody'); END"
    );
    [full_at(row), full_at(last), commit]
}

/// Leaves the schema as it was.
const ROOM: &str = "DROP TRIGGER fault; DROP TABLE IF EXISTS trap";

/// Takes it back where there is no room for that, and says so.
async fn lost(
    (folder, test): (&Path, &TestStore),
    (request, by, run): (&ApprovalRequest, UserId, Option<ExecutionId>),
    fault: &str,
) {
    let db = intruder(folder).await;
    db.execute_unprepared(fault).await.unwrap();
    let lost = revoke(test, request, by, run).await;
    let Err(StoreError::Unavailable { .. }) = &lost else { panic!("{fault}: {lost:?}") };
    let said = lost.unwrap_err().to_string();
    assert!(said.contains("nothing was written") && said.contains("check the disk"), "{said}");
    db.execute_unprepared(ROOM).await.unwrap();
    db.close().await.unwrap();
    assert!(recorded(test, "approval.revoked").await.is_empty(), "{fault}");
    assert_eq!(looked(folder).await, AuditFit::Whole, "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_a_run_keeps_its_yes_and_it_is_taken_back_later() {
    for fault in full("UPDATE ON approval") {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), another()).await;
        let (request, min, mut run) = running(&test).await;
        let execution = Some(run.execution());
        lost((folder.path(), &test), (&request, min, execution), &fault).await;
        let kept = row(&test, &request).await;
        assert_eq!((kept.state, kept.revoked), (ApprovalState::Consumed, None), "{fault}");
        // Nothing was stopped.
        let (policy, standing) =
            (test.snapshot().await, test.store.standing(test.session).await.unwrap());
        let inputs = Resolved::default();
        let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
        let _ = commit(&test, claim).await.unwrap();
        revoke(&test, &request, min, execution).await.unwrap();
        let revoked = row(&test, &request).await.revoked;
        assert_eq!(revoked.map(|revoked| revoked.by), Some(min), "{fault}");
        assert_eq!(recorded(&test, "approval.revoked").await.len(), 1);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{fault}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_a_yes_that_waits_for_others_counts_on() {
    for fault in full("DELETE ON approval_yes") {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), two_people()).await;
        let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
        let (plan, request) = asked(&test).await;
        join(&test, &min.token, &request).await.unwrap();
        lost((folder.path(), &test), (&request, min.user, None), &fault).await;
        let yeses = test.store.quorum_yeses(&[request.id]).await.unwrap();
        let theirs: Vec<UserId> = yeses[&request.id].iter().map(|yes| yes.approver).collect();
        assert_eq!(theirs, [min.user], "{fault}");
        close(&test, &han.token, &request).await.unwrap();
        let _run = begun(&test, &plan).await;
        assert_eq!(state(&test, &request).await, ApprovalState::Consumed, "{fault}");
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{fault}");
    }
}
