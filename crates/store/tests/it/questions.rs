//! Questions for approval, and what was shown with them, changed by somebody who has the file: not
//! answered, not shown, and named by `doctor`.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, inspected, keys, new_id, now, permissive, policy, store_on},
};
use serde_json::json;
use std::path::Path;
use wiiiv_domain::{ApprovalBy, ContentDigest, EventBody, SessionEvent};
use wiiiv_gate::ApprovalRequest;
use wiiiv_store::{AuditFit, Boundary, KeyFit, Point, StoreError, Write};

const SHOWN: &str = r#"{"changes":[]}"#;
const WORDS: &str = "It writes notes.txt.";

/// A question that waits, told to its conversation, as the governor puts it.
async fn asked(folder: &Path) -> (TestStore, ApprovalRequest) {
    let test = TestStore::on_disk(folder, policy()).await;
    let plan = test.plan().await;
    let request = ApprovalRequest {
        id: new_id(),
        blueprint: plan.id,
        digest: plan.digest().unwrap(),
        requester: test.user,
        project: test.project,
        by: ApprovalBy::Requester,
        approvers: 1,
        editors: std::collections::BTreeSet::new(),
        expires_at: now().plus_seconds(600),
    };
    let salt = test.store.session(test.session).await.unwrap().unwrap().salt;
    let body = json!({
        "approval": request.id, "blueprint": plan.id, "digest": request.digest, "by": request.by,
        "expiresAt": request.expires_at, "requester": request.requester,
        "preview": ContentDigest::of_bytes(SHOWN.as_bytes()),
        "words": salt.digest_of(WORDS),
    });
    let (approval, blueprint, digest) = (request.id, plan.id, request.digest);
    let told = EventBody::Previewed { approval, blueprint, digest, text: WORDS.to_owned() };
    let preview = SHOWN.to_owned();
    let ask = Write::AskApproval { request: request.clone(), preview, escalates: None };
    let boundary = Boundary::new(Point::T1)
        .event(SessionEvent::new(new_id(), now(), told))
        .write(ask)
        .entry("approval.asked", body);
    test.store.append(&test.writer(), boundary).await.unwrap();
    (test, request)
}

/// A question that was revived, put to somebody else or made somebody else's is not answered, and a
/// server that starts over it writes nothing.
#[tokio::test]
async fn a_question_is_answered_only_as_it_was_put() {
    for done in [
        "UPDATE approval SET expires_at = expires_at + 3600000",
        "UPDATE approval SET asked_of = 'another_person'",
        "UPDATE approval SET requester = project",
        "UPDATE approval SET asked_at = asked_at + 1",
        "UPDATE approval SET approvers = 2",
        "UPDATE approval SET editors = '[]'",
        "UPDATE approval SET project = requester",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (test, request) = asked(folder.path()).await;
        assert!(test.store.question(test.project, request.id).await.unwrap().is_some());
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let answered = test.store.question(test.project, request.id).await;
        assert!(matches!(answered, Err(StoreError::Tampered { .. })), "{done}: {answered:?}");
        let found = looked(folder.path()).await;
        let named = request.id.to_string();
        assert!(matches!(&found, AuditFit::Changed(what) if what.contains(&named)), "{found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        let fault = started.fault().map(ToString::to_string).unwrap_or_default();
        assert!(fault.contains(&named), "{done}: {fault}");
        assert!(started.check_writable().await.is_err(), "{done}");
    }
}

/// Neither its data nor its words; a preview that is gone is not replaced by what the journal says.
#[tokio::test]
async fn what_was_shown_is_what_is_on_record() {
    let forged = r#"UPDATE session_event SET body = replace(body, 'notes.txt', 'nothing')"#;
    let without = "DELETE FROM session_event WHERE body LIKE '%previewed%'";
    let none = "UPDATE approval SET preview = NULL";
    let other = r#"UPDATE approval SET preview = '{"changes":[1]}'"#;
    for (done, is_of_data, is_of_words) in
        [(none, true, false), (other, true, false), (forged, false, true), (without, false, false)]
    {
        let folder = tempfile::tempdir().unwrap();
        let (test, request) = asked(folder.path()).await;
        let (project, session, id) = (test.project, test.session, request.id);
        let data = async || test.store.shown_preview(project, id).await;
        let words = async || test.store.shown_words(session, id).await;
        assert_eq!(data().await.unwrap().as_deref(), Some(SHOWN));
        assert_eq!(words().await.unwrap().as_deref(), Some(WORDS));
        by_hand(folder.path(), done).await;
        assert_eq!(data().await.is_err(), is_of_data, "{done}");
        assert_eq!(words().await.is_err(), is_of_words, "{done}");
        assert_eq!(test.store.journal(session, 1).await.is_err(), is_of_words, "{done}");
        let found = looked(folder.path()).await;
        let named = request.id.to_string();
        assert!(matches!(&found, AuditFit::Changed(what) if what.contains(&named)), "{found:?}");
    }
}

/// A preview of a question that nobody put is not shown.
#[tokio::test]
async fn a_preview_without_a_question_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (test, request) = asked(folder.path()).await;
    let (approval, blueprint, digest) = (new_id(), request.blueprint, request.digest);
    let told = EventBody::Previewed { approval, blueprint, digest, text: WORDS.to_owned() };
    let event = SessionEvent::new(new_id(), now(), told);
    test.store.append(&test.writer(), Boundary::new(Point::T1).event(event)).await.unwrap();
    let read = test.store.journal(test.session, 1).await;
    assert!(matches!(read, Err(StoreError::Tampered { .. })), "{read:?}");
    assert!(matches!(looked(folder.path()).await, AuditFit::Changed(_)));
}

/// The same card behind another one, or a question that is said to begin twice.
#[tokio::test]
async fn a_preview_and_a_question_come_once() {
    let folder = tempfile::tempdir().unwrap();
    let (test, request) = asked(folder.path()).await;
    let (approval, blueprint, digest) = (request.id, request.blueprint, request.digest);
    let told = EventBody::Previewed { approval, blueprint, digest, text: WORDS.to_owned() };
    let event = SessionEvent::new(new_id(), now(), told);
    test.store.append(&test.writer(), Boundary::new(Point::T1).event(event)).await.unwrap();
    let read = test.store.journal(test.session, 1).await;
    assert!(matches!(read, Err(StoreError::Tampered { .. })), "{read:?}");

    let folder = tempfile::tempdir().unwrap();
    let (test, request) = asked(folder.path()).await;
    let zeroth = "INSERT INTO audit_record SELECT chain, 0, kind, at, about, hash, line, seal \
                  FROM audit_record WHERE kind = 'approval.asked'";
    by_hand(folder.path(), zeroth).await;
    let read = test.store.question(test.project, request.id).await;
    assert!(read.is_err(), "{read:?}");
}

/// Texts and outputs are taken away by nobody but a thief.
#[tokio::test]
async fn what_is_gone_is_missed() {
    for done in ["DELETE FROM blueprint_text", "DELETE FROM policy_version"] {
        let folder = tempfile::tempdir().unwrap();
        let _asked = asked(folder.path()).await;
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let _asked = asked(folder.path()).await;
    by_hand(folder.path(), "DELETE FROM secret").await;
    let file = folder.path().join("wiiiv.db");
    let found = inspected(&file, Some(&keys("07"))).await.unwrap();
    assert!(matches!(found.audit, AuditFit::Changed(_)), "{found:?}");
    assert!(matches!(found.key, KeyFit::Wrong(_)), "{found:?}");
}

/// The next start would take them once more.
#[tokio::test]
async fn a_step_that_is_said_not_to_be_taken_is_found_by_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let _asked = asked(folder.path()).await;
    for steps in ["(SELECT MAX(version) FROM seaql_migrations)", "'0020_keyed_requests'", "version"]
    {
        let taken = format!("DELETE FROM seaql_migrations WHERE version = {steps}");
        by_hand(folder.path(), &taken).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{steps}: {found:?}");
    }
}

/// A policy that was edited is found before anything is ruled by it.
#[tokio::test]
async fn a_server_over_an_edited_policy_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let edited = "UPDATE policy_version SET evidence = \
                  CAST(replace(CAST(evidence AS TEXT), 'requester', 'REQUESTER') AS BLOB)";
    by_hand(folder.path(), edited).await;
    drop(test);
    let started = store_on(folder.path()).await;
    // One kind of fault, whatever found it: a server answers 503 for it.
    let is_fault = |error: Option<&StoreError>| matches!(error, Some(StoreError::Tampered { .. }));
    assert!(is_fault(started.fault()), "{:?}", started.fault());
    let refused = started.check_writable().await.err();
    assert!(is_fault(refused.as_ref()), "{refused:?}");
}
