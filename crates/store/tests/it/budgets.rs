//! Budgets are ceilings under any interleaving and after any crash.

use crate::test_store::{TestStore, new_id, now, permissive};
use wiiiv_domain::{Amount, BudgetWindow, CallId, TaskId, Usage};
use wiiiv_gate::Start;
use wiiiv_store::{Boundary, Point, Write};

async fn day(test: &TestStore) -> (u64, u64) {
    let window = BudgetWindow::day(test.project, now());
    let view = test.store.budget(&[window]).await.unwrap();
    view.lines.first().map_or((0, 0), |line| (line.settled.tokens, line.held.tokens))
}

async fn held(test: &TestStore, tokens: u64) -> CallId {
    let (claim, _) = test.rule_call(new_id(), tokens).await;
    let Some(Start::Call(call)) = claim.guard().map(|g| g.start.clone()) else {
        panic!("{claim:?}")
    };
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await;
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
    let test = TestStore::memory(policy).await;
    let mut claims = Vec::new();
    for _ in 0..500 {
        claims.push(test.rule_call(new_id(), AMOUNT).await.0);
    }
    let mut commits = tokio::task::JoinSet::new();
    for claim in claims {
        let test = test.clone();
        commits.spawn(async move {
            test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await.is_ok()
        });
    }
    let taken = commits.join_all().await.into_iter().filter(|ok| *ok).count() as u64;
    let (settled, held) = day(&test).await;
    assert_eq!(settled, 0);
    assert_eq!(held, taken * AMOUNT);
    assert!(held <= CAP, "{held}");
    assert!(held > CAP - AMOUNT, "{held}");
}

#[tokio::test]
async fn a_hold_becomes_what_was_really_used() {
    let test = TestStore::memory(permissive()).await;
    let call = held(&test, 100).await;
    assert_eq!(day(&test).await, (0, 100));
    test.store.append(&test.writer(), settle(call, 30)).await.unwrap();
    assert_eq!(day(&test).await, (30, 0));
    // A repetition changes nothing.
    test.store.append(&test.writer(), settle(call, 30)).await.unwrap();
    assert_eq!(day(&test).await, (30, 0));
    let released = held(&test, 100).await;
    let release = Boundary::new(Point::T1).write(Write::Release { call: released });
    test.store.append(&test.writer(), release).await.unwrap();
    assert_eq!(day(&test).await, (30, 0));
}

#[tokio::test]
async fn both_windows_count_and_a_task_has_its_own() {
    let mut policy = permissive();
    policy.token_budget.per_run = Some(100);
    let test = TestStore::memory(policy).await;
    let task: TaskId = new_id();
    let commit = async |claim| {
        test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await.is_ok()
    };
    let (first, _) = test.rule_call(task, 60).await;
    let (second, _) = test.rule_call(task, 60).await;
    let (other, _) = test.rule_call(new_id(), 60).await;
    assert!(commit(first).await);
    assert!(!commit(second).await);
    assert!(commit(other).await);
    assert_eq!(day(&test).await, (0, 120));
    let run = BudgetWindow::run(test.project, task);
    let view = test.store.budget(&[run]).await.unwrap();
    assert_eq!(view.lines[0].held.tokens, 60);
}

#[tokio::test]
async fn a_call_that_never_settled_counts_in_full_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let settled = held(&test, 100).await;
    test.store.append(&test.writer(), settle(settled, 10)).await.unwrap();
    let open = held(&test, 100).await;
    assert_eq!(day(&test).await, (10, 100));

    let after = test.reopened(folder.path()).await.unwrap();
    let recovered = after.store.recover_session(&after.lease).await.unwrap();
    assert_eq!(recovered.calls, [open]);
    assert_eq!(day(&after).await, (110, 0));
    // The former owner's settlement comes too late, twice over.
    assert!(test.store.append(&test.writer(), settle(open, 1)).await.is_err());
    after.store.append(&after.writer(), settle(open, 1)).await.unwrap();
    assert_eq!(day(&after).await, (110, 0));
    assert!(after.store.recover_session(&after.lease).await.unwrap().calls.is_empty());
}
