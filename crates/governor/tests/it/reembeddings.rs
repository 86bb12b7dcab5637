//! What a project's documents are compared by changes: dimensions, the model that the policy names, and what is asked again.

use crate::{
    documents::{Double, ended, logged_in, put, until, upload, with},
    embeddings::{
        KEY, OTHER, TEXT, TestProject, by_meaning, embedded_by, former, origin, test_project,
    },
    test_governor::{Setup, TestGovernor, policy},
};
use sea_orm::ConnectionTrait as _;
use std::time::Duration;
use wiiiv_domain::Scope;
use wiiiv_fakes::FakeProvider;
use wiiiv_governor::NotCompared;
use wiiiv_net::Timeouts;
use wiiiv_store::{IngestJobRow, IngestState};

const THIRD: &str = "# Durian\n\nThe durian is spiked, canary-durian-20b9.";
/// No call of a test takes so long.
const LATE: Duration = Duration::from_secs(120);
/// Calls of documents that are out at one server.
const SERVER_CALLS: usize = 4;

/// How often each of these texts was sent behind the first so many requests.
fn times(project: &TestProject, before: usize) -> [usize; 3] {
    let sent = project.sent()[before..].concat();
    ["canary-approvals", "canary-paprika", "canary-durian"]
        .map(|canary| sent.iter().filter(|text| text.contains(canary)).count())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_of_other_dimensions_is_a_failed_one_and_embeds_nothing_anew() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.provider.set_dimensions(16, 1);
    project.put("paprika.md", OTHER).await;
    assert_eq!(times(&project, 0), [1, 2, 0], "it was asked once more");
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 2), "{found:?}");
    assert!(found.embedder.as_deref().unwrap().ends_with(":8"), "{found:?}");

    project.provider.set_dimensions(16, 2);
    let code = project.code_of("durian.md", THIRD).await;
    assert_eq!(code.as_deref(), Some("NOT_EMBEDDED"), "it gave them twice");
    assert_eq!(times(&project, 0), [1, 2, 2]);
    let kept = project.embedders().await;
    assert!(kept.len() == 1 && kept[0].contains(":8#"), "{kept:?}");
    assert_eq!(project.search("approvals").await.not_compared, None);

    // One text tells that it was odd.
    let before = project.sent().len();
    project.reembed().await;
    let store = project.test.governor.store();
    until(|| async {
        (store.missing_in(project.scope(), &kept[0]).await.unwrap() == 0).then_some(())
    })
    .await;
    let sent = project.sent()[before..].concat();
    assert!(sent.len() <= 2 && times(&project, before)[2] == 1, "{sent:?}");
    assert_eq!(project.embedders().await, kept);
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 3), "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn dimensions_that_last_are_made_once_when_somebody_asks_for_it() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.put("paprika.md", OTHER).await;
    project.provider.set_dimensions(16, usize::MAX);
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, Some(NotCompared::NotEmbedded), "{found:?}");
    let before = project.sent().len();
    assert_eq!(times(&project, 2), [0, 0, 0], "nothing is embedded by itself");

    project.reembed().await;
    let kept = until(|| async {
        let kept = project.embedders().await;
        (kept.len() == 1 && kept[0].contains(":16#")).then_some(kept)
    })
    .await;
    assert_eq!(times(&project, before), [1, 1, 0], "each is paid for once");
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 2), "{found:?}");
    assert!(found.embedder.unwrap().ends_with(":16"));
    project.put("durian.md", THIRD).await;
    project.reembed().await;

    let (setup, before) = (project.setup.clone(), project.sent().len());
    let project = project.restarted(setup).await;
    let found = project.search("durian").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 3), "{found:?}");
    assert_eq!(times(&project, before), [0, 0, 0]);
    assert_eq!(project.embedders().await, kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_that_turns_back_finds_what_is_kept_at_once() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.name_model("f").await;
    project.search("approvals").await;
    project.reembed().await;
    until(|| async { project.search("approvals").await.not_compared.is_none().then_some(()) })
        .await;
    for model in ["e", "f", "e"] {
        project.name_model(model).await;
        let found = project.search("approvals").await;
        assert_eq!((found.not_compared, by_meaning(&found)), (None, 1), "{model}: {found:?}");
        let embedder = found.embedder.unwrap();
        assert!(embedder.starts_with(&format!("custom:{model}@")), "{embedder}");
    }
    assert_eq!(times(&project, 0), [2, 0, 0], "once by each of both");

    // A text that lacks one keeps the others from it until that is asked for.
    project.put("paprika.md", OTHER).await;
    project.name_model("f").await;
    let found = project.search("paprika").await;
    assert_eq!(found.not_compared, Some(NotCompared::NotEmbedded), "{found:?}");
    assert_eq!(times(&project, 0), [2, 1, 0]);
    project.reembed().await;
    until(|| async { (by_meaning(&project.search("paprika").await) == 2).then_some(()) }).await;
    assert_eq!(times(&project, 0), [2, 2, 0], "the one that lacked it");
}

/// What a provider made was paid for: this machine's model does not drop it.
#[tokio::test(flavor = "multi_thread")]
async fn a_policy_that_turns_to_this_machine_and_back_waits_for_nothing() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    let paid = project.embedders().await;
    let double = Double::new("local:new", false);
    let setup = Setup { documents: with(&[&double]).documents, ..project.setup.clone() };
    let project = project.restarted(setup).await;
    let store = project.test.governor.store();
    until(|| async { (store.missing_vectors("local:new").await.unwrap() == 0).then_some(()) })
        .await;
    project.name_model("none").await;
    let found = project.search("approvals").await;
    assert_eq!((found.not_compared, by_meaning(&found)), (None, 1), "{found:?}");
    assert_eq!(found.embedder.as_deref(), Some("local:new"));

    store.put_vectors("local:former", former(&project).await).await.unwrap();
    let (who, own) = (project.owner().await, Scope::User(project.test.owner.user));
    put(&project.test, &who, own, upload("mine.md", OTHER)).await;
    let left = [paid[0].clone(), "local:new".to_owned()];
    until(|| async { (project.embedders().await == left).then_some(()) }).await;
    project.name_model("e").await;
    let found = project.search("approvals").await;
    assert_eq!(found.not_compared, None, "{found:?}");
    assert!(found.embedder.unwrap().ends_with(":8"));
    assert_eq!(times(&project, 0), [1, 0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reembedding_that_the_store_does_not_take_is_asked_for_again() {
    let project = test_project().await;
    project.put("approvals.md", TEXT).await;
    project.name_model("f").await;
    let db = project.test.intruder().await;
    let full = "CREATE TRIGGER full BEFORE INSERT ON chunk_vector \
                BEGIN SELECT RAISE(ABORT, 'full'); END";
    db.execute_unprepared(full).await.unwrap();
    project.reembed().await;
    until(|| async {
        let used = project.test.used().await;
        (used.calls == 2 && used.open == 0).then_some(())
    })
    .await;
    // The call is settled right before its vectors are written.
    tokio::time::sleep(Duration::from_millis(500)).await;
    db.execute_unprepared("DROP TRIGGER full").await.unwrap();
    until(|| async { project.search("approvals").await.not_compared.is_none().then_some(()) })
        .await;
    assert_eq!(times(&project, 0), [3, 0, 0], "once more, and nobody asked for that");
}

/// Of somebody whose project is embedded there.
async fn added(test: &TestGovernor, name: &str, server: (&FakeProvider, &str)) -> IngestJobRow {
    let mut own = policy(&test.shop);
    embedded_by(&mut own, server.0, server.1);
    let person = wiiiv_testkit::person(test.governor.store(), name, false, own).await;
    let who = logged_in(test, &person, Some(person.personal)).await;
    let (scope, documents) = (Scope::Project(person.personal), test.governor.documents());
    documents.ingest(&who, scope, upload("paprika.md", OTHER)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stalls_keeps_nobody_waiting_whose_own_answers() {
    let (stalls, good) =
        (FakeProvider::open(0).await.unwrap(), FakeProvider::open(0).await.unwrap());
    let timeouts = Timeouts { connect: LATE, first_byte: LATE, between_chunks: LATE, total: LATE };
    let origins = vec![origin(&stalls), origin(&good)];
    let test = TestGovernor::with(Setup { origins, timeouts, ..Setup::default() }).await;
    let mut stalled = Vec::new();
    for nth in 0..SERVER_CALLS + 2 {
        stalled.push(added(&test, &format!("patient{nth}"), (&stalls, "stalls")).await);
    }
    until(|| async { (stalls.calls(KEY).len() == SERVER_CALLS).then_some(()) }).await;
    let job = added(&test, "lucky", (&good, "good")).await;
    let done = ended(&test.governor, &job).await;
    assert_eq!((done.state, done.code.as_deref()), (IngestState::Ready, None));
    for job in &stalled {
        let row = test.governor.store().ingest_job(job.id).await.unwrap().unwrap();
        assert!(!row.state.has_ended(), "{row:?}");
    }
    assert_eq!(stalls.calls(KEY).len(), SERVER_CALLS, "so many are out there at a time");
}
