//! A yes that was used for a run in which nothing was begun is given back, and for no other run.

use crate::{
    plan::{step, success},
    world::{World, new_id, now, password, policy},
};
use std::collections::BTreeSet;
use wiiiv_domain::{
    ApprovalId, Blueprint, ExecutionId, FailureCategory, RunOutcome, StepFailure, StepOutcome,
};
use wiiiv_gate::{Resolved, RunPermit};
use wiiiv_store::{
    ApprovalError, ApprovalState, AuditFilter, Boundary, Chain, CommitRefused, Moved, NewUser,
    Point, Role, StoreError, Write,
};

async fn begun(world: &World, plan: &Blueprint) -> RunPermit {
    let (claim, ruled) = world.rule(plan).await;
    let (done, _) =
        world.store.commit(&world.writer(), Boundary::new(Point::T1), claim).await.unwrap();
    ruled.seal(done).unwrap().begin()
}

/// S1 of the one step, which writes.
async fn started(world: &World, run: &mut RunPermit, attempt: u32) {
    let (policy, standing) =
        (world.snapshot().await, world.store.standing(world.session).await.unwrap());
    let ruled = run.rule_step(&step(), attempt, Resolved::default(), &policy, &standing, now());
    let (claim, ruled) = ruled.unwrap();
    let (done, _) =
        world.store.commit(&world.writer(), Boundary::new(Point::S1), claim).await.unwrap();
    assert!(ruled.seal(done).is_ok());
}

async fn finished(world: &World, execution: ExecutionId, attempt: u32, outcome: StepOutcome) {
    let bytes = matches!(outcome, StepOutcome::Success { .. }).then(|| b"done".to_vec());
    let write = Write::StepFinished { execution, step: step(), attempt, outcome, bytes };
    world.store.append(&world.writer(), Boundary::new(Point::S2).write(write)).await.unwrap();
}

async fn over(world: &World, execution: ExecutionId, outcome: RunOutcome) {
    let write = Write::ExecutionFinished { execution, outcome };
    world.store.append(&world.writer(), Boundary::new(Point::T2).write(write)).await.unwrap();
}

fn failure(not_started: bool, effect_unknown: bool) -> StepOutcome {
    StepOutcome::Failure {
        failure: StepFailure {
            category: FailureCategory::IoError,
            code: "FILE_IO".to_owned(),
            message: String::new(),
            effect_unknown,
            retry_after_ms: None,
            status: None,
            redirected_to: None,
            not_started,
        },
    }
}

fn failed() -> RunOutcome {
    RunOutcome::Failed { code: "FILE_IO".to_owned() }
}

async fn state(world: &World, id: ApprovalId) -> (ApprovalState, Option<ExecutionId>) {
    let row = world.store.approval(id).await.unwrap().unwrap();
    (row.state, row.consumed_by)
}

async fn released(world: &World) -> usize {
    let kind = Some("approval.released".to_owned());
    let filter = AuditFilter { kind, ..AuditFilter::default() };
    world.store.audit_search(Chain::Project(world.project), &filter).await.unwrap().len()
}

#[tokio::test]
async fn a_yes_comes_back_where_no_step_was_begun() {
    let world = World::memory(policy()).await;
    let (plan, id) = world.approved_plan().await;
    let execution = begun(&world, &plan).await.execution();
    assert_eq!(state(&world, id).await, (ApprovalState::Consumed, Some(execution)));
    over(&world, execution, failed()).await;
    assert_eq!(state(&world, id).await, (ApprovalState::Approved, None));
    assert_eq!(released(&world).await, 1);
    // A plan runs once all the same.
    let (claim, _) = world.rule(&plan).await;
    let again = world.store.commit(&world.writer(), Boundary::new(Point::T1), claim).await;
    assert!(matches!(again, Err(CommitRefused::Moved(Moved::AlreadyStarted, _))), "{again:?}");
    assert_eq!(state(&world, id).await, (ApprovalState::Approved, None), "undone whole");
}

#[tokio::test]
async fn a_yes_comes_back_where_every_attempt_is_on_record_as_not_started() {
    let world = World::memory(policy()).await;
    for outcome in [failure(true, false), StepOutcome::Cancelled { source: "run".to_owned() }] {
        let (plan, id) = world.approved_plan().await;
        let mut run = begun(&world, &plan).await;
        let execution = run.execution();
        for attempt in 1..=2 {
            started(&world, &mut run, attempt).await;
            finished(&world, execution, attempt, outcome.clone()).await;
        }
        over(&world, execution, failed()).await;
        assert_eq!(state(&world, id).await.0, ApprovalState::Approved, "{outcome:?}");
    }
}

#[tokio::test]
async fn a_yes_is_spent_once_a_step_that_acts_was_begun() {
    let world = World::memory(policy()).await;
    let attempts: [&[Option<StepOutcome>]; 6] = [
        // It was started, and how it ended nobody knows.
        &[None],
        &[Some(failure(false, false))],
        &[Some(failure(false, true))],
        // A report that contradicts itself is no proof.
        &[Some(failure(true, true))],
        &[Some(success(b"done"))],
        // One attempt of several is enough.
        &[Some(failure(false, false)), Some(failure(true, false))],
    ];
    for outcomes in attempts {
        let (plan, id) = world.approved_plan().await;
        let mut run = begun(&world, &plan).await;
        let execution = run.execution();
        for (attempt, outcome) in (1..).zip(outcomes) {
            started(&world, &mut run, attempt).await;
            if let Some(outcome) = outcome {
                finished(&world, execution, attempt, outcome.clone()).await;
            }
        }
        over(&world, execution, failed()).await;
        assert_eq!(state(&world, id).await, (ApprovalState::Consumed, Some(execution)));
    }
    assert_eq!(released(&world).await, 0);
}

#[tokio::test]
async fn what_a_person_stopped_or_what_is_in_doubt_gives_nothing_back() {
    let world = World::memory(policy()).await;
    for outcome in [RunOutcome::Cancelled, RunOutcome::Indeterminate, RunOutcome::Succeeded] {
        let (plan, id) = world.approved_plan().await;
        let execution = begun(&world, &plan).await.execution();
        over(&world, execution, outcome).await;
        assert_eq!(state(&world, id).await, (ApprovalState::Consumed, Some(execution)));
    }
}

#[tokio::test]
async fn a_yes_that_came_back_counts_once_for_the_same_plan_drawn_again() {
    let world = World::memory(policy()).await;
    let (plan, id) = world.approved_plan().await;
    let execution = begun(&world, &plan).await.execution();
    let of = (world.project, world.session);
    let digest = plan.digest().unwrap();
    let find = || world.store.released_approval(of, digest, now());
    assert!(find().await.unwrap().is_none(), "it is used");
    over(&world, execution, failed()).await;
    let found = find().await.unwrap().unwrap();
    assert_eq!((found.given.body().id(), found.preview.as_deref()), (id, Some("{}")));

    let again = Blueprint { id: new_id(), task: new_id(), ..plan.clone() };
    assert_eq!(again.digest().unwrap(), digest);
    let take = |taken: ApprovalId| {
        let drawn = Write::Blueprint(Box::new(again.clone()));
        let boundary = Boundary::new(Point::E).write(drawn);
        let (world, found, again) = (&world, &found, again.id);
        async move {
            let writer = world.writer();
            world.store.take_up_approval(&writer, boundary, found, (taken, again)).await
        }
    };
    let taken = new_id();
    let recorded = take(taken).await.unwrap();
    assert_eq!(recorded.body().blueprint(), again.id);
    assert_eq!(recorded.body().event(), found.given.body().event(), "the same word");
    assert_eq!(state(&world, id).await, (ApprovalState::Consumed, Some(execution)));
    assert_eq!(state(&world, taken).await.0, ApprovalState::Approved);
    let writer = world.writer();
    let more = (new_id(), again.id);
    let more = world.store.take_up_approval(&writer, Boundary::new(Point::E), &found, more).await;
    assert!(matches!(more, Err(ApprovalError::Expired)), "only once: {more:?}");
    let execution = begun(&world, &again).await.execution();
    assert_eq!(state(&world, taken).await, (ApprovalState::Consumed, Some(execution)));
    assert!(find().await.unwrap().is_none());
}

#[tokio::test]
async fn a_yes_that_came_back_ends_with_its_time_and_with_the_right_to_give_it() {
    let world = World::memory(policy()).await;
    let (plan, id) = world.approved_plan().await;
    let execution = begun(&world, &plan).await.execution();
    over(&world, execution, failed()).await;
    let of = (world.project, world.session);
    let digest = plan.digest().unwrap();
    let later = now().plus_seconds(601);
    assert!(world.store.released_approval(of, digest, later).await.unwrap().is_none());
    let due = world.store.approvals_due(later, 10).await.unwrap();
    assert_eq!(due.iter().map(|row| row.request.id).collect::<Vec<_>>(), [id]);
    let new = NewUser { name: "lee".into(), password: password(), admin: false };
    let other = world.store.create_user(new, policy()).await.unwrap().user;
    for (user, role) in [(other, Role::Owner), (world.user, Role::Viewer)] {
        let roles = BTreeSet::from([role]);
        world.store.set_roles(world.project, user, roles, world.user).await.unwrap();
    }
    assert!(world.store.released_approval(of, digest, now()).await.unwrap().is_none());
}

/// Of another opening of the gate: the store records nothing that rests on it.
#[tokio::test]
async fn what_another_opening_found_is_not_taken_up() {
    let world = World::memory(policy()).await;
    let (plan, _) = world.approved_plan().await;
    let execution = begun(&world, &plan).await.execution();
    over(&world, execution, failed()).await;
    let of = (world.project, world.session);
    let digest = plan.digest().unwrap();
    let found = world.store.released_approval(of, digest, now()).await.unwrap().unwrap();
    let other = World::memory(policy()).await;
    let boundary = Boundary::new(Point::E);
    let taken =
        other.store.take_up_approval(&other.writer(), boundary, &found, (new_id(), plan.id)).await;
    let foreign =
        matches!(taken, Err(ApprovalError::Store(StoreError::Foreign { what: "evidence" })));
    assert!(foreign, "{taken:?}");
}
