//! Several people have to say yes: each counts once, whenever they say it and whatever the server went
//! through meanwhile.

use crate::test_governor::{Person, TestGovernor, person, policy};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalBy, ApprovalId, BlueprintDigest, EventBody, SessionId, Tally};
use wiiiv_gate::Principal;
use wiiiv_governor::{DecideError, Decided, Decision};
use wiiiv_store::{ApprovalState, AuditFilter, Chain, Role};

async fn two_people() -> TestGovernor {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| {
        let rule = &mut policy.approval.normal;
        (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, 2);
    })
    .await;
    test
}

pub async fn approver(test: &TestGovernor, name: &str) -> Person {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    give_roles(test, name, BTreeSet::from([Role::Approver])).await;
    member
}

async fn give_roles(test: &TestGovernor, name: &str, roles: BTreeSet<Role>) {
    let store = test.governor.store();
    let named = store.users_named(name).await.unwrap();
    let by = test.principal(&test.owner).await.user();
    store.set_roles(test.project, named[0], roles, by).await.unwrap();
}

async fn asked(test: &TestGovernor) -> (SessionId, ApprovalId, BlueprintDigest) {
    asked_for(test, "a.txt").await
}

async fn asked_for(test: &TestGovernor, file: &str) -> (SessionId, ApprovalId, BlueprintDigest) {
    let session = test.session().await;
    let told = test.say(session, &format!("write 'x' to {file}")).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    let (approval, digest) = told.asked().unwrap();
    (session, approval, digest)
}

pub type Answer = Result<Decided, DecideError>;

pub async fn yes(
    test: &TestGovernor,
    who: &Principal,
    of: (ApprovalId, BlueprintDigest),
) -> Answer {
    test.governor.decide(who, of.0, Decision::Approve { digest: of.1 }).await
}

pub async fn records(test: &TestGovernor, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

async fn state(test: &TestGovernor, approval: ApprovalId) -> ApprovalState {
    test.governor.store().approval(approval).await.unwrap().unwrap().state
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_and_a_restart_between_them() {
    let test = two_people().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, approval, digest) = asked(&test).await;
    let of = (approval, digest);
    let (own, one) = (test.principal(&test.owner).await, test.principal(&min).await);
    assert!(matches!(yes(&test, &own, of).await, Err(DecideError::NotAnother)));

    let first = yes(&test, &one, of).await.unwrap();
    let half = Tally { given: 1, approvers: 2 };
    assert_eq!((first.state, first.tally), ("pending", Some(half)));
    let told = test.ended(session, first.turn).await;
    assert_eq!(told.outcome, "pending");
    let begun = told.events.iter().find_map(|event| match &event.body {
        EventBody::TurnAccepted { decision, .. } => decision.clone(),
        _ => None,
    });
    assert_eq!(begun.unwrap().tally, Some(half), "the conversation tells how far it is");
    let again = yes(&test, &one, of).await;
    assert!(matches!(again, Err(DecideError::AlreadySaid { tally }) if tally == half), "{again:?}");
    assert_eq!((records(&test, "approval.joined").await, test.file("a.txt")), (1, None));

    let test = test.restarted().await;
    assert_eq!(state(&test, approval).await, ApprovalState::Pending);
    let one = test.principal(&min).await;
    let again = yes(&test, &one, of).await;
    assert!(matches!(again, Err(DecideError::AlreadySaid { tally }) if tally == half), "{again:?}");
    let other = test.principal(&han).await;
    let second = yes(&test, &other, of).await.unwrap();
    let whole = Tally { given: 2, approvers: 2 };
    assert_eq!((second.state, second.tally), ("approved", Some(whole)));
    let done = test.ended(session, second.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
    assert_eq!(state(&test, approval).await, ApprovalState::Consumed);
    for (kind, count) in [("approval.asked", 1), ("approval.joined", 1), ("approval.given", 1)] {
        assert_eq!(records(&test, kind).await, count, "{kind}");
    }
}

/// Both have said yes, though never while both could: one of them says it again, and it is complete.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_counts_again_does_not_leave_the_question_waiting() {
    let test = two_people().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, approval, digest) = asked(&test).await;
    let of = (approval, digest);
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    yes(&test, &one, of).await.unwrap();
    give_roles(&test, "min", BTreeSet::new()).await;
    let alone = yes(&test, &other, of).await.unwrap();
    let half = Tally { given: 1, approvers: 2 };
    assert_eq!((alone.state, alone.tally), ("pending", Some(half)));
    give_roles(&test, "min", BTreeSet::from([Role::Approver])).await;
    let last = yes(&test, &other, of).await.unwrap();
    let whole = Tally { given: 2, approvers: 2 };
    assert_eq!((last.state, last.tally), ("approved", Some(whole)));
    let done = test.ended(session, last.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_who_click_at_once_are_both_counted() {
    let test = two_people().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, approval, digest) = asked(&test).await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    let of = (approval, digest);
    let (left, right) = tokio::join!(yes(&test, &one, of), yes(&test, &other, of));
    let (left, right) = (left.unwrap(), right.unwrap());
    let mut states = [left.state, right.state];
    states.sort_unstable();
    assert_eq!(states, ["approved", "pending"]);
    let last = if left.state == "approved" { left.turn } else { right.turn };
    assert_eq!(test.ended(session, last).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
    // The same person twice at once is one person.
    let (_, approval, digest) = asked_for(&test, "b.txt").await;
    let of = (approval, digest);
    let (left, right) = tokio::join!(yes(&test, &one, of), yes(&test, &one, of));
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert_eq!(state(&test, approval).await, ApprovalState::Pending);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_closes_it_and_whoever_said_yes_may_say_it() {
    let test = two_people().await;
    let min = approver(&test, "min").await;
    let (session, approval, digest) = asked(&test).await;
    let one = test.principal(&min).await;
    yes(&test, &one, (approval, digest)).await.unwrap();
    let no = Decision::Reject { digest, reason: "on second thoughts".to_owned() };
    let decided = test.governor.decide(&one, approval, no).await.unwrap();
    assert_eq!((decided.state, decided.tally), ("rejected", None));
    test.ended(session, decided.turn).await;
    assert_eq!(state(&test, approval).await, ApprovalState::Rejected);
    assert_eq!(test.file("a.txt"), None);
}

/// A policy that asks for more by then is not content with what was said before.
#[tokio::test(flavor = "multi_thread")]
async fn the_gate_counts_by_the_policy_in_force() {
    let test = two_people().await;
    let (min, han) = (approver(&test, "min").await, approver(&test, "han").await);
    let (session, approval, digest) = asked(&test).await;
    let (one, other) = (test.principal(&min).await, test.principal(&han).await);
    yes(&test, &one, (approval, digest)).await.unwrap();
    test.change_policy(|policy| policy.approval.normal.approvers = 3).await;
    let last = yes(&test, &other, (approval, digest)).await.unwrap();
    let denied = test.ended(session, last.turn).await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());
    assert_eq!(
        (test.file("a.txt"), state(&test, approval).await),
        (None, ApprovalState::Withdrawn)
    );
}

/// It is due while the server is down, and done by the next one; the yes behind it counts as any.
#[tokio::test(flavor = "multi_thread")]
async fn an_escalation_that_came_due_while_the_server_was_down_is_made_up_for() {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| {
        policy.approval.normal.ttl_seconds = 600;
        let (after_percent, to) = (1, wiiiv_domain::EscalateTo::Owners);
        policy.approval.escalation = Some(wiiiv_domain::Escalation { after_percent, to });
    })
    .await;
    let (session, approval, _) = asked(&test).await;
    let row = test.governor.store().approval(approval).await.unwrap().unwrap();
    let due = row.escalation.unwrap().due;
    let asked_at = row.request.expires_at.plus_seconds(-600);
    assert_eq!(due.at, asked_at.plus_seconds(6), "1 % of 600 s");
    let test = test.restarted().await;
    let escalated = async {
        loop {
            let row = test.governor.store().approval(approval).await.unwrap().unwrap();
            if row.escalation.is_some_and(|of| of.done_at.is_some()) {
                return row.state;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let patience = std::time::Duration::from_secs(30);
    let state = tokio::time::timeout(patience, escalated).await.expect("it is to be escalated");
    assert_eq!((state, test.file("a.txt")), (ApprovalState::Pending, None));
    assert_eq!(records(&test, "approval.escalated").await, 1);
    let done = test.say(session, "yes").await;
    assert_eq!(done.outcome, "done", "{}", done.text());
}
