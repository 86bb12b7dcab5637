//! The kill switch: three scopes, one guard, and a log that tells of a halt that was edited away.

use crate::{
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, permissive, store_on},
};
use wiiiv_domain::HaltScope;
use wiiiv_gate::{Claim, Principal, Resolved};
use wiiiv_store::{
    AuditFilter, AuditFit, Boundary, Chain, CommitRefused, HaltRefused, Moved, NewUser, Point,
    TokenScope,
};

struct Scopes {
    server: HaltScope,
    project: HaltScope,
    session: HaltScope,
}

impl Scopes {
    fn of(test: &TestStore) -> Self {
        let (project, session) = (test.project, test.session);
        Self {
            server: HaltScope::Server,
            project: HaltScope::Project(project),
            session: HaltScope::Session { project, session },
        }
    }
    fn all(&self) -> [HaltScope; 3] {
        [self.session, self.project, self.server]
    }
}

/// An administrator, for the project of that scope.
async fn admin(test: &TestStore, scope: HaltScope) -> Principal {
    let name = "root".to_owned();
    let user = match test.store.user_named(&name).await.unwrap() {
        Some(user) => user.id,
        None => {
            let password = crate::test_store::password();
            let new = NewUser { name, password, admin: true };
            test.store.create_user(new, permissive()).await.unwrap().user
        }
    };
    let token = test.store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
    let token = secrecy::ExposeSecret::expose_secret(&token);
    test.store.authenticate(token, scope.project(), now()).await.unwrap()
}

async fn refused(test: &TestStore, claim: Claim) -> Option<Moved> {
    match test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await {
        Ok(_) => None,
        Err(CommitRefused::Moved(moved, _)) => Some(moved),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn nothing_starts_under_a_halt_of_any_scope() {
    let test = TestStore::memory(permissive()).await;
    for scope in Scopes::of(&test).all() {
        let who = admin(&test, scope).await;
        let mut run = {
            let (claim, ruled) = test.rule(&test.plan().await).await;
            let (done, _) =
                test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await.unwrap();
            ruled.seal(done).unwrap().begin()
        };
        let (policy, standing) =
            (test.snapshot().await, test.store.standing(test.session).await.unwrap());
        let inputs = Resolved::default();
        let step =
            run.rule_step(&crate::plan::step(), 1, inputs, &policy, &standing, now()).unwrap().0;
        let (plan, _) = test.rule(&test.plan().await).await;
        let (call, _) = test.rule_call(new_id(), 100).await;
        // All three were ruled on before.
        let halt = test.store.halt(&who, scope, "smoke in the hall").await.unwrap();
        assert_eq!(
            (halt.scope, halt.by, halt.reason.as_str()),
            (scope, who.user(), "smoke in the hall")
        );
        let before = test.store.counters();
        for claim in [plan, call, step] {
            assert_eq!(refused(&test, claim).await, Some(Moved::Halted), "{scope:?}");
        }
        let after = test.store.counters();
        assert_eq!(after.reads - before.reads, 3, "one statement guards each");
        assert!(test.store.standing(test.session).await.unwrap().halted);
        let over = test.store.halts(Some(test.project), Some(test.session)).await.unwrap();
        assert_eq!(over, [halt]);
        test.store.resume(&who, scope, "it was toast", false).await.unwrap();
        let (call, _) = test.rule_call(new_id(), 100).await;
        assert_eq!(refused(&test, call).await, None, "{scope:?}");
    }
}

#[tokio::test]
async fn another_session_and_another_project_go_on() {
    let test = TestStore::memory(permissive()).await;
    let Scopes { project, session, .. } = Scopes::of(&test);
    let other = test.store.create_session(test.project, test.user, "other", now()).await.unwrap();
    let who = test.principal().await;
    test.store.halt(&who, session, "why").await.unwrap();
    assert!(!test.store.standing(other.id).await.unwrap().halted);
    test.store.halt(&who, project, "why").await.unwrap();
    assert!(test.store.standing(other.id).await.unwrap().halted);
    let far = test.store.create_project("far", test.user, permissive()).await.unwrap();
    let far = far.body().document().project;
    let there = test.store.create_session(far, test.user, "there", now()).await.unwrap().id;
    assert!(!test.store.standing(there).await.unwrap().halted);
    let over = test.store.halts(Some(test.project), Some(test.session)).await.unwrap();
    let over: Vec<_> = over.into_iter().map(|halt| halt.scope).collect();
    assert_eq!(over, [project, session], "the widest first");
}

#[tokio::test]
async fn a_halt_is_one_and_what_another_halted_is_not_ones_own_to_resume() {
    let test = TestStore::memory(permissive()).await;
    let Scopes { session, .. } = Scopes::of(&test);
    let (own, root) = (test.principal().await, admin(&test, session).await);
    let none = test.store.resume(&own, session, "x", false).await;
    assert!(matches!(none, Err(HaltRefused::NotHalted)), "{none:?}");
    test.store.halt(&root, session, "why").await.unwrap();
    let twice = test.store.halt(&own, session, "why").await;
    assert!(matches!(twice, Err(HaltRefused::AlreadyHalted)), "{twice:?}");
    let foreign = test.store.resume(&own, session, "x", true).await;
    assert!(matches!(foreign, Err(HaltRefused::HaltedByAnother)), "{foreign:?}");
    test.store.resume(&root, session, "x", true).await.unwrap();
    let (chain, all) = (Chain::Project(test.project), AuditFilter::default());
    let records = test.store.audit_search(chain, &all).await.unwrap();
    let kinds: Vec<_> = records.into_iter().map(|row| row.kind).collect();
    let told = kinds.iter().filter(|kind| kind.starts_with("session.")).collect::<Vec<_>>();
    assert_eq!(told, ["session.resumed", "session.halted"], "newest first");
}

/// Whoever lost the right since they were let in halts nothing.
#[tokio::test]
async fn a_right_that_is_gone_halts_nothing() {
    let test = TestStore::memory(permissive()).await;
    let other = test.store.create_project("other", test.user, permissive()).await.unwrap();
    let other = other.body().document().project;
    let token = &test.token;
    let who = test.store.authenticate(token, Some(other), now()).await.unwrap();
    let scope = HaltScope::Project(other);
    let root = admin(&test, scope).await;
    let roles = [wiiiv_store::Role::Owner].into();
    test.store.set_roles(other, root.user(), roles, test.user).await.unwrap();
    test.store.set_roles(other, test.user, [].into(), root.user()).await.unwrap();
    assert!(test.store.halt(&who, scope, "why").await.is_err());
    assert_eq!(test.store.halts(Some(other), None).await.unwrap(), []);
}

#[tokio::test]
async fn a_halt_that_was_edited_away_is_found() {
    for (done, at_start) in [
        ("DELETE FROM halt", true),
        (
            "UPDATE halt SET resumed_at = 1, resumed_seq = 1, resumed_by = halted_by, resumed_reason = 'x'",
            true,
        ),
        ("UPDATE halt SET subject = randomblob(16) WHERE project IS NOT NULL", true),
        ("UPDATE halt SET subject = randomblob(16) WHERE project IS NULL", true),
        ("UPDATE halt SET reason = 'as agreed with the owner'", true),
        ("UPDATE halt SET halted_by = (SELECT id FROM account WHERE name = 'kim')", true),
        ("UPDATE halt SET halted_at = halted_at + 1", true),
    ] {
        for nth in 0..3 {
            let folder = tempfile::tempdir().unwrap();
            let test = TestStore::on_disk(folder.path(), permissive()).await;
            let scope = Scopes::of(&test).all()[nth];
            let who = admin(&test, scope).await;
            test.store.halt(&who, scope, "smoke").await.unwrap();
            drop(test);
            assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{done} {nth}");
            let is_of = match nth {
                2 => "project IS NULL",
                _ => "project IS NOT NULL",
            };
            if done.contains(" WHERE project ") && !done.contains(is_of) {
                continue;
            }
            by_hand(folder.path(), done).await;
            let found = looked(folder.path()).await;
            assert!(matches!(found, AuditFit::Changed(_)), "{done} {nth}: {found:?}");
            let store = store_on(folder.path()).await;
            assert_eq!(store.fault().is_some(), at_start, "{done} {nth}");
        }
    }
}

/// What is over, doctor alone looks at.
#[tokio::test]
async fn what_was_said_on_resuming_is_compared_too() {
    for done in [
        "UPDATE halt SET resumed_reason = 'x'",
        "DELETE FROM halt",
        "INSERT INTO halt SELECT randomblob(16), randomblob(16), project, at_seq, halted_by, reason, salt, halted_at, resumed_seq, resumed_by, resumed_reason, resumed_at FROM halt",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let (who, scope) = (test.principal().await, Scopes::of(&test).project);
        test.store.halt(&who, scope, "smoke").await.unwrap();
        test.store.resume(&who, scope, "toast", false).await.unwrap();
        drop(test);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}

#[tokio::test]
async fn a_halt_of_the_server_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let scope = HaltScope::Server;
    let who = admin(&test, scope).await;
    test.store.halt(&who, scope, "smoke").await.unwrap();
    drop(who);
    let test = {
        let again = test.clone();
        drop(test);
        again.reopened(folder.path()).await
    };
    let test = test.unwrap();
    assert!(test.store.standing(test.session).await.unwrap().halted);
    let halts = test.store.halts(None, None).await.unwrap();
    assert_eq!(halts.len(), 1);
    assert_eq!(halts[0].reason, "smoke");
}
