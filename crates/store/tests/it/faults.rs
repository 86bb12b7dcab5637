//! A database that refuses: nothing is told as kept, and it goes on when it can.

use crate::test_store::{TestStore, accepted, new_id, permissive};
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use std::path::Path;
use wiiiv_store::{AuditFilter, Boundary, Chain, Point, StoreError};

/// A second connection, as somebody with the file has it.
pub async fn intruder(folder: &Path) -> DatabaseConnection {
    let url = format!("sqlite:{}?mode=rw", folder.join("wiiiv.db").display());
    Database::connect(url).await.unwrap()
}

fn said(test: &TestStore) -> Boundary {
    Boundary::new(Point::T0)
        .event(accepted(new_id(), test.user))
        .entry("turn.accepted", serde_json::json!({}))
}

#[tokio::test]
async fn what_only_grows_cannot_be_changed() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    test.store.append(&test.writer(), said(&test)).await.unwrap();
    let chain = Chain::Project(test.project);
    test.store.checkpoint_now(chain).await.unwrap();
    let db = intruder(folder.path()).await;
    for sql in [
        "UPDATE audit_record SET line = ''",
        "DELETE FROM audit_record",
        "UPDATE audit_checkpoint SET line = ''",
        "DELETE FROM audit_checkpoint",
        "UPDATE session_event SET body = ''",
        "DELETE FROM session_event",
    ] {
        let refused = db.execute_unprepared(sql).await.unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{sql}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_refuses_and_later_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let db = intruder(folder.path()).await;
    db.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let refused = test.store.append(&test.writer(), said(&test)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    assert!(test.store.journal(test.session, 1).await.unwrap().is_empty(), "reads go on");
    assert!(test.store.check_writable().await.is_err(), "nor could anything else be written");
    db.execute_unprepared("ROLLBACK").await.unwrap();
    test.store.check_writable().await.unwrap();
    test.store.append(&test.writer(), said(&test)).await.unwrap();
    assert_eq!(test.store.journal(test.session, 1).await.unwrap().len(), 1);
}

/// Ends the whole transaction, as SQLite does by itself where a write to the file fails.
const ENDED: &str =
    "CREATE TRIGGER fault BEFORE INSERT ON session_event BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
/// Lets every statement pass and the COMMIT fail.
pub const UNCOMMITTED: &str = "CREATE TABLE trap (x uuid REFERENCES account (id) \
    DEFERRABLE INITIALLY DEFERRED); \
    CREATE TRIGGER fault BEFORE INSERT ON session_event BEGIN INSERT INTO trap VALUES ('nobody'); END";

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_transaction_takes_all_in_it_and_nothing_after() {
    for fault in [ENDED, UNCOMMITTED] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let db = intruder(folder.path()).await;
        db.execute_unprepared(fault).await.unwrap();
        let mut appends = tokio::task::JoinSet::new();
        for n in 0..20 {
            let test = test.clone();
            appends.spawn(async move {
                // Every other one would go through alone.
                let mut boundary =
                    Boundary::new(Point::T1).entry("test.said", serde_json::json!({}));
                if n % 2 == 1 {
                    boundary = boundary.event(accepted(new_id(), test.user));
                }
                (n, test.store.append(&test.writer(), boundary).await)
            });
        }
        let answers = appends.join_all().await;
        for (n, answer) in &answers {
            let lost = matches!(answer, Err(StoreError::Unavailable { .. }));
            assert!(lost || (n % 2 == 0 && answer.is_ok()), "{n}: {answer:?}");
        }
        let kept = answers.iter().filter(|(_, answer)| answer.is_ok()).count();
        let filter = AuditFilter { kind: Some("test.said".into()), ..AuditFilter::default() };
        let chain = Chain::Project(test.project);
        assert_eq!(test.store.audit_search(chain, &filter).await.unwrap().len(), kept);
        assert!(test.store.journal(test.session, 1).await.unwrap().is_empty());

        db.execute_unprepared("DROP TRIGGER fault").await.unwrap();
        test.store.append(&test.writer(), said(&test)).await.unwrap();
        assert_eq!(test.store.journal(test.session, 1).await.unwrap().len(), 1);
    }
}

const CHILD_FOLDER: &str = "WIIIV_TEST_FOLDER";
const CHILD_FAULT: &str = "WIIIV_TEST_FAULT";

/// As the process that is ended.
async fn end_at(folder: &Path, fault: &str) {
    let test = TestStore::ending_at(folder, permissive(), fault.parse().unwrap()).await;
    std::fs::write(folder.join("session"), test.session.to_string()).unwrap();
    for _ in 0..3 {
        test.store.append(&test.writer(), said(&test)).await.unwrap();
    }
}

/// Runs itself again in a process of its own, with the folder and the fault in its environment.
#[tokio::test]
async fn the_process_ends_at_the_chosen_commit() {
    if let (Ok(folder), Ok(fault)) = (std::env::var(CHILD_FOLDER), std::env::var(CHILD_FAULT)) {
        return end_at(Path::new(&folder), &fault).await;
    }
    for (fault, kept) in [("T0:before:2", 1), ("T0:after:2", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "faults::the_process_ends_at_the_chosen_commit", "--nocapture"])
            .env(CHILD_FOLDER, folder.path())
            .env(CHILD_FAULT, fault)
            .output()
            .unwrap();
        assert!(!output.status.success());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("fault reached: {fault}")), "{said}");
        let session = std::fs::read_to_string(folder.path().join("session")).unwrap();
        let store = crate::test_store::store_on(folder.path()).await;
        let events = store.journal(session.parse().unwrap(), 1).await.unwrap();
        assert_eq!(events.len(), kept, "{fault}");
    }
}
