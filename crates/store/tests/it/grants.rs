//! Yeses that are said beforehand: each use is taken in the commit that rests on it, and what no longer counts
//! permits nothing.

use crate::{
    plan::step,
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, policy, store_on},
};
use std::path::Path;
use wiiiv_domain::{
    ApprovalId, Blueprint, ExecutionId, GrantId, GrantTerms, Salt, Timestamp, UserId,
};
use wiiiv_gate::{Claim, GrantUses, Principal, Purpose, UserEvent, UserEventKind, grant as gate};
use wiiiv_store::{
    AuditFilter, AuditFit, Boundary, Chain, CommitRefused, GRANTS_HELD_MAX, GrantFilter,
    GrantRefused, GrantRow, Moved, NewGrant, NewUser, Point, Role, TokenScope, Write,
};

/// A plan that was shown and approved, and its question.
type ShownPlan = (Blueprint, ApprovalId);

struct Wanted {
    holder: UserId,
    uses: u32,
    seconds: i64,
}

async fn give(
    test: &TestStore,
    who: &Principal,
    shown: &ShownPlan,
    wanted: Wanted,
) -> Result<GrantId, GrantRefused> {
    give_from(test, who, shown, (wanted, None)).await
}

async fn give_from(
    test: &TestStore,
    who: &Principal,
    (plan, approval): &ShownPlan,
    (wanted, not_before): (Wanted, Option<Timestamp>),
) -> Result<GrantId, GrantRefused> {
    let terms = GrantTerms {
        id: new_id(),
        project: test.project,
        holder: wanted.holder,
        scope: gate::scope_of(plan, Some(&step())).unwrap(),
        uses: wanted.uses,
        not_before,
        expires_at: now().plus_seconds(wanted.seconds),
        made_from: *approval,
        salt: Salt::from_bytes([7; 16]),
    };
    let kind = UserEventKind::Grant { grant: terms.id, digest: terms.digest().unwrap() };
    let said = UserEvent::of(who, test.project, None, kind, now()).unwrap();
    let policy = test.snapshot().await;
    let new = NewGrant { plan: plan.clone(), step: Some(step()), terms, policy };
    Ok(test.store.record_grant(who, said, new).await?.body().id())
}

/// By the one who will use it.
async fn given(test: &TestStore, uses: u32) -> GrantId {
    given_from(test, uses, None).await
}

async fn given_from(test: &TestStore, uses: u32, not_before: Option<Timestamp>) -> GrantId {
    let (who, shown) = (test.principal().await, test.approved_plan().await);
    let wanted = Wanted { holder: test.user, uses, seconds: 600 };
    give_from(test, &who, &shown, (wanted, not_before)).await.unwrap()
}

async fn approver(test: &TestStore, name: &str) -> Principal {
    let new = NewUser { name: name.into(), password: password(), admin: false };
    let user = test.store.create_user(new, policy()).await.unwrap().user;
    roles(test, user, Some(Role::Approver)).await;
    let token = test.store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
    let token = secrecy::ExposeSecret::expose_secret(&token).to_owned();
    test.store.authenticate(&token, Some(test.project), now()).await.unwrap()
}

async fn roles(test: &TestStore, user: UserId, role: Option<Role>) {
    let roles = role.into_iter().collect();
    test.store.set_roles(test.project, user, roles, test.user).await.unwrap();
}

async fn row(test: &TestStore, grant: GrantId) -> GrantRow {
    let filter = GrantFilter { id: Some(grant), ..GrantFilter::default() };
    test.store.grants(test.project, filter).await.unwrap().pop().unwrap()
}

async fn records(test: &TestStore, kind: &str, grant: GrantId) -> usize {
    let (kind, about) = (Some(kind.to_owned()), Some(grant.uuid()));
    let filter = AuditFilter { kind, about, ..AuditFilter::default() };
    test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap().len()
}

async fn commit(test: &TestStore, claim: Claim) -> Result<(), CommitRefused> {
    test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.map(drop)
}

/// A plan like the one that was shown.
async fn claim(test: &TestStore) -> (Blueprint, Claim) {
    let plan = test.plan().await;
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_none(), "the grant covers it");
    (plan, claim)
}

async fn is_denied(test: &TestStore) -> bool {
    let (_, ruled) = test.rule(&test.plan().await).await;
    ruled.denied().is_some()
}

fn is_gone(done: &Result<(), CommitRefused>) -> bool {
    matches!(done, Err(CommitRefused::Moved(Moved::GrantGone, _)))
}

#[tokio::test]
async fn each_use_is_taken_in_the_commit_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let grant = given(&test, 2).await;
    for left in [1, 0] {
        let (plan, claim) = claim(&test).await;
        commit(&test, claim).await.unwrap();
        let row = row(&test, grant).await;
        assert_eq!((row.left(), row.counts(now())), (left, left > 0));
        let digest = plan.digest().unwrap();
        assert!(row.uses.iter().any(|of| (of.blueprint, of.digest) == (plan.id, digest)));
        let used = test.store.grants_used_by(&[plan.id]).await.unwrap();
        assert_eq!(used.iter().map(|of| (of.grant, of.taken)).collect::<Vec<_>>(), [(grant, 1)]);
    }
    assert!(is_denied(&test).await, "it is used up");
    let test = test.reopened(folder.path()).await.unwrap();
    assert!(is_denied(&test).await);
    assert_eq!(row(&test, grant).await.uses.len(), 2);
    let told = [("approval.granted", 1), ("approval.grant_used", 2), ("approval.grant_revoked", 0)];
    for (kind, count) in told {
        assert_eq!(records(&test, kind, grant).await, count, "{kind}");
    }
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// Whoever looked at it before may have found the yes: the commit decides.
#[tokio::test]
async fn nothing_is_granted_from_a_yes_that_does_not_stand() {
    let test = TestStore::memory(policy()).await;
    let who = test.principal().await;
    let plan = test.plan().await;
    let waits = test.ask(&plan, 600).await.id;
    let back = test.approved_plan().await;
    let (claim, _) = test.rule(&back.0).await;
    commit(&test, claim).await.unwrap();
    let run = test.store.approval(back.1).await.unwrap().unwrap().consumed_by;
    let write = Write::RevokeApproval { id: back.1, by: test.user, run };
    test.store.append(&test.writer(), Boundary::new(Point::E).write(write)).await.unwrap();
    for shown in [(plan, waits), back] {
        let wanted = Wanted { holder: test.user, uses: 1, seconds: 600 };
        let refused = give(&test, &who, &shown, wanted).await;
        assert!(matches!(refused, Err(GrantRefused::NoYes)), "{refused:?}");
    }
    let all = test.store.grants(test.project, GrantFilter::default()).await.unwrap();
    assert!(all.is_empty(), "{all:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_do_not_both_take_the_last_use() {
    for _ in 0..5 {
        let test = TestStore::memory(policy()).await;
        let grant = given(&test, 1).await;
        let ((_, one), (_, other)) = (claim(&test).await, claim(&test).await);
        let (left, right) = tokio::join!(commit(&test, one), commit(&test, other));
        assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
        assert!(is_gone(&left) || is_gone(&right), "{left:?} {right:?}");
        assert_eq!((row(&test, grant).await.left(), is_denied(&test).await), (0, true));
        assert_eq!(records(&test, "approval.grant_used", grant).await, 1);
    }
}

/// Between the ruling and the commit.
#[tokio::test]
async fn what_counts_no_more_is_not_taken() {
    let test = TestStore::memory(policy()).await;
    let (own, min) = (test.principal().await, approver(&test, "min").await);
    let shown = test.approved_plan().await;
    let wanted = |seconds| Wanted { holder: test.user, uses: 5, seconds };

    let grant = give(&test, &min, &shown, wanted(600)).await.unwrap();
    let (_, late) = claim(&test).await;
    for _ in 0..2 {
        test.store.revoke_grant(&min, (test.project, grant)).await.unwrap();
    }
    assert!(is_gone(&commit(&test, late).await) && is_denied(&test).await, "revoked");
    assert_eq!(records(&test, "approval.grant_revoked", grant).await, 1, "once");
    assert_eq!(row(&test, grant).await.revoked.map(|(by, _)| by), Some(min.user()));

    let grant = give(&test, &min, &shown, wanted(600)).await.unwrap();
    let (_, late) = claim(&test).await;
    roles(&test, min.user(), None).await;
    assert!(is_gone(&commit(&test, late).await) && is_denied(&test).await, "no right any more");
    assert!(!row(&test, grant).await.granter_stands);
    roles(&test, min.user(), Some(Role::Approver)).await;
    assert!(!is_denied(&test).await, "it is of whoever may approve now");
    test.store.revoke_grant(&own, (test.project, grant)).await.unwrap();

    let grant = give(&test, &own, &shown, wanted(3)).await.unwrap();
    let (_, late) = claim(&test).await;
    while row(&test, grant).await.counts(now()) {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(is_gone(&commit(&test, late).await) && is_denied(&test).await, "expired");
    assert_eq!(row(&test, grant).await.used, 0);
}

/// The commit looks at the time anew, as it does for the end: a clock may have gone back behind the ruling.
#[tokio::test]
async fn before_its_beginning_it_is_no_evidence_and_is_not_taken() {
    let test = TestStore::memory(policy()).await;
    let begins = now().plus_seconds(300);
    let grant = given_from(&test, 2, Some(begins)).await;
    let held = async |at| test.store.grants_held(test.project, test.user, at).await.unwrap().len();
    assert_eq!((held(now()).await, held(begins).await), (0, 1));
    let found = row(&test, grant).await;
    assert_eq!((found.has_begun(now()), found.counts(now())), (false, false));
    assert_eq!((found.has_begun(begins), found.counts(begins)), (true, true));
    assert!(is_denied(&test).await, "it has not begun");

    let plan = test.plan().await;
    let evidence = test.store.evidence(&plan, begins).await.unwrap();
    let purpose = Purpose::Start(new_id::<ExecutionId>());
    let policy = test.snapshot().await;
    let cx = test.keeper.gather(new_id(), purpose, plan, policy, evidence).unwrap();
    let (early, ruled) = test.keeper.rule(cx, begins);
    assert!(ruled.denied().is_none(), "by then it covers the plan");
    assert!(is_gone(&commit(&test, early).await), "the commit is before that");
    assert_eq!(row(&test, grant).await.used, 0);
    assert_eq!(records(&test, "approval.grant_used", grant).await, 0);
}

/// Where it is the project's first, too: that there is none is kept in memory.
#[tokio::test]
async fn from_its_beginning_on_it_is_taken() {
    let test = TestStore::memory(policy()).await;
    let held = async || test.store.grants_held(test.project, test.user, now()).await.unwrap().len();
    assert_eq!(held().await, 0);
    let begins = now().plus_seconds(2);
    let grant = given_from(&test, 1, Some(begins)).await;
    while !row(&test, grant).await.counts(now()) {
        held().await;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let (_, claim) = claim(&test).await;
    commit(&test, claim).await.unwrap();
    assert_eq!(row(&test, grant).await.left(), 0);
}

/// What was said counts; the row only says where to look.
#[tokio::test]
async fn a_beginning_that_is_taken_out_of_the_row_still_holds() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    given_from(&test, 1, Some(now().plus_seconds(300))).await;
    by_hand(folder.path(), "UPDATE approval_grant SET not_before = NULL").await;
    assert!(is_denied(&test).await);
}

#[tokio::test]
async fn who_gives_whom_and_who_ends_it() {
    let test = TestStore::memory(policy()).await;
    let (own, min, han) =
        (test.principal().await, approver(&test, "min").await, approver(&test, "han").await);
    let shown = test.approved_plan().await;
    let for_one = |holder| Wanted { holder, uses: 1, seconds: 600 };
    // Approvers ask for no work.
    let refused = give(&test, &own, &shown, for_one(han.user())).await;
    assert!(matches!(refused, Err(GrantRefused::Holder)), "{refused:?}");
    let grant = give(&test, &min, &shown, for_one(test.user)).await.unwrap();
    let of = (test.project, grant);
    let refused = test.store.revoke_grant(&han, of).await;
    assert!(matches!(refused, Err(GrantRefused::NotAllowed)), "{refused:?}");
    let missing = test.store.revoke_grant(&own, (test.project, new_id())).await;
    assert!(matches!(missing, Err(GrantRefused::NotFound)), "{missing:?}");

    for _ in 1..GRANTS_HELD_MAX {
        give(&test, &min, &shown, for_one(test.user)).await.unwrap();
    }
    let refused = give(&test, &min, &shown, for_one(test.user)).await;
    assert!(matches!(refused, Err(GrantRefused::TooMany)), "{refused:?}");
    test.store.revoke_grant(&own, of).await.unwrap();
    give(&test, &min, &shown, for_one(test.user)).await.unwrap();
    // Of what was refused nothing stands in the audit.
    let kind = Some("approval.granted".to_owned());
    let filter = AuditFilter { kind, ..AuditFilter::default() };
    let told = test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    assert_eq!(told.len() as u64, GRANTS_HELD_MAX + 1);
}

#[tokio::test]
async fn a_project_without_grants_costs_no_statement() {
    let test = TestStore::memory(policy()).await;
    let held = || async { test.store.grants_held(test.project, test.user, now()).await.unwrap() };
    assert!(held().await.is_empty());
    let before = test.store.counters().reads;
    assert!(held().await.is_empty());
    assert_eq!(test.store.counters().reads, before, "read again");
    let grant = given(&test, 1).await;
    assert_eq!(held().await.iter().map(|of| of.given.body().id()).collect::<Vec<_>>(), [grant]);
    let nobody = test.store.grants_held(test.project, new_id(), now()).await.unwrap();
    assert!(nobody.is_empty(), "each is one person's");
    let who = test.principal().await;
    test.store.revoke_grant(&who, (test.project, grant)).await.unwrap();
    assert!(held().await.is_empty());
}

/// One that was used once, one that begins later, and one that was revoked.
async fn used_and_revoked(folder: &Path) -> TestStore {
    let test = TestStore::on_disk(folder, policy()).await;
    approver(&test, "min").await;
    given(&test, 2).await;
    let (_, claim) = claim(&test).await;
    commit(&test, claim).await.unwrap();
    given_from(&test, 1, Some(now().plus_seconds(300))).await;
    let who = test.principal().await;
    let revoked = given(&test, 3).await;
    test.store.revoke_grant(&who, (test.project, revoked)).await.unwrap();
    test
}

/// A grant, a use or its end that is not as it was written is found by `doctor`, and by the next start.
#[tokio::test]
async fn rows_that_are_not_as_the_audit_tells_are_found() {
    for done in [
        "DELETE FROM approval_grant_use",
        "DELETE FROM approval_grant_revoked",
        "UPDATE approval_grant SET uses = 100",
        "UPDATE approval_grant SET expires_at = expires_at + 1",
        "UPDATE approval_grant SET not_before = NULL",
        "UPDATE approval_grant SET not_before = given_at",
        "UPDATE approval_grant SET holder = (SELECT id FROM account WHERE name = 'min')",
        "UPDATE approval_grant_use SET taken = taken + 1",
        "UPDATE approval_grant_revoked SET revoked_by = (SELECT id FROM account WHERE name = 'min')",
        "INSERT INTO approval_grant SELECT randomblob(16), project, granter, holder, made_from, uses, \
         given_at, expires_at, at_seq, evidence, not_before FROM approval_grant LIMIT 1",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = used_and_revoked(folder.path()).await;
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(!matches!(found, AuditFit::Whole), "{done}: {found:?}");
        drop(test);
        let started = store_on(folder.path()).await;
        let is_seen_later = done.contains("SET revoked_by");
        assert_eq!(started.check_writable().await.is_err(), !is_seen_later, "{done}");
    }
}

/// While the server runs: what the audit tells otherwise is no evidence.
#[tokio::test]
async fn a_use_or_an_end_that_is_taken_away_gives_nothing_back() {
    for (done, left) in [
        ("DELETE FROM approval_grant_use", 0),
        ("PRAGMA ignore_check_constraints = ON; UPDATE approval_grant_use SET taken = 0", 0),
        ("DELETE FROM approval_grant_revoked", 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = used_and_revoked(folder.path()).await;
        let held = || async {
            let held = test.store.grants_held(test.project, test.user, now()).await.unwrap();
            held.iter().map(GrantUses::left).sum::<u32>()
        };
        assert_eq!(held().await, 1);
        by_hand(folder.path(), done).await;
        assert_eq!(held().await, left, "{done}");
    }
}
