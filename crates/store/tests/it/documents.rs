//! Documents: put and taken away whole, texts and vectors that several share, who may write them, what an erasure takes,
//! and what `doctor` finds.

use crate::{
    memory::{checkpointed, holds},
    seals::{by_hand, looked},
    test_store::{TestStore, now, password, permissive},
};
use secrecy::ExposeSecret as _;
use std::collections::BTreeSet;
use wiiiv_domain::{ContentDigest, ProjectId, Scope, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::{
    AfterPut, AuditFilter, AuditFit, AuditRow, Capacity, Chain, DocumentAuthor, DocumentContent,
    DocumentOrigin, DocumentRefused, DocumentRow, ErasureScope, FoundKey, IngestBounds,
    IngestJobRow, IngestProgress, IngestState, NewChunk, NewIngest, NewPassage, NewUser,
    NewVectors, Page, Role, StoreError, TokenScope,
};

pub const MODEL: &str = "local:double";
pub const BOUNDS: IngestBounds = IngestBounds {
    open_max: 8,
    scope_bytes_max: 1024,
    scope_chunks_max: 10_000,
    chunks_max: 10_000,
};

async fn logged_in(
    test: &TestStore,
    user: UserId,
    (scope, project): (TokenScope, Option<ProjectId>),
) -> Principal {
    let token = test.store.issue_token(user, scope, None).await.unwrap().text;
    test.store.authenticate(token.expose_secret(), project, now()).await.unwrap()
}

pub async fn account(test: &TestStore, name: &str, admin: bool) -> UserId {
    let new = NewUser { name: name.into(), password: password(), admin };
    test.store.create_user(new, permissive()).await.unwrap().user
}

pub async fn admin(test: &TestStore) -> Principal {
    let root = account(test, "root", true).await;
    logged_in(test, root, (TokenScope::Full, None)).await
}

pub async fn member(test: &TestStore, name: &str, role: Role) -> Principal {
    let user = account(test, name, false).await;
    test.store.set_roles(test.project, user, [role].into(), test.user).await.unwrap();
    logged_in(test, user, (TokenScope::Full, Some(test.project))).await
}

pub fn file(scope: Scope, name: &str) -> NewIngest {
    NewIngest {
        scope,
        origin: DocumentOrigin::Upload,
        file_name: name.to_owned(),
        title: None,
        media_type: None,
        file: name.as_bytes().to_vec(),
    }
}

async fn queue(
    test: &TestStore,
    who: &Principal,
    (scope, name): (Scope, &str),
) -> Result<IngestJobRow, DocumentRefused> {
    test.store.queue_ingest(DocumentAuthor::of(who), file(scope, name), BOUNDS).await
}

pub fn hash(text: &str) -> ContentDigest {
    ContentDigest::of_bytes(text.as_bytes())
}

/// A passage and a chunk for each text, with a vector each.
pub fn content(title: &str, texts: &[&str]) -> DocumentContent {
    let passage = |text: &&str| NewPassage {
        headings: vec![title.to_owned()],
        page: Some(3),
        text: (*text).to_owned(),
    };
    let chunk = |(passage, text): (u32, &&str)| NewChunk {
        passage,
        hash: hash(text),
        text: (*text).to_owned(),
        terms: vec![1, 2, 3],
    };
    let vectors = texts.iter().map(|text| (hash(text), text.as_bytes().to_vec())).collect();
    DocumentContent {
        title: title.to_owned(),
        passages: texts.iter().map(passage).collect(),
        chunks: (0..).zip(texts).map(chunk).collect(),
        vectors: Some(NewVectors { embedder: MODEL.to_owned(), vectors }),
        after: AfterPut::Ready(None),
    }
}

pub async fn put(
    test: &TestStore,
    who: &Principal,
    of: (Scope, &str),
    texts: &[&str],
) -> DocumentRow {
    let job = queue(test, who, of).await.unwrap();
    test.store.put_document(job.id, content(of.1, texts), BOUNDS).await.unwrap()
}

/// Documents, rows of chunks, texts.
pub async fn counts(test: &TestStore) -> (u64, u64, u64) {
    let totals = test.store.document_totals().await.unwrap();
    (totals.documents, totals.chunks, totals.texts)
}

pub async fn has_vector(test: &TestStore, text: &str) -> bool {
    let found = test.store.vectors(MODEL, &[hash(text)]).await.unwrap();
    found.get(&hash(text)).is_some_and(|vector| *vector == text.as_bytes())
}

/// Oldest first.
pub async fn records(test: &TestStore, chain: Chain) -> Vec<AuditRow> {
    let rows = test.store.audit_search(chain, &AuditFilter::default()).await.unwrap();
    rows.into_iter().rev().filter(|row| row.kind.starts_with("document.")).collect()
}

#[tokio::test]
async fn a_document_is_put_whole_with_the_end_of_its_ingest() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let job = queue(&test, &who, (scope, "guide.md")).await.unwrap();
    assert_eq!((job.state, job.bytes, job.author), (IngestState::Queued, 8, Some(test.user)));
    let bytes = test.store.ingest_file(job.id).await.unwrap();
    assert_eq!(bytes.as_deref(), Some(b"guide.md".as_slice()));
    assert_eq!(test.store.open_ingests().await.unwrap(), std::slice::from_ref(&job));
    let progress = IngestProgress { passages: 2, chunks: 2, to_embed: 1, embedded: 0 };
    assert!(test.store.mark_ingest(job.id, IngestState::Embedding, progress).await.unwrap());

    let row =
        test.store.put_document(job.id, content("Guide", &["one", "둘"]), BOUNDS).await.unwrap();
    assert_eq!((row.scope, row.title.as_str(), row.version), (scope, "Guide", 1));
    assert_eq!((row.passages, row.chunks, row.stale, row.digest), (2, 2, false, job.digest));
    assert_eq!(test.store.document(row.id).await.unwrap().as_ref(), Some(&row));
    assert_eq!(
        test.store.documents(scope, Page::default()).await.unwrap(),
        std::slice::from_ref(&row)
    );
    let ended = test.store.ingest_job(job.id).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.document), (IngestState::Ready, Some(row.id)));
    assert_eq!((ended.progress, ended.ended_at.is_some()), (progress, true));
    assert_eq!(test.store.ingest_file(job.id).await.unwrap(), None);
    assert_eq!(test.store.open_ingests().await.unwrap(), []);

    let passages = test.store.passages((row.id, scope), None, 9).await.unwrap();
    let texts: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
    assert_eq!(texts, ["one", "둘"]);
    let [first, second] = passages.as_slice() else { panic!("{passages:?}") };
    assert_eq!((first.number, first.page, second.number), (0, Some(3), 1));
    let [chunk] = second.chunks.as_slice() else { panic!("{second:?}") };
    assert_eq!((chunk.number, chunk.text.as_str(), chunk.hash), (1, "둘", hash("둘")));
    assert_eq!(chunk.embedders, [MODEL]);
    let behind = test.store.passages((row.id, scope), Some(0), 9).await.unwrap();
    assert_eq!(behind, std::slice::from_ref(second));
    let again = test.store.put_document(job.id, content("Guide", &["late"]), BOUNDS).await;
    assert!(matches!(again, Err(DocumentRefused::Ended)), "{again:?}");
}

#[tokio::test]
async fn an_edit_of_one_paragraph_keeps_the_vectors_of_the_others() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let of = (scope, "a.md");
    let first = put(&test, &who, of, &["one", "two", "three", "two"]).await;
    assert_eq!(counts(&test).await, (1, 4, 3), "a text that stands there twice is kept once");
    let job = queue(&test, &who, of).await.unwrap();
    let edited = DocumentContent { vectors: None, ..content("A", &["one", "TWO", "three"]) };
    let second = test.store.put_document(job.id, edited, BOUNDS).await.unwrap();
    assert_eq!((second.id, second.version, second.created_at), (first.id, 2, first.created_at));
    assert_eq!(counts(&test).await, (1, 3, 3));
    for (text, has) in [("one", true), ("two", false), ("TWO", false), ("three", true)] {
        assert_eq!(has_vector(&test, text).await, has, "{text}");
    }
    assert_eq!(test.store.missing_vectors(MODEL).await.unwrap(), 1);
    let missing = test.store.texts_without_vector(MODEL, None, 9).await.unwrap();
    assert_eq!(missing, [(hash("TWO"), "TWO".to_owned())]);
    let vectors = vec![(hash("TWO"), b"TWO".to_vec()), (hash("gone"), b"gone".to_vec())];
    test.store.put_vectors(MODEL, vectors).await.unwrap();
    assert!(has_vector(&test, "TWO").await && !has_vector(&test, "gone").await);
    assert_eq!(test.store.missing_vectors(MODEL).await.unwrap(), 0);
    assert_eq!(test.store.missing_vectors("another").await.unwrap(), 3);

    let title = "Another title".to_owned();
    let author = || DocumentAuthor::of(&who);
    let blind = test.store.rename_document(author(), (second.id, 1), title.clone()).await;
    assert!(matches!(blind, Err(DocumentRefused::VersionChanged { current: 2 })), "{blind:?}");
    let renamed = test.store.rename_document(author(), (second.id, 2), title).await.unwrap();
    assert_eq!((renamed.title.as_str(), renamed.version), ("Another title", 3));
    assert_eq!(test.store.missing_vectors(MODEL).await.unwrap(), 0, "a new title embeds nothing");
}

/// Whoever sends a file again changes nothing by it, nor what was cited of it.
#[tokio::test]
async fn the_same_file_once_more_is_no_new_version() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let of = (scope, "a.md");
    let first = put(&test, &who, of, &["one", "two"]).await;
    test.store.mark_stale(vec![first.id], true).await.unwrap();
    let before = records(&test, Chain::Project(test.project)).await.len();
    // One program says what kind of file it is, and another does not.
    let sent = NewIngest { media_type: Some("text/markdown".to_owned()), ..file(scope, "a.md") };
    let job = test.store.queue_ingest(DocumentAuthor::of(&who), sent, BOUNDS).await.unwrap();
    let another =
        NewVectors { embedder: "another".to_owned(), vectors: vec![(hash("one"), vec![7])] };
    let same = DocumentContent { vectors: Some(another), ..content("a.md", &["one", "two"]) };
    let again = test.store.put_document(job.id, same, BOUNDS).await.unwrap();
    assert_eq!(again, first);
    assert_eq!(test.store.document(first.id).await.unwrap(), Some(first.clone()), "not stale");
    let ended = test.store.ingest_job(job.id).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.document), (IngestState::Ready, Some(first.id)));
    assert_eq!(records(&test, Chain::Project(test.project)).await.len(), before);
    assert_eq!(test.store.missing_vectors("another").await.unwrap(), 1, "what was made is kept");
    // Cut in another way it is another one, and so is another title.
    let job = queue(&test, &who, of).await.unwrap();
    let mut cut = content("a.md", &["one", "two"]);
    cut.chunks[1].hash = hash("TWO");
    let other = test.store.put_document(job.id, cut, BOUNDS).await.unwrap();
    assert_eq!((other.id, other.version), (first.id, 2));
}

#[tokio::test]
async fn a_title_that_somebody_gave_stays_with_the_next_file_of_its_name() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let author = || DocumentAuthor::of(&who);
    // One that is given beside a file, and none.
    let send = async |given: Option<&str>, own: &str| {
        let new = NewIngest { title: given.map(str::to_owned), ..file(scope, "a.md") };
        let job = test.store.queue_ingest(author(), new, BOUNDS).await.unwrap();
        let title = given.unwrap_or(own);
        test.store.put_document(job.id, content(title, &[own]), BOUNDS).await.unwrap()
    };
    let row = send(None, "own 1").await;
    assert_eq!((row.title.as_str(), row.title_given), ("own 1", false));
    assert_eq!(send(None, "own 2").await.title, "own 2");
    let renamed = test.store.rename_document(author(), (row.id, 2), "Renamed".to_owned()).await;
    assert!(renamed.unwrap().title_given);
    assert_eq!(send(None, "own 3").await.title, "Renamed");
    assert_eq!(send(None, "own 4").await.title, "Renamed");
    assert_eq!(send(Some("Given"), "own 5").await.title, "Given");
    assert_eq!(send(None, "own 6").await.title, "Given");
    let kept = test.store.document(row.id).await.unwrap().unwrap();
    assert_eq!((kept.title.as_str(), kept.title_given, kept.version), ("Given", true, 7));
}

#[tokio::test]
async fn a_text_of_several_scopes_is_kept_until_the_last_of_them_goes() {
    let test = TestStore::memory(permissive()).await;
    let (who, root) = (test.principal().await, admin(&test).await);
    let ours = put(&test, &who, (Scope::Project(test.project), "a.md"), &["shared", "ours"]).await;
    let mine = put(&test, &who, (Scope::User(test.user), "a.md"), &["shared", "mine"]).await;
    let all = put(&test, &root, (Scope::Global, "a.md"), &["shared"]).await;
    assert_ne!(ours.id, mine.id, "a name is one of its scope");
    assert_eq!(counts(&test).await, (3, 5, 3));
    let users = test.store.chunks_of_text(hash("shared")).await.unwrap();
    let users: BTreeSet<Scope> = users.into_iter().map(|(scope, _, _)| scope).collect();
    assert_eq!(users, [ours.scope, mine.scope, all.scope].into());
    for (who, gone, left, is_shared) in [
        (&who, &ours, (2, 3, 2), true),
        (&root, &all, (1, 2, 2), true),
        (&who, &mine, (0, 0, 0), false),
    ] {
        let removed = test.store.remove_document(DocumentAuthor::of(who), gone.id).await.unwrap();
        assert_eq!(&removed, gone);
        assert_eq!(counts(&test).await, left);
        assert_eq!(has_vector(&test, "shared").await, is_shared);
        assert_eq!(test.store.document(gone.id).await.unwrap(), None);
    }
    let again = test.store.remove_document(DocumentAuthor::of(&who), mine.id).await;
    assert!(matches!(again, Err(DocumentRefused::NotFound)), "{again:?}");
}

#[tokio::test]
async fn a_passage_is_read_in_its_own_scope_alone() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let row = put(&test, &who, (scope, "a.md"), &["mine"]).await;
    let key = |scope, passage| FoundKey {
        document: row.id,
        scope,
        passage,
        chunk: passage,
        hash: hash("mine"),
    };
    let found = test.store.found_passages(&[key(scope, 0), key(scope, 1)]).await.unwrap();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&found.document, found.text.as_str()), (&row, "mine"));
    assert_eq!((found.headings.as_slice(), found.page), (["a.md".to_owned()].as_slice(), Some(3)));
    for other in [
        Scope::Global,
        Scope::Project(test.project),
        Scope::User(account(&test, "lee", false).await),
    ] {
        assert_eq!(test.store.found_passages(&[key(other, 0)]).await.unwrap(), [], "{other}");
        assert_eq!(test.store.passages((row.id, other), None, 9).await.unwrap(), [], "{other}");
        assert_eq!(test.store.passage((row.id, other), 0).await.unwrap(), None, "{other}");
        assert_eq!(test.store.documents(other, Page::default()).await.unwrap(), [], "{other}");
    }
}

#[tokio::test]
async fn a_passage_that_was_replaced_behind_a_search_is_not_what_it_ranked() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let row = put(&test, &who, (scope, "a.md"), &["one", "two"]).await;
    let ranked = |passage, text| FoundKey {
        document: row.id,
        scope,
        passage,
        chunk: passage,
        hash: hash(text),
    };
    let keys = [ranked(0, "one"), ranked(1, "two")];
    assert_eq!(test.store.found_passages(&keys).await.unwrap().len(), 2);
    put(&test, &who, (scope, "a.md"), &["one", "other"]).await;
    let found = test.store.found_passages(&keys).await.unwrap();
    assert_eq!(found.iter().map(|row| row.text.as_str()).collect::<Vec<_>>(), ["one"]);
}

#[tokio::test]
async fn a_number_that_no_passage_can_have_is_not_there() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let row = put(&test, &who, (scope, "a.md"), &["mine"]).await;
    let last = i32::MAX.unsigned_abs();
    for number in [1, last, last + 1, u32::MAX] {
        let of = (row.id, scope);
        assert_eq!(test.store.passage(of, number).await.unwrap(), None, "{number}");
        assert_eq!(test.store.passages(of, Some(number), 9).await.unwrap(), [], "{number}");
    }
}

#[tokio::test]
async fn nothing_is_written_without_a_scope() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let who = test.principal().await;
    let row = put(&test, &who, (Scope::User(test.user), "a.md"), &["mine"]).await;
    queue(&test, &who, (row.scope, "b.md")).await.unwrap();
    let file = rusqlite::Connection::open(folder.path().join("wiiiv.db")).unwrap();
    for table in ["document", "document_passage", "document_chunk", "ingest_job", "ingest_file"] {
        for scope in ["NULL", "''", "'user'", "'user:'", "'everybody'", "'project:1'"] {
            let refused = file.execute(&format!("UPDATE {table} SET scope = {scope}"), []);
            assert!(refused.is_err(), "{table} {scope}");
        }
    }
}

fn not_allowed<T: std::fmt::Debug>(refused: Result<T, DocumentRefused>, who: &str) {
    assert!(matches!(refused, Err(DocumentRefused::NotAllowed)), "{who}: {refused:?}");
}

#[tokio::test]
async fn a_document_is_written_by_whose_scope_it_is() {
    let test = TestStore::memory(permissive()).await;
    let (kim, root) = (test.principal().await, admin(&test).await);
    let (vic, app) =
        (member(&test, "vic", Role::Viewer).await, member(&test, "app", Role::Approver).await);
    let root_there = logged_in(&test, root.user(), (TokenScope::Full, Some(test.project))).await;
    let reads = logged_in(&test, test.user, (TokenScope::Read, Some(test.project))).await;
    let (project, own) = (Scope::Project(test.project), Scope::User(test.user));
    let row = put(&test, &kim, (project, "a.md"), &["ours"]).await;
    for (name, who) in
        [("viewer", &vic), ("approver", &app), ("admin", &root_there), ("token", &reads)]
    {
        not_allowed(queue(&test, who, (project, "b.md")).await, name);
        let author = || DocumentAuthor::of(who);
        not_allowed(test.store.remove_document(author(), row.id).await, name);
        not_allowed(test.store.rename_document(author(), (row.id, 1), "b".to_owned()).await, name);
    }
    for (name, who) in [("viewer", &vic), ("admin", &root)] {
        not_allowed(queue(&test, who, (own, "b.md")).await, name);
    }
    not_allowed(queue(&test, &kim, (Scope::Global, "b.md")).await, "no administrator");
    let global = put(&test, &root, (Scope::Global, "b.md"), &["all"]).await;
    not_allowed(test.store.remove_document(DocumentAuthor::of(&kim), global.id).await, "owner");
    put(&test, &member(&test, "edi", Role::Editor).await, (project, "b.md"), &["ours"]).await;
}

#[tokio::test]
async fn a_right_that_went_while_a_file_was_read_puts_nothing() {
    let test = TestStore::memory(permissive()).await;
    let (lee, project) = (member(&test, "lee", Role::Editor).await, Scope::Project(test.project));
    let ours = queue(&test, &lee, (project, "a.md")).await.unwrap();
    let own = queue(&test, &lee, (Scope::User(lee.user()), "a.md")).await.unwrap();
    let viewer = [Role::Viewer].into();
    test.store.set_roles(test.project, lee.user(), viewer, test.user).await.unwrap();
    let refused = test.store.put_document(ours.id, content("a", &["one"]), BOUNDS).await;
    let is_gone = matches!(refused, Err(DocumentRefused::Store(StoreError::AuthorityGone)));
    assert!(is_gone, "{refused:?}");
    test.store.put_document(own.id, content("a", &["one"]), BOUNDS).await.unwrap();
    let late = queue(&test, &lee, (project, "b.md")).await;
    let is_gone = matches!(late, Err(DocumentRefused::Store(StoreError::AuthorityGone)));
    assert!(is_gone, "{late:?}");
    let folder = NewIngest { origin: DocumentOrigin::Folder, ..file(project, "guides/a.md") };
    let folder = test.store.queue_ingest(DocumentAuthor::folder(), folder, BOUNDS).await.unwrap();
    let row = test.store.put_document(folder.id, content("a", &["two"]), BOUNDS).await.unwrap();
    assert_eq!((row.author, row.origin), (None, DocumentOrigin::Folder));
    test.store.mark_stale(vec![row.id], true).await.unwrap();
    let known = test.store.folder_documents(project).await.unwrap();
    let [known] = known.as_slice() else { panic!("{known:?}") };
    assert_eq!((known.id, known.stale, known.digest), (row.id, true, folder.digest));
}

#[tokio::test]
async fn an_ingest_ends_once_and_a_bounded_number_waits() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let job = queue(&test, &who, (scope, "a.md")).await.unwrap();
    let cancelled = test.store.end_ingest(job.id, None).await.unwrap().unwrap();
    assert_eq!((cancelled.state, cancelled.code), (IngestState::Cancelled, None));
    let failed = test.store.end_ingest(job.id, Some("DAMAGED".to_owned())).await.unwrap().unwrap();
    assert_eq!(failed.state, IngestState::Cancelled, "it had ended");
    let progress = IngestProgress::default();
    assert!(!test.store.mark_ingest(job.id, IngestState::Cutting, progress).await.unwrap());
    let late = test.store.put_document(job.id, content("a", &["one"]), BOUNDS).await;
    assert!(matches!(late, Err(DocumentRefused::Ended)), "{late:?}");
    assert_eq!(counts(&test).await, (0, 0, 0));
    assert_eq!(test.store.ingest_file(job.id).await.unwrap(), None);

    for nth in 0..4 {
        queue(&test, &who, (scope, &format!("{nth}.md"))).await.unwrap();
    }
    let full = queue(&test, &who, (scope, "one more.md")).await;
    assert!(matches!(full, Err(DocumentRefused::QueueFull { max: 4 })), "a share: {full:?}");
    let lee = member(&test, "lee", Role::Editor).await;
    for nth in 0..4 {
        let of = (Scope::User(lee.user()), format!("{nth}.md"));
        queue(&test, &lee, (of.0, &of.1)).await.unwrap();
    }
    let full = queue(&test, &admin(&test).await, (Scope::Global, "one more.md")).await;
    assert!(matches!(full, Err(DocumentRefused::QueueFull { max: 8 })), "{full:?}");
    let jobs = test.store.ingest_jobs(scope, Page::default()).await.unwrap();
    assert_eq!(jobs.len(), 5);
    let first =
        test.store.end_ingest(jobs[0].id, Some("DAMAGED".to_owned())).await.unwrap().unwrap();
    assert_eq!((first.state, first.code.as_deref()), (IngestState::Failed, Some("DAMAGED")));
    queue(&test, &who, (scope, "one more.md")).await.unwrap();
}

#[tokio::test]
async fn the_uploads_of_a_scope_have_a_bound() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let sized = |name: &str, bytes: usize| NewIngest { file: vec![7; bytes], ..file(scope, name) };
    let asked = |new| test.store.queue_ingest(DocumentAuthor::of(&who), new, BOUNDS);
    let is_full = |told: Result<IngestJobRow, DocumentRefused>| {
        assert!(
            matches!(
                told,
                Err(DocumentRefused::Full { capacity: Capacity::ScopeBytes, max: 1024 })
            ),
            "{told:?}"
        );
    };
    let first = asked(sized("a.md", 1000)).await.unwrap();
    is_full(asked(sized("b.md", 25)).await);
    test.store.put_document(first.id, content("a", &["one"]), BOUNDS).await.unwrap();
    is_full(asked(sized("b.md", 25)).await);
    let again = asked(sized("a.md", 1024)).await.unwrap();
    test.store.end_ingest(again.id, None).await.unwrap();
    asked(sized("b.md", 24)).await.unwrap();
    let project = Scope::Project(test.project);
    asked(NewIngest { scope: project, ..sized("a.md", 1024) }).await.unwrap();
    let folder = NewIngest { origin: DocumentOrigin::Folder, ..sized("c.md", 2000) };
    test.store.queue_ingest(DocumentAuthor::folder(), folder, BOUNDS).await.unwrap();
}

#[tokio::test]
async fn the_file_of_an_ingest_that_ends_leaves_nothing_on_free_pages() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, scope) = (test.principal().await, Scope::User(test.user));
    let bounds = IngestBounds { scope_bytes_max: 1_000_000, ..BOUNDS };
    for code in [None, Some("DAMAGED".to_owned())] {
        // Its end stands on a page of its own.
        let long = format!("{}CANARY", "x".repeat(100_000)).into_bytes();
        let new = NewIngest { file: long, ..file(scope, "a.md") };
        let job = test.store.queue_ingest(DocumentAuthor::of(&who), new, bounds).await.unwrap();
        checkpointed(folder.path());
        assert!(holds(folder.path(), "CANARY"));
        test.store.end_ingest(job.id, code).await.unwrap();
        checkpointed(folder.path());
        assert!(!holds(folder.path(), "CANARY"));
    }
}

#[tokio::test]
async fn a_start_reads_each_document_once_with_its_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let before = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, root) = (before.principal().await, admin(&before).await);
    let long: Vec<String> = (0..3_000).map(|nth| format!("text {nth}")).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let mut ids = Vec::new();
    for name in ["a.md", "b.md"] {
        ids.push(put(&before, &who, (Scope::Project(before.project), name), &long).await.id);
    }
    ids.push(put(&before, &root, (Scope::Global, "c.md"), &["all", "of us"]).await.id);
    let test = before.reopened(folder.path()).await.unwrap();
    let (mut found, mut batches, mut after) = (Vec::new(), 0, None);
    loop {
        let batch = test.store.documents_at_start(Some(MODEL), after).await.unwrap();
        let Some(last) = batch.last else { break };
        after = Some(last);
        batches += 1;
        found.extend(batch.documents);
    }
    assert_eq!(found.iter().map(|document| document.id).collect::<Vec<_>>(), ids);
    assert_eq!(batches, 2, "two long ones are more than one batch");
    for (document, texts) in found.iter().zip([&long[..], &long[..], &["all", "of us"]]) {
        assert_eq!(document.chunks.len(), texts.len());
        for (chunk, text) in document.chunks.iter().zip(texts) {
            assert_eq!(
                (chunk.hash, chunk.passage, chunk.number),
                (hash(text), chunk.number, chunk.number)
            );
            assert_eq!((chunk.vector.as_deref(), chunk.terms.len()), (Some(text.as_bytes()), 3));
        }
    }
    let none = test.store.documents_at_start(None, Some(ids[1])).await.unwrap().documents;
    assert_eq!((none.len(), none[0].chunks[0].vector.as_deref()), (1, None));
    test.store.set_terms(ids[2], vec![(1, vec![9])]).await.unwrap();
    let one = test.store.library_document(Some("another"), ids[2]).await.unwrap().unwrap();
    assert_eq!((one.chunks[1].terms.as_slice(), one.chunks[0].terms.len()), ([9].as_slice(), 3));
    let texts = test.store.chunk_texts(ids[2]).await.unwrap();
    assert_eq!(texts, [(0, "all".to_owned()), (1, "of us".to_owned())]);
}

#[tokio::test]
async fn the_audit_has_who_and_how_much_and_no_word() {
    let test = TestStore::memory(permissive()).await;
    let (who, project) = (test.principal().await, Scope::Project(test.project));
    let row = put(&test, &who, (project, "CANARY.md"), &["CANARY one"]).await;
    put(&test, &who, (project, "CANARY.md"), &["CANARY two"]).await;
    let title = "CANARY".to_owned();
    test.store.rename_document(DocumentAuthor::of(&who), (row.id, 2), title).await.unwrap();
    test.store.remove_document(DocumentAuthor::of(&who), row.id).await.unwrap();
    put(&test, &who, (Scope::User(test.user), "CANARY.md"), &["CANARY one"]).await;
    let ours = records(&test, Chain::Project(test.project)).await;
    let kinds: Vec<&str> = ours.iter().map(|row| row.kind.as_str()).collect();
    let all = ["document.ingested", "document.replaced", "document.renamed", "document.removed"];
    assert_eq!(kinds, all);
    let own = records(&test, Chain::Server).await;
    assert_eq!(own.len(), 1);
    for record in ours.iter().chain(&own) {
        assert!(!record.body.to_string().contains("CANARY"), "{}", record.body);
        assert_eq!(record.body["by"], serde_json::json!(test.user));
    }
    assert_ne!(ours[0].body["documentHmac"], ours[1].body["documentHmac"]);
}

#[tokio::test]
async fn an_erasure_takes_a_scopes_documents_and_files_that_wait() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, root) = (test.principal().await, admin(&test).await);
    let (own, project) = (Scope::User(test.user), Scope::Project(test.project));
    let ours = put(&test, &who, (project, "a.md"), &["shared", "ours"]).await;
    let mine = put(&test, &who, (own, "a.md"), &["shared", "mine"]).await;
    let waiting = queue(&test, &who, (own, "b.md")).await.unwrap();
    let erase = |scope, before| test.store.erase_texts(&root, scope, before, "asked for");
    let person = ErasureScope::Person(test.user);
    let none = erase(person, Some(mine.updated_at)).await.unwrap();
    assert_eq!((none.erasure.documents, none.documents.len()), (0, 0), "it is newer");
    let taken = erase(person, None).await.unwrap();
    assert_eq!(
        (taken.erasure.documents, taken.documents.as_slice()),
        (1, [(own, mine.id)].as_slice())
    );
    assert_eq!(test.store.document(mine.id).await.unwrap(), None);
    assert_eq!(test.store.ingest_job(waiting.id).await.unwrap(), None);
    let late = test.store.put_document(waiting.id, content("b", &["late"]), BOUNDS).await;
    assert!(matches!(late, Err(DocumentRefused::Ended)), "{late:?}");
    assert_eq!(test.store.document(ours.id).await.unwrap().as_ref(), Some(&ours));
    assert_eq!(counts(&test).await, (1, 2, 2));
    let taken = erase(ErasureScope::Project(test.project), None).await.unwrap();
    assert_eq!((taken.erasure.documents, counts(&test).await), (1, (0, 0, 0)));
    assert_eq!(test.store.erasures().await.unwrap()[0].documents, 1);
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn an_erasure_that_fails_tells_what_it_took() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, root) = (test.principal().await, admin(&test).await);
    let scope = Scope::Project(test.project);
    let row = put(&test, &who, (scope, "a.md"), &["one"]).await;
    let file = rusqlite::Connection::open(folder.path().join("wiiiv.db")).unwrap();
    let refuses = "CREATE TRIGGER refuses BEFORE UPDATE OF erased_at ON session \
                   BEGIN SELECT RAISE(ABORT, 'not now'); END";
    file.execute_batch(refuses).unwrap();
    let project = ErasureScope::Project(test.project);
    let failed = test.store.erase_texts(&root, project, None, "asked for").await.unwrap_err();
    assert_eq!(failed.documents, [(scope, row.id)]);
    assert_eq!(test.store.document(row.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_document_that_was_changed_in_the_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    put(&test, &who, (scope, "a.md"), &["one", "two"]).await;
    let gone = put(&test, &who, (scope, "b.md"), &["one"]).await;
    test.store.remove_document(DocumentAuthor::of(&who), gone.id).await.unwrap();
    put(&test, &who, (Scope::User(test.user), "a.md"), &["one"]).await;
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    let other = "user:0190b2c4-0000-7000-8000-000000000001";
    let moved = format!("UPDATE document SET scope = '{other}' WHERE scope LIKE 'user:%'");
    for (change, back) in [
        ("UPDATE document SET title = title || 'x'", "UPDATE document SET title = 'a.md'"),
        ("UPDATE document SET version = version + 1", "UPDATE document SET version = version - 1"),
        (
            "UPDATE document_passage SET text = text || 'x'",
            "UPDATE document_passage SET text = rtrim(text, 'x')",
        ),
        ("UPDATE document_passage SET page = 4", "UPDATE document_passage SET page = 3"),
        ("UPDATE chunk SET uses = uses + 1", "UPDATE chunk SET uses = uses - 1"),
        (moved.as_str(), ""),
    ] {
        by_hand(folder.path(), change).await;
        let found = looked(folder.path()).await;
        assert!(matches!(&found, AuditFit::Changed(_)), "{change}: {found:?}");
        if !back.is_empty() {
            by_hand(folder.path(), back).await;
            assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{back}");
        }
    }
}

#[tokio::test]
async fn vectors_of_a_scope_are_those_of_its_own_documents() {
    let test = TestStore::memory(permissive()).await;
    let (who, store) = (test.principal().await, &test.store);
    let (project, own) = (Scope::Project(test.project), Scope::User(test.user));
    put(&test, &who, (own, "mine.md"), &["mine"]).await;
    assert_eq!(store.projects_with_documents().await.unwrap(), []);
    let row = put(&test, &who, (project, "ours.md"), &["one", "two"]).await;
    assert_eq!(store.projects_with_documents().await.unwrap(), [test.project]);

    // By name, dimensions and project: the one that most have, and none whose name goes on.
    let kept = |name: &str| format!("{name}#{}", test.project);
    for (embedder, texts) in [
        (kept("custom:e:8"), &["one", "two", "mine"][..]),
        (kept("custom:e:16"), &["one"]),
        (kept("custom:e:other:8"), &["one", "two"]),
        (format!("custom:e:4#{}", test.user), &["one", "two"]),
        ("custom:e:2".to_owned(), &["one", "two"]),
    ] {
        let vectors = texts.iter().map(|text| (hash(text), vec![0; 4])).collect();
        store.put_vectors_in(project, &embedder, vectors).await.unwrap();
    }
    let found = store.embedder_in(project, "custom:e").await.unwrap();
    assert_eq!(found, Some(kept("custom:e:8")));
    let of_others = store.vectors(&kept("custom:e:8"), &[hash("mine")]).await.unwrap();
    assert!(of_others.is_empty(), "the project has no such text");
    for (scope, name) in [(project, "custom"), (own, "custom:e:other"), (project, "openai:e")] {
        assert_eq!(store.embedder_in(scope, name).await.unwrap(), None, "{scope} {name}");
    }
    assert_eq!(store.missing_in(project, &kept("custom:e:16")).await.unwrap(), 1);
    let missing =
        store.texts_without_vector_in(project, &kept("custom:e:16"), (None, 9)).await.unwrap();
    assert_eq!(missing, [(hash("two"), "two".to_owned())]);
    let behind = (Some(hash("two")), 9);
    let rest = store.texts_without_vector_in(project, "none", behind).await.unwrap();
    assert_eq!(rest.len(), usize::from(hash("one") > hash("two")));

    let documents =
        store.documents_of_scope(project, Some(&kept("custom:e:16")), None).await.unwrap();
    let [document] = documents.documents.as_slice() else { panic!("{documents:?}") };
    let has: Vec<bool> = document.chunks.iter().map(|chunk| chunk.vector.is_some()).collect();
    assert_eq!((document.id, has), (row.id, vec![true, false]));
    let behind = store.documents_of_scope(project, None, Some(row.id)).await.unwrap();
    assert!(behind.documents.is_empty() && behind.last.is_none(), "{behind:?}");

    let before = store.embedders().await.unwrap();
    store.drop_other_dimensions(project, "custom:e", &kept("custom:e:16")).await.unwrap();
    let left: Vec<String> =
        before.iter().filter(|name| **name != kept("custom:e:8")).cloned().collect();
    assert_eq!(store.embedders().await.unwrap(), left, "of others everything stays");
    assert_eq!(left.len() + 1, before.len());
}

#[tokio::test]
async fn an_ingest_that_is_ready_says_why_its_texts_have_no_vector() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let job = queue(&test, &who, (scope, "a.md")).await.unwrap();
    assert!(test.store.may_ingest(&job).await.unwrap());
    let not_embedded = Some("NOT_EMBEDDED");
    let after = AfterPut::Ready(not_embedded);
    let content = DocumentContent { vectors: None, after, ..content("A", &["one"]) };
    test.store.put_document(job.id, content, BOUNDS).await.unwrap();
    let ended = test.store.ingest_job(job.id).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.code.as_deref()), (IngestState::Ready, not_embedded));
}

#[tokio::test]
async fn an_ingest_whose_document_is_there_is_embedded_and_then_ready() {
    let test = TestStore::memory(permissive()).await;
    let (who, scope) = (test.principal().await, Scope::Project(test.project));
    let later =
        || DocumentContent { vectors: None, after: AfterPut::Embedding, ..content("A", &["one"]) };
    let job = queue(&test, &who, (scope, "a.md")).await.unwrap();
    let row = test.store.put_document(job.id, later(), BOUNDS).await.unwrap();
    let open = test.store.ingest_job(job.id).await.unwrap().unwrap();
    assert_eq!((open.state, open.document), (IngestState::Embedding, Some(row.id)));
    assert_eq!(test.store.ingest_file(job.id).await.unwrap(), None, "its file is gone");
    let again = test.store.put_document(job.id, later(), BOUNDS).await;
    assert!(matches!(again, Err(DocumentRefused::Ended)), "{again:?}");
    // What is broken off stays, and is found by its words.
    let ended = test.store.end_ingest(job.id, None).await.unwrap().unwrap();
    let cancelled = Some("NOT_EMBEDDED_CANCELLED");
    assert_eq!((ended.state, ended.code.as_deref()), (IngestState::Ready, cancelled));

    // Whoever put the former version pays for nothing of the new one.
    let former = queue(&test, &who, (scope, "b.md")).await.unwrap();
    test.store.put_document(former.id, later(), BOUNDS).await.unwrap();
    let new = queue(&test, &who, (scope, "b.md")).await.unwrap();
    test.store.put_document(new.id, later(), BOUNDS).await.unwrap();
    let state = async |id| test.store.ingest_job(id).await.unwrap().map(|job| job.state);
    assert_eq!(state(former.id).await, Some(IngestState::Ready));
    assert_eq!(state(new.id).await, Some(IngestState::Embedding));
    assert!(test.store.end_embedding(new.id, None).await.unwrap());
    assert_eq!(state(new.id).await, Some(IngestState::Ready));
    assert!(!test.store.end_embedding(new.id, None).await.unwrap(), "once");
}

/// Else what it pays when it is added again would tell whether others hold it.
#[tokio::test]
async fn vectors_of_a_project_go_with_its_last_document_that_has_the_text() {
    let test = TestStore::memory(permissive()).await;
    let (who, store) = (test.principal().await, &test.store);
    let (project, own) = (Scope::Project(test.project), Scope::User(test.user));
    put(&test, &who, (own, "mine.md"), &["one", "two"]).await;
    let row = put(&test, &who, (project, "ours.md"), &["one", "two"]).await;
    let kept = format!("custom:e:8#{}", test.project);
    let vectors = ["one", "two"].map(|text| (hash(text), vec![0; 4])).to_vec();
    store.put_vectors_in(project, &kept, vectors).await.unwrap();
    let has = async |text| !store.vectors(&kept, &[hash(text)]).await.unwrap().is_empty();
    put(&test, &who, (project, "ours.md"), &["one"]).await;
    assert!(has("one").await && !has("two").await, "a new version has one of them");
    store.remove_document(DocumentAuthor::of(&who), row.id).await.unwrap();
    assert!(!has("one").await);
    assert_eq!(
        store.vectors(MODEL, &[hash("one")]).await.unwrap().len(),
        1,
        "this machine's stays"
    );
}
