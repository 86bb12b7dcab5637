//! What is cached ends with the commit that changes it, and costs no read before.

use crate::{
    commits::new_policy,
    test_store::{TestStore, new_id, now, password, permissive, policy},
};
use secrecy::ExposeSecret as _;
use std::collections::BTreeSet;
use wiiiv_domain::{HaltScope, KeyHolder, ProviderName, SessionId};
use wiiiv_store::{
    AuthError, Boundary, NewUser, Point, Role, SessionChange, Store, TokenScope, Write,
};
use wiiiv_vault::ApiKey;

/// The second time nothing is read.
async fn twice<T, F: Future<Output = T>>(store: &Store, ask: impl Fn() -> F) -> T {
    ask().await;
    let before = store.counters().reads;
    let found = ask().await;
    assert_eq!(store.counters().reads, before, "read again");
    found
}

#[tokio::test]
async fn rights_end_with_the_commit_that_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let (store, project) = (&test.store, test.project);
    let new = NewUser { name: "lee".into(), password: password(), admin: false };
    let lee = store.create_user(new, policy()).await.unwrap().user;
    let late = now().plus_seconds(60);
    let issued = store.issue_token(lee, TokenScope::Full, Some(late)).await.unwrap();
    let text = issued.text.expose_secret();
    let enter = |at| store.authenticate(text, Some(project), at);

    assert!(matches!(twice(store, || enter(now())).await, Err(AuthError::NoRight)));
    let roles = BTreeSet::from([Role::Viewer]);
    store.set_roles(project, lee, roles, test.user).await.unwrap();
    assert!(twice(store, || enter(now())).await.unwrap().rights().may_see());
    assert!(twice(store, || store.is_at_work(lee, project)).await.unwrap());
    assert!(matches!(enter(late.plus_seconds(1)).await, Err(AuthError::WrongToken)), "expired");
    store.set_roles(project, lee, BTreeSet::new(), test.user).await.unwrap();
    assert!(matches!(enter(now()).await, Err(AuthError::NoRight)));
    assert!(!store.is_at_work(lee, project).await.unwrap());
    store.revoke_token(lee, issued.id).await.unwrap();
    assert!(matches!(enter(now()).await, Err(AuthError::WrongToken)));
}

#[tokio::test]
async fn what_a_turn_asks_ends_with_the_commit_that_changes_it() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let (store, session, user) = (&test.store, test.session, test.user);

    let standing = twice(store, || store.standing(session)).await.unwrap();
    assert_eq!((standing.risk_score, standing.halted), (0, false));
    let write = Write::Standing { risk_score: 7, tainted: true, history: None };
    let raised = Boundary::new(Point::P).write(write);
    store.append(&test.writer(), raised).await.unwrap();
    let standing = twice(store, || store.standing(session)).await.unwrap();
    assert_eq!((standing.risk_score, standing.tainted), (7, true));
    let (who, scope) = (test.principal().await, HaltScope::Project(test.project));
    store.halt(&who, scope, "why").await.unwrap();
    assert!(store.standing(session).await.unwrap().halted);
    store.resume(&who, scope, "over", false).await.unwrap();
    assert!(!store.standing(session).await.unwrap().halted);

    let title = || async { store.conversation(session).await.unwrap().unwrap().title.clone() };
    assert_eq!(twice(store, title).await, "talk");
    let change = SessionChange { title: Some("work".into()), ..SessionChange::default() };
    store.change_session(session, change, now()).await.unwrap();
    assert_eq!(title().await, "work");

    assert_eq!(twice(store, || store.waiting_of(user)).await.unwrap(), 0);
    let _asked = test.ask(&test.plan().await, 60).await;
    assert_eq!(twice(store, || store.waiting_of(user)).await.unwrap(), 1);

    let (holder, provider) = (KeyHolder::User(user), ProviderName::OpenAi);
    let key = || store.model_key(holder, provider);
    assert!(twice(store, key).await.unwrap().is_none());
    let given = (
        ApiKey::parse(&"sk-0123456789abcdef".to_owned().into()).unwrap(),
        "https://api.openai.com".into(),
    );
    let row = store.set_model_key(user, (holder, provider), given, None).await.unwrap();
    assert_eq!(twice(store, key).await.unwrap(), Some(row.clone()));
    store.remove_model_key(user, (holder, provider), row.revision).await.unwrap();
    assert!(key().await.unwrap().is_none());
    let unknown: SessionId = new_id();
    assert!(twice(store, || store.conversation(unknown)).await.unwrap().is_none());
}

#[tokio::test]
async fn a_policy_is_known_by_what_is_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), policy()).await;
    let (store, project) = (&test.store, test.project);
    let before = twice(store, || store.policy_stamp(project)).await.unwrap();
    assert!(before.is_some());
    new_policy(&test, permissive()).await;
    let after = twice(store, || store.policy_stamp(project)).await.unwrap();
    assert!(after.is_some() && after != before);
    assert_eq!(store.policy_stamp(new_id()).await.unwrap(), None);
}
