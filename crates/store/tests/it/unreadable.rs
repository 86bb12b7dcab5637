//! Values that cannot be read back from their rows: somebody changed them, and the disk is well.

use crate::{
    seals::Hand,
    test_store::{TestStore, inspected, keys, policy, store_on},
};
use wiiiv_store::{AuditFit, StoreError};

async fn asked(done: &str) -> (tempfile::TempDir, TestStore, String) {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    let hand = Hand::on(folder.path()).await;
    hand.run("PRAGMA ignore_check_constraints = ON").await;
    hand.run(done).await;
    hand.gone().await;
    let read = test.store.question(test.project, request.id).await;
    let Err(error @ StoreError::Corrupt { .. }) = read else { panic!("{done}: {read:?}") };
    (folder, test, error.to_string())
}

/// A word that is none of its column, and a text where a number stands: `doctor` finds the row's table, and the
/// next start is read-only, however it was found.
#[tokio::test]
async fn what_cannot_be_read_is_changed_and_not_unavailable() {
    for done in [
        "UPDATE approval SET state = 'xending'",
        "UPDATE approval SET expires_at = 'soon'",
        "UPDATE approval SET requester = 'somebody'",
        "UPDATE approval SET asked_of = CAST(x'ff' AS TEXT)",
    ] {
        let (folder, test, told) = asked(done).await;
        assert!(told.contains("restore the database from a backup"), "{done}: {told}");
        let file = folder.path().join("wiiiv.db");
        let found = inspected(&file, Some(&keys("07"))).await.unwrap().audit;
        let AuditFit::Changed(found) = found else { panic!("{done}: {found:?}") };
        assert!(found.contains("approval"), "{done}: {found}");
        drop(test);
        let started = store_on(folder.path()).await;
        let fault = started.fault().cloned();
        let Some(StoreError::Tampered { what }) = fault else { panic!("{done}: {fault:?}") };
        assert!(what.contains("approval"), "{done}: {what}");
        let refused = started.check_writable().await;
        assert!(matches!(refused, Err(StoreError::Tampered { .. })), "{done}: {refused:?}");
    }
}

/// The same of the audit itself, and of a policy in force.
#[tokio::test]
async fn an_audit_that_cannot_be_read_is_changed_and_not_unavailable() {
    for (done, named) in [
        ("UPDATE audit_record SET at = 'noon'", "audit_record"),
        ("UPDATE audit_head SET checkpoint = 'x' WHERE chain = 'server'", "audit_head"),
        ("UPDATE policy_version SET at_seq = 'x'", "the policy of the project"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(TestStore::on_disk(folder.path(), policy()).await);
        let hand = Hand::on(folder.path()).await;
        hand.run(done).await;
        hand.gone().await;
        let file = folder.path().join("wiiiv.db");
        let found = inspected(&file, Some(&keys("07"))).await.unwrap().audit;
        assert!(
            matches!(&found, AuditFit::Changed(what) if what.contains(named)),
            "{done}: {found:?}"
        );
        let started = store_on(folder.path()).await;
        let fault = started.fault();
        let told = matches!(fault, Some(StoreError::Tampered { what }) if what.contains(named));
        assert!(told, "{done}: {fault:?}");
    }
}
