//! A question that is answered by changing values of its plan: closed once, and as the audit tells.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, policy},
};
use serde_json::json;
use std::path::Path;
use wiiiv_domain::{Blueprint, PlanEdit, Slots, SpecDigest, UserId};
use wiiiv_gate::{ApprovalRequest, UserEvent, UserEventKind};
use wiiiv_store::{
    ApprovalError, ApprovalFilter, ApprovalState, AuditFit, Boundary, Point, StoreError, Write,
};

fn edit_of(plan: &Blueprint, by: UserId) -> (SpecDigest, SpecDigest) {
    let mut slots = Slots::default();
    slots.set("content", "회의 4시").unwrap();
    let spec = &plan.spec_snapshot.spec;
    let edited = spec.edited(&PlanEdit { by: Some(by), slots }).unwrap();
    (spec.digest().unwrap(), edited.digest().unwrap())
}

/// As the governor writes it.
async fn edit(
    test: &TestStore,
    plan: &Blueprint,
    asked: &ApprovalRequest,
) -> Result<(), StoreError> {
    let who = test.principal().await;
    let (from, to) = edit_of(plan, who.user());
    let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
    let kind = UserEventKind::Edit { approval, blueprint, digest, to };
    let event = UserEvent::of(&who, test.project, Some(test.session), kind, now()).unwrap();
    let body = json!({"approval": approval, "blueprint": blueprint, "digest": digest,
        "by": who.user(), "from": from, "to": to});
    let write = Write::EditApproval { id: approval, by: who.user(), digest, to };
    let boundary = Boundary::new(Point::E).write(write).entry("approval.edited", body).by(&who);
    test.store.record_user_event(&test.writer(), boundary, event).await.map(drop)
}

async fn asked(test: &TestStore) -> (Blueprint, ApprovalRequest) {
    let plan = test.plan().await;
    let request = test.ask(&plan, 600).await;
    (plan, request)
}

async fn count(test: &TestStore, state: ApprovalState) -> usize {
    let filter = ApprovalFilter { state: Some(state), ..ApprovalFilter::default() };
    test.store.approvals(&filter).await.unwrap().len()
}

async fn on_disk(folder: &Path) -> TestStore {
    TestStore::on_disk(folder, policy()).await
}

#[tokio::test]
async fn an_edit_closes_its_question_once() {
    let folder = tempfile::tempdir().unwrap();
    let test = on_disk(folder.path()).await;
    let (plan, request) = asked(&test).await;
    edit(&test, &plan, &request).await.unwrap();
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    assert_eq!((row.state, row.decided_by), (ApprovalState::Edited, Some(test.user)));
    assert_eq!(count(&test, ApprovalState::Edited).await, 1);
    assert_eq!(count(&test, ApprovalState::Rejected).await, 0);
    let again = edit(&test, &plan, &request).await;
    assert!(matches!(again, Err(StoreError::NotPending { state: ApprovalState::Edited })));
    let yes = test.approve(&request).await;
    let edited = ApprovalState::Edited;
    assert!(matches!(yes, Err(ApprovalError::AlreadyDecided { state }) if state == edited));
    let (_, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some(), "nothing runs on what was asked before");
    let found = test.store.edits_of(test.session, plan.task).await.unwrap();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    let (from, to) = edit_of(&plan, test.user);
    assert_eq!((found.approval, found.blueprint, found.by), (request.id, plan.id, test.user));
    assert_eq!((found.from, found.to, found.digest), (from, to, request.digest));
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// A yes that came first leaves nothing to edit, and an edit nothing to say yes to.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_yes_and_an_edit_at_once_one_counts() {
    for _ in 0..5 {
        let test = TestStore::memory(policy()).await;
        let (plan, request) = asked(&test).await;
        let (yes, edited) = tokio::join!(test.approve(&request), edit(&test, &plan, &request));
        assert!(yes.is_ok() != edited.is_ok(), "{yes:?} {edited:?}");
        let row = test.store.approval(request.id).await.unwrap().unwrap();
        let due = if yes.is_ok() { ApprovalState::Approved } else { ApprovalState::Edited };
        assert_eq!(row.state, due);
    }
}

#[tokio::test]
async fn a_question_out_of_time_or_of_another_plan_is_not_edited() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let late = test.ask(&plan, -1).await;
    let refused = edit(&test, &plan, &late).await;
    assert!(
        matches!(refused, Err(StoreError::NotPending { state: ApprovalState::Pending })),
        "{refused:?}"
    );
    let (_, request) = asked(&test).await;
    let elsewhere = crate::plan::write_plan(&test, "notes/b.md").await;
    let other = ApprovalRequest { digest: elsewhere.digest().unwrap(), ..request };
    let refused = edit(&test, &plan, &other).await;
    assert!(
        matches!(refused, Err(StoreError::NotPending { state: ApprovalState::Pending })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn whoever_wrote_a_value_stands_with_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let test = on_disk(folder.path()).await;
    let (plan, editor) = (test.plan().await, new_id());
    let request = test.ask_edited(&plan, editor).await;
    let question = test.store.question(test.project, request.id).await.unwrap().unwrap();
    assert_eq!(question.editors.iter().collect::<Vec<_>>(), [&editor]);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    by_hand(folder.path(), "UPDATE approval SET editors = NULL").await;
    let question = test.store.question(test.project, request.id).await;
    assert!(matches!(question, Err(StoreError::Tampered { .. })), "{question:?}");
}

#[tokio::test]
async fn an_edit_that_the_audit_does_not_tell_of_is_named() {
    for done in [
        "UPDATE approval SET edited_to = NULL",
        "UPDATE approval SET edited_to = digest",
        "UPDATE approval SET decided_at = decided_at + 1",
        "UPDATE approval SET state = 'pending', edited_to = NULL, decided_by = NULL",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = on_disk(folder.path()).await;
        let (plan, request) = asked(&test).await;
        edit(&test, &plan, &request).await.unwrap();
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        let named = request.id.to_string();
        assert!(matches!(&found, AuditFit::Changed(what) if what.contains(&named)), "{done}");
    }
    let folder = tempfile::tempdir().unwrap();
    let test = on_disk(folder.path()).await;
    let (_, request) = asked(&test).await;
    let reject = Write::RejectApproval { id: request.id, by: test.user, on_behalf_of: None };
    let body = json!({"approval": request.id, "digest": request.digest, "by": test.user});
    let boundary = Boundary::new(Point::E).write(reject).entry("approval.rejected", body);
    test.store.append(&test.writer(), boundary).await.unwrap();
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    by_hand(folder.path(), "UPDATE approval SET edited_to = digest").await;
    assert!(matches!(looked(folder.path()).await, AuditFit::Changed(_)), "a no is no edit");
}
