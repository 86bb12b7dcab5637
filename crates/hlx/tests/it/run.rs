//! Stepping: the rules one by one, then any plan under any interleaving.

mod any_plan;
mod simulator;

use crate::test_plans::execution;
use expect_test::{Expect, expect};
use simulator::{failure, node, success};
use std::collections::BTreeSet;
use wiiiv_domain::{DenyCode, FailureCategory, Node, StepFailure, StepId, StepOutcome};
use wiiiv_hlx::{
    AttemptFact, PARALLEL_STEPS_MAX, Resolution, RunEffect, RunEvent, RunState, advance,
};

fn id(text: &str) -> StepId {
    StepId::parse(text).expect("a step id")
}

fn started(step: &str, attempt: u32) -> RunEvent {
    RunEvent::StepStarted { step: id(step), attempt }
}

fn finished(step: &str, attempt: u32, outcome: StepOutcome) -> RunEvent {
    RunEvent::StepFinished { step: id(step), attempt, outcome }
}

fn cancelled(source: &str) -> StepOutcome {
    StepOutcome::Cancelled { source: source.to_owned() }
}

fn in_doubt() -> StepOutcome {
    let failure = failure(FailureCategory::Timeout, "TIMEOUT");
    StepOutcome::Failure { failure: StepFailure { effect_unknown: true, ..failure } }
}

fn failing(category: FailureCategory) -> StepOutcome {
    StepOutcome::Failure { failure: failure(category, "BROKEN") }
}

fn effect(effect: &RunEffect) -> String {
    match effect {
        RunEffect::Start { step, attempt } => format!("start {step}.{attempt}"),
        RunEffect::StartAfter { step, attempt, delay_ms } => {
            format!("start {step}.{attempt} after {delay_ms}")
        }
        RunEffect::CancelStep { step, attempt, source } => {
            format!("cancel {step}.{attempt} by {}", source.as_str())
        }
        RunEffect::Indeterminate { step } => format!("in doubt {step}"),
        RunEffect::Skipped { step } => format!("skip {step}"),
        RunEffect::End { outcome } => format!("end {outcome:?}"),
    }
}

fn lines(mut state: RunState, events: Vec<RunEvent>) -> String {
    let mut text = String::new();
    for event in events {
        let (next, effects) = advance(state, event);
        state = next;
        let effects: Vec<_> = effects.iter().map(effect).collect();
        text.push_str(&format!("{}\n", effects.join(", ")));
    }
    text
}

#[track_caller]
fn check(nodes: &[Node], events: Vec<RunEvent>, expected: Expect) {
    let mut all = vec![RunEvent::Begin];
    all.extend(events);
    expected.assert_eq(&lines(RunState::new(execution(1), nodes), all));
}

/// `a` alone; `b` and `c` after it.
fn fork() -> Vec<Node> {
    vec![node("a", &[], true), node("b", &["a"], false), node("c", &["a"], true)]
}

#[test]
fn dependants_start_when_all_they_depend_on_has_succeeded() {
    let events = vec![
        started("a", 1),
        finished("a", 1, success()),
        finished("c", 1, success()),
        finished("b", 1, success()),
    ];
    check(
        &fork(),
        events,
        expect![[r#"
        start a.1

        start b.1, start c.1

        end Succeeded
    "#]],
    );
}

#[test]
fn at_most_so_many_at_once() {
    let ids: Vec<_> = (0..PARALLEL_STEPS_MAX + 2).map(|n| format!("s{n}")).collect();
    let nodes: Vec<_> = ids.iter().map(|id| node(id, &[], true)).collect();
    check(
        &nodes,
        vec![finished("s1", 1, success())],
        expect![[r#"
        start s0.1, start s1.1, start s2.1, start s3.1
        start s4.1
    "#]],
    );
}

#[test]
fn an_idempotent_step_is_tried_again_within_its_attempts() {
    let io = || failing(FailureCategory::IoError);
    let one = [node("a", &[], true)];
    let events = vec![finished("a", 1, io()), finished("a", 2, io()), finished("a", 3, io())];
    check(
        &one,
        events,
        expect![[r#"
        start a.1
        start a.2 after 103
        start a.3 after 229
        end Failed { code: "BROKEN" }
    "#]],
    );
    let never = vec![finished("a", 1, failing(FailureCategory::ContractViolation))];
    check(
        &one,
        never,
        expect![[r#"
        start a.1
        end Failed { code: "BROKEN" }
    "#]],
    );
    let once = vec![finished("a", 1, io())];
    check(
        &[node("a", &[], false)],
        once,
        expect![[r#"
        start a.1
        end Failed { code: "BROKEN" }
    "#]],
    );
}

#[test]
fn retry_after_is_honoured_or_the_step_has_failed() {
    let asked = |ms| {
        let failure = failure(FailureCategory::ExternalServiceError, "BUSY");
        StepOutcome::Failure { failure: StepFailure { retry_after_ms: Some(ms), ..failure } }
    };
    let one = [node("a", &[], true)];
    check(
        &one,
        vec![finished("a", 1, asked(5000))],
        expect![[r#"
        start a.1
        start a.2 after 5000
    "#]],
    );
    check(
        &one,
        vec![finished("a", 1, asked(60_001))],
        expect![[r#"
        start a.1
        end Failed { code: "BUSY" }
    "#]],
    );
}

#[test]
fn a_failure_stops_the_peers_and_waits_for_them() {
    let events = vec![
        finished("a", 1, success()),
        finished("c", 1, failing(FailureCategory::ResourceNotFound)),
        finished("b", 1, cancelled("run")),
    ];
    check(
        &fork(),
        events,
        expect![[r#"
        start a.1
        start b.1, start c.1
        cancel b.1 by run
        end Failed { code: "BROKEN" }
    "#]],
    );
}

#[test]
fn a_denial_ends_the_run_without_a_retry() {
    let denied = RunEvent::StepDenied { step: id("a"), attempt: 1, code: DenyCode::HostNotAllowed };
    check(
        &fork(),
        vec![denied],
        expect![[r#"
        start a.1
        end Failed { code: "HOST_NOT_ALLOWED" }
    "#]],
    );
}

#[test]
fn what_depends_on_a_skipped_step_is_skipped_and_the_run_succeeds() {
    let nodes = [
        node("a", &[], true),
        node("b", &["a"], false),
        node("d", &["c", "b"], true),
        node("c", &["b"], true),
        node("e", &["a"], true),
    ];
    let skipped = |step: &str, attempt| RunEvent::StepSkipped { step: id(step), attempt };
    let events = vec![
        finished("a", 1, success()),
        skipped("b", 2),
        skipped("b", 1),
        skipped("b", 1),
        finished("e", 1, success()),
    ];
    check(
        &nodes,
        events,
        expect![[r#"
        start a.1
        start b.1, start e.1

        skip b, skip d, skip c

        end Succeeded
    "#]],
    );
    let all = vec![skipped("a", 1)];
    check(
        &fork(),
        all,
        expect![[r#"
        start a.1
        skip a, skip b, skip c, end Succeeded
    "#]],
    );
    let facts =
        [AttemptFact { step: id("a"), attempt: 1, finished: Some(success()), resolved: None }];
    let on_record = BTreeSet::from(["b", "c", "d"].map(id));
    let restored = RunState::restore(execution(1), &nodes, &facts, &on_record);
    assert_eq!(restored.skipped(), ["b", "d", "c"].map(id));
    expect![[r#"
        start e.1
        end Succeeded
    "#]]
    .assert_eq(&lines(restored, vec![RunEvent::Begin, finished("e", 1, success())]));
}

#[test]
fn a_cancel_starts_nothing_more() {
    let events = vec![
        finished("a", 1, success()),
        RunEvent::Cancel,
        started("b", 1),
        finished("c", 1, success()),
        finished("b", 1, cancelled("user")),
        RunEvent::Cancel,
    ];
    check(
        &fork(),
        events,
        expect![[r#"
        start a.1
        start b.1, start c.1
        cancel b.1 by user, cancel c.1 by user


        end Cancelled

    "#]],
    );
    check(
        &[],
        vec![],
        expect![[r#"
        end Succeeded
    "#]],
    );
}

#[test]
fn a_halt_starts_nothing_more_and_gives_the_run_its_code() {
    let events = || {
        vec![
            finished("a", 1, success()),
            RunEvent::Halt,
            started("b", 1),
            finished("c", 1, success()),
            finished("b", 1, cancelled("halt")),
        ]
    };
    check(
        &fork(),
        events(),
        expect![[r#"
        start a.1
        start b.1, start c.1
        cancel b.1 by halt, cancel c.1 by halt


        end Failed { code: "HALTED" }
    "#]],
    );
    // Whoever cancelled it before is who stopped it.
    let mut first = events();
    first.splice(0..0, [RunEvent::Begin]);
    first.insert(2, RunEvent::Cancel);
    let (state, nodes) = (RunState::new(execution(1), &fork()), fork());
    assert!(lines(state, first).contains("end Cancelled"));
    // Its record tells the same after a restart.
    let fact =
        |step, finished| AttemptFact { step: id(step), attempt: 1, finished, resolved: None };
    let facts = [
        fact("a", Some(success())),
        fact("b", Some(cancelled("halt"))),
        fact("c", Some(success())),
    ];
    let restored = RunState::restore(execution(1), &nodes, &facts, &BTreeSet::new());
    let told = lines(restored, vec![RunEvent::Begin]);
    assert!(told.contains("end Failed { code: \"HALTED\" }"), "{told}");
}

#[test]
fn a_yes_that_is_taken_back_starts_nothing_more_and_gives_the_run_its_code() {
    check(
        &fork(),
        vec![
            finished("a", 1, success()),
            RunEvent::Revoke,
            started("b", 1),
            finished("c", 1, success()),
            finished("b", 1, cancelled("approver")),
        ],
        expect![[r#"
        start a.1
        start b.1, start c.1
        cancel b.1 by approver, cancel c.1 by approver


        end Failed { code: "APPROVAL_REVOKED" }
    "#]],
    );
    // Its record tells the same after a restart.
    let fact =
        |step, finished| AttemptFact { step: id(step), attempt: 1, finished, resolved: None };
    let facts = [fact("a", Some(success())), fact("b", Some(cancelled("approver")))];
    let restored = RunState::restore(execution(1), &fork(), &facts, &BTreeSet::new());
    let told = lines(restored, vec![RunEvent::Begin]);
    assert!(told.contains("end Failed { code: \"APPROVAL_REVOKED\" }"), "{told}");
    // What was done by then is done.
    let whole = vec![RunEvent::Begin, finished("a", 1, success()), RunEvent::Revoke];
    let nodes = vec![node("a", &[], false)];
    assert!(lines(RunState::new(execution(1), &nodes), whole).contains("end Succeeded"));
}

#[test]
fn a_start_that_is_not_on_record_is_repeated_under_its_number() {
    let lost = || RunEvent::StartLost { step: id("a"), attempt: 1 };
    let events = vec![lost(), lost(), lost(), lost()];
    check(
        &[node("a", &[], false)],
        events,
        expect![[r#"
        start a.1
        start a.1 after 103
        start a.1 after 229
        start a.1 after 491
        end Failed { code: "AUDIT_UNAVAILABLE" }
    "#]],
    );
}

#[test]
fn a_doubtful_effect_waits_for_a_person() {
    let chain = || vec![node("a", &[], false), node("b", &["a"], true)];
    let with = |resolution| {
        vec![
            started("a", 1),
            finished("a", 1, in_doubt()),
            RunEvent::Resolved { step: id("a"), resolution },
        ]
    };
    check(
        &chain(),
        with(Resolution::Happened),
        expect![[r#"
        start a.1

        in doubt a, end Indeterminate
        start b.1
    "#]],
    );
    check(
        &chain(),
        with(Resolution::DidNotHappen),
        expect![[r#"
        start a.1

        in doubt a, end Indeterminate
        end Failed { code: "DID_NOT_HAPPEN" }
    "#]],
    );
    check(
        &chain(),
        with(Resolution::Abandon),
        expect![[r#"
        start a.1

        in doubt a, end Indeterminate
        end Failed { code: "ABANDONED" }
    "#]],
    );
    let idempotent = vec![started("a", 1), finished("a", 1, in_doubt())];
    check(
        &[node("a", &[], true)],
        idempotent,
        expect![[r#"
        start a.1

        start a.2 after 103
    "#]],
    );
}

#[test]
fn answers_about_anything_but_the_current_attempt_change_nothing() {
    let events = vec![
        finished("a", 2, success()),
        finished("b", 1, success()),
        started("nobody", 1),
        RunEvent::Resolved { step: id("a"), resolution: Resolution::Happened },
        finished("a", 1, success()),
        finished("a", 1, failing(FailureCategory::Unknown)),
    ];
    check(
        &fork(),
        events,
        expect![[r#"
        start a.1




        start b.1, start c.1

    "#]],
    );
}

#[test]
fn a_run_is_restored_from_its_attempts() {
    let fact = |step: &str, attempt, finished, resolved| AttemptFact {
        step: id(step),
        attempt,
        finished,
        resolved,
    };
    let restored = |facts: &[AttemptFact]| {
        let state = RunState::restore(execution(1), &fork(), facts, &BTreeSet::new());
        lines(state, vec![RunEvent::Begin])
    };
    let a = || fact("a", 1, Some(success()), None);
    let mut text = String::new();
    text += &restored(&[]);
    text += &restored(&[fact("a", 1, None, None)]);
    text += &restored(&[a()]);
    text += &restored(&[a(), fact("b", 1, None, None)]);
    text += &restored(&[a(), fact("b", 1, None, Some(Resolution::Happened))]);
    text += &restored(&[a(), fact("b", 1, Some(in_doubt()), Some(Resolution::Abandon))]);
    text += &restored(&[a(), fact("b", 1, Some(success()), None), fact("c", 1, None, None)]);
    text += &restored(&[a(), fact("b", 1, Some(cancelled("user")), None)]);
    text += &restored(&[a(), fact("c", 1, Some(failing(FailureCategory::IoError)), None)]);
    text += &restored(&[a(), fact("c", 3, Some(failing(FailureCategory::Unknown)), None)]);
    text += &restored(&[fact("a", 100, None, None)]);
    expect![[r#"
        start a.1
        start a.2
        start b.1, start c.1
        in doubt b, end Indeterminate
        start c.1
        end Failed { code: "ABANDONED" }
        start c.2
        end Cancelled
        start b.1, start c.2
        end Failed { code: "BROKEN" }
        end Failed { code: "ATTEMPTS_EXHAUSTED" }
    "#]]
    .assert_eq(&text);
}
