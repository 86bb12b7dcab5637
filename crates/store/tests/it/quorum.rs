//! Several people say yes to one question: each counts once, and what was said stands after a restart.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, policy, store_on},
};
use std::path::Path;
use wiiiv_domain::{ApprovalBy, Blueprint, ProjectPolicy, UserId};
use wiiiv_gate::{
    ApprovalGiven, ApprovalRequest, PendingQuestion, Recorded, Unrecorded, UserEvent, UserEventKind,
};
use wiiiv_store::{
    ApprovalError, ApprovalState, AuditFit, Boundary, CommitRefused, Moved, NewUser, Point, Role,
    TokenScope, Write,
};

/// A person who may approve, with a token of theirs.
pub struct Approver {
    pub user: UserId,
    pub token: String,
}

async fn token(test: &TestStore, user: UserId) -> String {
    let token = test.store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
    secrecy::ExposeSecret::expose_secret(&token).to_owned()
}

pub async fn approver(test: &TestStore, name: &str) -> Approver {
    approver_who(test, name, false).await
}

async fn approver_who(test: &TestStore, name: &str, admin: bool) -> Approver {
    let new = NewUser { name: name.into(), password: password(), admin };
    let user = test.store.create_user(new, policy()).await.unwrap().user;
    give_role(test, user, Some(Role::Approver)).await;
    Approver { user, token: token(test, user).await }
}

async fn give_role(test: &TestStore, user: UserId, role: Option<Role>) {
    let roles = role.into_iter().collect();
    test.store.set_roles(test.project, user, roles, test.user).await.unwrap();
}

pub fn two_people() -> ProjectPolicy {
    let mut policy = policy();
    let rule = &mut policy.approval.normal;
    (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, 2);
    policy
}

pub async fn asked(test: &TestStore) -> (Blueprint, ApprovalRequest) {
    let plan = test.plan().await;
    let request = test.ask_people(&plan, 600, (ApprovalBy::AnotherPerson, 2)).await;
    (plan, request)
}

async fn said(
    test: &TestStore,
    token: &str,
    asked: &ApprovalRequest,
) -> (Unrecorded<UserEvent>, PendingQuestion) {
    let who = test.store.authenticate(token, Some(test.project), now()).await.unwrap();
    let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
    let kind = UserEventKind::Approve { approval, blueprint, digest, delegation: None };
    let event = UserEvent::of(&who, test.project, Some(test.session), kind, now()).unwrap();
    (event, test.store.question(asked.project, asked.id).await.unwrap().unwrap())
}

pub type Given = Result<Recorded<ApprovalGiven>, ApprovalError>;

pub async fn join(test: &TestStore, token: &str, request: &ApprovalRequest) -> Given {
    let (said, asked) = said(test, token, request).await;
    let done = test.store.join_approval(&test.writer(), Boundary::new(Point::E), said, asked).await;
    done.map(|(given, _)| given)
}

pub async fn close(test: &TestStore, token: &str, request: &ApprovalRequest) -> Given {
    test.say(said(test, token, request).await).await
}

pub async fn state(test: &TestStore, request: &ApprovalRequest) -> ApprovalState {
    test.store.approval(request.id).await.unwrap().unwrap().state
}

#[tokio::test]
async fn a_half_full_quorum_survives_a_restart_and_counts_people() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (plan, request) = asked(&test).await;
    // Nobody closes it alone, and none who is asked is left out.
    let alone = close(&test, &min.token, &request).await;
    assert!(matches!(alone, Err(ApprovalError::Miscounted)), "{alone:?}");
    join(&test, &min.token, &request).await.unwrap();
    assert_eq!(state(&test, &request).await, ApprovalState::Pending);

    let again = token(&test, min.user).await;
    let test = test.reopened(folder.path()).await.unwrap();
    let yeses = test.store.quorum_yeses(&[request.id]).await.unwrap();
    let yeses = &yeses[&request.id];
    assert_eq!((yeses.len(), yeses[0].approver, yeses[0].counts), (1, min.user, true));
    // The same person by another token is the same person.
    for yes in [join(&test, &again, &request).await, close(&test, &again, &request).await] {
        assert!(matches!(yes, Err(ApprovalError::AlreadySaid)), "{yes:?}");
    }
    let own = test.store.question(test.project, request.id).await.unwrap().unwrap();
    assert!(!own.may_be_given_by(&test.principal().await), "nor is the requester another person");
    let (_, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some(), "half of it permits nothing");
    close(&test, &han.token, &request).await.unwrap();
    assert_eq!(state(&test, &request).await, ApprovalState::Approved);
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(done.is_ok(), "{done:?}");
    assert_eq!(state(&test, &request).await, ApprovalState::Consumed);
    // What the run used has counted, whatever became of the right since.
    give_role(&test, min.user, None).await;
    assert_eq!(told(&test, &request).await, [(min.user, true), (han.user, true)]);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// Who said yes, as it is shown, and whether it counts.
async fn told(test: &TestStore, request: &ApprovalRequest) -> Vec<(UserId, bool)> {
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    let yeses = test.store.yeses_to(&[&row]).await.unwrap();
    yeses[&request.id].iter().map(|yes| (yes.approver, yes.counts)).collect()
}

/// Neither a right that is back nor one that is gone changes what the ruling counted.
#[tokio::test]
async fn of_a_question_that_was_used_those_count_that_its_ruling_counted() {
    let test = TestStore::memory(two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let kim = approver(&test, "kim-two").await;
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    give_role(&test, min.user, None).await;
    join(&test, &han.token, &request).await.unwrap();
    assert_eq!(told(&test, &request).await, [(min.user, false), (han.user, true)]);
    close(&test, &kim.token, &request).await.unwrap();
    let (claim, _) = test.rule(&plan).await;
    drop(test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap());
    give_role(&test, min.user, Some(Role::Approver)).await;
    give_role(&test, han.user, None).await;
    let due = [(min.user, false), (han.user, true), (kim.user, true)];
    assert_eq!(told(&test, &request).await, due);
}

/// The last one is no more than any other: what was said before it can be enough without it.
#[tokio::test]
async fn the_last_yes_counts_no_more_than_any_other() {
    let test = TestStore::memory(two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let kim = approver(&test, "kim-two").await;
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    give_role(&test, min.user, None).await;
    join(&test, &han.token, &request).await.unwrap();
    close(&test, &kim.token, &request).await.unwrap();
    give_role(&test, min.user, Some(Role::Approver)).await;
    give_role(&test, kim.user, None).await;
    let (claim, _) = test.rule(&plan).await;
    drop(test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap());
    give_role(&test, kim.user, Some(Role::Approver)).await;
    let due = [(min.user, true), (han.user, true), (kim.user, false)];
    assert_eq!(told(&test, &request).await, due);
}

/// One ruling keeps no list from being shown.
#[tokio::test]
async fn of_a_ruling_that_cannot_be_read_nothing_counted() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    close(&test, &han.token, &request).await.unwrap();
    let (claim, _) = test.rule(&plan).await;
    drop(test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap());
    assert_eq!(told(&test, &request).await, [(min.user, true), (han.user, true)]);
    let done = "UPDATE audit_record SET line = '{}' WHERE seq IN (SELECT at_seq FROM execution)";
    by_hand(folder.path(), done).await;
    assert_eq!(told(&test, &request).await, [(min.user, false), (han.user, false)]);
}

/// Whatever nothing used in time had its yeses all the same; one that nobody closed has those that were said.
#[tokio::test]
async fn of_a_question_that_expired_everybody_is_told() {
    let test = TestStore::memory(two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    for is_closed in [true, false] {
        let (_, request) = asked(&test).await;
        join(&test, &min.token, &request).await.unwrap();
        if is_closed {
            close(&test, &han.token, &request).await.unwrap();
        }
        let expire = Write::ExpireApproval { id: request.id };
        test.store.append(&test.writer(), Boundary::new(Point::E).write(expire)).await.unwrap();
        assert_eq!(state(&test, &request).await, ApprovalState::Expired);
        let due = [(min.user, true), (han.user, true)];
        let due = if is_closed { &due[..] } else { &due[..1] };
        assert_eq!(told(&test, &request).await, due);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_people_at_once_both_count() {
    for _ in 0..5 {
        let test = TestStore::memory(two_people()).await;
        let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
        let (_, request) = asked(&test).await;
        // Both take themselves for the first one: one of them is, and the other is told to count again.
        let (left, right) =
            tokio::join!(join(&test, &min.token, &request), join(&test, &han.token, &request));
        assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
        let late = if left.is_ok() { &han } else { &min };
        assert_eq!(state(&test, &request).await, ApprovalState::Pending);
        close(&test, &late.token, &request).await.unwrap();
        assert_eq!(state(&test, &request).await, ApprovalState::Approved);
    }
}

#[tokio::test]
async fn who_may_not_approve_any_more_is_not_counted() {
    for administrators in [false, true] {
        is_not_counted_without_the_role(administrators).await;
    }
}

/// Before the second yes, and between it and the start. An administrator's flag is no role.
async fn is_not_counted_without_the_role(admin: bool) {
    let test = TestStore::memory(two_people()).await;
    let min = approver_who(&test, "min", admin).await;
    let han = approver_who(&test, "han", admin).await;
    let kim = approver(&test, "kim-two").await;
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    give_role(&test, min.user, None).await;
    let short = close(&test, &han.token, &request).await;
    assert!(matches!(short, Err(ApprovalError::Miscounted)), "{short:?}");
    join(&test, &han.token, &request).await.unwrap();
    close(&test, &kim.token, &request).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    give_role(&test, han.user, None).await;
    let late = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(late, Err(CommitRefused::Moved(Moved::ApprovalGone, _))), "{late:?}");
    let (_, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some(), "and the next ruling sees it");
}

#[tokio::test]
async fn a_no_closes_a_half_full_quorum() {
    let test = TestStore::memory(two_people()).await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (plan, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    let reject = Write::RejectApproval { id: request.id, by: han.user, on_behalf_of: None };
    test.store.append(&test.writer(), Boundary::new(Point::E).write(reject)).await.unwrap();
    let late = close(&test, &han.token, &request).await;
    let state = ApprovalState::Rejected;
    assert!(matches!(late, Err(ApprovalError::AlreadyDecided { state: s }) if s == state));
    let (_, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some());
    assert!(test.store.quorum_yeses(&[new_id()]).await.unwrap().is_empty());
}

/// A yes that nobody said is found, and so is one that is gone.
#[tokio::test]
async fn yeses_that_are_not_as_the_audit_tells_are_found() {
    for done in [
        "DELETE FROM approval_yes",
        "UPDATE approval_yes SET given_at = given_at + 1",
        "UPDATE approval_yes SET approver = (SELECT id FROM account WHERE name = 'kim')",
        "INSERT INTO approval_yes SELECT approval, (SELECT id FROM account WHERE name = 'han'), \
         at_seq, evidence, given_at, delegation, on_behalf_of FROM approval_yes",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = half_full(folder.path()).await;
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        assert!(started.check_writable().await.is_err(), "{done}");
    }
}

async fn half_full(folder: &Path) -> TestStore {
    let test = TestStore::on_disk(folder, two_people()).await;
    let (min, _han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (_, request) = asked(&test).await;
    join(&test, &min.token, &request).await.unwrap();
    test
}
