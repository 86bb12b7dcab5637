//! What is drawn of a cap is written seldom, handed out from memory, and never less than what is used.

use crate::{
    commits::new_policy,
    faults::{UNCOMMITTED, intruder},
    plan::write_plan,
    test_store::{TestStore, accepted, new_id, now, opened, permissive},
};
use sea_orm::{ConnectionTrait as _, Statement};
use std::{path::Path, time::Duration};
use wiiiv_domain::{
    Amount, BudgetWindow, CallId, CostLimit, ModelSlot, ProjectPolicy, ProviderName, RunOutcome,
    TaskId, Timestamp, TokenBudget, Usage,
};
use wiiiv_gate::{Claim, EvidenceSet, ModelCall, Purpose, Start};
use wiiiv_store::{
    AuditFilter, Boundary, Chain, CommitRefused, Counters, Moved, Point, StoreError, Write,
};

/// A tranche is 100 of it.
const CAP: u64 = 1_600;

fn capped(caps: TokenBudget) -> ProjectPolicy {
    let mut policy = permissive();
    (policy.token_budget, policy.cost_limit) = (caps, CostLimit::default());
    policy
}

fn by_day(cap: u64) -> ProjectPolicy {
    capped(TokenBudget { per_day: Some(cap), ..TokenBudget::default() })
}

fn call(test: &TestStore, provider: ProviderName, tokens: u64) -> ModelCall {
    let model = if provider.is_built_in() { "offline" } else { "local" };
    ModelCall {
        call: new_id(),
        project: test.project,
        session: test.session,
        user: test.user,
        task: new_id(),
        turn: new_id(),
        slot: ModelSlot::Governor,
        provider,
        model: model.into(),
        max_input_tokens: tokens,
        max_output_tokens: 0,
        attempts: 1,
    }
}

/// Judged as if nothing were spent: the commit alone decides.
async fn ruled(test: &TestStore, call: ModelCall, at: Timestamp) -> Claim {
    let standing = test.store.standing(test.session).await.unwrap();
    let evidence = EvidenceSet::bare(wiiiv_gate::BudgetView::default(), standing);
    let policy = test.snapshot().await;
    let cx = test.keeper.gather(new_id(), Purpose::Call, call, policy, evidence).unwrap();
    test.keeper.rule(cx, at).0
}

/// What the gate denies is short of the cap by itself.
async fn commit(test: &TestStore, claim: Claim) -> Result<CallId, Moved> {
    let Some(Start::Call(call)) = claim.guard().map(|guard| guard.start.clone()) else {
        return Err(Moved::BudgetShort);
    };
    match test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await {
        Ok(_) => Ok(call),
        Err(CommitRefused::Moved(moved, _)) => Err(moved),
        Err(other) => panic!("{other}"),
    }
}

async fn held_at(test: &TestStore, tokens: u64, at: Timestamp) -> Result<CallId, Moved> {
    let claim = ruled(test, call(test, ProviderName::Ollama, tokens), at).await;
    commit(test, claim).await
}

async fn held(test: &TestStore, tokens: u64) -> Result<CallId, Moved> {
    held_at(test, tokens, now()).await
}

async fn settled(test: &TestStore, call: CallId, tokens: u64) {
    let usage = Usage { input_tokens: tokens, output_tokens: 0, estimated: false };
    let amount = Amount { tokens, micros: None };
    let boundary = Boundary::new(Point::T1).write(Write::Settle { call, usage, amount });
    test.store.append(&test.writer(), boundary).await.unwrap();
}

async fn released(test: &TestStore, call: CallId) {
    let boundary = Boundary::new(Point::T1).write(Write::Release { call });
    test.store.append(&test.writer(), boundary).await.unwrap();
}

/// Settled and held, in tokens.
async fn tokens(test: &TestStore, window: BudgetWindow) -> (u64, u64) {
    let standing = test.store.budget_standing(&[window]).await.unwrap();
    (standing[0].settled.tokens, standing[0].held.tokens)
}

async fn today(test: &TestStore) -> (u64, u64) {
    tokens(test, BudgetWindow::day(test.project, now())).await
}

/// What the window's row alone counts as spent, as anybody else with the file reads it.
async fn drawn(folder: &Path, window: &BudgetWindow) -> Option<u64> {
    let db = intruder(folder).await;
    let sql = "SELECT settled_tokens + held_tokens FROM budget WHERE id = $1";
    let values = [window.to_string().into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await.unwrap();
    row.map(|row| u64::try_from(row.try_get_by_index::<i64>(0).unwrap()).unwrap())
}

async fn drawn_today(test: &TestStore, folder: &Path) -> Option<u64> {
    drawn(folder, &BudgetWindow::day(test.project, now())).await
}

/// The whole rest of the cap, and not one token more.
async fn takes_just(test: &TestStore, rest: u64) -> CallId {
    assert_eq!(held(test, rest + 1).await, Err(Moved::BudgetShort), "one more than {rest}");
    let call = held(test, rest).await;
    assert_eq!(held(test, 1).await, Err(Moved::BudgetShort), "{rest} is all");
    call.unwrap()
}

/// 500 at once, each of which uses less than it held; what is left is used to the last token.
#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_at_once_overshoot_nothing_and_leave_no_tranche() {
    const CAP: u64 = 10_050;
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let mut claims = Vec::new();
    for _ in 0..500 {
        claims.push(ruled(&test, call(&test, ProviderName::Ollama, 100), now()).await);
    }
    let mut holds = tokio::task::JoinSet::new();
    for claim in claims {
        let test = test.clone();
        holds.spawn(async move {
            let call = commit(&test, claim).await;
            let (settled, held) = today(&test).await;
            assert!(settled + held <= CAP, "{settled} and {held}");
            call.ok()
        });
    }
    let taken: Vec<CallId> = holds.join_all().await.into_iter().flatten().collect();
    let used = taken.len() as u64 * 100;
    assert_eq!(today(&test).await, (0, used));
    assert!(used <= CAP && used > CAP - CAP / 16, "all but a tranche at least: {used}");
    assert_eq!(drawn_today(&test, folder.path()).await, Some(CAP));
    let mut settlements = tokio::task::JoinSet::new();
    for call in taken {
        let test = test.clone();
        settlements.spawn(async move { settled(&test, call, 60).await });
    }
    settlements.join_all().await;
    let used = used / 100 * 60;
    assert_eq!(today(&test).await, (used, 0));
    takes_just(&test, CAP - used).await;
    assert_eq!(drawn_today(&test, folder.path()).await, Some(CAP));
}

/// What a boundary cost: reads and writes.
fn cost(before: Counters, after: Counters) -> (u64, u64) {
    (after.reads - before.reads, after.writes - before.writes)
}

/// Of ruling, holding and settling a call of that task: what its evidence, its hold and its settlement
/// cost.
async fn costs(test: &TestStore, provider: ProviderName, task: TaskId) -> [(u64, u64); 3] {
    let subject = ModelCall { task, ..call(test, provider, 100) };
    let claim = ruled(test, subject.clone(), now()).await;
    let begun = test.store.counters();
    test.store.evidence_for_call(&subject, now()).await.unwrap();
    let read = test.store.counters();
    let held = commit(test, claim).await.unwrap();
    let committed = test.store.counters();
    settled(test, held, 60).await;
    let ended = test.store.counters();
    [cost(begun, read), cost(read, committed), cost(committed, ended)]
}

/// Whatever the store does meanwhile by itself only adds to it: of several, the least.
async fn least(test: &TestStore, provider: ProviderName, tasks: [TaskId; 5]) -> [(u64, u64); 3] {
    let mut least = [(u64::MAX, u64::MAX); 3];
    for task in tasks {
        for (least, cost) in least.iter_mut().zip(costs(test, provider, task).await) {
            *least = (least.0.min(cost.0), least.1.min(cost.1));
        }
    }
    least
}

#[tokio::test]
async fn a_call_in_capped_windows_costs_the_statements_of_one_that_is_held_nowhere() {
    let caps = TokenBudget {
        per_month: Some(CAP * 1_000),
        per_user_month: Some(CAP * 1_000),
        ..TokenBudget::default()
    };
    let mut built_in = capped(TokenBudget::default());
    (built_in.llm_provider, built_in.governor_model) = (ProviderName::Offline, None);
    let free = TestStore::memory(built_in).await;
    let [_, hold, settlement] = least(&free, ProviderName::Offline, [new_id(); 5]).await;
    assert_eq!(today(&free).await, (0, 0), "held and spent nowhere");

    let test = TestStore::memory(capped(caps)).await;
    let task = new_id();
    let again = least(&test, ProviderName::Ollama, [task; 5]).await;
    assert_eq!(again, [(0, 0), hold, settlement]);
    let tasks = [new_id(), new_id(), new_id(), new_id(), new_id()];
    let new = least(&test, ProviderName::Ollama, tasks).await;
    assert_eq!(new, [(1, 0), hold, settlement], "what a task has spent is read once");
    let used = tokens(&test, BudgetWindow::run(test.project, task)).await;
    assert_eq!((used, today(&test).await), ((300, 0), (600, 0)));
}

#[tokio::test]
async fn the_cap_of_a_task_is_drawn_once() {
    let caps = TokenBudget { per_run: Some(CAP), ..TokenBudget::default() };
    let test = TestStore::memory(capped(caps)).await;
    let tasks = [new_id(), new_id(), new_id(), new_id(), new_id()];
    let [_, (_, first), settlement] = least(&test, ProviderName::Ollama, tasks).await;
    let [_, (_, further), again] = least(&test, ProviderName::Ollama, [new_id(); 5]).await;
    assert_eq!((further + 1, again), (first, settlement));
}

const CHILD_FOLDER: &str = "WIIIV_TEST_TRANCHES";
const CHILD_FAULT: &str = "WIIIV_TEST_TRANCHES_FAULT";

/// As the process that is ended: holds 100, and settles 30.
async fn end_at(folder: &Path, fault: &str) {
    let test = TestStore::ending_at(folder, by_day(CAP), fault.parse().unwrap()).await;
    let ids = [test.user.uuid(), test.project.uuid(), test.session.uuid()];
    std::fs::write(folder.join("ids"), ids.map(|id| id.to_string()).join(" ")).unwrap();
    let call = held(&test, 100).await.unwrap();
    settled(&test, call, 30).await;
}

/// As the server that starts after it.
async fn after(folder: &Path) -> TestStore {
    let ids = std::fs::read_to_string(folder.join("ids")).unwrap();
    let ids: Vec<uuid::Uuid> = ids.split(' ').map(|id| id.parse().unwrap()).collect();
    let wiiiv_gate::Opened { keeper, registrar, verifier: _ } = opened();
    let config = wiiiv_store::StoreConfig::file(folder.join("wiiiv.db"));
    let keys = crate::test_store::keys("07");
    let store = wiiiv_store::Store::open(config, registrar, keys).await.unwrap();
    let session = ids[2].into();
    let lease = store.lease(session).await.unwrap();
    let (user, project) = (ids[0].into(), ids[1].into());
    TestStore { store, keeper, user, project, session, lease, token: String::new() }
}

/// Runs itself again in a process of its own, which is ended between draw and settlement.
#[tokio::test]
async fn an_open_tranche_counts_as_spent_until_it_is_settled() {
    if let (Ok(folder), Ok(fault)) = (std::env::var(CHILD_FOLDER), std::env::var(CHILD_FAULT)) {
        return end_at(Path::new(&folder), &fault).await;
    }
    // The fault, what the row counts, and what is settled and held.
    let cases = [
        ("T0:before:1", None, (0, 0)),
        ("T0:after:1", Some(200), (0, 100)),
        ("T1:before:1", Some(200), (0, 100)),
        ("T1:after:1", Some(200), (30, 0)),
    ];
    let name = "tranches::an_open_tranche_counts_as_spent_until_it_is_settled";
    for (fault, row, used) in cases {
        let folder = tempfile::tempdir().unwrap();
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(CHILD_FOLDER, folder.path())
            .env(CHILD_FAULT, fault)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("fault reached: {fault}")), "{said}");

        let test = after(folder.path()).await;
        assert_eq!(drawn_today(&test, folder.path()).await, row, "{fault}");
        assert_eq!(today(&test).await, used, "{fault}");
        test.store.recover_session(&test.lease).await.unwrap();
        let spent = used.0 + used.1;
        assert_eq!(today(&test).await, (spent, 0), "{fault}: what nobody settled is spent in full");
        takes_just(&test, CAP - spent).await;
        assert_eq!(drawn_today(&test, folder.path()).await, Some(CAP), "{fault}");
    }
}

/// The same call twice, in one transaction with others: what the refused one had taken is free for those
/// behind it.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_refused_beside_others_gives_its_hold_back() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(300)).await;
    let one = call(&test, ProviderName::Ollama, 100);
    let claims = [
        ruled(&test, one.clone(), now()).await,
        ruled(&test, one, now()).await,
        ruled(&test, call(&test, ProviderName::Ollama, 100), now()).await,
        ruled(&test, call(&test, ProviderName::Ollama, 100), now()).await,
        ruled(&test, call(&test, ProviderName::Ollama, 1), now()).await,
    ];
    // The writer waits at a transaction's beginning, so that they all wait for the next one.
    let db = intruder(folder.path()).await;
    db.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let plug = tokio::spawn({
        let store = test.store.clone();
        async move { store.check_writable().await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let before = test.store.counters().commits;
    let [first, again, second, third, more] = claims;
    let open = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        db.execute_unprepared("ROLLBACK").await.unwrap();
    };
    let (first, again, second, third, more, ()) = tokio::join!(
        commit(&test, first),
        commit(&test, again),
        commit(&test, second),
        commit(&test, third),
        commit(&test, more),
        open
    );
    plug.await.unwrap().unwrap();
    assert!(test.store.counters().commits - before <= 2, "they shared one");
    assert_eq!(again, Err(Moved::AlreadyStarted));
    assert_eq!(more, Err(Moved::BudgetShort));
    for call in [first, second, third] {
        call.unwrap();
    }
    assert_eq!(today(&test).await, (0, 300));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_fails_leaves_memory_as_the_disk_is() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let open = held(&test, 100).await.unwrap();
    let db = intruder(folder.path()).await;
    db.execute_unprepared(UNCOMMITTED).await.unwrap();
    let claim = ruled(&test, call(&test, ProviderName::Ollama, 1_400), now()).await;
    let boundary = Boundary::new(Point::T0).event(accepted(new_id(), test.user));
    let lost = test.store.commit(&test.writer(), boundary, claim).await;
    assert!(
        matches!(lost, Err(CommitRefused::Unavailable(StoreError::Unavailable { .. }))),
        "{lost:?}"
    );
    let usage = Usage { input_tokens: 9, output_tokens: 0, estimated: false };
    let settle = Write::Settle { call: open, usage, amount: Amount { tokens: 9, micros: None } };
    let boundary = Boundary::new(Point::T1).write(settle).event(accepted(new_id(), test.user));
    assert!(test.store.append(&test.writer(), boundary).await.is_err());
    assert_eq!(today(&test).await, (0, 100));
    assert_eq!(drawn_today(&test, folder.path()).await, Some(200), "nor is it drawn");

    db.execute_unprepared("DROP TRIGGER fault").await.unwrap();
    let rest = takes_just(&test, CAP - 100).await;
    settled(&test, open, 9).await;
    released(&test, rest).await;
    assert_eq!(today(&test).await, (9, 0));
}

#[tokio::test]
async fn a_cap_that_changes_while_a_tranche_is_open_binds_from_the_next_hold_on() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    held(&test, 100).await.unwrap();
    assert_eq!(drawn_today(&test, folder.path()).await, Some(200));
    new_policy(&test, by_day(150)).await;
    assert_eq!(held(&test, 51).await, Err(Moved::BudgetShort), "though it was drawn");
    let small = held(&test, 50).await.unwrap();
    assert_eq!(held(&test, 1).await, Err(Moved::BudgetShort));
    released(&test, small).await;

    new_policy(&test, by_day(2 * CAP)).await;
    assert_eq!(held(&test, 2 * CAP - 99).await, Err(Moved::BudgetShort));
    held(&test, 150).await.unwrap();
    assert_eq!(drawn_today(&test, folder.path()).await, Some(450), "another tranche of 200");
    new_policy(&test, capped(TokenBudget::default())).await;
    held(&test, 5 * CAP).await.unwrap();
    let used = 250 + 5 * CAP;
    assert_eq!(drawn_today(&test, folder.path()).await, Some(450), "no cap, nothing to draw");

    let after = test.reopened(folder.path()).await.unwrap();
    assert_eq!(today(&after).await, (0, used));
    new_policy(&after, by_day(used)).await;
    assert_eq!(held(&after, 1).await, Err(Moved::BudgetShort), "what no cap saw counts");
    new_policy(&after, by_day(used + 7)).await;
    takes_just(&after, 7).await;
    assert_eq!(drawn_today(&after, folder.path()).await, Some(used + 7));
}

/// A call begins after midnight whose ruling was before it.
#[tokio::test]
async fn a_window_of_another_day_than_the_call_began_on_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let new_year = Timestamp::of_utc_day("2026-01-01").unwrap();
    let eve = new_year.plus_seconds(-1);
    let old = held_at(&test, 100, eve).await.unwrap();
    held_at(&test, CAP - 100, eve).await.unwrap();
    assert_eq!(held_at(&test, 1, eve).await, Err(Moved::BudgetShort));
    held_at(&test, 70, new_year).await.unwrap();
    settled(&test, old, 40).await;

    let after = test.reopened(folder.path()).await.unwrap();
    let of = [eve, new_year, now()].map(|at| {
        let day = BudgetWindow::day(test.project, at);
        let month = BudgetWindow::month(test.project, at).of_user(test.user);
        [day, month]
    });
    let used = [(40, CAP - 100), (0, 70), (0, 0)];
    for (windows, used) in of.into_iter().zip(used) {
        for window in windows {
            assert_eq!(tokens(&after, window.clone()).await, used, "{window}");
        }
    }
    assert_eq!(held_at(&after, 61, eve).await, Err(Moved::BudgetShort));
    held_at(&after, 60, eve).await.unwrap();
}

#[tokio::test]
async fn more_than_was_held_is_drawn_when_it_is_settled() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let call = held(&test, 100).await.unwrap();
    settled(&test, call, CAP + 500).await;
    assert_eq!(today(&test).await, (CAP + 500, 0));
    assert_eq!(drawn_today(&test, folder.path()).await, Some(CAP + 500));
    assert_eq!(held(&test, 1).await, Err(Moved::BudgetShort));
}

async fn alerts(test: &TestStore) -> usize {
    let filter = AuditFilter { kind: Some("budget.alerted".into()), ..AuditFilter::default() };
    test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap().len()
}

#[tokio::test]
async fn a_restart_says_nothing_twice_and_forgets_no_cap() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let [near, next] = [held(&test, 100).await.unwrap(), held(&test, 100).await.unwrap()];
    let test = test.reopened(folder.path()).await.unwrap();
    settled(&test, near, 1_300).await;
    assert_eq!(alerts(&test).await, 1, "the first that a start sees of the window");
    let test = test.reopened(folder.path()).await.unwrap();
    settled(&test, next, 10).await;
    settled(&test, held(&test, 10).await.unwrap(), 10).await;
    assert_eq!(alerts(&test).await, 1, "once");
    new_policy(&test, by_day(CAP + 1)).await;
    let test = test.reopened(folder.path()).await.unwrap();
    settled(&test, held(&test, 10).await.unwrap(), 10).await;
    assert_eq!(alerts(&test).await, 2, "of the new cap");
}

#[tokio::test]
async fn what_an_execution_holds_stands_until_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), by_day(CAP)).await;
    let mut plan = write_plan(&test, "notes/a.md").await;
    plan.estimate = Amount { tokens: 100, micros: None };
    let write = Write::Blueprint(Box::new(plan.clone()));
    let body = serde_json::json!({"task": plan.task, "blueprint": plan.id, "policy": plan.policy,
        "digest": plan.digest().unwrap()});
    let drawing = Boundary::new(Point::T1).write(write).entry("blueprint.drawn", body);
    test.store.append(&test.writer(), drawing).await.unwrap();
    let (claim, _ruled) = test.rule(&plan).await;
    let Some(Start::Execution { execution, .. }) = claim.guard().map(|guard| guard.start.clone())
    else {
        panic!("{claim:?}")
    };
    let done = test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await;
    let _done = done.unwrap();
    assert_eq!(today(&test).await, (0, 100));

    let test = test.reopened(folder.path()).await.unwrap();
    test.store.recover_session(&test.lease).await.unwrap();
    let run = BudgetWindow::run(test.project, plan.task);
    assert_eq!((today(&test).await, tokens(&test, run.clone()).await), ((0, 100), (0, 100)));
    let rest = takes_just(&test, CAP - 100).await;
    released(&test, rest).await;
    let finish = async |outcome: RunOutcome| {
        let body = serde_json::json!({ "execution": execution, "outcome": outcome });
        let write = Write::ExecutionFinished { execution, outcome };
        let boundary = Boundary::new(Point::T2).write(write).entry("execution.finished", body);
        test.store.append(&test.writer(), boundary).await.unwrap();
    };
    finish(RunOutcome::Indeterminate).await;
    assert_eq!(today(&test).await, (0, 100), "it may go on");
    finish(RunOutcome::Cancelled).await;
    assert_eq!((today(&test).await, tokens(&test, run).await), ((0, 0), (0, 0)));
    let test = test.reopened(folder.path()).await.unwrap();
    assert_eq!(today(&test).await, (0, 0));
    takes_just(&test, CAP).await;
}

/// Whatever was done, memory has what a start reads of the rows.
#[tokio::test]
async fn memory_is_what_the_calls_add_up_to() {
    let folder = tempfile::tempdir().unwrap();
    let caps = TokenBudget {
        per_run: Some(900),
        per_day: Some(30_000),
        per_user_month: Some(20_000),
        ..TokenBudget::default()
    };
    let mut test = TestStore::on_disk(folder.path(), capped(caps)).await;
    let tasks: [TaskId; 3] = [new_id(), new_id(), new_id()];
    let (mut open, mut refused, mut chance) = (Vec::new(), 0, 7_u64);
    for step in 1..=240 {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pick = usize::try_from(chance >> 40).unwrap();
        let size = 1 + (chance >> 33) % 300;
        match pick % 5 {
            0..=2 => {
                let task = tasks[pick % 3];
                let subject = ModelCall { task, ..call(&test, ProviderName::Ollama, size) };
                let claim = ruled(&test, subject, now()).await;
                match commit(&test, claim).await {
                    Ok(call) => open.push(call),
                    Err(_) => refused += 1,
                }
            }
            3 if !open.is_empty() => {
                settled(&test, open.swap_remove(pick % open.len()), size).await
            }
            _ if !open.is_empty() => released(&test, open.swap_remove(pick % open.len())).await,
            _ => {}
        }
        if step % 40 == 0 {
            let all = |task| BudgetWindow::all(test.project, test.user, task, now());
            let windows: Vec<BudgetWindow> = tasks.into_iter().flat_map(all).collect();
            let known = test.store.budget_standing(&windows).await.unwrap();
            test = test.reopened(folder.path()).await.unwrap();
            assert_eq!(test.store.budget_standing(&windows).await.unwrap(), known, "{step}");
            for standing in &known {
                let used = standing.settled.tokens + standing.held.tokens;
                let drawn = drawn(folder.path(), &standing.window).await;
                assert!(drawn.is_none_or(|drawn| used <= drawn), "{step}: {standing:?}");
            }
        }
    }
    assert!(refused > 10, "caps were reached: {refused}");
}
