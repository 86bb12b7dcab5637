//! How many chunks documents may have.

use crate::{
    documents::{BOUNDS, admin, content, file},
    test_store::{TestStore, permissive},
};
use wiiiv_domain::Scope;
use wiiiv_store::{
    Capacity, DocumentAuthor, DocumentOrigin, DocumentRefused, DocumentRow, IngestBounds, NewIngest,
};

/// A small file may have a long text, and all of it is held in memory.
#[tokio::test]
async fn chunks_have_a_bound_of_a_scope_and_of_all() {
    let test = TestStore::memory(permissive()).await;
    let (who, root) = (test.principal().await, admin(&test).await);
    let (own, project) = (Scope::User(test.user), Scope::Project(test.project));
    let bounds = IngestBounds { scope_chunks_max: 3, chunks_max: 5, ..BOUNDS };
    let asked = |who, new| test.store.queue_ingest(DocumentAuthor::of(who), new, bounds);
    let puts = async |new: NewIngest, texts: &[&str]| {
        let author = match new.origin {
            DocumentOrigin::Upload => DocumentAuthor::of(&who),
            DocumentOrigin::Folder => DocumentAuthor::folder(),
        };
        let job = test.store.queue_ingest(author, new, bounds).await?;
        let count = texts.len() as u64;
        let told = test.store.room_for(&job, count, bounds).await;
        let put = test.store.put_document(job.id, content("a", texts), bounds).await;
        assert_eq!(told.is_ok(), put.is_ok(), "{told:?}, {put:?}");
        if put.is_err() {
            test.store.end_ingest(job.id, Some("DOCUMENTS_FULL".to_owned())).await?;
        }
        put
    };
    let is_full = |told: Result<DocumentRow, DocumentRefused>, due: (Capacity, u64)| match told {
        Err(DocumentRefused::Full { capacity, max }) => assert_eq!((capacity, max), due),
        other => panic!("{other:?}"),
    };
    puts(file(own, "a.md"), &["one", "two"]).await.unwrap();
    is_full(puts(file(own, "b.md"), &["one", "two"]).await, (Capacity::ScopeChunks, 3));
    is_full(puts(file(own, "a.md"), &["1", "2", "3", "4"]).await, (Capacity::ScopeChunks, 3));
    puts(file(own, "a.md"), &["one", "two", "three"]).await.unwrap();
    let refused = asked(&who, file(own, "b.md")).await;
    assert!(matches!(refused, Err(DocumentRefused::Full { .. })), "before it is read: {refused:?}");
    is_full(puts(file(project, "a.md"), &["1", "2", "3"]).await, (Capacity::AllChunks, 5));
    let folder = |name| NewIngest { origin: DocumentOrigin::Folder, ..file(own, name) };
    puts(folder("a.md"), &["1", "2"]).await.unwrap();
    is_full(puts(folder("b.md"), &["1"]).await, (Capacity::AllChunks, 5));
    let refused = asked(&root, file(Scope::Global, "a.md")).await;
    assert!(matches!(refused, Err(DocumentRefused::Full { .. })), "{refused:?}");
    // What gets shorter has room always.
    puts(file(own, "a.md"), &["one"]).await.unwrap();
    puts(folder("b.md"), &["1"]).await.unwrap();
}
