//! Results of GHOST runs.

use crate::{
    seals::{Hand, by_hand, looked},
    test_store::{TestStore, new_id, now, permissive},
};
use serde_json::json;
use wiiiv_domain::{GhostResultId, ProviderName};
use wiiiv_gate::Start;
use wiiiv_store::{
    AuditFilter, AuditFit, Boundary, Chain, GHOST_REPORT_BYTES_MAX, GhostFilter, GhostMode,
    GhostRefused, GhostResult, GhostVerdict, Invariants, Page, Point, ResultSignature, StoreError,
};
use wiiiv_vault::RunnerKey;

pub fn result(scenario: &str, verdict: GhostVerdict) -> GhostResult {
    GhostResult {
        id: new_id::<GhostResultId>(),
        scenario: scenario.into(),
        mode: GhostMode::Replay,
        verdict,
        build: "0.1.0".into(),
        seed: u64::MAX - 1,
        policy_hash: "p".into(),
        prompt_hash: "q".into(),
        provider: Some(ProviderName::Custom),
        model: "recorded".into(),
        revision: Some("recorded-1".into()),
        repeat: Some(2),
        invariants: Some(Invariants::Held),
        first_violation: (verdict == GhostVerdict::Fail).then(|| "no such file".to_owned()),
        duration_ms: 12,
        at: now(),
        report: json!({"turns": [1, 2]}),
        signed_by: None,
    }
}

/// As a player with a registered key reports it.
pub async fn put_signed(test: &TestStore, key: &RunnerKey, result: GhostResult) -> GhostResult {
    let signature = signed(key, &result);
    test.store.put_ghost_result(test.user, result, Some(signature)).await.unwrap()
}

pub fn signed(key: &RunnerKey, result: &GhostResult) -> ResultSignature {
    let signature = key.sign(&result.statement().unwrap());
    ResultSignature { public_key: key.public(), signature }
}

pub async fn runner(test: &TestStore) -> RunnerKey {
    let key = RunnerKey::generate().unwrap();
    let who = test.store.authenticate(&*test.token, None, now()).await.unwrap();
    test.store.add_runner_key(&who, "ci", key.public()).await.unwrap();
    key
}

#[tokio::test]
async fn results_are_kept_filtered_and_paged() {
    let test = TestStore::memory(permissive()).await;
    let all = [
        result("C01", GhostVerdict::Pass),
        result("C02", GhostVerdict::Fail),
        GhostResult { mode: GhostMode::Faults, ..result("C01", GhostVerdict::Partial) },
        result("C01", GhostVerdict::Error),
    ];
    for result in &all {
        test.store.put_ghost_result(test.user, result.clone(), None).await.unwrap();
    }
    let read = |filter: GhostFilter, page: Page| {
        let store = test.store.clone();
        async move { store.ghost_results(&filter, page).await.unwrap() }
    };
    let newest_first: Vec<_> = all.iter().rev().cloned().collect();
    assert_eq!(read(GhostFilter::default(), Page::default()).await, newest_first);
    let of = GhostFilter { scenario: Some("C01".into()), ..GhostFilter::default() };
    assert_eq!(read(of.clone(), Page::default()).await.len(), 3);
    let faults = GhostFilter { mode: Some(GhostMode::Faults), ..of.clone() };
    assert_eq!(read(faults, Page::default()).await, [all[2].clone()]);
    let failed = GhostFilter { verdict: Some(GhostVerdict::Fail), ..GhostFilter::default() };
    assert_eq!(read(failed, Page::default()).await, [all[1].clone()]);
    let other = GhostFilter { model: Some("m".into()), ..GhostFilter::default() };
    assert_eq!(read(other, Page::default()).await, []);
    let page = Page { before: Some(all[2].id.uuid()), limit: Some(1) };
    assert_eq!(read(of, page).await, [all[0].clone()]);

    let filter = AuditFilter { kind: Some("ghost.recorded".into()), ..AuditFilter::default() };
    let told = test.store.audit_search(Chain::Server, &filter).await.unwrap();
    assert_eq!(told.len(), 4);
    assert_eq!(told[0].body["verdict"], "ERROR");
}

#[tokio::test]
async fn a_suite_is_listed_once_and_read_by_any_of_its_results() {
    let test = TestStore::memory(permissive()).await;
    let other = |scenario: &str| GhostResult {
        provider: None,
        seed: 7,
        ..result(scenario, GhostVerdict::Pass)
    };
    let all = [
        result("C01", GhostVerdict::Pass),
        other("C01"),
        result("C02", GhostVerdict::Fail),
        GhostResult { prompt_hash: "r".into(), ..result("C01", GhostVerdict::Pass) },
        result("C01", GhostVerdict::Pass),
        other("C02"),
    ];
    for result in &all {
        test.store.put_ghost_result(test.user, result.clone(), None).await.unwrap();
    }
    let read = |filter: GhostFilter, page: Page| {
        let store = test.store.clone();
        async move { store.ghost_results(&filter, page).await.unwrap() }
    };
    let rows = |places: &[usize]| places.iter().map(|at| all[*at].clone()).collect::<Vec<_>>();
    let suite = |at: usize| GhostFilter { suite: Some(all[at].id), ..GhostFilter::default() };
    for (at, same) in [(0, vec![4, 2, 0]), (2, vec![4, 2, 0]), (1, vec![5, 1]), (3, vec![3])] {
        assert_eq!(read(suite(at), Page::default()).await, rows(&same), "{at}");
    }
    let failed = GhostFilter { verdict: Some(GhostVerdict::Fail), ..suite(4) };
    assert_eq!(read(failed, Page::default()).await, rows(&[2]));
    let unknown = GhostFilter { suite: Some(new_id::<GhostResultId>()), ..GhostFilter::default() };
    assert_eq!(read(unknown, Page::default()).await, []);

    let each = GhostFilter { one_per_suite: true, ..GhostFilter::default() };
    assert_eq!(read(each.clone(), Page::default()).await, rows(&[5, 4, 3]));
    let second = Page { before: Some(all[5].id.uuid()), limit: Some(1) };
    assert_eq!(read(each.clone(), second).await, rows(&[4]));
    let scenario = GhostFilter { scenario: Some("C01".into()), ..each };
    assert_eq!(read(scenario, Page::default()).await, rows(&[4, 3, 1]), "the newest that fits");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_name() {
    let test = TestStore::memory(permissive()).await;
    let long = "x".repeat(GHOST_REPORT_BYTES_MAX);
    let good = || result("C01", GhostVerdict::Pass);
    for (field, odd) in [
        ("scenario", GhostResult { scenario: "two words".into(), ..good() }),
        ("scenario", GhostResult { scenario: String::new(), ..good() }),
        ("build", GhostResult { build: "x".repeat(201), ..good() }),
        ("firstViolation", GhostResult { first_violation: Some(String::new()), ..good() }),
        ("report", GhostResult { report: json!(long), ..good() }),
    ] {
        let refused = test.store.put_ghost_result(test.user, odd, None).await;
        assert!(matches!(refused, Err(GhostRefused::Field { field: named, .. }) if named == field));
    }
    let kept = test.store.ghost_results(&GhostFilter::default(), Page::default()).await.unwrap();
    assert_eq!(kept, []);
}

#[tokio::test]
async fn the_ledger_reads_live_runs_of_one_model_newest_first() {
    let test = TestStore::memory(permissive()).await;
    let live = |scenario: &str| GhostResult {
        mode: GhostMode::Live,
        ..result(scenario, GhostVerdict::Pass)
    };
    let untold = GhostResult { repeat: None, ..live("C09") };
    let others = GhostResult { model: "other".into(), ..live("C08") };
    let nobodys = GhostResult { provider: None, invariants: None, ..live("C07") };
    let key = runner(&test).await;
    for result in [live("C01"), result("C02", GhostVerdict::Pass), untold, others, nobodys] {
        put_signed(&test, &key, result).await;
    }
    put_signed(&test, &key, live("C03")).await;
    // Nobody signed it.
    test.store.put_ghost_result(test.user, live("C04"), None).await.unwrap();
    let runs = test.store.live_runs(ProviderName::Custom, "recorded").await.unwrap();
    let told: Vec<_> = runs.iter().map(|run| (run.scenario.as_str(), run.repeat)).collect();
    assert_eq!(told, [("C03", 2), ("C01", 2)]);
    let run = &runs[0];
    assert_eq!((run.invariants, run.seed), (Some(Invariants::Held), u64::MAX - 1));
    assert_eq!(run.revision.as_deref(), Some("recorded-1"));
}

pub fn live(scenario: &str) -> GhostResult {
    let mode = GhostMode::Live;
    GhostResult { mode, model: "100%_a\\\"b\"".into(), ..result(scenario, GhostVerdict::Pass) }
}

/// Whoever writes a row into the file has no record of it: it counts for nothing, and is named.
#[tokio::test]
async fn a_run_without_its_record_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let (kept, key) = (live("C01"), runner(&test).await);
    put_signed(&test, &key, kept.clone()).await;
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    let forged = "INSERT INTO ghost_result SELECT x'01', 'C03', mode, verdict, build, seed, policy_hash, \
        prompt_hash, model, first_violation, duration_ms, recorded_by, recorded_at, report, provider, \
        revision, repeat, invariants, signed_by, NULL FROM ghost_result";
    let forged = forged.replace("x'01'", "x'00112233445566778899aabbccddeeff'");
    by_hand(folder.path(), &forged).await;
    let runs = test.store.live_runs(ProviderName::Custom, &kept.model).await.unwrap();
    let told: Vec<_> = runs.iter().map(|run| run.scenario.as_str()).collect();
    assert_eq!(told, ["C01"]);
    let found = looked(folder.path()).await;
    let named = "00112233-4455-6677-8899-aabbccddeeff";
    assert!(matches!(&found, AuditFit::Changed(what) if what.contains(named)), "{found:?}");
}

/// Each column has its place in the record, and what is gone is missed: it may have been a violation.
#[tokio::test]
async fn a_run_that_was_changed_or_taken_away_is_named() {
    for (done, is_counted) in [
        ("UPDATE ghost_result SET scenario = 'C03'", false),
        ("UPDATE ghost_result SET mode = 'replay'", false),
        ("UPDATE ghost_result SET verdict = 'PARTIAL'", false),
        ("UPDATE ghost_result SET build = 'b'", false),
        ("UPDATE ghost_result SET seed = 1", false),
        ("UPDATE ghost_result SET policy_hash = 'b'", false),
        ("UPDATE ghost_result SET prompt_hash = 'b'", false),
        ("UPDATE ghost_result SET provider = NULL", false),
        ("UPDATE ghost_result SET provider = 'OPENAI'", false),
        ("UPDATE ghost_result SET model = 'b'", false),
        ("UPDATE ghost_result SET revision = NULL", false),
        ("UPDATE ghost_result SET repeat = 1", false),
        ("UPDATE ghost_result SET repeat = NULL", false),
        ("UPDATE ghost_result SET invariants = 'held'", false),
        ("UPDATE ghost_result SET invariants = NULL", false),
        ("UPDATE ghost_result SET recorded_at = recorded_at + 1", false),
        ("UPDATE ghost_result SET recorded_by = x'00112233445566778899aabbccddeeff'", false),
        ("UPDATE ghost_result SET id = x'00112233445566778899aabbccddeeff'", false),
        ("DELETE FROM ghost_result", false),
        ("UPDATE ghost_result SET signed_by = NULL", false),
        ("UPDATE ghost_result SET signature = NULL", true),
        ("UPDATE ghost_result SET first_violation = 'b'", true),
        ("UPDATE ghost_result SET duration_ms = 1", true),
        ("UPDATE ghost_result SET report = '{}'", true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let violated = GhostResult { invariants: Some(Invariants::Violated), ..live("C01") };
        let key = runner(&test).await;
        put_signed(&test, &key, violated.clone()).await;
        // Of another model, which nobody touches.
        let other = GhostResult { provider: None, model: "other".into(), ..live("C01") };
        put_signed(&test, &key, other).await;
        let runs = async || test.store.live_runs(ProviderName::Custom, &violated.model).await;
        assert_eq!(runs().await.unwrap().len(), 2, "newest first, then those that violated");
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        let named = violated.id.to_string();
        let one = format!("{done} WHERE model <> 'other'");
        by_hand(folder.path(), &one).await;
        let found = runs().await;
        let refused = matches!(&found, Err(StoreError::Tampered { what }) if what.contains(&named));
        assert_eq!(refused, !is_counted, "{done}: {found:?}");
        let found = looked(folder.path()).await;
        let AuditFit::Changed(what) = &found else { panic!("{done}: {found:?}") };
        let moved = done.contains("SET id") || done.contains("DELETE");
        assert!(moved || what.contains(&named), "{done}: {what}");
    }
}

/// A record of an earlier build has no digest: it vouches for no run, and goes as far as it goes.
/// The row says still that an invariant was violated.
#[tokio::test]
async fn a_violation_whose_record_was_changed_is_none_that_is_forgotten() {
    for done in ["kind = 'other'", "line = replace(line, 'violated', 'held')", "seal = NULL"] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let violated = GhostResult { invariants: Some(Invariants::Violated), ..live("C01") };
        let key = runner(&test).await;
        put_signed(&test, &key, violated.clone()).await;
        let change = format!("UPDATE audit_record SET {done} WHERE kind = 'ghost.recorded'");
        by_hand(folder.path(), &change).await;
        let runs = test.store.live_runs(ProviderName::Custom, &violated.model).await;
        let refused = matches!(runs, Err(StoreError::Tampered { .. } | StoreError::Corrupt { .. }));
        assert!(refused, "{done}: {runs:?}");
    }
}

#[tokio::test]
async fn a_run_of_an_earlier_record_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let run = live("C01");
    let body = json!({"by": test.user, "mode": run.mode, "model": run.model, "provider": run.provider,
        "result": run.id, "scenario": run.scenario, "verdict": run.verdict});
    let earlier = Boundary::new(Point::P).entry("ghost.recorded", body);
    test.store.append(&wiiiv_store::Writer::Server, earlier).await.unwrap();
    let hand = Hand::on(folder.path()).await;
    let row = "INSERT INTO ghost_result (id, scenario, mode, verdict, build, seed, policy_hash, \
        prompt_hash, provider, model, revision, repeat, invariants, duration_ms, recorded_by, \
        recorded_at, report) SELECT $1, 'C01', 'live', 'PASS', '0.1.0', 7, 'p', 'q', 'CUSTOM', $2, \
        NULL, 2, 'held', 1, $3, at, '{}' FROM audit_record WHERE kind = 'ghost.recorded'";
    let values = vec![run.id.uuid().into(), run.model.clone().into(), test.user.uuid().into()];
    assert_eq!(hand.with(row, values).await, 1);
    hand.gone().await;
    assert_eq!(test.store.live_runs(ProviderName::Custom, &run.model).await.unwrap(), []);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
    by_hand(folder.path(), "UPDATE ghost_result SET verdict = 'FAIL'").await;
    let found = looked(folder.path()).await;
    let named = run.id.to_string();
    assert!(matches!(&found, AuditFit::Changed(what) if what.contains(&named)), "{found:?}");
}

/// Which models had a part in a conversation is what their rulings tell.
#[tokio::test]
async fn a_model_that_was_asked_is_the_one_that_was_ruled_on() {
    for (done, is_refused) in [
        ("UPDATE model_call SET provider = 'OFFLINE'", true),
        ("UPDATE model_call SET model = 'other'", true),
        ("UPDATE model_call SET at_seq = at_seq - 1", true),
        ("UPDATE model_call SET id = x'00112233445566778899aabbccddeeff'", true),
        ("UPDATE model_call SET task = id", true),
        ("UPDATE model_call SET started_at = started_at + 1", true),
        ("UPDATE model_call SET session = id", false),
        ("UPDATE model_call SET project = id", false),
        ("DELETE FROM model_call", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let (claim, _) = test.rule_call(new_id(), 10).await;
        let Some(Start::Call(call)) = claim.guard().map(|guard| guard.start.clone()) else {
            panic!("{claim:?}")
        };
        let _done =
            test.store.commit(&test.writer(), Boundary::new(Point::T0), claim).await.unwrap();
        let asked = async || test.store.models_asked(test.project, test.session).await;
        let local = [(ProviderName::Ollama, "local".to_owned())];
        assert_eq!(asked().await.unwrap(), local);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        match asked().await {
            Ok(told) => assert!(!is_refused && told == local, "{done}: {told:?}"),
            Err(StoreError::Tampered { .. }) => assert!(is_refused, "{done}"),
            Err(error) => panic!("{done}: {error}"),
        }
        let found = looked(folder.path()).await;
        let AuditFit::Changed(what) = &found else { panic!("{done}: {found:?}") };
        let named = [call.to_string(), "00112233-4455-6677-8899-aabbccddeeff".to_owned()];
        let is_gone = done.contains("DELETE");
        assert!(is_gone || named.iter().any(|id| what.contains(id)), "{done}: {what}");
    }
}
