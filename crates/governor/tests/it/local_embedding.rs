//! Documents whose texts the model of this machine embeds: found by their words before, in turns with those of others, and
//! none of them twice.

use crate::{
    documents::{Double, ended, found, logged_in, put, search, stranger, until, upload, with},
    test_governor::{Setup, TestGovernor},
};
use std::time::Duration;
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_gate::Principal;
use wiiiv_store::{IngestJobRow, IngestState};

/// A file whose document is there waits for its turn by then.
const SOON: Duration = Duration::from_millis(300);
/// Texts that are embedded in one turn.
const TURN: usize = 8;

/// Sections of a text or more each.
fn long() -> String {
    let line = |nth| format!("Line {nth} tells how the apricot is stored and sold. ");
    let section = |nth: usize| {
        let text: String = (nth * 20..nth * 20 + 20).map(line).collect();
        format!("## Part {nth}\n\n{text}\n\n")
    };
    (0..40).map(section).collect()
}

async fn added(test: &TestGovernor, who: &Principal, name: &str, text: &str) -> IngestJobRow {
    let own = Scope::User(who.user());
    test.governor.documents().ingest(who, own, upload(name, text)).await.unwrap()
}

/// As soon as it is there.
async fn document(test: &TestGovernor, who: &Principal, job: &IngestJobRow) -> DocumentId {
    until(|| async { test.governor.documents().ingest_job(who, job.id).await.unwrap().document })
        .await
}

async fn asked(double: &Double, count: usize) {
    until(|| async { (double.asked() >= count).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_file_is_found_by_its_words_and_keeps_no_other_waiting() {
    let double = Double::new("local:double", false);
    double.shut_behind(TURN);
    let test = TestGovernor::with(with(&[&double])).await;
    let who = test.principal(&test.owner).await;
    let job = added(&test, &who, "long.md", &long()).await;
    let long = document(&test, &who, &job).await;
    asked(&double, TURN + 1).await;
    assert_eq!(found(&test.governor, &who, "apricot").await, [long].into());
    let row = test.governor.documents().ingest_job(&who, job.id).await.unwrap();
    assert_eq!((row.state, row.progress.embedded), (IngestState::Embedding, TURN as u64));
    assert!(row.progress.to_embed >= 40, "{row:?}");
    // Another file is read, put and found meanwhile.
    let short = added(&test, &who, "short.md", "The paprika is red.").await;
    let id = document(&test, &who, &short).await;
    assert!(found(&test.governor, &who, "paprika").await.contains(&id));
    tokio::time::sleep(SOON).await;
    // And has its vector before the long one has all of its own.
    double.shut_behind(2 * TURN + 1);
    assert_eq!(ended(&test.governor, &short).await.code, None);
    let row = test.governor.documents().ingest_job(&who, job.id).await.unwrap();
    assert_eq!(row.state, IngestState::Embedding, "{row:?}");
    double.shut_behind(usize::MAX);
    let done = ended(&test.governor, &job).await;
    assert_eq!((done.state, done.code), (IngestState::Ready, None));
    assert_eq!(done.progress.embedded, done.progress.to_embed);
    assert_eq!(double.asked() as u64, done.progress.to_embed + 1, "each text once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_goes_on_and_embeds_only_what_is_missing() {
    let double = Double::new("local:double", false);
    double.shut_behind(TURN);
    let test = TestGovernor::with(with(&[&double])).await;
    let who = test.principal(&test.owner).await;
    let job = added(&test, &who, "long.md", &long()).await;
    let id = document(&test, &who, &job).await;
    asked(&double, TURN + 1).await;
    let opens = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        double.shut_behind(usize::MAX);
    };
    let (test, ()) = tokio::join!(test.restarted(), opens);
    let done = ended(&test.governor, &job).await;
    assert_eq!((done.state, done.document, done.code), (IngestState::Ready, Some(id), None));
    let who = test.principal(&test.owner).await;
    let row = test.governor.documents().document(&who, id).await.unwrap();
    assert_eq!((row.version, row.chunks), (1, done.progress.chunks));
    assert_eq!(double.asked() as u64, done.progress.to_embed, "each text once");
    // What is told to be ready is found.
    test.governor.documents().ingest_job(&who, job.id).await.unwrap();
    let hits = search(&test.governor, &who, "apricot").await.hits;
    assert!(hits.iter().any(|hit| hit.dense.is_some()), "{hits:?}");
}

/// It has vectors at once, which were made for somebody else.
#[tokio::test(flavor = "multi_thread")]
async fn what_others_hold_is_not_shown_by_vectors_that_are_there() {
    let double = Double::new("local:double", false);
    let test = TestGovernor::with(with(&[&double])).await;
    let kim = test.principal(&test.owner).await;
    put(&test, &kim, Scope::User(kim.user()), upload("long.md", &long())).await;
    let lee = logged_in(&test, &stranger(&test, "lee", false).await, None).await;
    let own = Scope::User(lee.user());
    let shown = async |id| {
        let documents = test.governor.documents();
        let passages = documents.document_passages(&lee, id, None, 99).await.unwrap();
        let chunks = passages.iter().flat_map(|passage| &passage.chunks);
        let in_view = chunks.filter(|chunk| !chunk.embedders.is_empty()).count();
        let found = search(&test.governor, &lee, "apricot").await;
        let segment = found.trace.segments.iter().find(|segment| segment.scope == own).unwrap();
        (in_view, segment.vectors, found.hits.iter().filter(|hit| hit.dense.is_some()).count())
    };
    let held = double.asked();
    double.shut(true);
    let text = format!("{}## Olives\n\nThey are green.\n", long());
    let job = added(&test, &lee, "long.md", &text).await;
    let id = document(&test, &lee, &job).await;
    asked(&double, held + 1).await;
    assert_eq!(shown(id).await, (0, 0, 0));
    let row = test.governor.documents().ingest_job(&lee, job.id).await.unwrap();
    assert_eq!((row.state, row.progress.embedded), (IngestState::Embedding, 0));
    double.shut(false);
    ended(&test.governor, &job).await;
    test.governor.documents().ingest_job(&lee, job.id).await.unwrap();
    let (in_view, vectors, hits) = shown(id).await;
    assert!(in_view > held && vectors > held && hits > 0, "{in_view} {vectors} {hits}");
    assert_eq!(double.asked(), held + 1, "what is held is not embedded again");
}

/// What it has is kept, and others have their turns.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_cancelled_while_it_is_embedded_stays_and_the_next_goes_on() {
    let double = Double::new("local:double", true);
    let test = TestGovernor::with(with(&[&double])).await;
    let who = test.principal(&test.owner).await;
    let job = added(&test, &who, "long.md", &long()).await;
    let id = document(&test, &who, &job).await;
    let next = added(&test, &who, "next.md", "The paprika is red.").await;
    asked(&double, 1).await;
    let cancelled = test.governor.documents().cancel_ingest(&who, job.id).await.unwrap();
    assert_eq!((cancelled.state, cancelled.document), (IngestState::Ready, Some(id)));
    double.shut(false);
    assert_eq!(ended(&test.governor, &next).await.code, None);
    let done = ended(&test.governor, &job).await;
    assert_eq!(
        (done.state, done.code.as_deref()),
        (IngestState::Ready, Some("NOT_EMBEDDED_CANCELLED"))
    );
    assert!(found(&test.governor, &who, "apricot").await.contains(&id));
    // Behind all files that wait, as whatever has no vector.
    until(|| async {
        let standing = test.governor.documents().standing().await.unwrap();
        (standing.missing == 0).then_some(())
    })
    .await;
}

/// What has no vector waits for no file, and no file for it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_embedded_in_the_background_gives_way_to_a_file() {
    let double = Double::new("local:double", false);
    let setup = with(&[&double]);
    let none = Setup { documents: with(&[]).documents, ..setup.clone() };
    let test = TestGovernor::with(none).await;
    let who = test.principal(&test.owner).await;
    put(&test, &who, Scope::User(who.user()), upload("long.md", &long())).await;
    double.shut_behind(1);
    let test = test.restarted_with(setup).await;
    let who = test.principal(&test.owner).await;
    asked(&double, 2).await;
    let job = added(&test, &who, "short.md", "The paprika is red.").await;
    document(&test, &who, &job).await;
    tokio::time::sleep(SOON).await;
    // One look, and the turn of the file.
    double.shut_behind(17);
    assert_eq!(ended(&test.governor, &job).await.code, None);
    double.shut_behind(usize::MAX);
    until(|| async {
        let standing = test.governor.documents().standing().await.unwrap();
        (standing.missing == 0).then_some(())
    })
    .await;
    let chunks = test.governor.documents().standing().await.unwrap().chunks;
    assert_eq!(double.asked() as u64, chunks, "each text once");
}
