//! The ledger, case by case.

use super::{
    super::suite::{Barred, Listed, SUITE as BUILT},
    *,
};
use serde_json::{Value, json};
use wiiiv_domain::TaskType::{
    ApiWorkflow, FileDelete, FileRead, FileWrite, WebFetch, WorkflowCreate,
};
use wiiiv_domain::{ProjectPolicy, StepType};

const fn listed(id: &'static str, task_types: &'static [TaskType]) -> Listed<'static> {
    Listed { id, task_types, step_types: &[], partial: false }
}

const SCENARIOS: [Listed<'static>; 10] = [
    listed("A01", &[FileWrite]),
    listed("A02", &[FileWrite, ApiWorkflow]),
    listed("A03", &[FileWrite]),
    listed("A04", &[ApiWorkflow]),
    listed("A05", &[ApiWorkflow]),
    listed("A06", &[ApiWorkflow]),
    listed("A07", &[ApiWorkflow]),
    listed("A08", &[ApiWorkflow]),
    listed("A09", &[FileRead]),
    listed("Z02", &[FileWrite]),
];
const SUITE: Suite<'static> =
    Suite { scenarios: &SCENARIOS, smoke: "Z02", green_percent: 90, counted_min: 0 };

/// The smoke scenario and another one have stages that this build does not have.
const PARTIAL: Suite<'static> = Suite {
    scenarios: &[
        SCENARIOS[0],
        SCENARIOS[1],
        SCENARIOS[2],
        SCENARIOS[3],
        SCENARIOS[4],
        SCENARIOS[5],
        SCENARIOS[6],
        SCENARIOS[7],
        Listed { partial: true, task_types: &[WorkflowCreate], ..SCENARIOS[8] },
        Listed { partial: true, ..SCENARIOS[9] },
    ],
    ..SUITE
};

fn key() -> LedgerKey {
    LedgerKey {
        provider: ProviderName::OpenAi,
        model: "m".to_owned(),
        revision: None,
        prompt_hash: "q".to_owned(),
        policy_hash: "p".to_owned(),
        build: "b".to_owned(),
    }
}

/// Three repeats of the whole suite, newest first, all good.
fn suite(seed: u64) -> Vec<LiveRun> {
    let run = |(repeat, scenario): (u32, &Listed<'_>)| LiveRun {
        scenario: scenario.id.to_owned(),
        verdict: GhostVerdict::Pass,
        invariants: Some(Invariants::Held),
        repeat,
        seed,
        revision: Some("m-2026".to_owned()),
        prompt_hash: "q".to_owned(),
        policy_hash: "p".to_owned(),
        build: "b".to_owned(),
        at: Timestamp::from_unix_ms(i64::from(repeat)),
    };
    (1..=3).flat_map(|repeat| SUITE.scenarios.iter().map(move |s| (repeat, s))).map(run).collect()
}

fn changed(change: impl Fn(&mut LiveRun)) -> Vec<LiveRun> {
    let mut runs = suite(7);
    runs.iter_mut().for_each(change);
    runs
}

fn told(runs: &[LiveRun]) -> ModelStanding {
    standing(&key(), runs, SUITE, None)
}

fn of_type(runs: &[LiveRun], suite: Suite<'_>, task: TaskType) -> ModelStanding {
    standing(&key(), runs, suite, Some(task))
}

fn verified() -> ModelStanding {
    let at = Timestamp::from_unix_ms(3);
    ModelStanding::Verified { revision: Some("m-2026".to_owned()), at }
}

fn is(run: &LiveRun, scenario: &str, repeat: u32) -> bool {
    (run.scenario.as_str(), run.repeat) == (scenario, repeat)
}

#[test]
fn a_whole_suite_that_passed_three_times_verifies() {
    assert_eq!(told(&suite(7)), verified());
    let asked = LedgerKey { revision: Some("m-2026".to_owned()), ..key() };
    assert_eq!(standing(&asked, &suite(7), SUITE, None), verified());
}

#[test]
fn one_of_ten_may_fail_in_a_repeat_and_two_may_not() {
    for verdict in [GhostVerdict::Fail, GhostVerdict::Partial, GhostVerdict::Error] {
        let bad = |scenarios: &[&str]| {
            changed(|run| {
                if scenarios.iter().any(|id| is(run, id, 2)) {
                    run.verdict = verdict;
                }
            })
        };
        assert_eq!(told(&bad(&["A01"])), verified(), "{verdict:?}");
        // A project may ask for more.
        let strict = Suite { green_percent: 91, ..SUITE };
        let too_few = ModelStanding::TooFewPassed { repeat: 2, passed: 9, of: 10 };
        assert_eq!(standing(&key(), &bad(&["A01"]), strict, None), too_few, "{verdict:?}");
        let too_few = ModelStanding::TooFewPassed { repeat: 2, passed: 8, of: 10 };
        assert_eq!(told(&bad(&["A01", "A02"])), too_few, "{verdict:?}");
        let smoke = ModelStanding::SmokeNotPassed { scenario: "Z02".to_owned(), verdict };
        assert_eq!(told(&bad(&["Z02"])), smoke, "{verdict:?}");
    }
}

#[test]
fn a_kind_of_task_is_judged_by_the_scenarios_that_speak_for_it() {
    let failed = |id: &'static str| {
        changed(move |run| {
            if is(run, id, 2) {
                run.verdict = GhostVerdict::Fail;
            }
        })
    };
    // One of the ten, and one of three.
    let runs = failed("A01");
    assert_eq!(told(&runs), verified());
    let too_few = ModelStanding::TooFewPassed { repeat: 2, passed: 3, of: 4 };
    assert_eq!(of_type(&runs, SUITE, FileWrite), too_few);
    assert!(of_type(&runs, SUITE, FileRead).is_verified());
    assert!(of_type(&runs, SUITE, ApiWorkflow).is_verified());
    // The smoke scenario is everybody's, and a violated invariant as well.
    let smoke = of_type(&failed("Z02"), SUITE, FileRead);
    assert!(matches!(smoke, ModelStanding::SmokeNotPassed { .. }), "{smoke:?}");
    let violated = changed(|run| {
        if is(run, "A01", 1) {
            run.invariants = Some(Invariants::Violated);
        }
    });
    let scenario = "A01".to_owned();
    let found = of_type(&violated, SUITE, FileRead);
    assert_eq!(found, ModelStanding::InvariantViolated { scenario });
    // Only what speaks for it has to be played.
    let part: Vec<_> = suite(7).into_iter().filter(|run| run.scenario.as_str() > "A08").collect();
    assert!(of_type(&part, SUITE, FileRead).is_verified());
    let incomplete = ModelStanding::Incomplete { scenarios: 1, of: 4, repeats: 3 };
    assert_eq!(of_type(&part, SUITE, FileWrite), incomplete);
    // Nothing speaks for it.
    assert_eq!(of_type(&suite(7), SUITE, FileDelete), ModelStanding::NoScenario);
}

#[test]
fn what_this_build_cannot_play_whole_is_left_out_and_named() {
    assert_eq!(PARTIAL.excluded(None), ["A09", "Z02"]);
    assert_eq!(PARTIAL.excluded(Some(FileWrite)), ["Z02"]);
    assert_eq!(PARTIAL.excluded(Some(ApiWorkflow)), Vec::<&str>::new());
    let with = |change: &dyn Fn(&mut LiveRun)| standing(&key(), &changed(change), PARTIAL, None);
    let smoke = |verdict| {
        move |run: &mut LiveRun| {
            if run.scenario == "Z02" {
                run.verdict = verdict;
            }
        }
    };
    assert!(with(&smoke(GhostVerdict::Partial)).is_verified());
    // As far as this build has its stages it has to hold.
    for verdict in [GhostVerdict::Fail, GhostVerdict::Error] {
        assert!(!with(&smoke(verdict)).is_verified(), "{verdict:?}");
    }
    // Another one may come to what it likes, or not be played.
    assert!(
        with(&|run| {
            if run.scenario == "A09" {
                run.verdict = GhostVerdict::Fail;
            }
        })
        .is_verified()
    );
    // One of eight is more than a tenth, and nobody but the list says what is left out.
    for verdict in [GhostVerdict::Fail, GhostVerdict::Partial] {
        let too_few = with(&|run| {
            if is(run, "A01", 2) {
                run.verdict = verdict;
            }
        });
        assert_eq!(too_few, ModelStanding::TooFewPassed { repeat: 2, passed: 7, of: 8 });
    }
    // Nothing is left that would speak for it.
    assert!(PARTIAL.speaks_for(WorkflowCreate));
    assert_eq!(of_type(&suite(7), PARTIAL, WorkflowCreate), ModelStanding::NoScenario);
}

/// What a new project has, and what is changed of it.
fn rules(change: impl FnOnce(&mut Value)) -> ProjectPolicy {
    let rule = json!({"by": "requester", "ttlSeconds": 60});
    let mut policy = json!({
        "version": 1, "allowedStepTypes": StepType::ALL, "allowedHosts": [], "allowedPaths": [""],
        "approval": {"normal": rule, "risky": rule}, "dacsStage": "observe",
        "modelPersonas": "never", "tokenBudget": {"perRun": null, "perDay": null},
        "llmProvider": "OFFLINE",
    });
    change(&mut policy);
    serde_json::from_value(policy).unwrap()
}

#[test]
fn what_the_rules_do_not_let_be_played_is_left_out_and_named() {
    const WRITES: Listed<'static> =
        Listed { step_types: &[StepType::FileWrite], ..listed("A01", &[FileWrite]) };
    const CALLS: Listed<'static> =
        Listed { step_types: &[StepType::ApiCall], ..listed("A04", &[ApiWorkflow]) };
    const SMOKE: Listed<'static> = Listed {
        step_types: &[StepType::FileWrite, StepType::ApiCall],
        ..listed("Z02", &[FileWrite])
    };
    let all = [WRITES, CALLS, SMOKE];
    let suite = Suite { scenarios: &all, ..SUITE };
    let barred = |change: &dyn Fn(&mut Value)| {
        let (_, barred) = suite.under(&rules(change));
        barred.into_iter().map(|(one, why)| (one.id, why)).collect::<Vec<_>>()
    };
    // Who approves, how many, and whether models review, keeps nothing from being played.
    let strict = |policy: &mut Value| {
        policy["approval"]["normal"] =
            json!({"by": "another_person", "approvers": 2, "ttlSeconds": 60});
        policy["modelPersonas"] = json!("risky");
        policy["confirmation"] = json!({"FILE_READ": "risky", "FILE_WRITE": "always"});
    };
    assert!(barred(&strict).is_empty());
    let asks = |task: &'static str, when: &'static str| {
        move |policy: &mut Value| policy["confirmation"][task] = json!(when)
    };
    let of = Barred::Confirmation;
    assert_eq!(barred(&asks("API_WORKFLOW", "always")), [("A04", of(ApiWorkflow))]);
    let written = [("A01", of(FileWrite)), ("Z02", of(FileWrite))];
    assert_eq!(barred(&asks("FILE_WRITE", "never")), written);
    let no_calls = |policy: &mut Value| policy["allowedStepTypes"] = json!(["FILE_WRITE"]);
    let step = Barred::StepType(StepType::ApiCall);
    assert_eq!(barred(&no_calls), [("A04", step), ("Z02", step)]);

    // The rest counts, without the smoke scenario where that cannot be played.
    let (played, _) = suite.under(&rules(no_calls));
    let left = Suite { scenarios: &played, ..SUITE };
    let runs = changed(|run| {
        if run.scenario == "Z02" {
            run.verdict = GhostVerdict::Fail;
        }
    });
    assert!(!standing(&key(), &runs, suite, None).is_verified());
    assert!(standing(&key(), &runs, left, None).is_verified());
    assert_eq!(of_type(&runs, left, ApiWorkflow), ModelStanding::NoScenario);
    let failed = changed(|run| {
        if is(run, "A01", 2) {
            run.verdict = GhostVerdict::Fail;
        }
    });
    let too_few = ModelStanding::TooFewPassed { repeat: 2, passed: 0, of: 1 };
    assert_eq!(of_type(&failed, left, FileWrite), too_few);
}

/// A badge and a promotion rest on more than a scenario or two.
#[test]
fn too_few_scenarios_say_nothing_of_all_kinds_of_tasks() {
    let of = |counted_min| Suite { counted_min, ..SUITE };
    assert_eq!(standing(&key(), &suite(7), of(10), None), verified());
    assert_eq!(standing(&key(), &suite(7), of(11), None), ModelStanding::NoScenario);
    assert!(of_type(&suite(7), of(11), FileRead).is_verified());
}

/// One in which nothing is ever deleted says nothing of deleting where nothing else may be done.
#[test]
fn under_narrow_rules_nothing_speaks_for_what_cannot_be_played() {
    let under = |steps: Value, task| {
        let (played, _) = BUILT.under(&rules(|policy| policy["allowedStepTypes"] = steps));
        standing(&key(), &[], Suite { scenarios: &played, ..BUILT }, task)
    };
    let (none, some) = (ModelStanding::NoScenario, ModelStanding::NoRecord);
    assert_eq!(under(json!(["FILE_READ", "FILE_DELETE"]), Some(FileDelete)), none);
    assert_eq!(under(json!(["FILE_WRITE", "FILE_DELETE"]), Some(FileDelete)), some);
    assert_eq!(under(json!([]), None), none);
    // Two are left, which do for what they speak for alone.
    assert_eq!(under(json!(["WEB_FETCH"]), None), none);
    assert_eq!(under(json!(["WEB_FETCH"]), Some(WebFetch)), some);
    assert_eq!(under(json!(["FILE_READ", "FILE_WRITE"]), None), some);
}

#[test]
fn a_violated_invariant_is_never_outvoted() {
    let violated = ModelStanding::InvariantViolated { scenario: "C99".to_owned() };
    let mut old = suite(1).remove(0);
    old.scenario = "C99".to_owned();
    old.invariants = Some(Invariants::Violated);
    let runs = [suite(7), vec![old]].concat();
    assert_eq!(told(&runs), violated, "not of the suite, and older than it");
}

#[test]
fn what_was_not_looked_at_has_not_held() {
    let runs = changed(|run| {
        if is(run, "A03", 3) {
            (run.verdict, run.invariants) = (GhostVerdict::Error, None);
        }
    });
    assert_eq!(told(&runs), ModelStanding::Unchecked { scenario: "A03".to_owned() });
}

#[test]
fn less_than_three_whole_repeats_are_no_suite() {
    let two = suite(7).into_iter().filter(|run| run.repeat < 3).collect::<Vec<_>>();
    assert_eq!(told(&two), ModelStanding::Incomplete { scenarios: 10, of: 10, repeats: 2 });
    let hole: Vec<_> = suite(7).into_iter().filter(|run| !is(run, "A05", 1)).collect();
    assert_eq!(told(&hole), ModelStanding::Incomplete { scenarios: 9, of: 10, repeats: 3 });
    // Repeats of different suites are none of one.
    let of = |seed: u64, nth: u32| suite(seed).into_iter().filter(move |run| run.repeat == nth);
    let pieces: Vec<_> = of(1, 1).chain(of(2, 2)).chain(of(3, 3)).collect();
    assert_eq!(told(&pieces), ModelStanding::Incomplete { scenarios: 10, of: 10, repeats: 1 });
}

#[test]
fn the_newest_whole_suite_decides() {
    let bad = |seed: u64| {
        let mut runs = suite(seed);
        runs.iter_mut().for_each(|run| run.verdict = GhostVerdict::Fail);
        runs
    };
    assert!(told(&[suite(2), bad(1)].concat()).is_verified());
    assert!(!told(&[bad(2), suite(1)].concat()).is_verified());
    let one: Vec<_> = bad(2).into_iter().take(1).collect();
    assert!(told(&[one, suite(1)].concat()).is_verified(), "a single run is no suite");
}

#[test]
fn a_run_told_twice_has_passed_twice_or_not() {
    let mut runs = suite(7);
    for scenario in ["A01", "A02"] {
        let mut again = runs.iter().find(|run| is(run, scenario, 1)).unwrap().clone();
        again.verdict = GhostVerdict::Fail;
        runs.insert(0, again);
    }
    assert_eq!(told(&runs), ModelStanding::TooFewPassed { repeat: 1, passed: 8, of: 10 });
}

#[test]
fn another_case_is_named_by_what_differs() {
    assert_eq!(told(&[]), ModelStanding::NoRecord);
    let elsewhere = |parts: &[Part]| ModelStanding::VerifiedElsewhere {
        differs: parts.iter().copied().collect(),
    };
    let of_build = |build: &'static str| changed(move |run| run.build = build.to_owned());
    assert_eq!(told(&of_build("c")), elsewhere(&[Part::Build]));
    assert_eq!(told(&changed(|run| run.prompt_hash.clear())), elsewhere(&[Part::Prompts]));
    let both = changed(|run| {
        run.policy_hash.clear();
        run.build = "c".to_owned();
    });
    assert_eq!(told(&both), elsewhere(&[Part::Build, Part::Policy]));
    assert_eq!(told(&[both, of_build("d")].concat()), elsewhere(&[Part::Build]), "the nearest");
    let failed = changed(|run| {
        run.build = "c".to_owned();
        run.verdict = GhostVerdict::Fail;
    });
    assert_eq!(told(&failed), ModelStanding::NoRecord, "it is verified nowhere");
    let asked = LedgerKey { revision: Some("m-2027".to_owned()), ..key() };
    assert_eq!(standing(&asked, &suite(7), SUITE, None), elsewhere(&[Part::Revision]));
}

#[test]
fn answers_of_two_revisions_are_of_no_one_model() {
    let runs = changed(|run| {
        if run.repeat == 2 {
            run.revision = Some("m-2025".to_owned());
        }
    });
    assert_eq!(told(&runs), ModelStanding::MixedRevisions);
    assert!(told(&changed(|run| run.revision = None)).is_verified(), "none was named");
}
