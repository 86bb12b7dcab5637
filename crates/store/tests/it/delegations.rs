//! A right to approve that is lent: who lends it, who may use it until when, and what the commit takes.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, policy, store_on},
};
use std::{path::Path, time::Duration};
use wiiiv_domain::{
    ApprovalBy, Blueprint, ContentDigest, DelegationId, OnBehalfOf, ProjectPolicy, RunOutcome,
    Timestamp, UserId,
};
use wiiiv_gate::{
    ApprovalGiven, ApprovalRequest, EvidenceError, PendingQuestion, Principal, Recorded,
    Unrecorded, UserEvent, UserEventKind,
};
use wiiiv_store::{
    ApprovalError, ApprovalFilter, ApprovalState, AuditFilter, AuditFit, Boundary, Chain,
    CommitRefused, DELEGATIONS_OPEN_MAX, Delegation, DelegationRefused, DrawnAgain, Moved,
    NewDelegation, NewUser, Point, Role, StoreError, TokenScope, Visible, Write,
};

struct Member {
    user: UserId,
    token: String,
}

async fn member(test: &TestStore, name: &str, role: Role) -> Member {
    let new = NewUser { name: name.into(), password: password(), admin: false };
    let user = test.store.create_user(new, policy()).await.unwrap().user;
    give_role(test, user, Some(role)).await;
    Member { user, token: token(test, user, TokenScope::Full).await }
}

async fn token(test: &TestStore, user: UserId, scope: TokenScope) -> String {
    let token = test.store.issue_token(user, scope, None).await.unwrap().text;
    secrecy::ExposeSecret::expose_secret(&token).to_owned()
}

async fn give_role(test: &TestStore, user: UserId, role: Option<Role>) {
    let roles = role.into_iter().collect();
    test.store.set_roles(test.project, user, roles, test.user).await.unwrap();
}

async fn who(test: &TestStore, member: &Member) -> Principal {
    test.store.authenticate(&*member.token, Some(test.project), now()).await.unwrap()
}

fn another(approvers: u8) -> ProjectPolicy {
    let mut policy = policy();
    let rule = &mut policy.approval.normal;
    (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, approvers);
    policy
}

fn new(to: &Member, until: Timestamp) -> NewDelegation {
    NewDelegation { to: to.user, from: None, until, reason: "two weeks off".into() }
}

async fn lend(test: &TestStore, from: &Member, to: &Member) -> Delegation {
    let new = new(to, now().plus_seconds(600));
    test.store.delegate_approvals(&who(test, from).await, test.project, new).await.unwrap()
}

async fn asked(test: &TestStore, approvers: u8) -> (Blueprint, ApprovalRequest) {
    let plan = test.plan().await;
    let request = test.ask_people(&plan, 600, (ApprovalBy::AnotherPerson, approvers)).await;
    (plan, request)
}

async fn said(
    test: &TestStore,
    by: &Member,
    asked: &ApprovalRequest,
    delegation: Option<DelegationId>,
) -> (Unrecorded<UserEvent>, PendingQuestion) {
    let who = who(test, by).await;
    let (approval, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
    let kind = UserEventKind::Approve { approval, blueprint, digest, delegation };
    let event = UserEvent::of(&who, test.project, Some(test.session), kind, now()).unwrap();
    (event, test.store.question(asked.project, asked.id).await.unwrap().unwrap())
}

type Given = Result<Recorded<ApprovalGiven>, ApprovalError>;

/// The last yes.
async fn close(
    test: &TestStore,
    by: &Member,
    request: &ApprovalRequest,
    delegation: Option<DelegationId>,
) -> Given {
    test.say(said(test, by, request, delegation).await).await
}

async fn join(
    test: &TestStore,
    by: &Member,
    request: &ApprovalRequest,
    delegation: Option<DelegationId>,
) -> Given {
    let (said, asked) = said(test, by, request, delegation).await;
    let done = test.store.join_approval(&test.writer(), Boundary::new(Point::E), said, asked).await;
    done.map(|(given, _)| given)
}

async fn state(test: &TestStore, request: &ApprovalRequest) -> ApprovalState {
    test.store.approval(request.id).await.unwrap().unwrap().state
}

async fn records(test: &TestStore, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.into()), ..AuditFilter::default() };
    test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap().len()
}

/// Of that person's inbox.
async fn seen(test: &TestStore, by: &Member) -> Vec<ApprovalRequest> {
    let visible = Some(Visible { to: by.user, judges: true, administers: false });
    let filter = ApprovalFilter { visible, ..ApprovalFilter::default() };
    let rows = test.store.approvals(&filter).await.unwrap();
    rows.into_iter().map(|row| row.request).collect()
}

#[tokio::test]
async fn a_right_is_lent_to_a_member_once_at_a_time_and_ended_by_whom_it_concerns() {
    use DelegationRefused as Refused;
    let test = TestStore::memory(policy()).await;
    let (min, vic) =
        (member(&test, "min", Role::Approver).await, member(&test, "vic", Role::Viewer).await);
    let other = member(&test, "other", Role::Approver).await;
    let give = async |from: &Member, new: NewDelegation| {
        test.store.delegate_approvals(&who(&test, from).await, test.project, new).await
    };
    let later = || now().plus_seconds(600);
    let refused = give(&min, new(&min, later())).await;
    assert!(matches!(refused, Err(Refused::Yourself)), "{refused:?}");
    give_role(&test, other.user, None).await;
    let refused = give(&min, new(&other, later())).await;
    assert!(matches!(refused, Err(Refused::NotMember)), "{refused:?}");
    give_role(&test, other.user, Some(Role::Approver)).await;
    for until in [now().plus_seconds(-1), now().plus_seconds(31 * 24 * 60 * 60)] {
        let refused = give(&min, new(&vic, until)).await;
        assert!(matches!(refused, Err(Refused::NotProven(EvidenceError::Window))), "{refused:?}");
    }
    let refused = give(&vic, new(&min, later())).await;
    assert!(matches!(refused, Err(Refused::NotProven(EvidenceError::NotAllowed))), "{refused:?}");

    let lent = give(&min, new(&vic, later())).await.unwrap();
    assert!(lent.in_force && (lent.delegator, lent.delegate) == (min.user, vic.user));
    // A delegate has nothing to lend, and nothing is lent twice.
    let refused = give(&vic, new(&other, later())).await;
    assert!(matches!(refused, Err(Refused::NotProven(EvidenceError::NotAllowed))), "{refused:?}");
    let refused = give(&min, new(&vic, later())).await;
    assert!(matches!(refused, Err(Refused::Overlaps)), "{refused:?}");
    let listed = async |of: Option<UserId>| test.store.delegations(test.project, of).await.unwrap();
    for of in [None, Some(min.user), Some(vic.user)] {
        assert_eq!(listed(of).await, std::slice::from_ref(&lent), "{of:?}");
    }
    assert!(listed(Some(other.user)).await.is_empty());

    let end = async |by: &Member, id| {
        test.store.end_delegation(&who(&test, by).await, test.project, id).await
    };
    let refused = end(&other, lent.id).await;
    let missing = matches!(refused, Err(Refused::Store(StoreError::NotFound { .. })));
    assert!(missing, "to a stranger it is not there: {refused:?}");
    let ended = end(&vic, lent.id).await.unwrap();
    assert_eq!(ended.ended.map(|(by, _)| by), Some(vic.user));
    assert!(matches!(end(&min, lent.id).await, Err(Refused::Over)));
    let again = give(&min, new(&vic, later())).await.unwrap();
    assert!(end(&min, again.id).await.is_ok());
    let owned = give(&min, new(&vic, later())).await.unwrap();
    let owner = Member { user: test.user, token: test.token.clone() };
    assert!(end(&owner, owned.id).await.is_ok());
    assert_eq!((records(&test, "approval.delegated").await, listed(None).await.len()), (3, 3));
    assert_eq!(records(&test, "approval.delegation_ended").await, 3);

    for nth in 0..DELEGATIONS_OPEN_MAX {
        let from = Some(now().plus_seconds(1_000 + nth * 10));
        let until = now().plus_seconds(1_005 + nth * 10);
        give(&min, NewDelegation { from, ..new(&vic, until) }).await.unwrap();
    }
    let refused = give(&min, new(&vic, later())).await;
    assert!(matches!(refused, Err(Refused::TooMany)), "{refused:?}");
    assert!(listed(None).await.iter().all(|one| !one.in_force), "they begin later");
}

#[tokio::test]
async fn a_delegate_sees_and_answers_what_the_delegator_might() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), another(1)).await;
    let min = member(&test, "min", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let (plan, request) = asked(&test, 1).await;
    assert!(seen(&test, &vic).await.is_empty());
    let refused = close(&test, &vic, &request, None).await;
    assert!(matches!(refused, Err(ApprovalError::NotProven(EvidenceError::NotAllowed))));
    let lent = lend(&test, &min, &vic).await;
    assert_eq!(seen(&test, &vic).await, std::slice::from_ref(&request));
    let one = who(&test, &vic).await;
    let found = test.store.delegations_lent_to(&one, test.project).await.unwrap();
    assert_eq!(found.iter().map(|lent| lent.body().id()).collect::<Vec<_>>(), [lent.id]);
    // By a token that may only look nothing is answered.
    let looks = Member { token: token(&test, vic.user, TokenScope::Read).await, ..vic };
    let looking = who(&test, &looks).await;
    assert!(test.store.delegations_lent_to(&looking, test.project).await.unwrap().is_empty());
    assert!(!test.store.stands_in(&looking, test.project, test.user).await.unwrap());
    assert!(test.store.stands_in(&one, test.project, test.user).await.unwrap());
    assert!(!test.store.stands_in(&one, test.project, min.user).await.unwrap(), "four eyes");

    let vic = Member { token: token(&test, looks.user, TokenScope::Full).await, ..looks };
    close(&test, &vic, &request, Some(lent.id)).await.unwrap();
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    let on_behalf_of = OnBehalfOf { delegation: lent.id, delegator: min.user };
    assert_eq!((row.decided_by, row.on_behalf_of), (Some(vic.user), Some(on_behalf_of)));
    let test = test.reopened(folder.path()).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(done.is_ok(), "{done:?}");
    assert_eq!(state(&test, &request).await, ApprovalState::Consumed);
    let given = AuditFilter { kind: Some("approval.given".into()), ..AuditFilter::default() };
    let told = test.store.audit_search(Chain::Project(test.project), &given).await.unwrap();
    assert_eq!(told[0].body["onBehalfOf"], serde_json::json!(min.user));
    assert_eq!(told[0].body["delegation"], serde_json::json!(lent.id));
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// What ends between the yes and the start ends it: the rights are looked at when the yes is used.
#[tokio::test]
async fn a_yes_on_behalf_counts_only_while_the_delegation_stands() {
    for cut in ["ended", "role", "account", "membership", "window"] {
        let test = TestStore::memory(another(1)).await;
        let min = member(&test, "min", Role::Approver).await;
        let vic = member(&test, "vic", Role::Viewer).await;
        let seconds = if cut == "window" { 3 } else { 600 };
        let lent = new(&vic, now().plus_seconds(seconds));
        let by = who(&test, &min).await;
        let lent = test.store.delegate_approvals(&by, test.project, lent).await.unwrap();
        let (plan, request) = asked(&test, 1).await;
        close(&test, &vic, &request, Some(lent.id)).await.unwrap();
        let (claim, ruled) = test.rule(&plan).await;
        assert!(ruled.denied().is_none(), "{cut}");
        match cut {
            "ended" => drop(test.store.end_delegation(&by, test.project, lent.id).await.unwrap()),
            "role" => give_role(&test, min.user, Some(Role::Editor)).await,
            "account" => drop(test.store.disable_user(min.user, test.user).await.unwrap()),
            "membership" => give_role(&test, vic.user, None).await,
            _ => tokio::time::sleep(Duration::from_millis(3_100)).await,
        }
        let late = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
        let gone = matches!(late, Err(CommitRefused::Moved(Moved::ApprovalGone, _)));
        assert!(gone, "{cut}: {late:?}");
        let (_, ruled) = test.rule(&plan).await;
        assert!(ruled.denied().is_some(), "{cut}: and the next ruling sees it");
        assert!(seen(&test, &vic).await.is_empty(), "{cut}");
        if cut != "membership" {
            let (_, again) = asked(&test, 1).await;
            let refused = close(&test, &vic, &again, Some(lent.id)).await;
            assert!(matches!(refused, Err(ApprovalError::DelegationOver)), "{cut}: {refused:?}");
            let on_behalf_of = Some(OnBehalfOf { delegation: lent.id, delegator: min.user });
            let no = Write::RejectApproval { id: again.id, by: vic.user, on_behalf_of };
            let no = Boundary::new(Point::E).write(no);
            let refused = test.store.append(&test.writer(), no).await;
            assert!(matches!(refused, Err(StoreError::DelegationOver)), "{cut}: {refused:?}");
        }
    }
}

/// The requester has no part in it, and nobody uses what was lent to somebody else.
#[tokio::test]
async fn four_eyes_hold_for_what_is_lent() {
    let test = TestStore::memory(another(1)).await;
    let min = member(&test, "min", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let owner = Member { user: test.user, token: test.token.clone() };
    let (_, request) = asked(&test, 1).await;
    let (to_owner, of_owner) = (lend(&test, &min, &owner).await, lend(&test, &owner, &vic).await);
    let to_vic = lend(&test, &min, &vic).await;
    assert_eq!(seen(&test, &vic).await, std::slice::from_ref(&request), "by what min lent alone");
    for (by, lent) in [(&owner, &to_owner), (&vic, &of_owner), (&min, &to_vic)] {
        let refused = close(&test, by, &request, Some(lent.id)).await;
        assert!(matches!(refused, Err(ApprovalError::DelegationOver)), "{refused:?}");
    }
    close(&test, &vic, &request, Some(to_vic.id)).await.unwrap();
}

#[tokio::test]
async fn one_right_counts_once_and_one_person_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), another(2)).await;
    let (min, han) =
        (member(&test, "min", Role::Approver).await, member(&test, "han", Role::Approver).await);
    let vic = member(&test, "vic", Role::Viewer).await;
    let (of_min, of_han) = (lend(&test, &min, &vic).await, lend(&test, &han, &vic).await);
    let (plan, request) = asked(&test, 2).await;
    join(&test, &vic, &request, Some(of_min.id)).await.unwrap();
    // The delegator's own yes is the same right; the delegate's second one the same person.
    let own = close(&test, &min, &request, None).await;
    assert!(matches!(own, Err(ApprovalError::Miscounted)), "{own:?}");
    let twice = close(&test, &vic, &request, Some(of_han.id)).await;
    assert!(matches!(twice, Err(ApprovalError::AlreadySaid)), "{twice:?}");
    let (_, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some());
    close(&test, &han, &request, None).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    // The first of the two is gone before it is used.
    let by = who(&test, &min).await;
    test.store.end_delegation(&by, test.project, of_min.id).await.unwrap();
    let late = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(late, Err(CommitRefused::Moved(Moved::ApprovalGone, _))), "{late:?}");

    let (plan, request) = asked(&test, 2).await;
    join(&test, &min, &request, None).await.unwrap();
    close(&test, &vic, &request, Some(of_han.id)).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(done.is_ok(), "{done:?}");
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// What nobody lent, and what was lent for longer or to somebody else, is found.
#[tokio::test]
async fn delegations_that_are_not_as_the_audit_tells_are_found() {
    for done in [
        "DELETE FROM approval_delegation_end",
        "UPDATE approval_delegation_end SET ended_at = ended_at + 1",
        "UPDATE approval_delegation SET ends_at = ends_at + 1",
        "UPDATE approval_delegation SET delegate = (SELECT id FROM account WHERE name = 'han')",
        "UPDATE approval_delegation SET reason = 'for good'",
        "INSERT INTO approval_delegation SELECT randomblob(16), project, delegator, \
         (SELECT id FROM account WHERE name = 'han'), starts_at, ends_at, reason, salt, at_seq, \
         evidence, given_at FROM approval_delegation",
        "UPDATE approval SET delegation = NULL, on_behalf_of = NULL",
        "UPDATE approval SET on_behalf_of = (SELECT id FROM account WHERE name = 'han')",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = ended(folder.path()).await;
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        assert!(started.check_writable().await.is_err(), "{done}");
    }
}

/// A yes on behalf that waits to be used, by a delegation that was ended.
async fn ended(folder: &Path) -> TestStore {
    let test = TestStore::on_disk(folder, another(1)).await;
    let min = member(&test, "min", Role::Approver).await;
    let _han = member(&test, "han", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let lent = lend(&test, &min, &vic).await;
    let (_, request) = asked(&test, 1).await;
    close(&test, &vic, &request, Some(lent.id)).await.unwrap();
    let by = who(&test, &min).await;
    test.store.end_delegation(&by, test.project, lent.id).await.unwrap();
    test
}

/// A no on behalf of somebody closes the question, and names both.
#[tokio::test]
async fn a_no_on_behalf_closes_the_question() {
    let test = TestStore::memory(another(1)).await;
    let min = member(&test, "min", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let lent = lend(&test, &min, &vic).await;
    let (_, request) = asked(&test, 1).await;
    let on_behalf_of = Some(OnBehalfOf { delegation: lent.id, delegator: min.user });
    let no = Write::RejectApproval { id: request.id, by: vic.user, on_behalf_of };
    test.store.append(&test.writer(), Boundary::new(Point::E).write(no)).await.unwrap();
    let row = test.store.approval(request.id).await.unwrap().unwrap();
    assert_eq!((row.state, row.on_behalf_of), (ApprovalState::Rejected, on_behalf_of));
}

/// As for whoever asked: nobody says yes for somebody who wrote a value of the plan.
#[tokio::test]
async fn nobody_stands_in_for_whoever_wrote_a_value() {
    let test = TestStore::memory(another(1)).await;
    let (min, han) =
        (member(&test, "min", Role::Approver).await, member(&test, "han", Role::Approver).await);
    let vic = member(&test, "vic", Role::Viewer).await;
    let (of_min, of_han) = (lend(&test, &min, &vic).await, lend(&test, &han, &vic).await);
    let plan = test.plan().await;
    let request = test.ask_edited(&plan, min.user).await;
    let refused = close(&test, &vic, &request, Some(of_min.id)).await;
    let not_allowed = ApprovalError::NotProven(EvidenceError::NotAllowed);
    assert_eq!(refused.unwrap_err().to_string(), not_allowed.to_string());
    close(&test, &vic, &request, Some(of_han.id)).await.unwrap();
}

/// Also once others have said the rest: what they said stands there, for them and for no other delegate.
#[tokio::test]
async fn a_delegate_sees_what_they_joined_while_the_delegation_stands() {
    let test = TestStore::memory(another(2)).await;
    let (min, han) =
        (member(&test, "min", Role::Approver).await, member(&test, "han", Role::Approver).await);
    let (vic, joe) =
        (member(&test, "vic", Role::Viewer).await, member(&test, "joe", Role::Viewer).await);
    let lent = lend(&test, &min, &vic).await;
    lend(&test, &min, &joe).await;
    let (_, request) = asked(&test, 2).await;
    join(&test, &vic, &request, Some(lent.id)).await.unwrap();
    for by in [&vic, &joe] {
        assert_eq!(seen(&test, by).await, std::slice::from_ref(&request), "it waits");
    }
    close(&test, &han, &request, None).await.unwrap();
    assert_eq!(seen(&test, &vic).await, std::slice::from_ref(&request), "they joined it");
    assert!(seen(&test, &joe).await.is_empty(), "they had no part in it");
    for (by, joined) in [(&vic, true), (&joe, false), (&han, false), (&min, false)] {
        assert_eq!(test.store.has_joined(request.id, by.user).await.unwrap(), joined);
    }
    let by = who(&test, &min).await;
    test.store.end_delegation(&by, test.project, lent.id).await.unwrap();
    assert!(seen(&test, &vic).await.is_empty(), "it was lent");
}

/// Neither to an answer nor, where somebody who has the file puts the beginning off behind the ruling, at the
/// commit.
#[tokio::test]
async fn a_delegation_that_begins_later_lends_nothing_yet() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), another(1)).await;
    let min = member(&test, "min", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let by = who(&test, &min).await;
    let from = Some(now().plus_seconds(300));
    let later = NewDelegation { from, ..new(&vic, now().plus_seconds(600)) };
    let later = test.store.delegate_approvals(&by, test.project, later).await.unwrap();
    assert!(!later.in_force);
    let (plan, request) = asked(&test, 1).await;
    let one = who(&test, &vic).await;
    assert!(seen(&test, &vic).await.is_empty());
    assert!(!test.store.stands_in(&one, test.project, test.user).await.unwrap());
    assert!(test.store.delegations_lent_to(&one, test.project).await.unwrap().is_empty());
    let early = close(&test, &vic, &request, Some(later.id)).await;
    assert!(matches!(early, Err(ApprovalError::DelegationOver)), "{early:?}");

    let at_once = new(&vic, now().plus_seconds(250));
    let at_once = test.store.delegate_approvals(&by, test.project, at_once).await.unwrap();
    close(&test, &vic, &request, Some(at_once.id)).await.unwrap();
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none());
    let put_off = "UPDATE approval_delegation SET starts_at = starts_at + 100000";
    by_hand(folder.path(), put_off).await;
    let early = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(early, Err(CommitRefused::Moved(Moved::ApprovalGone, _))), "{early:?}");
}

/// A run of that plan which ends before anything of it is begun.
async fn failed(test: &TestStore, plan: &Blueprint) {
    let (claim, ruled) = test.rule(plan).await;
    let (done, _) =
        test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    let execution = ruled.seal(done).unwrap().begin().execution();
    let outcome = RunOutcome::Failed { code: "FILE_IO".to_owned() };
    let over = Boundary::new(Point::T2).write(Write::ExecutionFinished { execution, outcome });
    test.store.append(&test.writer(), over).await.unwrap();
}

/// What a run gave back is taken up in the right that it was said in, while that is lent.
#[tokio::test]
async fn a_yes_on_behalf_that_came_back_counts_in_the_same_right() {
    for ended in [false, true] {
        let test = TestStore::memory(another(1)).await;
        let min = member(&test, "min", Role::Approver).await;
        let vic = member(&test, "vic", Role::Viewer).await;
        let lent = lend(&test, &min, &vic).await;
        let (plan, request) = asked(&test, 1).await;
        close(&test, &vic, &request, Some(lent.id)).await.unwrap();
        failed(&test, &plan).await;
        assert_eq!(state(&test, &request).await, ApprovalState::Approved, "given back");
        let (of, digest) = ((test.project, test.session), plan.digest().unwrap());
        let released = || test.store.released_approval(of, digest, now());
        let found = released().await.unwrap().unwrap();
        if ended {
            let by = who(&test, &min).await;
            test.store.end_delegation(&by, test.project, lent.id).await.unwrap();
            assert!(released().await.unwrap().is_none(), "it is lent no more");
        }

        let again = Blueprint { id: new_id(), task: new_id(), ..plan };
        let words = ContentDigest::of_bytes(b"again");
        let drawn = DrawnAgain { approval: new_id(), blueprint: again.id, words };
        let write = Write::Blueprint(Box::new(again.clone()));
        let boundary = Boundary::new(Point::E).write(write);
        let taken = test.store.take_up_approval(&test.writer(), boundary, &found, drawn).await;
        if ended {
            assert!(matches!(taken, Err(ApprovalError::Expired)), "{taken:?}");
            assert_eq!(state(&test, &request).await, ApprovalState::Approved, "undone whole");
            continue;
        }
        let on_behalf_of = Some(OnBehalfOf { delegation: lent.id, delegator: min.user });
        assert_eq!(taken.unwrap().0.body().on_behalf_of(), on_behalf_of);
        let row = test.store.approval(drawn.approval).await.unwrap().unwrap();
        assert_eq!(row.state, ApprovalState::Approved);
        assert_eq!((row.decided_by, row.on_behalf_of), (Some(vic.user), on_behalf_of));
        let (claim, ruled) = test.rule(&again).await;
        assert!(ruled.denied().is_none());
        let done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
        assert!(done.is_ok(), "{done:?}");
        let row = test.store.approval(drawn.approval).await.unwrap().unwrap();
        assert_eq!(row.state, ApprovalState::Consumed);
    }
}
