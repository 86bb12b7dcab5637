//! The process is killed at each commit of an ingest: what was acknowledged is there, and nothing is there by half.

use crate::{
    documents::{BOUNDS, content, file, hash, put},
    seals::looked,
    test_store::{TestStore, keys, now, opened, permissive, store_on},
};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_store::{
    AfterPut, AuditFit, DocumentAuthor, DocumentContent, DocumentRow, IngestJobRow, IngestProgress,
    IngestState, Page, Store, StoreConfig,
};

const TEST: &str = "document_kills::a_kill_at_each_commit_of_an_ingest_leaves_no_half_document";
const EMBEDDED_TEST: &str =
    "document_kills::a_kill_at_each_commit_of_an_embedding_loses_nothing_that_was_kept";
/// How the child is told what it is to do.
const FOLDER: &str = "WIIIV_TEST_FOLDER";
const FAULT: &str = "WIIIV_TEST_FAULT";
/// Whose model embeds: `local`, this machine's, or `provider`.
const BY: &str = "WIIIV_TEST_BY";
/// Who works, and where.
const WHO: &str = "who";
/// What was acknowledged, a line each.
const LOG: &str = "log";
/// Commits of the child's work: queued, read, put, and the other one removed.
const COMMITS: u64 = 4;
/// Of one whose texts are embedded behind it: queued, put, a batch kept, counted, another batch kept, ended.
const EMBEDDED_COMMITS: u64 = 6;
const BEFORE: [&str; 2] = ["one", "two"];
const AFTER: [&str; 3] = ["one", "TWO", "three"];

fn scope(folder: &Path) -> (String, Scope) {
    let text = fs::read_to_string(folder.join(WHO)).unwrap();
    let (token, project) = text.split_once(' ').unwrap();
    (token.to_owned(), Scope::Project(project.parse().unwrap()))
}

async fn killed_store(folder: &Path, fault: &str) -> Store {
    let faults = Some(fault.parse().unwrap());
    let config = StoreConfig { faults, ..StoreConfig::file(folder.join("wiiiv.db")) };
    Store::open(config, opened().registrar, keys("07")).await.unwrap()
}

/// It was acknowledged.
fn log(folder: &Path, word: &str) {
    let before = fs::read_to_string(folder.join(LOG)).unwrap_or_default();
    fs::write(folder.join(LOG), format!("{before}{word}\n")).unwrap();
}

fn logged(folder: &Path, word: &str) -> bool {
    let log = fs::read_to_string(folder.join(LOG)).unwrap_or_default();
    log.lines().any(|line| line == word)
}

/// This test once more, as the process that is killed.
fn child(folder: &Path, (test, fault): (&str, &str), by: &str) -> Output {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test]).env(FOLDER, folder).env(FAULT, fault).env(BY, by);
    child.output().unwrap()
}

/// As the process that is killed: another file takes the place of `a.md`, and `b.md` goes.
async fn live(folder: &Path, fault: &str) {
    let store = killed_store(folder, fault).await;
    let (token, scope) = scope(folder);
    let who = store.authenticate(token.as_str(), scope.project(), now()).await.unwrap();
    let done = |word: &str| log(folder, word);
    let author = || DocumentAuthor::of(&who);
    let job = store.queue_ingest(author(), file(scope, "a.md"), BOUNDS).await.unwrap();
    done("queued");
    let progress = IngestProgress::default();
    assert!(store.mark_ingest(job.id, IngestState::Reading, progress).await.unwrap());
    done("read");
    store.put_document(job.id, content("a.md", &AFTER), BOUNDS).await.unwrap();
    done("put");
    let all = store.documents(scope, Page::default()).await.unwrap();
    let other = all.iter().find(|row| row.file_name == "b.md").unwrap();
    store.remove_document(author(), other.id).await.unwrap();
    done("removed");
}

async fn texts(store: &Store, of: (DocumentId, Scope)) -> Vec<String> {
    let passages = store.passages(of, None, 99).await.unwrap();
    passages.into_iter().map(|passage| passage.text).collect()
}

async fn check(folder: &Path, fault: &str) {
    let has = |word: &str| logged(folder, word);
    let store = store_on(folder).await;
    let (_, scope) = scope(folder);
    let all = store.documents(scope, Page::default()).await.unwrap();
    let named = |name: &str| all.iter().find(|row| row.file_name == name);
    let a = named("a.md").unwrap();
    let found = texts(&store, (a.id, scope)).await;
    match a.version {
        1 => assert!(found == BEFORE && !has("put"), "{fault}: {found:?}"),
        _ => assert_eq!((a.version, found.as_slice()), (2, AFTER.map(str::to_owned).as_slice())),
    }
    assert!(named("b.md").is_some() || a.version == 2, "{fault}: in its order");
    assert!(named("b.md").is_none() || !has("removed"), "{fault}");
    let open = store.open_ingests().await.unwrap();
    assert_eq!(open.len(), usize::from(a.version == 1 && !open.is_empty()), "{fault}: {open:?}");
    assert!(!open.is_empty() || a.version == 2 || !has("queued"), "{fault}: it is not lost");
    for job in &open {
        assert_eq!(store.ingest_file(job.id).await.unwrap().as_deref(), Some(b"a.md".as_slice()));
    }
    drop(store);
    assert_eq!(looked(folder).await, AuditFit::Whole, "{fault}");
}

#[tokio::test]
async fn a_kill_at_each_commit_of_an_ingest_leaves_no_half_document() {
    if let (Ok(folder), Ok(fault)) = (std::env::var(FOLDER), std::env::var(FAULT)) {
        return live(Path::new(&folder), &fault).await;
    }
    for nth in 1..=COMMITS {
        for side in ["before", "after"] {
            let (home, fault) = (tempfile::tempdir().unwrap(), format!("P:{side}:{nth}"));
            let folder = home.path();
            let test = TestStore::on_disk(folder, permissive()).await;
            let (who, scope) = (test.principal().await, Scope::Project(test.project));
            put(&test, &who, (scope, "a.md"), &BEFORE).await;
            put(&test, &who, (scope, "b.md"), &["one"]).await;
            fs::write(folder.join(WHO), format!("{} {}", test.token, test.project)).unwrap();
            drop(test);
            let ended = child(folder, (TEST, &fault), "");
            assert!(!ended.status.success(), "{fault} was not reached");
            check(folder, &fault).await;
        }
    }
}

/// What its vectors are kept under.
fn embedder(by: &str, scope: Scope) -> String {
    match (by, scope.project()) {
        ("provider", Some(project)) => format!("custom:e:4#{project}"),
        _ => "local:double".to_owned(),
    }
}

async fn keep(store: &Store, scope: Scope, by: &str, texts: &[&str]) {
    let vectors = texts.iter().map(|text| (hash(text), vec![0; 4])).collect();
    let embedder = embedder(by, scope);
    match by {
        "provider" => store.put_vectors_in(scope, &embedder, vectors).await.unwrap(),
        _ => store.put_vectors(&embedder, vectors).await.unwrap(),
    }
}

/// As the process that is killed: a file is put, and its texts are embedded in two batches.
async fn embed_live(folder: &Path, fault: &str, by: &str) {
    let store = killed_store(folder, fault).await;
    let (token, scope) = scope(folder);
    let who = store.authenticate(token.as_str(), scope.project(), now()).await.unwrap();
    let author = DocumentAuthor::of(&who);
    let job = store.queue_ingest(author, file(scope, "a.md"), BOUNDS).await.unwrap();
    log(folder, "queued");
    let after = AfterPut::Embedding;
    let content = DocumentContent { vectors: None, after, ..content("a.md", &AFTER) };
    store.put_document(job.id, content, BOUNDS).await.unwrap();
    log(folder, "put");
    keep(&store, scope, by, &AFTER[..1]).await;
    log(folder, "first");
    let progress = IngestProgress { to_embed: 3, embedded: 1, ..IngestProgress::default() };
    assert!(store.mark_ingest(job.id, IngestState::Embedding, progress).await.unwrap());
    log(folder, "counted");
    keep(&store, scope, by, &AFTER[1..]).await;
    log(folder, "second");
    assert!(store.end_embedding(job.id, None).await.unwrap());
    log(folder, "ended");
}

async fn embed_check(folder: &Path, fault: &str, by: &str) {
    let store = store_on(folder).await;
    let (_, scope) = scope(folder);
    let (rows, open) = (
        store.documents(scope, Page::default()).await.unwrap(),
        store.open_ingests().await.unwrap(),
    );
    let embedder = embedder(by, scope);
    match (rows.as_slice(), open.as_slice()) {
        ([], []) => assert!(!logged(folder, "queued"), "{fault}: it is not lost"),
        ([], [job]) => {
            assert!(!logged(folder, "put") && job.document.is_none(), "{fault}: {job:?}");
            let bytes = store.ingest_file(job.id).await.unwrap();
            assert_eq!(bytes.as_deref(), Some(b"a.md".as_slice()), "{fault}");
            assert_eq!(store.embedders().await.unwrap(), [] as [String; 0], "{fault}");
        }
        ([row], [job]) => embed_rest(&store, (row, job), (by, fault), folder).await,
        ([row], []) => {
            assert_eq!(store.missing_of(row.id, &embedder).await.unwrap(), 0, "{fault}");
        }
        others => panic!("{fault}: {others:?}"),
    }
    assert!(!open.is_empty() || rows.is_empty() || logged(folder, "second"), "{fault}");
    drop(store);
    assert_eq!(looked(folder).await, AuditFit::Whole, "{fault}");
}

/// It stands open with its document, and what was kept is not made again.
async fn embed_rest(
    store: &Store,
    (row, job): (&DocumentRow, &IngestJobRow),
    (by, fault): (&str, &str),
    folder: &Path,
) {
    assert!(job.document == Some(row.id) && job.state == IngestState::Embedding, "{fault}");
    assert_eq!(store.ingest_file(job.id).await.unwrap(), None, "{fault}");
    assert_eq!(texts(store, (row.id, row.scope)).await, AFTER, "{fault}");
    let embedder = embedder(by, row.scope);
    let missing = store.texts_without_vector_of(row.id, &embedder, 9).await.unwrap();
    let missing: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let most = match ["second", "first"].map(|word| logged(folder, word)) {
        [true, _] => 0,
        [false, true] => 2,
        [false, false] => 3,
    };
    assert!(missing.len() <= most && [0, 2, 3].contains(&missing.len()), "{fault}: {missing:?}");
    keep(store, row.scope, by, &missing).await;
    assert!(store.end_embedding(job.id, None).await.unwrap(), "{fault}");
    assert_eq!(store.missing_of(row.id, &embedder).await.unwrap(), 0, "{fault}");
}

#[tokio::test]
async fn a_kill_at_each_commit_of_an_embedding_loses_nothing_that_was_kept() {
    if let (Ok(folder), Ok(fault)) = (std::env::var(FOLDER), std::env::var(FAULT)) {
        let by = std::env::var(BY).unwrap();
        return embed_live(Path::new(&folder), &fault, &by).await;
    }
    // What comes before the first batch is the same for both.
    for (by, first) in [("local", 1), ("provider", 3)] {
        for nth in first..=EMBEDDED_COMMITS {
            for side in ["before", "after"] {
                embed_kill((by, &format!("P:{side}:{nth}")), true).await;
            }
        }
        embed_kill((by, &format!("P:before:{}", EMBEDDED_COMMITS + 1)), false).await;
    }
}

async fn embed_kill((by, fault): (&str, &str), is_reached: bool) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let test = TestStore::on_disk(folder, permissive()).await;
    fs::write(folder.join(WHO), format!("{} {}", test.token, test.project)).unwrap();
    drop(test);
    let ended = child(folder, (EMBEDDED_TEST, fault), by);
    assert_eq!(!ended.status.success(), is_reached, "{by} {fault}");
    embed_check(folder, fault, by).await;
}
