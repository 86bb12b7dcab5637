//! One answer counts, and it is used once.

use crate::world::{World, new_id, policy};
use std::time::Duration;
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
    let given = world.given(&request).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let late = world.store.record_approval(&world.writer(), Boundary::new(Point::E), given).await;
    assert!(matches!(late, Err(ApprovalError::Expired)), "{late:?}");
    let expire = Write::ExpireApproval { id: request.id };
    world.store.append(&world.writer(), Boundary::new(Point::E).write(expire)).await.unwrap();
    assert!(matches!(world.approve_again(&request).await, Err(ApprovalError::Expired)));
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
