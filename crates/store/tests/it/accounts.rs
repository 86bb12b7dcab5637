//! Who is who, and what they may do.

use crate::test_store::{PASSWORD, TestStore, cheap, keys, now, opened, password, permissive};
use sea_orm::{ConnectionTrait as _, Database};
use secrecy::{ExposeSecret as _, SecretString};
use std::collections::BTreeSet;
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_store::{
    AccountError, AccountRefused, ApprovalState, AuthError, Carried, MemberError, NewUser, Page,
    PasswordChange, Role, RoleChange, SessionChange, SetupError, Store, StoreConfig, TokenScope,
};

fn new(name: &str, admin: bool) -> NewUser {
    NewUser { name: name.into(), password: password(), admin }
}

async fn empty() -> Store {
    let config = StoreConfig { password_cost: cheap(), ..StoreConfig::memory() };
    Store::open(config, opened().registrar, keys("07")).await.unwrap()
}

#[tokio::test]
async fn the_setup_token_makes_one_administrator_once() {
    let store = empty().await;
    let voided = store.setup_token().await.unwrap().unwrap();
    let token = store.setup_token().await.unwrap().unwrap();
    let setup = |token: &SecretString| {
        let (store, token) = (store.clone(), token.expose_secret().to_owned());
        async move { store.setup(&token, "root".into(), password(), permissive()).await }
    };
    assert!(matches!(setup(&voided).await, Err(SetupError::WrongToken)));
    let created = setup(&token).await.unwrap();
    assert!(store.user(created.user).await.unwrap().unwrap().admin);
    assert_eq!(store.personal_project(created.user).await.unwrap(), Some(created.project));
    assert!(matches!(setup(&token).await, Err(SetupError::Done)));
    assert!(store.setup_token().await.unwrap().is_none());
}

#[tokio::test]
async fn passwords_log_in_and_nothing_else_does() {
    let test = TestStore::memory(permissive()).await;
    let login = |name: &'static str, text: &'static str| {
        let store = test.store.clone();
        async move { store.authenticate_password(name, SecretString::from(text)).await }
    };
    assert_eq!(login("kim", PASSWORD).await.unwrap().user, test.user);
    assert!(matches!(login("kim", "wrong password").await, Err(AuthError::WrongPassword)));
    assert!(matches!(login("lee", PASSWORD).await, Err(AuthError::WrongPassword)));
    test.store.disable_user(test.user, test.user).await.unwrap();
    assert!(matches!(login("kim", PASSWORD).await, Err(AuthError::WrongPassword)));
    let gone = test.store.authenticate(&test.token, None, now()).await;
    assert!(matches!(gone, Err(AuthError::WrongToken)));
}

#[tokio::test]
async fn names_and_passwords_are_checked_before_anything_is_written() {
    let test = TestStore::memory(permissive()).await;
    let create = |user| test.store.create_user(user, permissive());
    assert!(
        matches!(create(new("kim", false)).await, Err(AccountError::NameTaken(name)) if name == "kim")
    );
    assert!(matches!(create(new("k i m", false)).await, Err(AccountError::Name)));
    let short = NewUser { password: SecretString::from("short"), ..new("lee", false) };
    assert!(matches!(create(short).await, Err(AccountError::Password)));
    assert!(test.store.user_named("lee").await.unwrap().is_none());
}

#[tokio::test]
async fn tokens_expire_are_revoked_and_can_be_narrow() {
    let test = TestStore::memory(permissive()).await;
    let store = &test.store;
    let later = now().plus_seconds(60);
    let short = store.issue_token(test.user, TokenScope::Full, Some(later)).await.unwrap();
    let try_at = |at: Timestamp| store.authenticate(short.text.expose_secret(), None, at);
    assert!(try_at(now()).await.is_ok());
    assert!(matches!(try_at(later).await, Err(AuthError::WrongToken)));
    store.revoke_token(test.user, short.id).await.unwrap();
    assert!(matches!(try_at(now()).await, Err(AuthError::WrongToken)));
    assert!(store.revoke_token(test.user, short.id).await.is_err());

    let read = store.issue_token(test.user, TokenScope::Read, None).await.unwrap();
    let who = store.authenticate(read.text.expose_secret(), Some(test.project), now()).await;
    let rights = who.unwrap().rights();
    assert!(rights.may_see() && !rights.may_request() && !rights.may_approve());
    for junk in ["", "wiiiv_", "wiiiv_AAAA", &"x".repeat(10_000)] {
        assert!(matches!(store.authenticate(junk, None, now()).await, Err(AuthError::WrongToken)));
    }
    assert_eq!(store.tokens(test.user, Page::default()).await.unwrap().len(), 3);
    let text = read.text.expose_secret();
    assert!(store.revoke_token_text(UserId::from(uuid::Uuid::now_v7()), text).await.is_err());
    store.revoke_token_text(test.user, text).await.unwrap();
    assert!(matches!(store.authenticate(text, None, now()).await, Err(AuthError::WrongToken)));
    assert!(!format!("{read:?}").contains("wiiiv_"));
}

/// What a project's members may read, an administrator may not by looking with less than the whole right.
#[tokio::test]
async fn a_token_that_looks_opens_no_project_without_a_role() {
    let test = TestStore::memory(permissive()).await;
    let root = test.store.create_user(new("root", true), permissive()).await.unwrap();
    let read = test.store.issue_token(root.user, TokenScope::Read, None).await.unwrap();
    let enter = |project| test.store.authenticate(read.text.expose_secret(), Some(project), now());
    let rights = enter(root.project).await.unwrap().rights();
    assert!(rights.viewer && !rights.admin);
    assert!(matches!(enter(test.project).await, Err(AuthError::NoRight)));
}

#[tokio::test]
async fn rights_are_those_of_the_project_at_hand() {
    let test = TestStore::memory(permissive()).await;
    let store = &test.store;
    let other = store.create_user(new("lee", false), permissive()).await.unwrap();
    let strange = store.authenticate(&test.token, Some(other.project), now()).await;
    assert!(matches!(strange, Err(AuthError::NoRight)));
    let roles = BTreeSet::from([Role::Approver, Role::Viewer]);
    store.set_roles(other.project, test.user, roles.clone(), other.user).await.unwrap();
    let who = store.authenticate(&test.token, Some(other.project), now()).await.unwrap();
    assert!(who.rights().may_approve() && !who.rights().may_request());
    assert_eq!(store.members(other.project).await.unwrap().rows.len(), 2);
    assert_eq!(store.projects_of(test.user, Page::default()).await.unwrap().len(), 2);

    let newest = Page { before: None, limit: Some(1) };
    let first = store.projects_of(test.user, newest).await.unwrap();
    let next = Page { before: first.last().map(|row| row.id.uuid()), limit: Some(9) };
    let rest = store.projects_of(test.user, next).await.unwrap();
    assert_eq!((first.len(), rest.len()), (1, 1));
    assert!(first[0].id < rest[0].id, "oldest first, none twice");

    let read = store.members(other.project).await.unwrap().version;
    let change = |roles| RoleChange { user: test.user, roles, by: other.user };
    let both = BTreeSet::from([Role::Approver]);
    let changed = store.change_roles(other.project, read, change(both)).await.unwrap();
    assert_eq!(store.members(other.project).await.unwrap().version, changed);
    let stale = store.change_roles(other.project, read, change(roles)).await;
    assert!(matches!(stale, Err(MemberError::Stale { current }) if current == changed));
    assert_eq!(changed.to_string().parse(), Ok(changed));

    let nothing = BTreeSet::new();
    let last = store.set_roles(other.project, other.user, nothing.clone(), other.user).await;
    assert!(matches!(last, Err(MemberError::LastOwner)));
    assert_eq!(store.members(other.project).await.unwrap().rows.len(), 2, "it was undone");
    // A closed account owns nothing that anybody could reach.
    let owners = BTreeSet::from([Role::Owner]);
    store.set_roles(other.project, test.user, owners, other.user).await.unwrap();
    store.disable_user(test.user, other.user).await.unwrap();
    let last = store.set_roles(other.project, other.user, nothing.clone(), other.user).await;
    assert!(matches!(last, Err(MemberError::LastOwner)));
    store.enable_user(test.user, other.user).await.unwrap();
    let issued = store.issue_token(test.user, TokenScope::Full, None).await.unwrap();
    let test = TestStore { token: issued.text.expose_secret().to_owned(), ..test.clone() };
    store.set_roles(other.project, test.user, nothing, other.user).await.unwrap();
    let gone = store.authenticate(&test.token, Some(other.project), now()).await;
    assert!(matches!(gone, Err(AuthError::NoRight)));
}

#[tokio::test]
async fn trials_are_found_by_what_they_are_and_not_by_a_title() {
    let test = TestStore::memory(permissive()).await;
    let (store, project, owner) = (&test.store, test.project, test.user);
    store.create_session(project, owner, "trials", now()).await.unwrap();
    assert_eq!(store.trials(project, owner).await.unwrap(), None, "it is a person's own");
    let made = store.create_trials(project, owner, "trials", now()).await.unwrap().id;
    store.create_session(project, owner, "trials", now()).await.unwrap();
    assert_eq!(store.trials(project, owner).await.unwrap(), Some(made));
    let gone = SessionChange { removed: true, ..SessionChange::default() };
    store.change_session(made, gone, now()).await.unwrap();
    assert_eq!(store.trials(project, owner).await.unwrap(), None);
}

/// A request that was let in before a log-out everywhere, or before a new password, is carried out
/// behind it: what it makes would outlive both.
#[tokio::test]
async fn what_was_let_in_before_an_end_makes_nothing_that_outlives_it() {
    let test = TestStore::memory(permissive()).await;
    let (store, later) = (&test.store, now().plus_seconds(60));
    let stolen = store.issue_token(test.user, TokenScope::Full, None).await.unwrap();
    let stolen = stolen.text.expose_secret();
    let login = store.authenticate_password("kim", password()).await.unwrap();
    assert!(store.issue_login(&login, later, Carried::Bearer).await.is_ok());
    assert_eq!(store.end_other_tokens(test.user, &test.token).await.unwrap(), 2);
    let what = (TokenScope::Full, later);
    let late = store.issue_token_by(test.user, stolen, what).await;
    assert!(matches!(late, Err(AccountRefused::Caller)), "{late:?}");
    let late = store.end_other_tokens(test.user, stolen).await;
    assert!(matches!(late, Err(AccountRefused::Caller)), "{late:?}");

    let new = || SecretString::from("another long password");
    let change = PasswordChange { old: password(), new: new(), keeps_others: false };
    store.change_password(test.user, &test.token, change).await.unwrap();
    let late = store.issue_login(&login, later, Carried::Bearer).await;
    assert!(matches!(late, Err(AccountRefused::WrongPassword)), "{late:?}");
    let login = store.authenticate_password("kim", new()).await.unwrap();
    store.disable_user(test.user, test.user).await.unwrap();
    let late = store.issue_login(&login, later, Carried::Bearer).await;
    assert!(matches!(late, Err(AccountRefused::WrongPassword)), "{late:?}");
    let late = store.issue_token_by(test.user, &test.token, what).await;
    assert!(matches!(late, Err(AccountRefused::Caller)), "{late:?}");
}

/// The database fails at any of its statements: nothing of the closing has happened.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_closed_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let request = test.ask(&test.plan().await, 600).await;
    let url = format!("sqlite:{}?mode=rw", folder.path().join("wiiiv.db").display());
    let db = Database::connect(url).await.unwrap();
    let state = async || test.store.approval(request.id).await.unwrap().unwrap().state;
    for at in [
        "UPDATE ON token",
        "UPDATE OF disabled_at ON account",
        "UPDATE ON approval",
        "INSERT ON audit_record",
    ] {
        let fault = format!("CREATE TRIGGER fault BEFORE {at} BEGIN SELECT RAISE(ABORT, 'x'); END");
        db.execute_unprepared(&fault).await.unwrap();
        assert!(test.store.disable_user(test.user, test.user).await.is_err(), "{at}");
        db.execute_unprepared("DROP TRIGGER fault").await.unwrap();
        assert!(test.store.authenticate(&test.token, None, now()).await.is_ok(), "{at}");
        assert_eq!(state().await, ApprovalState::Pending, "{at}");
    }
    let closed = test.store.disable_user(test.user, test.user).await.unwrap();
    assert_eq!((closed.tokens_ended, closed.withdrawn.len()), (1, 1));
    assert_eq!(state().await, ApprovalState::Withdrawn);
}
