//! Documents that are many or long: reads leave the thread to others and find their rows by an index, one row that cannot be
//! read back takes no other along, and what nobody needs any more goes.

use crate::{
    documents::{BOUNDS, MODEL, content, file, has_vector, hash, put},
    seals::by_hand,
    test_store::{TestStore, permissive},
};
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_store::{DocumentAuthor, DocumentOrigin, NewIngest, Page, StoreError};

/// Texts of a document that is read for milliseconds.
const LONG: usize = 3_000;

/// On the only thread there is: what waits runs before the read ends.
async fn beside_others<T>(read: impl Future<Output = T>, what: &str) -> T {
    let other = tokio::spawn(async {});
    let read = read.await;
    assert!(other.is_finished(), "{what}");
    read
}

#[tokio::test]
async fn long_reads_leave_the_thread_to_others() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let texts: Vec<String> = (0..LONG).map(|nth| format!("text {nth}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let row = put(&test, &who, (scope, "a.md"), &texts).await;
    let hashes: Vec<_> = texts.iter().map(|text| hash(text)).collect();
    let store = &test.store;
    let vectors = beside_others(store.vectors(MODEL, &hashes), "vectors").await.unwrap();
    let own = beside_others(store.chunks_in_scope(scope, &hashes), "own chunks").await.unwrap();
    assert_eq!((vectors.len(), own.len()), (LONG, LONG));
    let start = beside_others(store.documents_at_start(Some(MODEL), None), "a start").await;
    assert_eq!(start.unwrap().documents[0].chunks.len(), LONG);
    let one = beside_others(store.library_document(None, row.id), "a document").await.unwrap();
    assert_eq!(one.unwrap().chunks.len(), LONG);
}

#[tokio::test]
async fn a_row_that_cannot_be_read_back_takes_no_other_along() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let mut ids = Vec::new();
    for name in ["a.md", "b.md", "c.md", "d.md"] {
        ids.push(put(&test, &who, (scope, name), &[name]).await.id);
    }
    for name in ["e.md", "f.md"] {
        let author = DocumentAuthor::of(&who);
        test.store.queue_ingest(author, file(scope, name), BOUNDS).await.unwrap();
    }
    let job = test.store.open_ingests().await.unwrap().pop().unwrap();
    test.store.put_document(job.id, content("f", &["f.md"]), BOUNDS).await.unwrap();
    drop(test);
    let nobody = "user:".to_owned() + &"x".repeat(36);
    for change in [
        format!("UPDATE document SET scope = '{nobody}' WHERE file_name = 'a.md'"),
        "UPDATE document_chunk SET hash = x'00' WHERE document = \
         (SELECT id FROM document WHERE file_name = 'c.md')"
            .to_owned(),
        "UPDATE document SET title = x'00' WHERE file_name = 'f.md'".to_owned(),
        "UPDATE ingest_job SET digest = x'00' WHERE ended_at IS NULL".to_owned(),
    ] {
        by_hand(folder.path(), &change).await;
    }
    let store = crate::test_store::store_on(folder.path()).await;
    let batch = store.documents_at_start(Some(MODEL), None).await.unwrap();
    let found: Vec<DocumentId> = batch.documents.iter().map(|document| document.id).collect();
    assert_eq!(found, [ids[1], ids[3]]);
    let left: Vec<DocumentId> = batch.unreadable.iter().map(|(id, _)| *id).collect();
    assert!(left.contains(&ids[0]) && left.contains(&ids[2]) && left.len() == 3, "{left:?}");
    for (id, error) in &batch.unreadable {
        assert!(matches!(error, StoreError::Corrupt { .. }), "{id}: {error:?}");
    }
    let end = store.documents_at_start(None, batch.last).await.unwrap();
    assert_eq!((end.last, end.documents.len()), (None, 0));
    assert_eq!(store.open_ingests().await.unwrap(), [], "the others are begun");
}

/// A citation opens one passage of a document that may have thousands.
#[tokio::test]
async fn chunks_of_a_passage_are_found_by_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    drop(test);
    let file = rusqlite::Connection::open(folder.path().join("wiiiv.db")).unwrap();
    let plan = "EXPLAIN QUERY PLAN SELECT own.passage, own.number, own.hash FROM document_chunk own \
                JOIN chunk ON chunk.hash = own.hash WHERE own.document = x'00' \
                AND own.scope = 'global' AND own.passage BETWEEN 3 AND 3 ORDER BY own.number";
    let mut statement = file.prepare(plan).unwrap();
    let steps = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
    let steps: Vec<String> = steps.map(Result::unwrap).collect();
    assert!(steps.iter().any(|step| step.contains("document_chunk_by_passage")), "{steps:?}");
}

#[tokio::test]
async fn an_ingest_that_names_a_document_goes_with_it() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let queue = |name| test.store.queue_ingest(DocumentAuthor::of(&who), file(scope, name), BOUNDS);
    let failed = queue("a.md").await.unwrap();
    test.store.end_ingest(failed.id, Some("DAMAGED".to_owned())).await.unwrap();
    let row = put(&test, &who, (scope, "a.md"), &["one"]).await;
    put(&test, &who, (scope, "b.md"), &["two"]).await;
    let folder = NewIngest { origin: DocumentOrigin::Folder, ..file(scope, "a.md") };
    let folder = test.store.queue_ingest(DocumentAuthor::folder(), folder, BOUNDS).await.unwrap();
    test.store.end_ingest(folder.id, None).await.unwrap();
    let waits = queue("a.md").await.unwrap();
    test.store.remove_document(DocumentAuthor::of(&who), row.id).await.unwrap();
    let jobs = test.store.ingest_jobs(scope, Page::default()).await.unwrap();
    let left: Vec<_> = jobs.iter().map(|job| (job.file_name.as_str(), job.origin)).collect();
    let (upload, of_folder) = (DocumentOrigin::Upload, DocumentOrigin::Folder);
    assert_eq!(left, [("a.md", upload), ("a.md", of_folder), ("b.md", upload)]);
    assert_eq!(jobs[0].id, waits.id, "what waits is another file of that name");
}

#[tokio::test]
async fn vectors_of_models_that_are_gone_are_dropped_by_and_by() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let texts: Vec<String> = (0..1_200).map(|nth| format!("text {nth}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    put(&test, &who, (scope, "a.md"), &texts).await;
    let hashes: Vec<_> = texts.iter().map(|text| hash(text)).collect();
    // A provider's were paid for.
    let paid = "custom:e:8#project";
    for model in ["local:former", "local:other", paid] {
        let vectors = hashes.iter().map(|hash| (*hash, vec![1])).collect();
        test.store.put_vectors(model, vectors).await.unwrap();
    }
    let (mut after, mut steps) = (None, 0);
    while let Some(last) =
        test.store.drop_vectors_but(&[MODEL, "local:other"], after).await.unwrap()
    {
        (after, steps) = (Some(last), steps + 1);
    }
    assert_eq!(steps, 2, "a bounded number at a time");
    for (model, left) in
        [(MODEL, 1_200), ("local:former", 0), ("local:other", 1_200), (paid, 1_200)]
    {
        assert_eq!(test.store.vectors(model, &hashes).await.unwrap().len(), left, "{model}");
    }
    assert!(has_vector(&test, "text 7").await);
}
