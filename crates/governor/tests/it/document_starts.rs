//! What a start makes of documents that it finds, and what is tried again.

use crate::{
    documents::{
        Double, ended, found, handbook, logged_in, put, search, stranger, until, upload, with,
    },
    test_governor::{Setup, TestGovernor},
};
use sea_orm::ConnectionTrait as _;
use std::{path::Path, time::Duration};
use wiiiv_domain::{ContentDigest, Scope};
use wiiiv_gate::Principal;
use wiiiv_governor::{DocumentDeps, WatchedFolder};
use wiiiv_store::{
    AuditFilter, Chain, DocumentAuthor, DocumentOrigin, DocumentRow, IngestBounds, IngestState,
    NewIngest, Page,
};
use wiiiv_workspace::DocumentsFolder;

fn watched(folder: &Path, scope: Scope) -> DocumentDeps {
    let folder = DocumentsFolder::open(folder).unwrap();
    let watched = WatchedFolder { folder, scope, every: Duration::from_millis(50) };
    DocumentDeps { embedders: Vec::new(), folder: Some(watched) }
}

async fn listed(test: &TestGovernor, who: &Principal, scope: Scope) -> Vec<DocumentRow> {
    test.governor.documents().documents(who, scope, Page::default()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_unreadable_document_takes_no_other_along() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    put(&test, &who, own, upload("a.md", "The paprika is red.")).await;
    let left = put(&test, &who, own, upload("b.md", "Paprika is green too.")).await;
    let db = test.intruder().await;
    for change in [
        "UPDATE document_chunk SET hash = x'00' WHERE document = \
         (SELECT id FROM document WHERE file_name = 'a.md')",
        "UPDATE ingest_job SET digest = x'00', ended_at = NULL WHERE file_name = 'a.md'",
    ] {
        db.execute_unprepared(change).await.unwrap();
    }
    db.close().await.unwrap();
    let test = test.restarted().await;
    let who = test.principal(&test.owner).await;
    assert_eq!(found(&test.governor, &who, "paprika").await, [left.id].into());
    let new = put(&test, &who, own, upload("c.md", "Paprika is yellow.")).await;
    assert_eq!(found(&test.governor, &who, "yellow").await, [new.id].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_folder_put_into_a_wrong_scope_goes_with_the_setting() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.md"), "The paprika is red.").unwrap();
    let setup = Setup::default();
    let test = TestGovernor::with(setup.clone()).await;
    let project = Scope::Project(test.project);
    let lee = stranger(&test, "lee", false).await;
    let documents = watched(folder.path(), Scope::Global);
    let test = test.restarted_with(Setup { documents, ..setup.clone() }).await;
    let lee_there = logged_in(&test, &lee, None).await;
    let first =
        until(|| async { listed(&test, &lee_there, Scope::Global).await.into_iter().next() }).await;
    until(|| async {
        (!found(&test.governor, &lee_there, "paprika").await.is_empty()).then_some(())
    })
    .await;
    // What waits is of the folder too.
    let waits = NewIngest {
        scope: Scope::Global,
        origin: DocumentOrigin::Folder,
        file_name: "b.md".to_owned(),
        title: None,
        media_type: None,
        file: b"Olives are green.".to_vec(),
    };
    let bounds =
        IngestBounds { open_max: 9, scope_bytes_max: 999, scope_chunks_max: 999, chunks_max: 999 };
    let store = test.governor.store();
    let waits = store.queue_ingest(DocumentAuthor::folder(), waits, bounds).await.unwrap();

    let documents = watched(folder.path(), project);
    let test = test.restarted_with(Setup { documents, ..setup.clone() }).await;
    let (kim, lee_there) = (test.principal(&test.owner).await, logged_in(&test, &lee, None).await);
    assert!(found(&test.governor, &lee_there, "paprika").await.is_empty());
    assert_eq!(listed(&test, &lee_there, Scope::Global).await, []);
    assert_eq!(ended(&test.governor, &waits).await.state, IngestState::Cancelled);
    let again = until(|| async { listed(&test, &kim, project).await.into_iter().next() }).await;
    assert_ne!(again.id, first.id);
    let filter =
        AuditFilter { kind: Some("document.removed".to_owned()), ..AuditFilter::default() };
    let gone = test.governor.store().audit_search(Chain::Server, &filter).await.unwrap();
    assert_eq!(gone[0].body["document"], serde_json::json!(first.id));

    let test = test.restarted_with(setup).await;
    let kim = test.principal(&test.owner).await;
    assert!(found(&test.governor, &kim, "paprika").await.is_empty());
    assert_eq!(listed(&test, &kim, project).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_put_back_while_its_change_waits_is_found_as_it_is() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |text: &str| {
        let hidden = folder.path().join(".new");
        std::fs::write(&hidden, text).unwrap();
        std::fs::rename(hidden, folder.path().join("a.md")).unwrap();
    };
    write("The paprika is red.");
    let documents = watched(folder.path(), Scope::Global);
    let test = TestGovernor::with(Setup { documents, ..Setup::default() }).await;
    let who = test.principal(&test.owner).await;
    let store = test.governor.store();
    let waiting = async |count: usize| {
        until(|| async {
            let open = store.open_ingests().await.unwrap();
            (open.len() == count).then_some(())
        })
        .await;
    };
    until(|| async { listed(&test, &who, Scope::Global).await.into_iter().next() }).await;
    waiting(0).await;
    // None goes on.
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE UPDATE ON ingest_job \
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    write("The pumpkin is wrong here.");
    waiting(1).await;
    write("The paprika is red.");
    waiting(2).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    waiting(0).await;
    let rows = listed(&test, &who, Scope::Global).await;
    let text = ContentDigest::of_bytes(b"The paprika is red.");
    assert_eq!(rows.iter().map(|row| row.digest).collect::<Vec<_>>(), [text]);
    until(|| async {
        let hits = search(&test.governor, &who, "paprika pumpkin").await.hits;
        (hits.len() == 1 && hits[0].text.contains("paprika")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_whose_failure_may_pass_is_tried_again() {
    let setup = Setup::default();
    let test = TestGovernor::with(setup.clone()).await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let held = put(&test, &who, own, upload("own.md", &handbook(None))).await;
    let chunks = test.governor.documents().standing().await.unwrap().chunks;
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.md"), handbook(Some(1))).unwrap();
    std::fs::write(folder.path().join("b.bin"), "no document").unwrap();
    let mut config = setup.config.clone();
    // One fits and not both.
    config.documents.chunks_max = chunks + 1;
    let documents = watched(folder.path(), Scope::Global);
    let test = test.restarted_with(Setup { config, documents, ..setup }).await;
    let store = test.governor.store();
    let failed = async || {
        let jobs = store.ingest_jobs(Scope::Global, Page::default()).await.unwrap();
        jobs.into_iter().filter(|job| job.state == IngestState::Failed).collect::<Vec<_>>()
    };
    until(|| async { (failed().await.len() >= 3).then_some(()) }).await;
    let who = test.principal(&test.owner).await;
    test.governor.documents().remove_document(&who, held.id).await.unwrap();
    let row = until(|| async { listed(&test, &who, Scope::Global).await.into_iter().next() }).await;
    assert_eq!(row.file_name, "a.md");
    let of_b = failed().await.into_iter().filter(|job| job.file_name == "b.bin").count();
    assert_eq!(of_b, 1, "what cannot be read waits for a change");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_of_this_machine_that_fails_leaves_the_words() {
    let double = Double::new("local:double", false);
    double.refuse("durian");
    let test = TestGovernor::with(with(&[&double])).await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let file = upload("a.md", "The durian is spiked.");
    let job = test.governor.documents().ingest(&who, own, file).await.unwrap();
    let done = ended(&test.governor, &job).await;
    assert_eq!((done.state, done.code.as_deref()), (IngestState::Ready, Some("NOT_EMBEDDED")));
    assert_eq!(search(&test.governor, &who, "durian").await.hits.len(), 1);
    // It works again, and nobody has to add anything anew.
    double.refuse("no such word");
    test.governor.documents().reembed(&who, own).await.unwrap();
    until(|| async {
        let hits = search(&test.governor, &who, "durian").await.hits;
        hits.iter().any(|hit| hit.dense.is_some()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_of_a_model_that_is_gone_go_when_another_has_all() {
    let (former, new) = (Double::new("local:former", false), Double::new("local:new", false));
    let setup = with(&[&former]);
    let test = TestGovernor::with(setup.clone()).await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let row = put(&test, &who, own, upload("a.md", "The paprika is red.")).await;
    let passages = test.governor.store().passages((row.id, own), None, 9).await.unwrap();
    let hash = passages[0].chunks[0].hash;
    assert_eq!(passages[0].chunks[0].embedders, ["local:former"]);
    let documents = with(&[&new]).documents;
    let test = test.restarted_with(Setup { documents, ..setup }).await;
    let store = test.governor.store();
    until(|| async {
        store.vectors("local:former", &[hash]).await.unwrap().is_empty().then_some(())
    })
    .await;
    assert_eq!(store.vectors("local:new", &[hash]).await.unwrap().len(), 1);
    let who = test.principal(&test.owner).await;
    let hits = search(&test.governor, &who, "paprika").await;
    assert_eq!(hits.embedder.as_deref(), Some("local:new"));
}
