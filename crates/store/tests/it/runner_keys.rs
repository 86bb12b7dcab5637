//! Keys of runners, what they sign, and the version of the ledger that a ruling is held to.

use crate::{
    ghost_results::{live, put_signed, result, runner, signed},
    seals::{by_hand, looked},
    test_store::{TestStore, now, permissive},
};
use serde_json::json;
use wiiiv_domain::ProviderName;
use wiiiv_gate::{Claim, EvidenceSet, Standing};
use wiiiv_store::{
    AuditFilter, AuditFit, Boundary, Chain, CommitRefused, GhostMode, GhostRefused, GhostResult,
    GhostVerdict, Invariants, Moved, Point, StoreError,
};
use wiiiv_vault::RunnerKey;

async fn commit(test: &TestStore, claim: Claim) -> Option<Moved> {
    match test.store.commit(&test.writer(), Boundary::new(Point::T1), claim).await {
        Ok(_) => None,
        Err(CommitRefused::Moved(moved, _)) => Some(moved),
        Err(other) => panic!("{other}"),
    }
}

/// A signature is of every part of a result, by a key that is registered and in force, and is taken once.
#[tokio::test]
async fn only_what_a_registered_key_has_signed_is_taken_as_signed() {
    let test = TestStore::memory(permissive()).await;
    let key = runner(&test).await;
    let kept = put_signed(&test, &key, live("C01")).await;
    assert!(kept.signed_by.is_some());
    let changes: [fn(&mut GhostResult); 15] = [
        |r| r.scenario = "C02".into(),
        |r| r.mode = GhostMode::Replay,
        |r| r.verdict = GhostVerdict::Fail,
        |r| r.build = "b".into(),
        |r| r.seed = 1,
        |r| r.policy_hash = "b".into(),
        |r| r.prompt_hash = "b".into(),
        |r| r.provider = None,
        |r| r.model = "b".into(),
        |r| r.revision = None,
        |r| r.repeat = Some(3),
        |r| r.invariants = None,
        |r| r.first_violation = Some("b".into()),
        |r| r.duration_ms = 13,
        |r| r.report = json!({"turns": [1, 3]}),
    ];
    let put = async |result, signature| {
        test.store.put_ghost_result(test.user, result, Some(signature)).await
    };
    for (nth, change) in changes.into_iter().enumerate() {
        let (whole, mut changed) = (live("C09"), live("C09"));
        change(&mut changed);
        let refused = put(changed, signed(&key, &whole)).await;
        assert!(matches!(refused, Err(GhostRefused::WrongSignature)), "{nth}: {refused:?}");
    }
    let stranger = RunnerKey::generate().unwrap();
    let refused = put(live("C09"), signed(&stranger, &live("C09"))).await;
    assert!(matches!(refused, Err(GhostRefused::UnknownKey)), "{refused:?}");
    let (runs, version) = (
        async || test.store.live_runs(ProviderName::Custom, &kept.model).await,
        async || test.store.ledger_version().await.unwrap(),
    );
    let before = version().await;
    // Told again, it is not newer.
    let again = put_signed(&test, &key, live("C01")).await;
    assert_eq!((again.id, again.at), (kept.id, kept.at));
    assert_eq!((runs().await.unwrap().len(), version().await), (1, before));
    // What does not count raises nothing.
    test.store.put_ghost_result(test.user, live("C02"), None).await.unwrap();
    put_signed(&test, &key, result("C02", GhostVerdict::Pass)).await;
    assert_eq!(version().await, before);
    let violated = GhostResult { invariants: Some(Invariants::Violated), ..live("C03") };
    put_signed(&test, &key, violated).await;
    assert!(version().await > before);
    assert_eq!(runs().await.unwrap().len(), 3, "newest first, then those that violated");

    let who = test.store.authenticate(&*test.token, None, now()).await.unwrap();
    let id = test.store.runner_keys().await.unwrap()[0].id;
    let before = version().await;
    test.store.revoke_runner_key(&who, id).await.unwrap();
    assert!(version().await > before);
    let told = runs().await.unwrap();
    assert!(told.iter().all(|run| run.invariants == Some(Invariants::Violated)), "{told:?}");
    assert_eq!(told.len(), 2, "what it found violated stays so");
    let refused = put(live("C09"), signed(&key, &live("C09"))).await;
    assert!(matches!(refused, Err(GhostRefused::RevokedKey { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_key_is_registered_once_and_revoked_once() {
    use wiiiv_store::RunnerKeyRefused as Refused;
    let test = TestStore::memory(permissive()).await;
    let who = test.store.authenticate(&*test.token, None, now()).await.unwrap();
    let (one, two) = (RunnerKey::generate().unwrap(), RunnerKey::generate().unwrap());
    let add = async |name: &str, public| test.store.add_runner_key(&who, name, public).await;
    for name in ["", "two words", "이름", &"x".repeat(65)] {
        assert!(matches!(add(name, one.public()).await, Err(Refused::Name)), "{name}");
    }
    assert!(matches!(add("ci", [0; 32]).await, Err(Refused::PublicKey)));
    let kept = add("ci", one.public()).await.unwrap();
    assert!(matches!(add("ci", two.public()).await, Err(Refused::NameTaken)));
    assert!(matches!(add("other", one.public()).await, Err(Refused::Known)));
    test.store.revoke_runner_key(&who, kept.id).await.unwrap();
    let again = test.store.revoke_runner_key(&who, kept.id).await;
    assert!(matches!(again, Err(Refused::Revoked)), "{again:?}");
    assert!(matches!(add("ci", one.public()).await, Err(Refused::Known)), "for good");
    add("ci", two.public()).await.unwrap();
    let keys = test.store.runner_keys().await.unwrap();
    assert_eq!(keys.iter().map(|key| key.revoked.is_some()).collect::<Vec<_>>(), [false, true]);
    let kinds = ["runner_key.added", "runner_key.revoked"]
        .map(|kind| AuditFilter { kind: Some(kind.into()), ..AuditFilter::default() });
    let mut told = Vec::new();
    for kind in kinds {
        told.push(test.store.audit_search(Chain::Server, &kind).await.unwrap().len());
    }
    assert_eq!(told, [2, 1]);
}

/// Whoever changes a key in the file is found, and until then nothing counts.
#[tokio::test]
async fn a_key_that_was_changed_by_hand_counts_for_nothing() {
    for done in [
        "UPDATE runner_key SET public_key = randomblob(32)",
        "UPDATE runner_key SET name = 'other'",
        "UPDATE runner_key SET added_at = added_at + 1",
        "UPDATE runner_key SET added_by = randomblob(16)",
        "UPDATE runner_key SET at_seq = at_seq + 1",
        "UPDATE runner_key SET revoked_seq = NULL, revoked_by = NULL, revoked_at = NULL",
        "UPDATE runner_key SET revoked_at = revoked_at + 1",
        "INSERT INTO runner_key SELECT randomblob(16), 'new', randomblob(32), at_seq, added_by, \
         added_at, NULL, NULL, NULL FROM runner_key",
        "DELETE FROM runner_key",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let key = runner(&test).await;
        let violated = GhostResult { invariants: Some(Invariants::Violated), ..live("C01") };
        put_signed(&test, &key, violated.clone()).await;
        let who = test.store.authenticate(&*test.token, None, now()).await.unwrap();
        let id = test.store.runner_keys().await.unwrap()[0].id;
        test.store.revoke_runner_key(&who, id).await.unwrap();
        let runs = async || test.store.live_runs(ProviderName::Custom, &violated.model).await;
        assert_eq!(runs().await.unwrap().len(), 2);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole);
        by_hand(folder.path(), done).await;
        let found = runs().await;
        assert!(matches!(found, Err(StoreError::Tampered { .. })), "{done}: {found:?}");
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}

/// A ruling that asked the ledger is held to the version that it asked, and no other ruling is.
#[tokio::test]
async fn a_result_that_counts_in_between_is_seen_where_the_ledger_was_asked() {
    let test = TestStore::memory(permissive()).await;
    let key = runner(&test).await;
    let put = async |seed, is_signed: bool| {
        let invariants = Some(Invariants::Violated);
        let result = GhostResult { seed, invariants, ..live("C01") };
        let signature = Some(signed(&key, &result)).filter(|_| is_signed);
        test.store.put_ghost_result(test.user, result, signature).await.unwrap();
    };
    let ruled = async |asked: bool| {
        let plan = test.plan().await;
        let evidence = test.store.evidence(&plan, now()).await.unwrap();
        let ledger = Some(test.store.ledger_version().await.unwrap()).filter(|_| asked);
        let standing = Standing { ledger, ..evidence.standing };
        let evidence = EvidenceSet { standing, ..evidence };
        let (claim, ruled) = test.rule_with(&plan, evidence).await;
        assert!(ruled.denied().is_none());
        claim
    };
    let claim = ruled(true).await;
    put(1, true).await;
    assert_eq!(commit(&test, claim).await, Some(Moved::LedgerChanged));
    // Ruled on again, it goes by what is true now; what is claimed changes nothing.
    let claim = ruled(true).await;
    put(2, false).await;
    assert_eq!(commit(&test, claim).await, None);
    // Where policy does not ask, nobody is held up.
    let claim = ruled(false).await;
    put(3, true).await;
    assert_eq!(commit(&test, claim).await, None);
    // A key that is revoked takes away what verified.
    let claim = ruled(true).await;
    let id = test.store.runner_keys().await.unwrap()[0].id;
    let who = test.store.authenticate(&*test.token, None, now()).await.unwrap();
    test.store.revoke_runner_key(&who, id).await.unwrap();
    assert_eq!(commit(&test, claim).await, Some(Moved::LedgerChanged));
}
