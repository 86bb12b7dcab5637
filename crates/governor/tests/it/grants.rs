//! A yes beforehand: what it covers begins without a question, and all else is asked about as before.

use crate::test_governor::{Person, TestGovernor, person, policy};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalBy, ApprovalId, GrantId, StepId, Timestamp};
use wiiiv_gate::{NotGrantable, Principal};
use wiiiv_governor::{GrantError, GrantRequest};
use wiiiv_store::{AuditFilter, Chain, GrantFilter, GrantRefused, GrantRow, Role};

async fn member(test: &TestGovernor, name: &str, role: Role) -> Person {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    roles(test, name, &[role]).await;
    member
}

async fn roles(test: &TestGovernor, name: &str, roles: &[Role]) {
    let store = test.governor.store();
    let named = store.users_named(name).await.unwrap();
    let by = test.principal(&test.owner).await.user();
    let roles = roles.iter().copied().collect::<BTreeSet<_>>();
    store.set_roles(test.project, named[0], roles, by).await.unwrap();
}

/// Asked for, shown, approved and run; with its one step.
async fn approved(test: &TestGovernor, text: &str) -> (ApprovalId, StepId) {
    let session = test.session().await;
    let asked = test.say(session, text).await;
    let (approval, _) = asked.asked().unwrap_or_else(|| panic!("{}", asked.text()));
    assert_eq!(test.say(session, "yes").await.outcome, "done");
    let store = test.governor.store();
    let plan = store.approval(approval).await.unwrap().unwrap().request.blueprint;
    let plan = store.blueprint(plan).await.unwrap().unwrap();
    (approval, plan.blueprint.nodes[0].id.clone())
}

async fn give(
    test: &TestGovernor,
    who: &Principal,
    of: (ApprovalId, Option<StepId>),
    uses: u32,
) -> Result<GrantRow, GrantError> {
    give_from(test, who, of, (uses, None)).await
}

async fn give_from(
    test: &TestGovernor,
    who: &Principal,
    (approval, step): (ApprovalId, Option<StepId>),
    (uses, not_before): (u32, Option<Timestamp>),
) -> Result<GrantRow, GrantError> {
    let wanted = GrantRequest { approval, step, holder: None, uses, not_before, seconds: 600 };
    test.governor.grants().give(who, test.project, wanted).await
}

/// By the owner, to what the owner has asked for.
async fn given(test: &TestGovernor, text: &str, uses: u32) -> GrantId {
    let (approval, step) = approved(test, text).await;
    let who = test.principal(&test.owner).await;
    give(test, &who, (approval, Some(step)), uses).await.unwrap().given.body().id()
}

/// Outcome and text of one message in a conversation of its own.
async fn says(test: &TestGovernor, text: &str) -> (String, String) {
    let told = test.say(test.session().await, text).await;
    (told.outcome.clone(), told.text())
}

async fn outcome(test: &TestGovernor, text: &str) -> String {
    says(test, text).await.0
}

async fn records(test: &TestGovernor, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

async fn left(test: &TestGovernor, grant: GrantId) -> u32 {
    let filter = GrantFilter { id: Some(grant), ..GrantFilter::default() };
    test.governor.store().grants(test.project, filter).await.unwrap()[0].left()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_covers_is_not_asked_about_also_after_a_restart() {
    let test = TestGovernor::new().await;
    let grant = given(&test, "write 'x' to a.txt", 2).await;
    let asked = records(&test, "approval.asked").await;
    let (outcome_now, text) = says(&test, "write 'y' to a.txt").await;
    assert_eq!((outcome_now.as_str(), test.file("a.txt").as_deref()), ("done", Some("y")));
    assert!(text.contains("1 of 2 left"), "the reply says which, and what is left: {text}");

    let test = test.restarted().await;
    assert_eq!(outcome(&test, "write 'x' to b.txt").await, "pending", "another target");
    assert_eq!(outcome(&test, "write 'z' to a.txt").await, "done");
    assert_eq!((test.file("a.txt").as_deref(), left(&test, grant).await), (Some("z"), 0));
    let (outcome_now, text) = says(&test, "write 'w' to a.txt").await;
    assert_eq!(outcome_now, "pending", "it is used up: {text}");
    assert_eq!(test.file("a.txt").as_deref(), Some("z"));
    assert_eq!(records(&test, "approval.asked").await, asked + 2);
    assert_eq!(records(&test, "approval.grant_used").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_conversations_at_once_one_takes_the_last_use() {
    let test = TestGovernor::new().await;
    let grant = given(&test, "write 'x' to a.txt", 1).await;
    let (one, other) =
        tokio::join!(outcome(&test, "write '1' to a.txt"), outcome(&test, "write '2' to a.txt"));
    let mut outcomes = [one.as_str(), other.as_str()];
    outcomes.sort_unstable();
    // Who came behind the use is asked; who had been told that nobody is asked is denied.
    assert!(matches!(outcomes, ["denied", "done"] | ["done", "pending"]), "{outcomes:?}");
    assert_eq!((left(&test, grant).await, records(&test, "approval.grant_used").await), (0, 1));
    assert_eq!(outcome(&test, "write '3' to a.txt").await, "pending", "and the next time asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_and_roles_are_those_of_the_moment_of_use() {
    let test = TestGovernor::new().await;
    let min = member(&test, "min", Role::Approver).await;
    let (approval, step) = approved(&test, "write 'x' to a.txt").await;
    let (own, one) = (test.principal(&test.owner).await, test.principal(&min).await);
    give(&test, &own, (approval, Some(step.clone())), 50).await.unwrap();
    let again = "write 'y' to a.txt";
    assert_eq!(outcome(&test, again).await, "done");

    // Two pairs of eyes: one's own does not count, and nobody gives one to themselves.
    test.change_policy(|policy| policy.approval.normal.by = ApprovalBy::AnotherPerson).await;
    assert_eq!(outcome(&test, again).await, "pending");
    let own_now = give(&test, &own, (approval, Some(step.clone())), 1).await;
    assert!(matches!(own_now, Err(GrantError::NotAnother)), "{own_now:?}");
    give(&test, &one, (approval, Some(step)), 50).await.unwrap();
    assert_eq!(outcome(&test, again).await, "done");
    roles(&test, "min", &[Role::Viewer]).await;
    assert_eq!(outcome(&test, again).await, "pending", "who gave it may not approve any more");
    roles(&test, "min", &[Role::Approver]).await;
    assert_eq!(outcome(&test, again).await, "done");

    test.change_policy(|policy| policy.approval.normal.approvers = 2).await;
    assert_eq!(outcome(&test, again).await, "pending", "two people are asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_about_each_time_is_never_granted() {
    let test = TestGovernor::new().await;
    let who = test.principal(&test.owner).await;
    let session = test.session().await;
    let waits = test.say(session, "write 'x' to a.txt").await.asked().unwrap().0;
    let early = give(&test, &who, (waits, None), 1).await;
    assert!(matches!(early, Err(GrantError::NoYes)), "{early:?}");
    test.say(session, "yes").await;
    test.put("old.txt", b"old");
    let (approval, step) = approved(&test, "delete old.txt").await;
    let store = test.governor.store();
    let row = store.approval(approval).await.unwrap().unwrap();
    let offer = test.governor.grants().offer(&who, &row).await.unwrap().unwrap();
    assert!(offer.whole.is_err() && offer.steps.iter().all(|(_, of)| of.is_err()), "{offer:?}");
    for of in [(approval, None), (approval, Some(step))] {
        let refused = give(&test, &who, of, 1).await;
        let Err(GrantError::Refused(GrantRefused::NotGrantable(why))) = refused else {
            panic!("{refused:?}");
        };
        assert!(matches!(why, NotGrantable::EachTime | NotGrantable::Risky), "{why}");
    }
    assert_eq!(records(&test, "approval.granted").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn before_its_beginning_it_covers_nothing() {
    let test = TestGovernor::new().await;
    let (approval, _) = approved(&test, "write 'x' to a.txt").await;
    let who = test.principal(&test.owner).await;
    let from = |seconds| (3, Some(test.governor.now().plus_seconds(seconds)));
    let beyond = give_from(&test, &who, (approval, None), from(900)).await;
    let Err(GrantError::Refused(GrantRefused::NotGrantable(why))) = beyond else {
        panic!("{beyond:?}");
    };
    assert_eq!(why, NotGrantable::Beginning, "it would end before");
    give_from(&test, &who, (approval, None), from(300)).await.unwrap();
    let again = "write 'x' to a.txt";
    assert_eq!(outcome(&test, again).await, "pending", "it begins in five minutes");

    let soon = give_from(&test, &who, (approval, None), from(2)).await.unwrap();
    while !soon.has_begun(test.governor.now()) {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let (outcome, text) = says(&test, again).await;
    let begins = soon.given.body().not_before().unwrap().to_string();
    assert!(outcome == "done" && text.contains(&begins), "{outcome} {text}");
    assert_eq!(left(&test, soon.given.body().id()).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn revoked_it_covers_nothing() {
    let test = TestGovernor::new().await;
    let grant = given(&test, "write 'x' to a.txt", 5).await;
    assert_eq!(outcome(&test, "write 'y' to a.txt").await, "done");
    let who = test.principal(&test.owner).await;
    test.governor.grants().revoke(&who, (test.project, grant)).await.unwrap();
    assert_eq!(outcome(&test, "write 'z' to a.txt").await, "pending");
    let test = test.restarted().await;
    assert_eq!(outcome(&test, "write 'z' to a.txt").await, "pending");
    assert_eq!(test.file("a.txt").as_deref(), Some("y"));
}
