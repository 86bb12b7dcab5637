//! Results of GHOST runs.

use crate::test_store::{TestStore, new_id, now, permissive};
use serde_json::json;
use wiiiv_domain::{GhostResultId, ProviderName};
use wiiiv_store::{
    AuditFilter, Chain, GHOST_REPORT_BYTES_MAX, GhostFilter, GhostMode, GhostRefused, GhostResult,
    GhostVerdict, Invariants, Page,
};

fn result(scenario: &str, verdict: GhostVerdict) -> GhostResult {
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
    }
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
        test.store.put_ghost_result(test.user, result.clone()).await.unwrap();
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
        let refused = test.store.put_ghost_result(test.user, odd).await;
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
    for result in [live("C01"), result("C02", GhostVerdict::Pass), untold, others, nobodys] {
        test.store.put_ghost_result(test.user, result).await.unwrap();
    }
    test.store.put_ghost_result(test.user, live("C03")).await.unwrap();
    let runs = test.store.live_runs(ProviderName::Custom, "recorded").await.unwrap();
    let told: Vec<_> = runs.iter().map(|run| (run.scenario.as_str(), run.repeat)).collect();
    assert_eq!(told, [("C03", 2), ("C01", 2)]);
    let run = &runs[0];
    assert_eq!((run.invariants, run.seed), (Some(Invariants::Held), u64::MAX - 1));
    assert_eq!(run.revision.as_deref(), Some("recorded-1"));
}
