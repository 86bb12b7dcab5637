//! A right that is taken away acts no more: not of what waited, not of what was let in a moment before,
//! and not of a plan that somebody else says yes to later.

use crate::{
    counting::house_of,
    house::{House, Person, now, person, policy},
};
use secrecy::ExposeSecret as _;
use std::{collections::BTreeSet, time::Duration};
use wiiiv_domain::{ApprovalBy, ProviderName, SessionId, UserId};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_gate::Principal;
use wiiiv_governor::{Control, Decision, Incoming, SubmitError};
use wiiiv_store::{AuditFilter, Chain, Page, Role};

/// Somebody else in the house's project.
async fn member(house: &House, name: &str, role: Role) -> (UserId, Person) {
    let store = house.governor.store();
    let (_, member) = person(store, name, policy(&house.shop)).await;
    let named = store.users_named(name).await.unwrap();
    roles(house, named[0], &[role]).await;
    (named[0], member)
}

async fn roles(house: &House, user: UserId, roles: &[Role]) {
    let by = house.principal(&house.owner).await.user();
    let roles = roles.iter().copied().collect::<BTreeSet<_>>();
    house.governor.store().set_roles(house.project, user, roles, by).await.unwrap();
}

async fn four_eyes(house: &House) {
    house.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
}

async fn records(house: &House, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(house.project);
    house.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

/// Asked for by that person, in a conversation of their own.
async fn asked_by(house: &House, who: &Principal) -> SessionId {
    let store = house.governor.store();
    let session = store.create_session(house.project, who.user(), "own", now()).await.unwrap().id;
    let words = Incoming::words("write 'x' to a.txt".to_owned(), None);
    let turn = house.governor.submit(who, session, words).await.unwrap();
    let told = house.ended(session, turn).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    session
}

async fn decide(
    house: &House,
    who: &Principal,
    session: SessionId,
) -> Result<wiiiv_governor::Decided, wiiiv_governor::DecideError> {
    let (approval, digest) = house.governor.state(session).await.unwrap().pending.unwrap();
    house.governor.decide(who, approval, Decision::Approve { digest }).await
}

/// Issue: "an approver removed from the project while an approval waited behind a turn was still
/// counted and the file was written".
#[tokio::test(flavor = "multi_thread")]
async fn the_yes_of_an_approver_who_was_removed_is_not_counted() {
    let house = House::new().await;
    four_eyes(&house).await;
    let (user, person) = member(&house, "mina", Role::Approver).await;
    let owner = house.principal(&house.owner).await;
    let session = asked_by(&house, &owner).await;
    let captured = house.principal(&person).await;
    roles(&house, user, &[]).await;
    let refused = decide(&house, &captured, session).await;
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(house.file("a.txt"), None);
    assert_eq!(records(&house, "approval.given").await, 0);
    // The question stands, and somebody who may answers it.
    roles(&house, user, &[Role::Approver]).await;
    let again = house.principal(&person).await;
    decide(&house, &again, session).await.unwrap();
    while house.file("a.txt").is_none() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Issue: "queued messages ran after removal and after log-out".
#[tokio::test(flavor = "multi_thread")]
async fn what_waited_is_refused_after_a_removal_and_after_a_log_out() {
    for removes in [true, false] {
        let model = FakeModel::spawn(ModelMode::Silent).await.unwrap();
        let house = house_of(&model, ProviderName::Custom, "small").await;
        let (user, person) = member(&house, "mina", Role::Editor).await;
        let who = house.principal(&person).await;
        let session = house.session().await;
        house.send(session, "hello").await.unwrap();
        while model.open_streams() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let governor = house.governor.clone();
        let behind = tokio::spawn(async move {
            let words = Incoming::words("write 'x' to the file late.txt".to_owned(), None);
            governor.submit(&who, session, words).await
        });
        while house.governor.state(session).await.unwrap().queued == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if removes {
            roles(&house, user, &[]).await;
        } else {
            let tokens = house.governor.store().tokens(user, Page::default()).await.unwrap();
            for token in tokens {
                house.governor.store().revoke_token(user, token.id).await.unwrap();
            }
        }
        let owner = house.principal(&house.owner).await;
        house.governor.control(&owner, session, Control::Cancel).await.unwrap();
        assert!(matches!(behind.await.unwrap(), Err(SubmitError::RightGone)), "{removes}");
        assert_eq!(model.calls().len(), 1, "what waited was never read");
    }
}

/// Issue: "a removed requester's plan ran on somebody's later yes".
#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_a_requester_who_was_removed_does_not_run() {
    let house = House::new().await;
    four_eyes(&house).await;
    let (user, person) = member(&house, "mina", Role::Editor).await;
    let requester = house.principal(&person).await;
    let session = asked_by(&house, &requester).await;
    roles(&house, user, &[]).await;
    let owner = house.principal(&house.owner).await;
    let decided = decide(&house, &owner, session).await.unwrap();
    let told = house.ended(session, decided.turn).await;
    assert!(
        told.text().contains("REQUESTER_NOT_ALLOWED") || told.text().contains("any more"),
        "{}",
        told.text()
    );
    assert_eq!(house.file("a.txt"), None);
    assert_eq!(records(&house, "ruling.requester_gone").await, 1);
    assert_eq!(records(&house, "execution.finished").await, 0);
}

/// Who is let in a moment before another project's roles change is not troubled by that.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_elsewhere_troubles_nobody() {
    let house = House::new().await;
    let store = house.governor.store();
    let (other, boss) = person(store, "boss", policy(&house.shop)).await;
    let boss = store.authenticate(boss.token.expose_secret(), Some(other), now()).await.unwrap();
    let captured = house.principal(&house.owner).await;
    let editor = BTreeSet::from([Role::Editor]);
    store.set_roles(other, captured.user(), editor, boss.user()).await.unwrap();
    store.set_roles(other, captured.user(), BTreeSet::new(), boss.user()).await.unwrap();
    asked_by(&house, &captured).await;
}
