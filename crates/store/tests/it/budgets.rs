//! Budgets are ceilings under any interleaving and after any crash.

use crate::world::{World, new_id, now, permissive};
use wiiiv_domain::{Amount, BudgetWindow, CallId, TaskId, Usage};
use wiiiv_gate::Start;
use wiiiv_store::{Boundary, Point, Write};

async fn day(world: &World) -> (u64, u64) {
    let window = BudgetWindow::day(world.project, now());
    let view = world.store.budget(&[window]).await.unwrap();
    view.lines.first().map_or((0, 0), |line| (line.settled.tokens, line.held.tokens))
}

async fn held(world: &World, tokens: u64) -> CallId {
    let (claim, _) = world.rule_call(new_id(), tokens).await;
    let Some(Start::Call(call)) = claim.guard().map(|g| g.start.clone()) else {
        panic!("{claim:?}")
    };
    let done = world.store.commit(&world.writer(), Boundary::new(Point::T0), claim).await;
    let _done = done.unwrap();
    call
}

fn settle(call: CallId, tokens: u64) -> Boundary {
    let usage = Usage { input_tokens: tokens, output_tokens: 0, estimated: false };
    let amount = Amount { tokens, micros: None };
    Boundary::new(Point::T1).write(Write::Settle { call, usage, amount })
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_at_once_never_pass_the_cap() {
    const CAP: u64 = 10_050;
    const AMOUNT: u64 = 100;
    let mut policy = permissive();
    policy.token_budget.per_day = Some(CAP);
    let world = World::memory(policy).await;
    let mut claims = Vec::new();
    for _ in 0..500 {
        claims.push(world.rule_call(new_id(), AMOUNT).await.0);
    }
    let mut commits = tokio::task::JoinSet::new();
    for claim in claims {
        let world = world.clone();
        commits.spawn(async move {
            world.store.commit(&world.writer(), Boundary::new(Point::T0), claim).await.is_ok()
        });
    }
    let taken = commits.join_all().await.into_iter().filter(|ok| *ok).count() as u64;
    let (settled, held) = day(&world).await;
    assert_eq!(settled, 0);
    assert_eq!(held, taken * AMOUNT);
    assert!(held <= CAP, "{held}");
    assert!(held > CAP - AMOUNT, "{held}");
}

#[tokio::test]
async fn a_hold_becomes_what_was_really_used() {
    let world = World::memory(permissive()).await;
    let call = held(&world, 100).await;
    assert_eq!(day(&world).await, (0, 100));
    world.store.append(&world.writer(), settle(call, 30)).await.unwrap();
    assert_eq!(day(&world).await, (30, 0));
    // A repetition changes nothing.
    world.store.append(&world.writer(), settle(call, 30)).await.unwrap();
    assert_eq!(day(&world).await, (30, 0));
    let released = held(&world, 100).await;
    let release = Boundary::new(Point::T1).write(Write::Release { call: released });
    world.store.append(&world.writer(), release).await.unwrap();
    assert_eq!(day(&world).await, (30, 0));
}

#[tokio::test]
async fn both_windows_count_and_a_task_has_its_own() {
    let mut policy = permissive();
    policy.token_budget.per_run = Some(100);
    let world = World::memory(policy).await;
    let task: TaskId = new_id();
    let commit = async |claim| {
        world.store.commit(&world.writer(), Boundary::new(Point::T0), claim).await.is_ok()
    };
    let (first, _) = world.rule_call(task, 60).await;
    let (second, _) = world.rule_call(task, 60).await;
    let (other, _) = world.rule_call(new_id(), 60).await;
    assert!(commit(first).await);
    assert!(!commit(second).await);
    assert!(commit(other).await);
    assert_eq!(day(&world).await, (0, 120));
    let run = BudgetWindow::run(world.project, task);
    let view = world.store.budget(&[run]).await.unwrap();
    assert_eq!(view.lines[0].held.tokens, 60);
}

#[tokio::test]
async fn a_call_that_never_settled_counts_in_full_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::on_disk(folder.path(), permissive()).await;
    let settled = held(&world, 100).await;
    world.store.append(&world.writer(), settle(settled, 10)).await.unwrap();
    let open = held(&world, 100).await;
    assert_eq!(day(&world).await, (10, 100));

    let after = world.reopened(folder.path()).await.unwrap();
    let healed = after.store.heal_session(&after.lease).await.unwrap();
    assert_eq!(healed.calls, [open]);
    assert_eq!(day(&after).await, (110, 0));
    // The former owner's settlement comes too late, twice over.
    assert!(world.store.append(&world.writer(), settle(open, 1)).await.is_err());
    after.store.append(&after.writer(), settle(open, 1)).await.unwrap();
    assert_eq!(day(&after).await, (110, 0));
    assert!(after.store.heal_session(&after.lease).await.unwrap().calls.is_empty());
}
