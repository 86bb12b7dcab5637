//! A claim is committed whole, or not at all and with the reason.

use crate::{
    plan::{step, success},
    test_store::{TestStore, accepted, new_id, now, opened, permissive, policy},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Blueprint, ExecutionId, HaltScope, PolicyDocument, ProjectPolicy, RunOutcome};
use wiiiv_gate::{
    Claim, Committed, EvidenceError, Resolved, RunPermit, Standing, UserEvent, UserEventKind,
    policy as gate_policy,
};
use wiiiv_store::{
    ApprovalError, ApprovalState, AuditFilter, Boundary, Chain, CommitRefused, ExecutionState,
    Moved, Point, StoreError, Write, Writer,
};

pub async fn commit(test: &TestStore, claim: Claim) -> Result<Committed, CommitRefused> {
    let boundary = Boundary::new(Point::T1).event(accepted(new_id(), test.user));
    Ok(test.store.commit(&test.writer(), boundary, claim).await?.0)
}

pub fn moved(refused: Result<Committed, CommitRefused>) -> Moved {
    match refused {
        Err(CommitRefused::Moved(moved, boundary)) => {
            assert_eq!(boundary.events.len(), 1, "the events come back");
            moved
        }
        other => panic!("{other:?}"),
    }
}

pub async fn new_policy(test: &TestStore, policy: ProjectPolicy) {
    let current = test.store.policy(test.project).await.unwrap();
    let document = PolicyDocument {
        id: new_id(),
        project: test.project,
        number: current.body().document().number + 1,
        author: Some(test.user),
        reason: "why".into(),
        at: now(),
        policy,
        of_override: None,
    };
    let digest = gate_policy::digest(&document).unwrap();
    let event = test.said(UserEventKind::EditPolicy { digest }).await;
    let version = gate_policy::edited(&event, document, &current).unwrap();
    test.store.record_policy(current.body().document().id, version).await.unwrap();
}

pub async fn begun(test: &TestStore, plan: &Blueprint) -> RunPermit {
    let (claim, ruled) = test.rule(plan).await;
    let done = commit(test, claim).await.unwrap();
    ruled.seal(done).unwrap().begin()
}

#[tokio::test]
async fn an_approved_plan_runs_to_its_end() {
    let test = TestStore::memory(policy()).await;
    let (plan, approval) = test.approved_plan().await;
    let mut run = begun(&test, &plan).await;
    let execution = run.execution();
    let row = test.store.approval(approval).await.unwrap().unwrap();
    assert_eq!((row.state, row.consumed_by), (ApprovalState::Consumed, Some(execution)));

    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, ruled) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    let s1 = Boundary::new(Point::S1);
    let (done, _) = test.store.commit(&test.writer(), s1, claim).await.unwrap();
    assert!(ruled.seal(done).is_ok());

    let finished = Write::StepFinished {
        execution,
        step: step(),
        attempt: 1,
        outcome: success(b"done"),
        bytes: Some(b"done".to_vec()),
    };
    let over = Write::ExecutionFinished { execution, outcome: RunOutcome::Succeeded };
    let told = serde_json::json!({"execution": execution, "step": step(), "attempt": 1,
        "outcome": wiiiv_store::outcome_digest(&success(b"done"))});
    let s2 = Boundary::new(Point::S2).write(finished).write(over).entry("step.finished", told);
    test.store.append(&test.writer(), s2).await.unwrap();

    let row = test.store.execution(execution).await.unwrap().unwrap();
    assert_eq!(row.state, ExecutionState::Succeeded);
    let (output, bytes) = test.store.output(execution, &step()).await.unwrap().unwrap();
    assert_eq!((output.size_bytes, bytes.as_slice()), (4, b"done".as_slice()));
    let runs = test.store.runs_of(test.session).await.unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].steps.len(), 1);
}

#[tokio::test]
async fn a_second_run_of_one_plan_does_not_start() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let (first, _) = test.rule(&plan).await;
    let (second, _) = test.rule(&plan).await;
    assert!(commit(&test, first).await.is_ok());
    assert_eq!(moved(commit(&test, second).await), Moved::AlreadyStarted);
}

#[tokio::test]
async fn one_attempt_starts_once() {
    let test = TestStore::memory(permissive()).await;
    let mut run = begun(&test, &test.plan().await).await;
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let mut rule = || {
        let inputs = Resolved::default();
        run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap().0
    };
    let (first, second) = (rule(), rule());
    assert!(commit(&test, first).await.is_ok());
    assert_eq!(moved(commit(&test, second).await), Moved::AlreadyStarted);
}

#[tokio::test]
async fn a_step_of_a_finished_execution_does_not_start() {
    let test = TestStore::memory(permissive()).await;
    let mut run = begun(&test, &test.plan().await).await;
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    let execution = run.execution();
    let over = Write::ExecutionFinished { execution, outcome: RunOutcome::Cancelled };
    test.store.append(&test.writer(), Boundary::new(Point::S2).write(over)).await.unwrap();
    assert_eq!(moved(commit(&test, claim).await), Moved::AlreadyStarted);
}

#[tokio::test]
async fn a_policy_change_in_between_is_seen() {
    let test = TestStore::memory(permissive()).await;
    let (claim, _) = test.rule(&test.plan().await).await;
    new_policy(&test, permissive()).await;
    assert_eq!(moved(commit(&test, claim).await), Moved::PolicyChanged);
}

#[tokio::test]
async fn a_halt_in_between_is_seen() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let (claim, _) = test.rule(&plan).await;
    let (who, scope) = (test.principal().await, HaltScope::Project(test.project));
    test.store.halt(&who, scope, "why").await.unwrap();
    assert_eq!(moved(commit(&test, claim).await), Moved::Halted);
    assert!(test.store.standing(test.session).await.unwrap().halted);
    test.store.resume(&who, scope, "over", false).await.unwrap();
    let (claim, _) = test.rule(&plan).await;
    assert!(commit(&test, claim).await.is_ok());
}

#[tokio::test]
async fn a_change_of_standing_in_between_is_seen() {
    let test = TestStore::memory(permissive()).await;
    let (claim, _) = test.rule(&test.plan().await).await;
    let risk = Write::Standing { risk_score: 5, tainted: true, history: None };
    test.store.append(&test.writer(), Boundary::new(Point::T0).write(risk)).await.unwrap();
    assert_eq!(moved(commit(&test, claim).await), Moved::StandingChanged);
    let standing = test.store.standing(test.session).await.unwrap();
    assert_eq!((standing.risk_score, standing.tainted, standing.seq.get()), (5, true, 1));
}

#[tokio::test]
async fn a_withdrawn_approval_is_gone() {
    let test = TestStore::memory(policy()).await;
    let (plan, id) = test.approved_plan().await;
    let (claim, _) = test.rule(&plan).await;
    let withdraw = Write::WithdrawApproval { id };
    test.store.append(&test.writer(), Boundary::new(Point::E).write(withdraw)).await.unwrap();
    assert_eq!(moved(commit(&test, claim).await), Moved::ApprovalGone);
}

#[tokio::test]
async fn a_budget_that_others_have_held_is_short() {
    let mut policy = permissive();
    policy.token_budget.per_day = Some(150);
    let test = TestStore::memory(policy).await;
    let (first, _) = test.rule_call(new_id(), 100).await;
    let (second, _) = test.rule_call(new_id(), 100).await;
    assert!(commit(&test, first).await.is_ok());
    assert_eq!(moved(commit(&test, second).await), Moved::BudgetShort);
}

#[tokio::test]
async fn nothing_of_a_refused_boundary_stays() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let (claim, _) = test.rule(&plan).await;
    new_policy(&test, permissive()).await;
    let before = test.store.checkpoint_now(Chain::Project(test.project)).await.unwrap();
    let other = crate::plan::write_plan(&test, "notes/b.md").await;
    let other_id = other.id;
    let boundary = Boundary::new(Point::T1)
        .event(accepted(new_id(), test.user))
        .write(Write::Blueprint(Box::new(other)))
        .entry("dacs.evaluated", serde_json::json!({}));
    let refused = test.store.commit(&test.writer(), boundary, claim).await;
    assert!(matches!(refused, Err(CommitRefused::Moved(Moved::PolicyChanged, _))));
    assert_eq!(test.store.checkpoint_now(Chain::Project(test.project)).await.unwrap(), before);
    assert!(test.store.blueprint(other_id).await.unwrap().is_none());
    assert!(test.store.journal(test.session, 1).await.unwrap().is_empty());
    assert!(test.store.execution_of(plan.id).await.unwrap().is_none());
}

#[tokio::test]
async fn a_foreign_claim_writes_nothing() {
    let test = TestStore::memory(permissive()).await;
    let (claim, _) = test.rule(&test.plan().await).await;
    let other = TestStore { store: TestStore::memory(permissive()).await.store, ..test.clone() };
    let refused = commit(&other, claim).await;
    assert!(matches!(refused, Err(CommitRefused::Unavailable(StoreError::ForeignClaim))));
    drop(opened());
}

/// Whoever was let in by another opening of the gate, as after a restart, is nobody here: neither what
/// they say nor what is said of it is written.
#[tokio::test]
async fn a_foreign_person_writes_nothing() {
    let test = TestStore::memory(policy()).await;
    let other = TestStore::memory(policy()).await;
    let foreign = |what: &StoreError| matches!(what, StoreError::Foreign { .. });
    let theirs = other.principal().await;

    let by = Boundary::new(Point::T0).event(accepted(new_id(), test.user)).by(&theirs);
    let refused = test.store.append(&test.writer(), by.clone()).await.unwrap_err();
    assert!(foreign(&refused), "{refused}");
    let (claim, _) = test.rule(&test.plan().await).await;
    let refused = test.store.commit(&test.writer(), by, claim).await;
    assert!(matches!(&refused, Err(CommitRefused::Unavailable(why)) if foreign(why)));
    assert!(foreign(&test.store.still_stands(&theirs, now()).await.unwrap_err()));

    let kind = UserEventKind::CancelExecution { execution: new_id() };
    let said = UserEvent::of(&theirs, other.project, None, kind, now()).unwrap();
    let said = test.store.record_user_event(&test.writer(), Boundary::new(Point::E), said).await;
    assert!(foreign(&said.unwrap_err()));
    let asked = other.ask(&other.plan().await, 600).await;
    let given = test.say(other.yes(&asked).await).await;
    assert!(matches!(&given, Err(ApprovalError::Store(why)) if foreign(why)), "{given:?}");

    // Nor is a yes of somebody here an answer to a question that was put there.
    let here = test.ask(&test.plan().await, 600).await;
    let ((said, _), (_, there)) = (test.yes(&here).await, other.yes(&asked).await);
    let given = test.say((said, there)).await;
    assert!(matches!(given, Err(ApprovalError::NotProven(EvidenceError::Foreign))), "{given:?}");
}

/// A lie about risk or taint fails at the commit, whatever number it bears.
#[tokio::test]
async fn a_standing_that_was_made_up_does_not_commit() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    for (risk_score, tainted) in [(5, true), (5, false)] {
        let risk = Write::Standing { risk_score, tainted, history: None };
        test.store.append(&test.writer(), Boundary::new(Point::T0).write(risk)).await.unwrap();
        let evidence = test.store.evidence(&plan, now()).await.unwrap();
        let lies = [
            Standing { risk_score: 0, tainted: false, ..evidence.standing },
            Standing { tainted: !tainted, ..evidence.standing },
        ];
        for lie in lies.into_iter().filter(|lie| !lie.tainted) {
            let evidence = test.store.evidence(&plan, now()).await.unwrap();
            let evidence = wiiiv_gate::EvidenceSet { standing: lie, ..evidence };
            let (claim, ruled) = test.rule_with(&plan, evidence).await;
            assert!(ruled.denied().is_none(), "{lie:?}");
            assert_eq!(moved(commit(&test, claim).await), Moved::StandingChanged, "{lie:?}");
        }
    }
    let call = test.rule_call(new_id(), 1).await.0;
    assert!(commit(&test, call).await.is_ok(), "the truth commits");
}

#[tokio::test]
async fn a_denial_is_recorded_and_takes_nothing() {
    let test = TestStore::memory(policy()).await;
    let plan = test.plan().await;
    let (claim, ruled) = test.rule(&plan).await;
    assert!(ruled.denied().is_some(), "nobody has said yes");
    let done = commit(&test, claim).await.unwrap();
    let filter = AuditFilter { kind: Some("decision".into()), ..AuditFilter::default() };
    let rows = test.store.audit_search(Chain::Project(test.project), &filter).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].seq, done.at().get());
    assert_eq!(rows[0].body["outcome"], "DENY");
    assert!(ruled.seal(done).is_err());
    assert!(test.store.execution_of(plan.id).await.unwrap().is_none());
}

#[tokio::test]
async fn a_lost_lease_writes_nothing() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let (claim, _) = test.rule(&plan).await;
    let newer = test.store.lease(test.session).await.unwrap();
    assert_eq!(newer.epoch, test.lease.epoch + 1);
    let refused = commit(&test, claim).await;
    assert!(matches!(refused, Err(CommitRefused::Unavailable(StoreError::LeaseLost { .. }))));
    let append = test.store.append(&test.writer(), Boundary::new(Point::T2)).await;
    assert!(matches!(append, Err(StoreError::LeaseLost { .. })));
    let boundary = Boundary::new(Point::T2);
    assert!(test.store.append(&Writer::Session(newer), boundary).await.is_ok());
}

#[tokio::test]
async fn what_started_is_evidence_for_resuming() {
    let test = TestStore::memory(permissive()).await;
    let plan = test.plan().await;
    let run = begun(&test, &plan).await;
    let started = test.store.execution_started(run.execution()).await.unwrap().unwrap();
    assert_eq!(started.body().blueprint(), plan.id);
    assert!(test.store.execution_started(new_id::<ExecutionId>()).await.unwrap().is_none());

    let purpose = wiiiv_gate::Purpose::Resume(started);
    let evidence = test.store.evidence(&plan, now()).await.unwrap();
    let policy = test.snapshot().await;
    let cx = test.keeper.gather(new_id(), purpose, plan.clone(), policy, evidence).unwrap();
    let (claim, ruled) = test.keeper.rule(cx, now());
    let done = commit(&test, claim).await.unwrap();
    let resumed = ruled.seal(done).unwrap().begin();
    assert_eq!(resumed.execution(), run.execution());
}

#[tokio::test]
async fn the_journal_is_read_back_in_order_with_open_turns() {
    let test = TestStore::memory(permissive()).await;
    let turns = [new_id(), new_id()];
    for turn in turns {
        let boundary = Boundary::new(Point::T0).event(accepted(turn, test.user));
        test.store.append(&test.writer(), boundary.replay_from_here(None)).await.unwrap();
    }
    let events = test.store.journal(test.session, 1).await.unwrap();
    assert_eq!(events.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(events.iter().map(|(_, e)| e.turn).collect::<Vec<_>>(), turns);
    // Behind the last of them.
    assert_eq!(test.store.replay_start(test.session).await.unwrap().from, 3);
    assert_eq!(test.store.next_seq(test.session).await.unwrap(), 3);
    assert_eq!(test.store.open_sessions().await.unwrap(), [test.session]);
    for turn in turns {
        let boundary = Boundary::new(Point::T2).event(crate::test_store::ended(turn));
        test.store.append(&test.writer(), boundary).await.unwrap();
    }
    assert_eq!(test.store.open_sessions().await.unwrap(), []);
}

/// Somebody's decision while a turn is in progress: a restart still goes on with that one.
#[tokio::test]
async fn a_turn_that_is_over_at_once_leaves_the_open_one_open() {
    let test = TestStore::memory(permissive()).await;
    let [open, beside] = [new_id(), new_id()];
    let begun = Boundary::new(Point::T0).event(accepted(open, test.user));
    test.store.append(&test.writer(), begun).await.unwrap();
    let over = Boundary::new(Point::E)
        .event(accepted(beside, test.user))
        .event(crate::test_store::ended(beside));
    test.store.append(&test.writer(), over).await.unwrap();
    assert_eq!(test.store.open_sessions().await.unwrap(), [test.session]);
    assert_eq!(test.store.turn_begins(test.session, beside).await.unwrap(), Some(2));
    let end = Boundary::new(Point::T2).event(crate::test_store::ended(open));
    test.store.append(&test.writer(), end).await.unwrap();
    assert_eq!(test.store.open_sessions().await.unwrap(), []);
}

#[tokio::test]
async fn the_place_of_a_turn_is_looked_up() {
    let test = TestStore::memory(permissive()).await;
    let [first, second, unknown] = [new_id(), new_id(), new_id()];
    let boundary = Boundary::new(Point::T0)
        .event(accepted(first, test.user))
        .event(crate::test_store::ended(first))
        .event(accepted(second, test.user));
    test.store.append(&test.writer(), boundary).await.unwrap();
    for (turn, place) in [(first, Some(1)), (second, Some(3)), (unknown, None)] {
        assert_eq!(test.store.turn_begins(test.session, turn).await.unwrap(), place);
    }
    let other = test.store.create_session(test.project, test.user, "other", now()).await;
    let other = other.unwrap().id;
    assert_eq!(test.store.turn_begins(other, first).await.unwrap(), None, "of its own session");
}

/// Looked up by the session that it was of, not in the whole chain: the same spec elsewhere, and at
/// another time, is another review.
#[tokio::test]
async fn a_review_is_found_by_its_session_and_time() {
    let test = TestStore::memory(permissive()).await;
    let other = test.store.create_session(test.project, test.user, "other", now()).await;
    let digest = wiiiv_domain::SpecDigest::from_bytes([7; 32]);
    let sessions = [test.session, other.unwrap().id, new_id()];
    for session in &sessions[..2] {
        let body = serde_json::json!({"session": session, "spec": digest});
        let boundary = Boundary::new(Point::T2).entry("dacs.evaluated", body);
        test.store.append(&test.writer(), boundary).await.unwrap();
    }
    let mut found = Vec::new();
    for session in sessions {
        let place = (test.project, session);
        let row = test.store.review_of(place, digest, now()).await.unwrap();
        found.push(row.map(|row| row.body["session"].clone()));
        let long_ago = wiiiv_domain::Timestamp::from_unix_ms(1);
        assert!(test.store.review_of(place, digest, long_ago).await.unwrap().is_none());
    }
    let [one, two, none] = found.try_into().unwrap();
    assert_eq!(
        (one, two),
        (Some(sessions[0].to_string().into()), Some(sessions[1].to_string().into()))
    );
    assert_eq!(none, None);
}

#[tokio::test]
async fn a_person_settles_a_doubt_once() {
    use wiiiv_gate::Resolution;
    let test = TestStore::memory(permissive()).await;
    let mut run = begun(&test, &test.plan().await).await;
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    let _done = commit(&test, claim).await.unwrap();
    let resolution = Resolution::DidNotHappen;
    let execution = run.execution();
    let event = test.said(UserEventKind::Resolve { execution, step: step(), resolution }).await;
    let writer = Writer::Project(test.project);
    let resolve = || test.store.resolve_attempt(&writer, Boundary::new(Point::E), &event);
    assert!(test.store.attempts(execution).await.unwrap()[0].in_doubt());
    // As long as the run goes on, the step is under way.
    assert!(matches!(resolve().await, Err(wiiiv_store::ResolveRefused::NotInDoubt)));
    let outcome = wiiiv_domain::RunOutcome::Indeterminate;
    let ended = Boundary::new(Point::S2)
        .write(wiiiv_store::Write::ExecutionFinished { execution, outcome });
    test.store.append(&test.writer(), ended).await.unwrap();
    resolve().await.unwrap();
    let rows = test.store.attempts(execution).await.unwrap();
    assert_eq!(rows[0].resolution, Some(resolution));
    assert!(matches!(resolve().await, Err(wiiiv_store::ResolveRefused::NotInDoubt)));
}

#[test]
fn reasons_are_told_apart() {
    let all = [
        Moved::PolicyChanged,
        Moved::ApprovalGone,
        Moved::SystemChanged,
        Moved::BudgetShort,
        Moved::Halted,
        Moved::StandingChanged,
        Moved::AlreadyStarted,
    ];
    assert_eq!(all.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len(), all.len());
}
