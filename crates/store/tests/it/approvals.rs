//! One answer counts, and it is used once.

use crate::world::{World, accepted, new_id, now, policy};
use std::time::Duration;
use wiiiv_domain::{DecisionNote, EventBody, SessionEvent};
use wiiiv_store::{
    ApprovalError, ApprovalFilter, ApprovalState, Boundary, CommitRefused, Moved, Point,
    StoreError, Write,
};

#[tokio::test(flavor = "multi_thread")]
async fn of_two_answers_at_once_one_wins() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 600).await;
    let (left, right) = tokio::join!(world.approve(&request), world.approve(&request));
    let decided = |answer: &Result<_, ApprovalError>| {
        matches!(answer, Err(ApprovalError::AlreadyDecided { state: ApprovalState::Approved }))
    };
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert!(decided(&left) || decided(&right));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_consumed_once() {
    let world = World::memory(policy()).await;
    let (plan, id) = world.approved_plan().await;
    let (first, _) = world.rule(&plan).await;
    let (second, _) = world.rule(&plan).await;
    let commit = |claim| {
        let world = world.clone();
        async move { world.store.commit(&world.writer(), Boundary::new(Point::T1), claim).await }
    };
    let (left, right) = tokio::join!(commit(first), commit(second));
    let gone = |answer| matches!(answer, Err(CommitRefused::Moved(Moved::ApprovalGone, _)));
    assert_eq!([left.is_ok(), right.is_ok()].iter().filter(|ok| **ok).count(), 1);
    assert!(gone(left) ^ gone(right));
    let row = world.store.approval(id).await.unwrap().unwrap();
    assert_eq!(row.state, ApprovalState::Consumed);
}

#[tokio::test]
async fn a_yes_after_the_time_does_not_count() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 1).await;
    let (given, later) = (world.given(&request).await, world.given(&request).await);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = world.store.record_approval(&world.writer(), Boundary::new(Point::E), given).await;
    assert!(matches!(late, Err(ApprovalError::Expired)), "{late:?}");
    let expire = Write::ExpireApproval { id: request.id };
    world.store.append(&world.writer(), Boundary::new(Point::E).write(expire)).await.unwrap();
    let later = world.store.record_approval(&world.writer(), Boundary::new(Point::E), later).await;
    assert!(matches!(later, Err(ApprovalError::Expired)), "{later:?}");
}

#[tokio::test]
async fn a_yes_that_expired_before_its_use_is_gone() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 1).await;
    world.approve(&request).await.unwrap();
    let (claim, ruled) = world.rule(&plan).await;
    assert!(ruled.denied().is_none());
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = world.store.commit(&world.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(late, Err(CommitRefused::Moved(Moved::ApprovalGone, _))), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_yes_and_an_expiry_at_once_one_wins() {
    for _ in 0..10 {
        let world = World::memory(policy()).await;
        let plan = world.plan().await;
        let request = world.ask(&plan, 600).await;
        let given = world.given(&request).await;
        let writer = world.writer();
        let approve = world.store.record_approval(&writer, Boundary::new(Point::E), given);
        let expire = Boundary::new(Point::E).write(Write::ExpireApproval { id: request.id });
        let (yes, expired) = tokio::join!(approve, world.store.append(&writer, expire));
        let state = world.store.approval(request.id).await.unwrap().unwrap().state;
        // Expiry may also close a yes that was not used; then no claim can use it.
        assert!(expired.is_ok());
        assert_eq!(state, ApprovalState::Expired);
        if yes.is_err() {
            assert!(matches!(yes, Err(ApprovalError::Expired)));
        }
        let (_, ruled) = world.rule(&plan).await;
        assert!(ruled.denied().is_some());
    }
}

#[tokio::test]
async fn a_no_is_final() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 600).await;
    let reject = Write::RejectApproval { id: request.id, by: world.user };
    let boundary = || Boundary::new(Point::E).write(reject.clone());
    world.store.append(&world.writer(), boundary()).await.unwrap();
    let again = world.store.append(&world.writer(), boundary()).await;
    let state = ApprovalState::Rejected;
    assert!(matches!(again, Err(StoreError::NotPending { state: s }) if s == state));
    let yes = world.approve(&request).await;
    assert!(matches!(yes, Err(ApprovalError::AlreadyDecided { state: s }) if s == state));
    let filter = ApprovalFilter { state: Some(state), ..ApprovalFilter::default() };
    assert_eq!(world.store.approvals(&filter).await.unwrap().len(), 1);
    let filter = ApprovalFilter { project: Some(new_id()), ..ApprovalFilter::default() };
    assert!(world.store.approvals(&filter).await.unwrap().is_empty());
}

/// As data, and in the words of an older build that kept no more.
#[tokio::test]
async fn what_was_shown_with_a_question_is_kept_with_it() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 600).await;
    assert_eq!(world.store.shown_preview(request.id).await.unwrap().as_deref(), Some("{}"));
    assert_eq!(world.store.shown_preview(new_id()).await.unwrap(), None);
    let of = (world.session, plan.id);
    assert_eq!(world.store.shown_words(of, request.id).await.unwrap(), None);
    let (approval, blueprint, digest) = (request.id, plan.id, request.digest);
    let text = "a.txt: + 1".to_owned();
    let body = EventBody::Previewed { approval, blueprint, digest, text };
    let event = SessionEvent::new(new_id(), now(), body);
    world.store.append(&world.writer(), Boundary::new(Point::T1).event(event)).await.unwrap();
    let words = world.store.shown_words(of, approval).await.unwrap();
    assert_eq!(words.as_deref(), Some("a.txt: + 1"));
}

/// Somebody else's words are no message of the session's owner, also as version 1 kept them.
#[tokio::test]
async fn a_reason_is_found_by_its_question_and_is_no_message() {
    let world = World::memory(policy()).await;
    let plan = world.plan().await;
    let request = world.ask(&plan, 600).await;
    let reason = "over the budget".to_owned();
    let note = DecisionNote { approval: request.id, approved: false, reason };
    let body = EventBody::TurnAccepted {
        user: new_id(),
        text: String::new(),
        language: "ko".into(),
        decision: Some(note),
    };
    let decided = SessionEvent::new(new_id(), now(), body);
    let old = SessionEvent { version: 1, ..accepted(new_id(), new_id()) };
    let row = world.store.session(world.session).await.unwrap().unwrap();
    for event in [old, decided] {
        let boundary = Boundary::new(Point::T0).event(event);
        world.store.append(&world.writer(), boundary).await.unwrap();
        assert_eq!(world.store.first_message(&row).await.unwrap(), None);
    }
    let found = world.store.decision_reason(world.session, request.id).await.unwrap();
    assert_eq!(found.as_deref(), Some("over the budget"));
    let own = accepted(new_id(), row.owner);
    world.store.append(&world.writer(), Boundary::new(Point::T0).event(own)).await.unwrap();
    assert_eq!(world.store.first_message(&row).await.unwrap().as_deref(), Some("써줘"));
}
