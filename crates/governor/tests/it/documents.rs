//! Documents: who finds and changes them, their ingest, and what a restart leaves of both.

use crate::test_governor::{Person, Setup, TestGovernor, now, person, policy};
use sea_orm::ConnectionTrait as _;
use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use wiiiv_domain::{ContentDigest, DocumentId, ProjectId, Scope};
use wiiiv_gate::Principal;
use wiiiv_governor::{
    DocumentDeps, DocumentError, EmbedKind, FoundPassages, Governor, SearchDocuments, TextEmbedder,
    Upload, WatchedFolder,
};
use wiiiv_store::{
    DocumentAuthor, DocumentOrigin, DocumentRow, ErasureScope, IngestBounds, IngestJobRow,
    IngestState, NewIngest, Page, Role,
};
use wiiiv_workspace::DocumentsFolder;

/// What does not come by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

/// A model that counts what it is asked, and waits while it is shut, or behind so many texts. It knows letters, and no
/// meaning.
pub struct Double {
    name: &'static str,
    passages: AtomicUsize,
    is_shut: AtomicBool,
    most: AtomicUsize,
    /// It fails for texts with this in them.
    refused: Mutex<Option<&'static str>>,
}

impl Double {
    pub fn new(name: &'static str, is_shut: bool) -> Arc<Self> {
        let (passages, is_shut) = (AtomicUsize::new(0), AtomicBool::new(is_shut));
        let most = AtomicUsize::new(usize::MAX);
        Arc::new(Self { name, passages, is_shut, most, refused: Mutex::new(None) })
    }
    pub fn asked(&self) -> usize {
        self.passages.load(Ordering::SeqCst)
    }
    pub fn refuse(&self, word: &'static str) {
        *self.refused.lock().unwrap() = Some(word);
    }
    pub fn shut_behind(&self, most: usize) {
        self.most.store(most, Ordering::SeqCst);
    }
    pub fn shut(&self, is_shut: bool) {
        self.is_shut.store(is_shut, Ordering::SeqCst);
    }
}

impl TextEmbedder for Double {
    fn name(&self) -> &str {
        self.name
    }
    fn embed(&self, text: &str, kind: EmbedKind) -> Result<Vec<f32>, String> {
        if kind == EmbedKind::Passage {
            let nth = self.passages.fetch_add(1, Ordering::SeqCst) + 1;
            let waits = || self.is_shut.load(Ordering::SeqCst);
            while waits() || nth > self.most.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(2));
            }
            let refused = *self.refused.lock().unwrap();
            if refused.is_some_and(|word| text.contains(word)) {
                return Err("it is refused".to_owned());
            }
        }
        let mut numbers = vec![1.0; 16];
        for byte in text.bytes() {
            numbers[usize::from(byte % 16)] += 1.0;
        }
        Ok(numbers)
    }
}

pub fn with(doubles: &[&Arc<Double>]) -> Setup {
    let embedders = doubles.iter().map(|double| Arc::clone(double) as Arc<dyn TextEmbedder>);
    let documents = DocumentDeps { embedders: embedders.collect(), folder: None };
    Setup { documents, ..Setup::default() }
}

pub async fn until<T, F: Future<Output = Option<T>>>(look: impl Fn() -> F) -> T {
    let seen = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, seen).await.expect("it must come")
}

pub async fn logged_in(test: &TestGovernor, who: &Person, project: Option<ProjectId>) -> Principal {
    test.governor.store().authenticate(&who.token, project, now()).await.unwrap()
}

/// With an account of their own, and rights in no project of the others.
pub async fn stranger(test: &TestGovernor, name: &str, admin: bool) -> Person {
    wiiiv_testkit::person(test.governor.store(), name, admin, policy(&test.shop)).await
}

pub async fn member(test: &TestGovernor, name: &str, role: Role) -> Principal {
    let store = test.governor.store();
    let (_, person) = person(store, name, policy(&test.shop)).await;
    let roles = BTreeSet::from([role]);
    store.set_roles(test.project, person.user, roles, test.owner.user).await.unwrap();
    test.principal(&person).await
}

pub fn upload(name: &str, text: &str) -> Upload {
    let bytes = text.as_bytes().to_vec();
    Upload { name: name.to_owned(), title: None, media_type: None, bytes }
}

pub async fn ended(governor: &Governor, job: &IngestJobRow) -> IngestJobRow {
    until(|| async {
        let row = governor.store().ingest_job(job.id).await.unwrap().unwrap();
        row.state.has_ended().then_some(row)
    })
    .await
}

/// Ingested to its end.
pub async fn put(test: &TestGovernor, who: &Principal, scope: Scope, file: Upload) -> DocumentRow {
    let documents = test.governor.documents();
    let job = documents.ingest(who, scope, file).await.unwrap();
    ended(&test.governor, &job).await;
    // What is told to be ready is found.
    let done = documents.ingest_job(who, job.id).await.unwrap();
    assert_eq!((done.state, done.code.as_deref()), (IngestState::Ready, None));
    documents.document(who, done.document.unwrap()).await.unwrap()
}

pub async fn search(governor: &Governor, who: &Principal, text: &str) -> FoundPassages {
    let wanted = SearchDocuments { project: who.project(), text: text.to_owned(), limit: 50 };
    governor.documents().search_documents(who, wanted).await.unwrap()
}

pub async fn found(governor: &Governor, who: &Principal, text: &str) -> BTreeSet<DocumentId> {
    search(governor, who, text).await.hits.into_iter().map(|hit| hit.document).collect()
}

/// Sections of their own, so that a change of one leaves the others.
pub fn handbook(changed: Option<usize>) -> String {
    let section = |nth: usize| {
        let word = if changed == Some(nth) { "avocado" } else { "apricot" };
        let text = format!("Section {nth} tells how the {word} number {nth} is stored and sold. ");
        format!("## Chapter {nth}\n\n{}\n\n", text.repeat(20))
    };
    (0..12).map(section).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_sees_their_scopes_and_nothing_else() {
    let test = TestGovernor::new().await;
    let (kim, root) = (test.owner.clone(), stranger(&test, "root", true).await);
    let lee = stranger(&test, "lee", false).await;
    let own = |who: &Person| Scope::User(who.user);
    let kim_there = test.principal(&kim).await;
    let root_there = logged_in(&test, &root, None).await;
    let lee_there = logged_in(&test, &lee, Some(lee.personal)).await;
    let mut documents = Vec::new();
    for (who, scope) in [
        (&root_there, Scope::Global),
        (&kim_there, Scope::Project(test.project)),
        (&kim_there, own(&kim)),
        (&lee_there, own(&lee)),
        (&lee_there, Scope::Project(lee.personal)),
    ] {
        documents.push(put(&test, who, scope, upload("a.md", "The paprika is red.")).await);
    }
    let vic = member(&test, "vic", Role::Viewer).await;
    let all = test.governor.documents();
    for (name, who, seen) in [
        ("kim", &kim_there, [true, true, true, false, false]),
        ("lee", &lee_there, [true, false, false, true, true]),
        ("vic", &vic, [true, true, false, false, false]),
        ("root", &root_there, [true, false, false, false, false]),
    ] {
        let due = documents.iter().zip(seen).filter(|(_, seen)| *seen);
        let due: BTreeSet<DocumentId> = due.map(|(document, _)| document.id).collect();
        let hits = found(&test.governor, who, "paprika").await;
        // The same text is shown once: of one of the scopes that this person sees.
        assert!(!hits.is_empty() && hits.is_subset(&due), "{name}: {hits:?} of {due:?}");
        for (document, seen) in documents.iter().zip(seen) {
            let (id, scope) = (document.id, document.scope);
            let listed = all.documents(who, scope, Page::default()).await;
            assert_eq!(listed.is_ok(), seen, "{name} {scope}");
            assert_eq!(all.document(who, id).await.is_ok(), seen, "{name} {scope}");
            assert_eq!(all.document_passage(who, id, 0).await.is_ok(), seen, "{name} {scope}");
            if !seen {
                let missing = |refused: Result<(), DocumentError>| {
                    assert!(matches!(refused, Err(DocumentError::NotFound)), "{name}: {refused:?}");
                };
                missing(all.document_passages(who, id, None, 9).await.map(drop));
                missing(all.remove_document(who, id).await);
                missing(all.rename_document(who, (id, 1), "mine").await.map(drop));
                missing(all.ingest(who, scope, upload("b.md", "b")).await.map(drop));
                missing(all.ingest_jobs(who, scope, Page::default()).await.map(drop));
            }
        }
    }
    // A project that somebody names is none of theirs by that.
    let wanted = SearchDocuments { project: Some(test.project), text: "paprika".into(), limit: 9 };
    let hits = all.search_documents(&lee_there, wanted).await.unwrap().hits;
    assert!(hits.iter().all(|hit| hit.scope != Scope::Project(test.project)), "{hits:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_a_scope_does_not_change_it_by_that() {
    let test = TestGovernor::new().await;
    let (kim, root) = (test.principal(&test.owner).await, stranger(&test, "root", true).await);
    let root = logged_in(&test, &root, None).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let project = Scope::Project(test.project);
    let ours = put(&test, &kim, project, upload("a.md", "The paprika is red.")).await;
    let all = put(&test, &root, Scope::Global, upload("a.md", "Olives are green.")).await;
    let documents = test.governor.documents();
    for (who, document) in [(&vic, &ours), (&kim, &all)] {
        let refused = |refused: Result<(), DocumentError>| {
            assert!(matches!(refused, Err(DocumentError::NotAllowed)), "{refused:?}");
        };
        refused(documents.remove_document(who, document.id).await);
        refused(documents.rename_document(who, (document.id, 1), "mine").await.map(drop));
        refused(documents.ingest(who, document.scope, upload("b.md", "b")).await.map(drop));
        refused(documents.ingest_jobs(who, document.scope, Page::default()).await.map(drop));
    }
    let refused = documents.reembed(&kim, Scope::Global).await;
    assert!(matches!(refused, Err(DocumentError::NotAllowed)), "{refused:?}");
    let refused = documents.reembed(&vic, project).await;
    assert!(matches!(refused, Err(DocumentError::NotAllowed)), "{refused:?}");
    let begun = documents.reembed(&root, Scope::Global).await.unwrap();
    assert_eq!(begun.embedder, None, "search is lexical only");
    for name in ["a/b.md", ""] {
        let refused = documents.ingest(&kim, project, upload(name, "x")).await;
        assert!(matches!(refused, Err(DocumentError::Field { field: "name", .. })), "{refused:?}");
    }
    let wanted = SearchDocuments { project: None, text: String::new(), limit: 9 };
    let refused = documents.search_documents(&kim, wanted).await;
    assert!(matches!(refused, Err(DocumentError::Field { field: "text", .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_read_says_why_and_leaves_the_one_before() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let first = put(&test, &who, own, upload("a.md", "The paprika is red.")).await;
    let documents = test.governor.documents();
    for (file, code) in [
        (upload("a.bin", "paprika"), "UNKNOWN_NAME"),
        (upload("a.md", "PK\u{3}\u{4} paprika"), "ARCHIVE"),
        (upload("a.md", ""), "EMPTY"),
    ] {
        let job = documents.ingest(&who, own, file).await.unwrap();
        let done = ended(&test.governor, &job).await;
        assert_eq!((done.state, done.code.as_deref()), (IngestState::Failed, Some(code)));
        let shown = documents.ingest_job(&who, job.id).await.unwrap();
        assert_eq!(shown, done);
        let refused = documents.cancel_ingest(&who, job.id).await;
        assert!(matches!(refused, Err(DocumentError::Ended)), "{refused:?}");
    }
    assert_eq!(found(&test.governor, &who, "paprika").await, [first.id].into());
    let again = put(&test, &who, own, upload("a.md", "The pumpkin is orange.")).await;
    assert_eq!((again.id, again.version), (first.id, 2));
    assert!(found(&test.governor, &who, "paprika").await.is_empty());
    assert_eq!(found(&test.governor, &who, "pumpkin").await, [first.id].into());
}

/// The same file under two names would take two places of a prompt. What is short may be about something else.
#[tokio::test(flavor = "multi_thread")]
async fn a_passage_that_says_the_same_as_another_is_found_once() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let long =
        "The paprika is stored in the cellar, where it is dry, cool and dark, and sold by weight. "
            .repeat(2);
    let other = format!("{long}Its price is told at the counter.");
    for (name, text) in [
        ("stock.txt", long.as_str()),
        ("copy of stock.txt", long.as_str()),
        ("prices.txt", other.as_str()),
        ("Seoul.txt", "Paprika: ten to seven."),
        ("Busan.txt", "Paprika: ten to seven."),
    ] {
        put(&test, &who, own, upload(name, text)).await;
    }
    let hits = search(&test.governor, &who, "paprika").await.hits;
    let mut files: Vec<&str> = hits.iter().map(|hit| hit.file_name.as_str()).collect();
    files.retain(|name| !name.ends_with("stock.txt"));
    files.sort_unstable();
    assert_eq!((hits.len(), files), (4, vec!["Busan.txt", "Seoul.txt", "prices.txt"]));
    let numbers: Vec<u32> = hits.iter().map(|hit| hit.citation).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let wanted = SearchDocuments { project: None, text: "paprika".to_owned(), limit: 4 };
    let few = test.governor.documents().search_documents(&who, wanted).await.unwrap();
    assert_eq!(few.hits.len(), 4, "another one takes the place");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_a_vector_is_not_embedded_again_by_an_edit_or_a_restart() {
    let double = Double::new("local:double", false);
    let test = TestGovernor::with(with(&[&double])).await;
    let (who, project) = (test.principal(&test.owner).await, Scope::Project(test.project));
    let row = put(&test, &who, project, upload("handbook.md", &handbook(None))).await;
    let all = double.asked();
    assert!(row.chunks >= 12 && all as u64 == row.chunks, "{all} of {row:?}");
    put(&test, &who, project, upload("handbook.md", &handbook(None))).await;
    assert_eq!(double.asked(), all, "the same again");
    put(&test, &who, project, upload("handbook.md", &handbook(Some(5)))).await;
    let edited = double.asked() - all;
    assert!(edited > 0 && edited * 2 < all, "{edited} of {all}");
    let documents = test.governor.documents();
    let now = documents.document(&who, row.id).await.unwrap().version;
    let renamed =
        documents.rename_document(&who, (row.id, now), "The citrus manual").await.unwrap();
    assert_eq!((renamed.id, renamed.title.as_str()), (row.id, "The citrus manual"));
    assert!(found(&test.governor, &who, "citrus").await.contains(&row.id));
    let own = Scope::User(test.owner.user);
    put(&test, &who, own, upload("handbook.md", &handbook(Some(5)))).await;
    let before = double.asked();
    assert_eq!(before, all + edited, "neither a title nor another scope embeds anything");

    let test = test.restarted().await;
    let who = test.principal(&test.owner).await;
    let hits = search(&test.governor, &who, "avocado").await;
    assert_eq!(hits.embedder.as_deref(), Some("local:double"));
    assert!(hits.hits.iter().any(|hit| hit.dense.is_some()), "{hits:?}");
    let standing = test.governor.documents().standing().await.unwrap();
    assert_eq!((standing.missing, standing.loaded, standing.documents), (0, true, 2));
    assert_eq!(double.asked(), before, "a restart embeds nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_a_title_leaves_its_document_the_one_that_was_given() {
    let double = Double::new("local:double", false);
    let test = TestGovernor::with(with(&[&double])).await;
    let (who, project) = (test.principal(&test.owner).await, Scope::Project(test.project));
    let bare = |changed| upload("handbook.md", &handbook(changed));
    let titled = Upload { title: Some("The citrus manual".to_owned()), ..bare(None) };
    put(&test, &who, project, titled).await;
    let all = double.asked();
    let same = put(&test, &who, project, bare(None)).await;
    assert_eq!((same.version, same.title.as_str()), (1, "The citrus manual"));
    let edited = put(&test, &who, project, bare(Some(5))).await;
    assert_eq!((edited.version, edited.title.as_str()), (2, "The citrus manual"));
    let asked = double.asked();
    assert!(asked > all && (asked - all) * 2 < all, "{asked} behind {all}");
    let documents = test.governor.documents();
    documents.rename_document(&who, (edited.id, 2), "Fruit").await.unwrap();
    let same = put(&test, &who, project, bare(Some(5))).await;
    assert_eq!((same.version, same.title.as_str()), (3, "Fruit"));
    assert_eq!(double.asked(), asked, "its texts begin with the title that they had");
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_of_an_ingest_tell_nothing_of_other_scopes() {
    let double = Double::new("local:double", false);
    let test = TestGovernor::with(with(&[&double])).await;
    let lee = stranger(&test, "lee", false).await;
    let documents = test.governor.documents();
    let mut counts = Vec::new();
    for person in [&test.owner, &lee, &lee] {
        let who = logged_in(&test, person, None).await;
        let file = upload("handbook.md", &handbook(None));
        let job = documents.ingest(&who, Scope::User(person.user), file).await.unwrap();
        let done = ended(&test.governor, &job).await.progress;
        counts.push((done.to_embed, done.embedded, double.asked() as u64));
    }
    let all = double.asked() as u64;
    assert!(all >= 12, "{counts:?}");
    assert_eq!(counts, [(all, all, all), (all, all, all), (0, 0, all)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_ingest_leaves_nothing_and_the_next_goes_on() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let documents = test.governor.documents();
    put(&test, &who, own, upload("a.md", "Olives are green.")).await;
    // None is begun.
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE UPDATE ON ingest_job WHEN NEW.state = 'reading' \
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    let waits = documents.ingest(&who, own, upload("b.md", &handbook(None))).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let cancelled = documents.cancel_ingest(&who, waits.id).await.unwrap();
    assert_eq!((cancelled.state, cancelled.document), (IngestState::Cancelled, None));
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    put(&test, &who, own, upload("c.md", "The paprika is red.")).await;
    assert_eq!(ended(&test.governor, &waits).await.state, IngestState::Cancelled);
    let listed = documents.documents(&who, own, Page::default()).await.unwrap();
    let names: Vec<&str> = listed.iter().map(|row| row.file_name.as_str()).collect();
    assert_eq!(names, ["c.md", "a.md"]);
    assert!(found(&test.governor, &who, "apricot").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_waits_for_is_done_whole() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let documents = test.governor.documents();
    let cut_off = documents.ingest(&who, own, upload("a.md", "The paprika is red."));
    drop(tokio::time::timeout(Duration::ZERO, cut_off).await);
    let row = until(|| async {
        let rows = documents.documents(&who, own, Page::default()).await.unwrap();
        rows.into_iter().next()
    })
    .await;
    until(|| async {
        found(&test.governor, &who, "paprika").await.contains(&row.id).then_some(())
    })
    .await;
    // Wherever it is cut off.
    let mut patience = Duration::from_micros(1);
    while test.governor.store().document(row.id).await.unwrap().is_some() {
        let cut_off = documents.remove_document(&who, row.id);
        drop(tokio::time::timeout(patience, cut_off).await);
        patience *= 2;
    }
    until(|| async { found(&test.governor, &who, "paprika").await.is_empty().then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ingest_that_is_in_no_queue_is_found_again() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    // What a start goes on with is known then.
    put(&test, &who, own, upload("a.md", "Olives are green.")).await;
    // As where the store failed, or nobody told of it.
    let file = NewIngest {
        scope: own,
        origin: DocumentOrigin::Upload,
        file_name: "lost.md".to_owned(),
        title: None,
        media_type: None,
        file: b"The paprika is red.".to_vec(),
    };
    let author = DocumentAuthor::of(&who);
    let bounds = IngestBounds {
        open_max: 64,
        scope_bytes_max: u64::MAX,
        scope_chunks_max: 1_000,
        chunks_max: 1_000,
    };
    let lost = test.governor.store().queue_ingest(author, file, bounds).await.unwrap();
    put(&test, &who, own, upload("b.md", "Olives are black.")).await;
    assert_eq!(ended(&test.governor, &lost).await.state, IngestState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_removed_is_found_no_more_behind_a_restart_either() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    let gone = put(&test, &who, own, upload("a.md", "The paprika is red.")).await;
    let left = put(&test, &who, own, upload("b.md", "Paprika is green too.")).await;
    let project = Scope::Project(test.project);
    let erased = put(&test, &who, project, upload("c.md", "No paprika is blue.")).await;
    let documents = test.governor.documents();
    documents.remove_document(&who, gone.id).await.unwrap();
    assert_eq!(found(&test.governor, &who, "paprika").await, [left.id, erased.id].into());
    let again = documents.remove_document(&who, gone.id).await;
    assert!(matches!(again, Err(DocumentError::NotFound)), "{again:?}");
    let root = logged_in(&test, &stranger(&test, "root", true).await, None).await;
    // Nobody waits for its answer.
    let scope = ErasureScope::Project(test.project);
    let cut_off = documents.erase_texts(&root, scope, None, "asked for".to_owned());
    drop(tokio::time::timeout(Duration::ZERO, cut_off).await);
    let only_left = BTreeSet::from([left.id]);
    until(|| async { (found(&test.governor, &who, "paprika").await == only_left).then_some(()) })
        .await;
    let test = test.restarted().await;
    let who = test.principal(&test.owner).await;
    assert_eq!(found(&test.governor, &who, "paprika").await, [left.id].into());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_former_model_answers_until_the_new_one_knows_all() {
    let (former, new) = (Double::new("local:former", false), Double::new("local:new", true));
    let setup = with(&[&former]);
    let test = TestGovernor::with(setup.clone()).await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    put(&test, &who, own, upload("a.md", &handbook(None))).await;
    let all = former.asked();
    let documents = with(&[&new, &former]).documents;
    let test = test.restarted_with(Setup { documents, ..setup }).await;
    let who = test.principal(&test.owner).await;
    let hits = search(&test.governor, &who, "apricot").await;
    assert_eq!(hits.embedder.as_deref(), Some("local:former"));
    assert!(hits.hits.iter().any(|hit| hit.dense.is_some()), "{hits:?}");
    let standing = test.governor.documents().standing().await.unwrap();
    assert_eq!((standing.configured.as_deref(), standing.missing), (Some("local:new"), all as u64));
    new.shut(false);
    until(|| async {
        let standing = test.governor.documents().standing().await.unwrap();
        (standing.embedder.as_deref() == Some("local:new")).then_some(())
    })
    .await;
    let hits = search(&test.governor, &who, "apricot").await;
    assert_eq!(hits.embedder.as_deref(), Some("local:new"));
    assert!(hits.hits.iter().any(|hit| hit.dense.is_some()), "{hits:?}");
    assert_eq!((new.asked(), former.asked()), (all, all));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_failed_for_is_embedded_when_it_works_again() {
    let (double, new) = (Double::new("local:double", false), Double::new("local:new", true));
    let setup = Setup::default();
    let test = TestGovernor::with(setup.clone()).await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    put(&test, &who, own, upload("a.md", "The durian is spiked.")).await;
    put(&test, &who, own, upload("b.md", "The paprika is red.")).await;
    // Every text.
    double.refuse("");
    let documents = with(&[&double]).documents;
    let test = test.restarted_with(Setup { documents, ..setup.clone() }).await;
    until(|| async { (double.asked() > 0).then_some(()) }).await;
    double.refuse("durian");
    let who = test.principal(&test.owner).await;
    put(&test, &who, own, upload("c.md", "Olives are green.")).await;
    until(|| async {
        let hits = search(&test.governor, &who, "paprika").await.hits;
        hits.iter().any(|hit| hit.file_name == "b.md" && hit.dense.is_some()).then_some(())
    })
    .await;
    let standing = test.governor.documents().standing().await.unwrap();
    assert_eq!(standing.missing, 1, "the one that it cannot read");

    // One text without a vector is better than three.
    let documents = with(&[&new, &double]).documents;
    let test = test.restarted_with(Setup { documents, ..setup }).await;
    let who = test.principal(&test.owner).await;
    let embedder = search(&test.governor, &who, "paprika").await.embedder;
    new.shut(false);
    assert_eq!(embedder.as_deref(), Some("local:double"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_failed_is_tried_again() {
    let test = TestGovernor::new().await;
    let (who, own) = (test.principal(&test.owner).await, Scope::User(test.owner.user));
    put(&test, &who, own, upload("a.md", "Olives are green.")).await;
    let db = test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE UPDATE ON ingest_job \
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    let documents = test.governor.documents();
    let job = documents.ingest(&who, own, upload("b.md", "The paprika is red.")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(200)).await;
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    assert_eq!(ended(&test.governor, &job).await.state, IngestState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_read_again_and_what_is_gone_from_it_is_stale() {
    let folder = tempfile::TempDir::new().unwrap();
    // Whole at once: hidden files are not looked at.
    let write = |path: &str, text: &str| {
        let hidden = folder.path().join(".new");
        std::fs::write(&hidden, text).unwrap();
        std::fs::rename(hidden, folder.path().join(path)).unwrap();
    };
    write("a.md", "The paprika is red.");
    write("b.md", "Olives are green.");
    write("c.bin", "no document");
    let every = Duration::from_millis(50);
    let watched = WatchedFolder {
        folder: DocumentsFolder::open(folder.path()).unwrap(),
        scope: Scope::Global,
        every,
    };
    let documents = DocumentDeps { embedders: Vec::new(), folder: Some(watched) };
    let test = TestGovernor::with(Setup { documents, ..Setup::default() }).await;
    let who = test.principal(&test.owner).await;
    let named = |name: &'static str| {
        let (documents, who) = (test.governor.documents(), &who);
        async move {
            let rows = documents.documents(who, Scope::Global, Page::default()).await.unwrap();
            rows.into_iter().find(|row| row.file_name == name)
        }
    };
    let first = until(|| named("a.md")).await;
    let second = until(|| named("b.md")).await;
    assert_eq!((first.author, first.title.as_str(), first.stale), (None, "a", false));
    write("a.md", "The pumpkin is orange, and larger.");
    let text = ContentDigest::of_bytes(b"The pumpkin is orange, and larger.");
    let changed = until(|| async { named("a.md").await.filter(|row| row.digest == text) }).await;
    assert_eq!(changed.id, first.id);
    // It is in the list a moment before it is found.
    let first_found = || async {
        let found = found(&test.governor, &who, "pumpkin").await;
        (found == [first.id].into()).then_some(())
    };
    until(first_found).await;
    std::fs::remove_file(folder.path().join("b.md")).unwrap();
    let stale = until(|| async { named("b.md").await.filter(|row| row.stale) }).await;
    assert_eq!((stale.id, stale.version), (second.id, 1));
    let hits = search(&test.governor, &who, "olives").await.hits;
    assert!(hits.iter().any(|hit| hit.document == second.id && hit.stale), "{hits:?}");
    write("b.md", "Olives are green.");
    until(|| async { named("b.md").await.filter(|row| !row.stale) }).await;
    let jobs = test.governor.store().ingest_jobs(Scope::Global, Page::default()).await.unwrap();
    let states: Vec<_> = jobs.iter().map(|job| (job.file_name.as_str(), job.state)).collect();
    assert_eq!(states.iter().filter(|(name, _)| *name == "c.bin").count(), 1, "{states:?}");
    assert!(states.contains(&("c.bin", IngestState::Failed)), "{states:?}");
    assert_eq!(states.len(), 4, "{states:?}");
}
