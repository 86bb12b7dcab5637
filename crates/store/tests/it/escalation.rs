//! A question that nobody answers is shown to more people once its time has come: once, and answered by
//! nobody by that.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, policy, store_on},
};
use serde_json::json;
use std::{path::Path, time::Duration};
use wiiiv_domain::{ApprovalBy, ContentDigest, EscalateTo};
use wiiiv_gate::ApprovalRequest;
use wiiiv_store::{
    ApprovalFilter, ApprovalRow, ApprovalState, AuditFit, Boundary, Escalates, NewUser, Page,
    Point, Visible, Write,
};

/// Shown to `to` that many milliseconds from now.
async fn asked(test: &TestStore, to: EscalateTo, in_ms: i64) -> ApprovalRequest {
    let plan = test.plan().await;
    let at = wiiiv_domain::Timestamp::from_unix_ms(now().unix_ms() + in_ms);
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
    let preview = "{}".to_owned();
    let escalates = Some(Escalates { at, to });
    let ask = Write::AskApproval { request: request.clone(), preview, escalates };
    let body = json!({
        "approval": request.id, "blueprint": plan.id, "digest": request.digest,
        "by": request.by, "expiresAt": request.expires_at, "requester": request.requester,
        "preview": ContentDigest::of_bytes(b"{}"), "escalatesAt": at, "escalatesTo": to,
    });
    let boundary = Boundary::new(Point::T1).write(ask).entry("approval.asked", body);
    test.store.append(&test.writer(), boundary).await.unwrap();
    request
}

async fn due(test: &TestStore) -> Vec<ApprovalRow> {
    test.store.approvals_to_escalate(now(), 10).await.unwrap()
}

#[tokio::test]
async fn it_is_done_once_in_time_also_behind_a_restart_and_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let later = asked(&test, EscalateTo::Owners, 600_000).await;
    let request = asked(&test, EscalateTo::Owners, 200).await;
    let early = test.store.approval(request.id).await.unwrap().unwrap();
    assert!(!test.store.escalate_approval(&early).await.unwrap(), "not before its time");
    tokio::time::sleep(Duration::from_millis(250)).await;
    let test = test.reopened(folder.path()).await.unwrap();
    let found = due(&test).await;
    assert_eq!(found.iter().map(|row| row.request.id).collect::<Vec<_>>(), [request.id]);
    assert!(test.store.escalate_approval(&found[0]).await.unwrap());
    assert!(!test.store.escalate_approval(&found[0]).await.unwrap(), "once");
    assert!(due(&test).await.is_empty());
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    assert_eq!(row.state, ApprovalState::Pending);
    assert!(row.escalation.unwrap().done_at.is_some());
    assert!(
        test.store.approval(later.id).await.unwrap().unwrap().escalation.unwrap().done_at.is_none()
    );
    test.approve(&request).await.unwrap();
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn what_was_answered_is_not_escalated() {
    let test = TestStore::memory(policy()).await;
    let request = asked(&test, EscalateTo::Owners, 0).await;
    let row = due(&test).await.pop().unwrap();
    test.approve(&request).await.unwrap();
    assert!(due(&test).await.is_empty());
    assert!(!test.store.escalate_approval(&row).await.unwrap());
}

#[tokio::test]
async fn administrators_are_shown_what_was_escalated_to_them_and_nothing_else() {
    let test = TestStore::memory(policy()).await;
    let new = NewUser { name: "root".into(), password: crate::test_store::password(), admin: true };
    let root = test.store.create_user(new, policy()).await.unwrap().user;
    let to = EscalateTo::OwnersAndAdministrators;
    let told = asked(&test, to, 0).await;
    asked(&test, EscalateTo::Owners, 0).await;
    let seen = async |administers| {
        let visible = Some(Visible { to: root, judges: true, administers });
        let filter = ApprovalFilter { visible, page: Page::default(), ..ApprovalFilter::default() };
        let rows = test.store.approvals(&filter).await.unwrap();
        rows.into_iter().map(|row| row.request.id).collect::<Vec<_>>()
    };
    assert!(seen(true).await.is_empty(), "not before");
    for row in due(&test).await {
        assert!(test.store.escalate_approval(&row).await.unwrap());
    }
    assert_eq!(seen(true).await, [told.id]);
    assert!(seen(false).await.is_empty());
}

#[tokio::test]
async fn an_escalation_that_no_record_tells_of_is_found() {
    for done in [
        "UPDATE approval SET escalated_at = NULL",
        "UPDATE approval SET escalated_at = escalated_at + 1",
        "UPDATE approval SET escalates_at = escalates_at + 1",
        "UPDATE approval SET escalates_to = 'administrators'",
        "UPDATE approval SET escalates_to = NULL, escalates_at = NULL",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = escalated(folder.path()).await;
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        assert!(started.check_writable().await.is_err(), "{done}");
    }
}

async fn escalated(folder: &Path) -> TestStore {
    let test = TestStore::on_disk(folder, policy()).await;
    asked(&test, EscalateTo::Owners, 0).await;
    let row = due(&test).await.pop().unwrap();
    assert!(test.store.escalate_approval(&row).await.unwrap());
    test
}
