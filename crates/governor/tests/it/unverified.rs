//! Policy asks for a verified model: what another one proposes is not put before anybody, until the
//! ledger says of it what policy asks for.

use crate::test_governor::{Setup, TestGovernor, now};
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use std::collections::BTreeSet;
use wiiiv_domain::{GhostResultId, Guardrail, ProfileName, ProviderName, TaskType, Timestamp};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::{Qualification, TypeStanding};
use wiiiv_store::{
    AuditFilter, Chain, GhostMode, GhostResult, GhostVerdict, Invariants, ModelStanding,
    ResultSignature, SUITE,
};
use wiiiv_vault::RunnerKey;

const MODEL: &str = "some";

fn writes() -> ModelMode {
    let written = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": "a.txt", "content": "by the model"}, "taskSwitch": {"kind": "new"},
    });
    ModelMode::Script(vec![written.to_string()])
}

async fn house_of(model: &FakeModel, required: TaskType) -> TestGovernor {
    let options = Setup { origins: vec![model.origin()], ..Setup::default() };
    let test = TestGovernor::with(options).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.governor_model = Some(MODEL.to_owned());
        policy.require_verified_model = BTreeSet::from([required]);
    })
    .await;
    test
}

async fn asked(test: &TestGovernor) -> Qualification {
    let recorded = test.governor.store().policy(test.project).await.unwrap();
    let policy = recorded.body().document().policy.clone();
    let found = test.governor.models().qualification((ProviderName::Custom, MODEL), &policy).await;
    found.unwrap().unwrap()
}

/// A key that an administrator has registered.
async fn runner(test: &TestGovernor, name: &str) -> RunnerKey {
    let key = RunnerKey::generate().unwrap();
    let store = test.governor.store();
    let who = store.authenticate(&*test.owner.token, None, now()).await.unwrap();
    store.add_runner_key(&who, name, key.public()).await.unwrap();
    key
}

/// As a player reports a whole suite, three times, signed by a key of its own.
async fn qualify(test: &TestGovernor, verdict: GhostVerdict, build: Option<&str>) {
    let runner = runner(test, &uuid::Uuid::now_v7().to_string()).await;
    report(test, verdict, build, Some(&runner)).await;
}

async fn report(
    test: &TestGovernor,
    verdict: GhostVerdict,
    build: Option<&str>,
    runner: Option<&RunnerKey>,
) {
    let key = asked(test).await.key;
    let build = build.map_or(key.build, str::to_owned);
    let user = test.principal(&test.owner).await.user();
    let mut nth = 0_u128;
    for repeat in 1..=3 {
        for scenario in SUITE.scenarios {
            nth += 1;
            let fresh = uuid::Uuid::now_v7().as_u128().wrapping_add(nth);
            let result = GhostResult {
                id: GhostResultId::from_uuid(uuid::Uuid::from_u128(fresh)),
                scenario: scenario.id.to_owned(),
                mode: GhostMode::Live,
                verdict,
                build: build.clone(),
                seed: 7,
                policy_hash: key.policy_hash.clone(),
                prompt_hash: key.prompt_hash.clone(),
                provider: Some(ProviderName::Custom),
                model: MODEL.to_owned(),
                revision: Some("some-1".to_owned()),
                repeat: Some(repeat),
                invariants: Some(Invariants::Held),
                first_violation: None,
                duration_ms: 1,
                at: Timestamp::from_unix_ms(1_800_000_000_000),
                report: json!({}),
                signed_by: None,
            };
            let signature = runner.map(|key| ResultSignature {
                public_key: key.public(),
                signature: key.sign(&result.statement().unwrap()),
            });
            let store = test.governor.store();
            store.put_ghost_result(user, result, signature).await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_waits_for_the_ledger_and_the_reason_is_on_record() {
    let model = FakeModel::spawn(writes()).await.unwrap();
    let test = house_of(&model, TaskType::FileWrite).await;
    let session = test.session().await;
    let denied = test.say(session, "please write it").await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());
    assert!(denied.text().contains("not verified"), "{}", denied.text());
    assert_eq!(asked(&test).await.standing, ModelStanding::NoRecord);

    qualify(&test, GhostVerdict::Pass, Some("another-build")).await;
    assert!(matches!(asked(&test).await.standing, ModelStanding::VerifiedElsewhere { .. }));
    let denied = test.say(session, "please write it").await;
    assert_eq!(denied.outcome, "denied", "of another build: {}", denied.text());

    qualify(&test, GhostVerdict::Pass, None).await;
    assert!(asked(&test).await.standing.is_verified());
    let pending = test.say(session, "please write it").await;
    assert_eq!(pending.outcome, "pending", "asked about as ever: {}", pending.text());

    qualify(&test, GhostVerdict::Fail, None).await;
    let yes = test.say(session, "yes").await;
    assert_eq!(
        yes.outcome,
        "denied",
        "what was true at the question holds no more: {}",
        yes.text()
    );
    let filter = AuditFilter { kind: Some("decision".into()), ..AuditFilter::default() };
    let rows = test.governor.store().audit_search(Chain::Project(test.project), &filter).await;
    let rulings: Vec<_> = rows.unwrap().into_iter().map(|row| row.body.to_string()).collect();
    let of_model =
        |body: &&String| body.contains("MODEL_UNVERIFIED") && body.contains("\"unverified\":true");
    assert_eq!(rulings.iter().filter(of_model).count(), 1, "{rulings:#?}");
}

/// Where a project has profiles a model is asked for a field more: runs that never saw it say nothing of that.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_verified_for_the_prompts_that_the_project_has() {
    let model = FakeModel::spawn(writes()).await.unwrap();
    let test = house_of(&model, TaskType::FileWrite).await;
    qualify(&test, GhostVerdict::Pass, None).await;
    assert!(asked(&test).await.standing.is_verified());
    let medical = ProfileName::parse("medical").unwrap();
    test.change_policy(|policy| {
        policy.profile_schema = Some(medical);
        policy.guardrails = [Guardrail::Legal].into();
    })
    .await;
    let found = asked(&test).await;
    let elsewhere = matches!(found.standing, ModelStanding::VerifiedElsewhere { .. });
    assert!(elsewhere, "{:?}", found.standing);
    let session = test.session().await;
    let denied = test.say(session, "please write it").await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());

    let filter = AuditFilter { kind: Some("model.called".into()), ..AuditFilter::default() };
    let rows = test.governor.store().audit_search(Chain::Project(test.project), &filter).await;
    assert_eq!(rows.unwrap()[0].body["rulesHash"], json!(found.key.prompt_hash));
    qualify(&test, GhostVerdict::Pass, None).await;
    assert!(asked(&test).await.standing.is_verified());
    let pending = test.say(session, "please write it").await;
    assert_eq!(pending.outcome, "pending", "{}", pending.text());
}

/// Each kind of task is judged by its own scenarios, and what nobody signed counts for none.
#[tokio::test(flavor = "multi_thread")]
async fn claimed_results_and_those_of_a_revoked_key_verify_nobody() {
    let model = FakeModel::spawn(writes()).await.unwrap();
    let test = house_of(&model, TaskType::FileWrite).await;
    report(&test, GhostVerdict::Pass, None, None).await;
    assert_eq!(asked(&test).await.standing, ModelStanding::NoRecord, "claimed");
    let key = runner(&test, "ci").await;
    report(&test, GhostVerdict::Pass, None, Some(&key)).await;
    let found = asked(&test).await;
    assert!(found.standing.is_verified() && found.left_out.partial.contains(&"Z02"), "{found:?}");
    let of = |task| {
        let mut all = found.task_types.iter();
        all.find(|of: &&TypeStanding| of.task_type == task).unwrap().clone()
    };
    let writes = of(TaskType::FileWrite);
    assert!(writes.required && writes.standing.is_verified(), "{writes:?}");
    assert!(!of(TaskType::FileDelete).required);
    assert_eq!(of(TaskType::WorkflowCreate).standing, ModelStanding::NoScenario);
    let pending = test.say(test.session().await, "please write it").await;
    assert_eq!(pending.outcome, "pending", "{}", pending.text());

    let store = test.governor.store();
    let who = store.authenticate(&*test.owner.token, None, now()).await.unwrap();
    let id = store.runner_keys().await.unwrap()[0].id;
    store.revoke_runner_key(&who, id).await.unwrap();
    assert_eq!(asked(&test).await.standing, ModelStanding::NoRecord, "revoked");
    let denied = test.say(test.session().await, "please write it").await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());

    // Somebody with the file takes the revocation back.
    let intruder = test.intruder().await;
    let back = "UPDATE runner_key SET revoked_seq = NULL, revoked_by = NULL, revoked_at = NULL";
    intruder.execute_unprepared(back).await.unwrap();
    assert_eq!(asked(&test).await.standing, ModelStanding::NoRecord, "not as the audit tells");
}

/// A ruling says which version of the ledger it asked, and one that did not ask says none.
#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_names_the_ledger_that_it_asked() {
    for (required, asks) in [(TaskType::FileWrite, true), (TaskType::FileDelete, false)] {
        let model = FakeModel::spawn(writes()).await.unwrap();
        let test = house_of(&model, required).await;
        let session = test.session().await;
        qualify(&test, GhostVerdict::Pass, None).await;
        test.say(session, "please write it").await;
        let done = test.say(session, "yes").await;
        assert_eq!(test.file("a.txt").as_deref(), Some("by the model"), "{}", done.text());
        let filter = AuditFilter { kind: Some("decision".into()), ..AuditFilter::default() };
        let chain = Chain::Project(test.project);
        let rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
        let plans = rows.iter().filter(|row| row.body["subject"]["kind"] == "blueprint");
        let told: Vec<bool> = plans.map(|row| row.body["standing"]["ledger"].is_u64()).collect();
        assert_eq!(told, [asks], "{required}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_policy_does_not_name_goes_on() {
    let model = FakeModel::spawn(writes()).await.unwrap();
    let test = house_of(&model, TaskType::FileDelete).await;
    let asked = test.say(test.session().await, "please write it").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
}

/// Somebody with the file writes a whole suite of passed runs into it, or takes one away.
#[tokio::test(flavor = "multi_thread")]
async fn runs_that_are_not_on_record_verify_no_model() {
    let model = FakeModel::spawn(writes()).await.unwrap();
    let test = house_of(&model, TaskType::FileWrite).await;
    let session = test.session().await;
    qualify(&test, GhostVerdict::Pass, None).await;
    assert!(asked(&test).await.standing.is_verified());
    let intruder = test.intruder().await;
    // Of a model that no run was ever reported of.
    let forged = "INSERT INTO ghost_result SELECT randomblob(16), scenario, mode, verdict, build, seed, \
        policy_hash, prompt_hash, 'forged', first_violation, duration_ms, recorded_by, recorded_at, \
        report, provider, revision, repeat, invariants, signed_by, NULL FROM ghost_result";
    intruder.execute_unprepared(forged).await.unwrap();
    test.change_policy(|policy| policy.governor_model = Some("forged".to_owned())).await;
    let recorded = test.governor.store().policy(test.project).await.unwrap();
    let policy = recorded.body().document().policy.clone();
    let found = test.governor.models().qualification((ProviderName::Custom, "forged"), &policy);
    assert_eq!(found.await.unwrap().unwrap().standing, ModelStanding::NoRecord);
    let denied = test.say(session, "please write it").await;
    assert_eq!(denied.outcome, "denied", "{}", denied.text());
    assert!(denied.text().contains("not verified"), "{}", denied.text());

    assert!(asked(&test).await.standing.is_verified(), "the other's runs are as they were");
    intruder.execute_unprepared("DROP TRIGGER ghost_result_no_DELETE").await.unwrap();
    let gone = "DELETE FROM ghost_result WHERE id = (SELECT min(id) FROM ghost_result WHERE model = 'some')";
    intruder.execute_unprepared(gone).await.unwrap();
    assert_eq!(asked(&test).await.standing, ModelStanding::NoRecord, "one of them is gone");
}

/// Somebody with the file says that another model was asked, or that none was.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_changed_clears_no_model() {
    for done in [
        "UPDATE model_call SET provider = 'OFFLINE', model = 'offline'",
        "UPDATE model_call SET model = 'verified'",
        "UPDATE model_call SET session = randomblob(16)",
        "DELETE FROM model_call",
    ] {
        let model = FakeModel::spawn(writes()).await.unwrap();
        let test = house_of(&model, TaskType::FileWrite).await;
        let session = test.session().await;
        qualify(&test, GhostVerdict::Pass, None).await;
        let pending = test.say(session, "please write it").await;
        assert_eq!(pending.outcome, "pending", "{}", pending.text());
        qualify(&test, GhostVerdict::Fail, None).await;
        let intruder = test.intruder().await;
        intruder.execute_unprepared("PRAGMA foreign_keys = OFF").await.unwrap();
        intruder.execute_unprepared(done).await.unwrap();
        let yes = test.say(session, "yes").await;
        assert_eq!(yes.outcome, "denied", "{done}: {}", yes.text());
        assert_eq!(test.file("a.txt"), None, "{done}");
    }
}
