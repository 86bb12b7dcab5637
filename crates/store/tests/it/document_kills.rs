//! The process is killed at each commit of an ingest: what was acknowledged is there, and nothing is there by half.

use crate::{
    documents::{BOUNDS, content, file, put},
    seals::looked,
    test_store::{TestStore, keys, now, opened, permissive, store_on},
};
use std::{fs, path::Path, process::Command};
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_store::{
    AuditFit, DocumentAuthor, IngestProgress, IngestState, Page, Store, StoreConfig,
};

const TEST: &str = "document_kills::a_kill_at_each_commit_of_an_ingest_leaves_no_half_document";
/// How the child is told what it is to do.
const FOLDER: &str = "WIIIV_TEST_FOLDER";
const FAULT: &str = "WIIIV_TEST_FAULT";
/// Who works, and where.
const WHO: &str = "who";
/// What was acknowledged, a line each.
const LOG: &str = "log";
/// Commits of the child's work: queued, read, put, and the other one removed.
const COMMITS: u64 = 4;
const BEFORE: [&str; 2] = ["one", "two"];
const AFTER: [&str; 3] = ["one", "TWO", "three"];

fn scope(folder: &Path) -> (String, Scope) {
    let text = fs::read_to_string(folder.join(WHO)).unwrap();
    let (token, project) = text.split_once(' ').unwrap();
    (token.to_owned(), Scope::Project(project.parse().unwrap()))
}

/// As the process that is killed: another file takes the place of `a.md`, and `b.md` goes.
async fn live(folder: &Path, fault: &str) {
    let faults = Some(fault.parse().unwrap());
    let config = StoreConfig { faults, ..StoreConfig::file(folder.join("wiiiv.db")) };
    let store = Store::open(config, opened().registrar, keys("07")).await.unwrap();
    let (token, scope) = scope(folder);
    let who = store.authenticate(token.as_str(), scope.project(), now()).await.unwrap();
    let done = |word: &str| {
        let before = fs::read_to_string(folder.join(LOG)).unwrap_or_default();
        fs::write(folder.join(LOG), format!("{before}{word}\n")).unwrap();
    };
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
    let log = fs::read_to_string(folder.join(LOG)).unwrap_or_default();
    let has = |word: &str| log.lines().any(|line| line == word);
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
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", TEST]).env(FOLDER, folder).env(FAULT, &fault);
            let ended = child.output().unwrap();
            assert!(!ended.status.success(), "{fault} was not reached");
            check(folder, &fault).await;
        }
    }
}
