//! Somebody answers on behalf of somebody else: the session takes it in their right, once, and only while
//! the delegation stands.

use crate::test_governor::{Person, TestGovernor, now, person, policy};
use std::collections::BTreeSet;
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, DelegationId, EventBody, OnBehalfOf, SessionId, Tally,
};
use wiiiv_gate::Principal;
use wiiiv_governor::{Answering, DecideError, Decided, Decision};
use wiiiv_store::{ApprovalState, AuditFilter, Chain, Delegation, NewDelegation, Page, Role};

async fn under(approvers: u8) -> TestGovernor {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| {
        let rule = &mut policy.approval.normal;
        (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, approvers);
    })
    .await;
    test
}

pub async fn member(test: &TestGovernor, name: &str, role: Role) -> Person {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    give_role(test, &member, role).await;
    member
}

async fn give_role(test: &TestGovernor, member: &Person, role: Role) {
    let roles = BTreeSet::from([role]);
    let store = test.governor.store();
    store.set_roles(test.project, member.user, roles, test.owner.user).await.unwrap();
}

pub async fn lend(test: &TestGovernor, from: &Person, to: &Person) -> Delegation {
    let until = now().plus_seconds(600);
    let new = NewDelegation { to: to.user, from: None, until, reason: "away".to_owned() };
    let who = test.principal(from).await;
    test.governor.delegations().give(&who, test.project, new).await.unwrap()
}

pub type OpenQuestion = (SessionId, ApprovalId, BlueprintDigest);

async fn asked(test: &TestGovernor, file: &str) -> OpenQuestion {
    let session = test.session().await;
    let told = test.say(session, &format!("write 'x' to {file}")).await;
    assert_eq!(told.outcome, "pending", "{}", told.text());
    let (approval, digest) = told.asked().unwrap();
    (session, approval, digest)
}

async fn yes(
    test: &TestGovernor,
    who: &Principal,
    of: OpenQuestion,
) -> Result<Decided, DecideError> {
    test.governor.decide(who, of.1, Decision::Approve { digest: of.2 }).await
}

pub async fn yes_by(
    test: &TestGovernor,
    who: &Principal,
    of: OpenQuestion,
    delegation: DelegationId,
) -> Result<Decided, DecideError> {
    let answering = Answering { language: None, delegation: Some(delegation) };
    test.governor.decide_in(answering, who, of.1, Decision::Approve { digest: of.2 }).await
}

async fn state(test: &TestGovernor, of: OpenQuestion) -> ApprovalState {
    test.governor.store().approval(of.1).await.unwrap().unwrap().state
}

fn lent(delegation: &Delegation) -> OnBehalfOf {
    OnBehalfOf { delegation: delegation.id, delegator: delegation.delegator }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delegate_answers_in_the_delegators_right_also_behind_a_restart() {
    let test = under(1).await;
    let (min, vic) =
        (member(&test, "min", Role::Approver).await, member(&test, "vic", Role::Viewer).await);
    let of = asked(&test, "a.txt").await;
    let delegate = test.principal(&vic).await;
    assert!(matches!(yes(&test, &delegate, of).await, Err(DecideError::NotAllowed)));
    let given = lend(&test, &min, &vic).await;
    let test = test.restarted().await;
    let delegate = test.principal(&vic).await;
    let decided = yes(&test, &delegate, of).await.unwrap();
    assert_eq!((decided.state, decided.on_behalf_of), ("approved", Some(lent(&given))));
    let done = test.ended(of.0, decided.turn).await;
    assert_eq!(done.outcome, "done", "{}", done.text());
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));
    let noted = done.events.iter().find_map(|event| match &event.body {
        EventBody::TurnAccepted { decision, .. } => decision.clone(),
        _ => None,
    });
    assert_eq!(noted.unwrap().on_behalf_of, Some(lent(&given)), "the conversation tells for whom");

    // A no of theirs, and what they may not answer when it was ended.
    let of = asked(&test, "b.txt").await;
    let no = Decision::Reject { digest: of.2, reason: "not while she is away".to_owned() };
    let decided = test.governor.decide(&delegate, of.1, no).await.unwrap();
    assert_eq!((decided.state, decided.on_behalf_of), ("rejected", Some(lent(&given))));
    test.ended(of.0, decided.turn).await;
    let filter = AuditFilter { kind: Some("approval.rejected".into()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let told = test.governor.store().audit_search(chain, &filter).await.unwrap();
    assert_eq!(told[0].body["onBehalfOf"], serde_json::json!(min.user));
    assert_eq!(told[0].body["delegation"], serde_json::json!(given.id));
    let of = asked(&test, "c.txt").await;
    test.governor.delegations().end(&delegate, test.project, given.id).await.unwrap();
    assert!(matches!(yes(&test, &delegate, of).await, Err(DecideError::NotAllowed)));
    let named = yes_by(&test, &delegate, of, given.id).await;
    assert!(matches!(named, Err(DecideError::DelegationOver)), "{named:?}");
    assert_eq!((state(&test, of).await, test.file("c.txt")), (ApprovalState::Pending, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_that_was_used_counts_no_second_time() {
    let test = under(2).await;
    let min = member(&test, "min", Role::Approver).await;
    let han = member(&test, "han", Role::Approver).await;
    let vic = member(&test, "vic", Role::Viewer).await;
    let (of_min, of_han) = (lend(&test, &min, &vic).await, lend(&test, &han, &vic).await);
    let of = asked(&test, "a.txt").await;
    let half = Tally { given: 1, approvers: 2 };
    let [one, two, delegate] =
        [test.principal(&min).await, test.principal(&han).await, test.principal(&vic).await];
    yes(&test, &one, of).await.unwrap();
    // Of two rights the one that is not used yet is taken; the other is named in vain.
    let used = yes_by(&test, &delegate, of, of_min.id).await;
    assert!(matches!(used, Err(DecideError::AlreadySaid { tally }) if tally == half), "{used:?}");
    let last = yes(&test, &delegate, of).await.unwrap();
    assert_eq!((last.state, last.on_behalf_of), ("approved", Some(lent(&of_han))));
    assert_eq!(test.ended(of.0, last.turn).await.outcome, "done");
    assert_eq!(test.file("a.txt").as_deref(), Some("x"));

    let of = asked(&test, "b.txt").await;
    let first = yes_by(&test, &delegate, of, of_min.id).await.unwrap();
    assert_eq!((first.state, first.tally), ("pending", Some(half)));
    test.ended(of.0, first.turn).await;
    for who in [&one, &delegate] {
        let again = yes(&test, who, of).await;
        let refused = matches!(again, Err(DecideError::AlreadySaid { tally }) if tally == half);
        assert!(refused, "{again:?}");
    }
    // The delegator's role goes: the yes on their behalf goes with it, and the last one waits for another.
    give_role(&test, &min, Role::Viewer).await;
    let joined = yes(&test, &two, of).await.unwrap();
    assert_eq!((joined.state, joined.tally), ("pending", Some(half)));
    test.ended(of.0, joined.turn).await;
    assert_eq!((state(&test, of).await, test.file("b.txt")), (ApprovalState::Pending, None));
}

/// Whoever may answer themselves does so, unless they say for whom; the requester has no part in it.
#[tokio::test(flavor = "multi_thread")]
async fn an_approver_answers_for_themselves_and_the_requester_for_nobody() {
    let test = under(1).await;
    let (min, han) =
        (member(&test, "min", Role::Approver).await, member(&test, "han", Role::Approver).await);
    let (to_han, to_owner) = (lend(&test, &min, &han).await, lend(&test, &min, &test.owner).await);
    let of = asked(&test, "a.txt").await;
    let (own, other) = (test.principal(&test.owner).await, test.principal(&han).await);
    assert!(matches!(yes(&test, &own, of).await, Err(DecideError::NotAnother)));
    let named = yes_by(&test, &own, of, to_owner.id).await;
    assert!(matches!(named, Err(DecideError::DelegationOver)), "{named:?}");
    let decided = yes(&test, &other, of).await.unwrap();
    assert_eq!((decided.state, decided.on_behalf_of), ("approved", None));
    test.ended(of.0, decided.turn).await;
    let of = asked(&test, "b.txt").await;
    let decided = yes_by(&test, &other, of, to_han.id).await.unwrap();
    assert_eq!(decided.on_behalf_of, Some(lent(&to_han)));
    test.ended(of.0, decided.turn).await;
}

/// A log-in that was ended meanwhile is no delegation that is over, of a no as little as of a yes.
#[tokio::test(flavor = "multi_thread")]
async fn a_delegate_whose_log_in_was_ended_meanwhile_is_told_that() {
    let test = under(1).await;
    let (min, vic) =
        (member(&test, "min", Role::Approver).await, member(&test, "vic", Role::Viewer).await);
    lend(&test, &min, &vic).await;
    let of = asked(&test, "a.txt").await;
    let (delegate, store) = (test.principal(&vic).await, test.governor.store());
    for token in store.tokens(vic.user, Page::default()).await.unwrap() {
        store.revoke_token(vic.user, token.id).await.unwrap();
    }
    let no = Decision::Reject { digest: of.2, reason: "not now".to_owned() };
    let refused = test.governor.decide(&delegate, of.1, no).await;
    assert!(matches!(refused, Err(DecideError::RightGone)), "{refused:?}");
    let refused = yes(&test, &delegate, of).await;
    assert!(matches!(refused, Err(DecideError::RightGone)), "{refused:?}");
    assert_eq!((state(&test, of).await, test.file("a.txt")), (ApprovalState::Pending, None));
}
