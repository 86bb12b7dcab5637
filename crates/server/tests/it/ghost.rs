//! Results of GHOST runs over HTTP.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};
use wiiiv_domain::{ContentDigest, GhostStatement, ProviderName};
use wiiiv_net::Origin;
use wiiiv_vault::RunnerKey;

fn result(scenario: &str, verdict: &str) -> Value {
    json!({
        "scenario": scenario, "mode": "replay", "verdict": verdict, "build": "0.1.0",
        "seed": 7, "policy_hash": "p", "prompt_hash": "q", "model": "recorded",
        "first_violation": null, "duration_ms": 12, "report": {"turns": 3},
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_stores_and_reads_results() {
    let test = TestServer::new().await;
    let admin = &test.admin;
    for (scenario, verdict) in [("C01", "PASS"), ("C02", "FAIL"), ("C01", "PARTIAL")] {
        let kept = test.post(admin, "/ghost/results", result(scenario, verdict)).await;
        assert_eq!((kept.status, &kept.body["verdict"]), (201, &json!(verdict)), "{}", kept.text);
    }
    let page = test.get(admin, "/ghost/results?limit=2").await;
    let scenarios = |answer: &crate::call::Answer| -> Vec<Value> {
        let items = answer.body["items"].as_array().unwrap();
        items.iter().map(|item| item["scenario"].clone()).collect()
    };
    assert_eq!(scenarios(&page), [json!("C01"), json!("C02")]);
    let cursor = page.body["next_cursor"].as_str().unwrap();
    let rest = test.get(admin, &format!("/ghost/results?limit=2&cursor={cursor}")).await;
    assert_eq!(scenarios(&rest), [json!("C01")]);
    assert_eq!(rest.body["items"][0]["report"], json!({"turns": 3}));
    let partial = test.get(admin, "/ghost/results?scenario=C01&verdict=PARTIAL&mode=replay").await;
    assert_eq!(scenarios(&partial), [json!("C01")]);
    assert_eq!(test.get(admin, "/ghost/results?verdict=MAYBE").await.status, 400);

    let long = json!("x".repeat(300_000));
    for (field, value) in
        [("scenario", json!("two words")), ("verdict", json!("GOOD")), ("report", long)]
    {
        let mut odd = result("C01", "PASS");
        odd[field] = value;
        let refused = test.post(admin, "/ghost/results", odd).await;
        assert_eq!((refused.status, &refused.body["params"]["field"]), (422, &json!(field)));
    }
    let owner = &test.owner;
    assert_eq!(test.post(owner, "/ghost/results", result("C01", "PASS")).await.status, 403);
    let asked = TestRequest::new("GET", "/ghost/results").by(&owner.token);
    assert_eq!(test.status(asked).await, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suite_is_listed_once_and_read_by_any_of_its_results() {
    let test = TestServer::new().await;
    let mut ids = Vec::new();
    for (scenario, seed) in [("C01", 7), ("C02", 7), ("C01", u64::MAX)] {
        let mut run = result(scenario, "PASS");
        run["seed"] = json!(seed);
        let kept = test.post(&test.admin, "/ghost/results", run).await;
        ids.push(kept.body["id"].as_str().unwrap().to_owned());
    }
    let read = async |query: String| -> Vec<String> {
        let page = test.get(&test.admin, &format!("/ghost/results?{query}")).await;
        let items = page.body["items"].as_array().unwrap();
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let [first, second, other] = ids.as_slice() else { panic!("{ids:?}") };
    assert_eq!(read("one_per_suite=true".into()).await, [other.clone(), second.clone()]);
    let one = read("one_per_suite=true&scenario=C01".into()).await;
    assert_eq!(one, [other.clone(), first.clone()], "the newest that fits");
    assert_eq!(read(format!("suite={first}")).await, [second.clone(), first.clone()]);
    assert_eq!(read(format!("suite={other}")).await, std::slice::from_ref(other));
    assert_eq!(read(format!("suite={}", uuid::Uuid::nil())).await, Vec::<String>::new());
    assert_eq!(test.get(&test.admin, "/ghost/results?suite=first").await.status, 400);
}

/// As a player signs it.
fn signed(key: &RunnerKey, mut run: Value) -> Value {
    let text = |field: &str| run[field].as_str();
    let number = |field: &str| run[field].as_u64();
    let all = ProviderName::ALL.into_iter();
    let statement = GhostStatement {
        scenario: text("scenario").unwrap(),
        mode: text("mode").unwrap(),
        verdict: text("verdict").unwrap(),
        build: text("build").unwrap(),
        seed: number("seed").unwrap(),
        policy_hash: text("policy_hash").unwrap(),
        prompt_hash: text("prompt_hash").unwrap(),
        provider: text("provider").and_then(|named| all.clone().find(|of| of.as_str() == named)),
        model: text("model").unwrap(),
        revision: text("revision"),
        repeat: number("repeat").and_then(|nth| u32::try_from(nth).ok()),
        invariants: text("invariants"),
        first_violation: text("first_violation"),
        duration_ms: number("duration_ms").unwrap(),
        report: ContentDigest::of(&run["report"]).unwrap(),
    };
    let signature = hex::encode(key.sign(&statement.bytes().unwrap()));
    run["signed"] = json!({"public_key": hex::encode(key.public()), "signature": signature});
    run
}

/// Registered by the administrator.
async fn runner(test: &TestServer, name: &str) -> RunnerKey {
    let key = RunnerKey::generate().unwrap();
    let body = json!({"name": name, "public_key": hex::encode(key.public())});
    let added = test.post(&test.admin, "/ghost/keys", body).await;
    assert_eq!((added.status, &added.body["name"]), (201, &json!(name)), "{}", added.text);
    key
}

/// Every scenario of the suite, `repeats` times, for the case that the server asks about, signed.
pub async fn report(test: &TestServer, asked: &Value, repeats: u32, change: impl Fn(&mut Value)) {
    let key = runner(test, &uuid::Uuid::now_v7().to_string()).await;
    for run in runs(asked, repeats, change) {
        let kept = test.post(&test.admin, "/ghost/results", signed(&key, run)).await;
        assert_eq!((kept.status, &kept.body["word"]), (201, &json!("signed")), "{}", kept.text);
    }
}

fn runs(asked: &Value, repeats: u32, change: impl Fn(&mut Value)) -> Vec<Value> {
    let mut runs = Vec::new();
    for repeat in 1..=repeats {
        for scenario in wiiiv_store::SUITE.scenarios {
            let mut run = result(scenario.id, "PASS");
            for field in ["build", "policy_hash", "prompt_hash"] {
                run[field] = asked[field].clone();
            }
            for (field, value) in [
                ("mode", json!("live")),
                ("provider", json!("OPENAI")),
                ("model", json!("gpt-4o-mini")),
                ("revision", json!("gpt-4o-mini-2024-07-18")),
                ("repeat", json!(repeat)),
                ("invariants", json!("held")),
            ] {
                run[field] = value;
            }
            change(&mut run);
            runs.push(run);
        }
    }
    runs
}

pub async fn asked(test: &TestServer) -> Value {
    let models = test.get(&test.owner, "/models").await;
    let of = |rows: &Value, field: &str, name: &str| -> Value {
        rows.as_array().unwrap().iter().find(|row| row[field] == name).unwrap().clone()
    };
    let openai = of(&models.body["items"], "provider", "OPENAI");
    of(&openai["models"], "name", "gpt-4o-mini")["ghost"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_is_told_with_every_model() {
    let test = TestServer::new().await;
    let first = asked(&test).await;
    assert_eq!((&first["standing"], &first["verified"]), (&json!("no_record"), &json!(false)));

    report(&test, &first, 3, |run| run["build"] = json!("another")).await;
    let elsewhere = asked(&test).await;
    assert_eq!(elsewhere["standing"], "verified_elsewhere");
    assert_eq!(elsewhere["differs"], json!(["build"]));

    report(&test, &first, 2, |run| run["seed"] = json!(8)).await;
    let incomplete = asked(&test).await;
    assert_eq!(
        (&incomplete["standing"], &incomplete["repeats"]),
        (&json!("incomplete"), &json!(2))
    );

    report(&test, &first, 3, |run| run["seed"] = json!(9)).await;
    let verified = asked(&test).await;
    assert_eq!((&verified["standing"], &verified["verified"]), (&json!("verified"), &json!(true)));
    assert_eq!(verified["revision"], "gpt-4o-mini-2024-07-18");

    let of = |view: &Value, task: &str| -> Value {
        let types = view["task_types"].as_array().unwrap();
        types.iter().find(|of| of["task_type"] == task).unwrap().clone()
    };
    assert_eq!(verified["excluded"], json!(["C30", "Z02"]));
    assert_eq!(of(&verified, "FILE_DELETE")["verified"], json!(true));
    assert_eq!(of(&verified, "WORKFLOW_CREATE")["standing"], "no_scenario");
    assert_eq!(of(&verified, "WORKFLOW_CREATE")["excluded"], json!(["C30", "Z02"]));

    // Three of the many, and all that speak for it.
    let deletes = |run: &mut Value| {
        run["seed"] = json!(10);
        let id = run["scenario"].as_str().unwrap();
        let of = wiiiv_store::SUITE.scenarios.iter().find(|one| one.id == id).unwrap();
        if of.task_types.contains(&wiiiv_domain::TaskType::FileDelete) {
            run["verdict"] = json!("FAIL");
        }
    };
    report(&test, &first, 3, deletes).await;
    let found = asked(&test).await;
    assert_eq!(found["standing"], "verified");
    assert_eq!(of(&found, "FILE_DELETE")["standing"], "too_few_passed");
    assert_eq!(of(&found, "API_WORKFLOW")["standing"], "verified");

    let failed = |run: &mut Value| {
        run["seed"] = json!(11);
        if run["scenario"] == "Z02" {
            run["verdict"] = json!("FAIL");
        }
    };
    report(&test, &first, 3, failed).await;
    let smoke = asked(&test).await;
    assert_eq!(
        (&smoke["standing"], &smoke["verdict"]),
        (&json!("smoke_not_passed"), &json!("FAIL"))
    );

    let page = test.get(&test.admin, "/ghost/results?provider=OPENAI&model=gpt-4o-mini").await;
    assert_eq!(page.body["items"][0]["invariants"], "held");
    let other = test.get(&test.admin, "/ghost/results?provider=GOOGLE").await;
    assert_eq!(other.body["items"], json!([]));
    for (field, value) in
        [("repeat", json!(0)), ("provider", json!("NOBODY")), ("revision", json!(""))]
    {
        let mut odd = result("C01", "PASS");
        odd[field] = value;
        assert_eq!(test.post(&test.admin, "/ghost/results", odd).await.status, 422, "{field}");
    }
}

/// What the rules of a project do not let be played is named with the reason, and the rest decides.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_verified_under_the_rules_of_a_project() {
    let origin = Origin::parse("https://api.openai.com").unwrap();
    let test = TestServer::approving(&[origin]).await;
    let below = |what: &str| format!("/projects/{}/{what}", test.project);
    let current = test.get(&test.owner, &below("policy")).await;
    let mut policy = current.body["policy"].clone();
    policy["llmProvider"] = json!("OPENAI");
    policy["governorModel"] = json!("gpt-4o-mini");
    policy["allowedStepTypes"] = json!(["FILE_READ", "FILE_WRITE", "FILE_DELETE"]);
    policy["confirmation"] = json!({"FILE_DELETE": "never"});
    policy["approval"]["normal"] =
        json!({"by": "another_person", "approvers": 2, "ttlSeconds": 600});
    let put = TestRequest::new("PUT", &below("policy")).by(&test.owner.token);
    let put = put.header("if-match", current.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "test"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);

    let told = async || {
        let effective = test.get(&test.owner, &below("models/effective")).await;
        effective.body["ghost"].clone()
    };
    let first = told().await;
    assert_eq!((&first["standing"], &first["excluded"]), (&json!("no_record"), &json!([])));
    let barred = |id: &str| {
        let all = first["barred"].as_array().unwrap();
        all.iter()
            .find(|one| one["scenario"] == id)
            .map(|one| (one["why"].clone(), one["of"].clone()))
    };
    let call = Some((json!("step_type"), json!("API_CALL")));
    assert_eq!((barred("C01"), barred("Z02")), (call.clone(), call));
    assert_eq!(barred("G03"), Some((json!("confirmation"), json!("FILE_DELETE"))));
    assert_eq!((barred("G01"), barred("C11")), (None, None));

    let smoke_fails = |run: &mut Value| {
        if run["scenario"] == "Z02" {
            run["verdict"] = json!("FAIL");
        }
    };
    report(&test, &first, 3, smoke_fails).await;
    let now = told().await;
    assert_eq!(now["standing"], "verified", "{now}");
    let of = |task: &str| -> Value {
        let types = now["task_types"].as_array().unwrap();
        types.iter().find(|of| of["task_type"] == task).unwrap()["standing"].clone()
    };
    assert_eq!((of("FILE_WRITE"), of("API_WORKFLOW")), (json!("verified"), json!("no_scenario")));
    assert_eq!(asked(&test).await["standing"], "no_record", "other rules are another case");
}

/// What nobody signed is kept as claimed, what is signed wrongly is refused, and a revoked key's results stop to
/// count.
#[tokio::test(flavor = "multi_thread")]
async fn only_what_a_registered_key_in_force_has_signed_counts() {
    let test = TestServer::new().await;
    let (admin, first) = (&test.admin, asked(&test).await);
    for run in runs(&first, 3, |_| {}) {
        let kept = test.post(admin, "/ghost/results", run).await;
        assert_eq!((kept.status, &kept.body["word"]), (201, &json!("claimed")), "{}", kept.text);
        assert_eq!(kept.body["signed_by"], Value::Null);
    }
    assert_eq!(asked(&test).await["standing"], "no_record");

    let (key, stranger) = (runner(&test, "ci").await, RunnerKey::generate().unwrap());
    let one = || runs(&first, 1, |_| {}).remove(0);
    let refused = async |run: Value, status: u16, code: &str| {
        let answer = test.post(admin, "/ghost/results", run).await;
        assert_eq!(
            (answer.status, &answer.body["code"]),
            (status, &json!(code)),
            "{}",
            answer.text
        );
    };
    let mut changed = signed(&key, one());
    changed["verdict"] = json!("FAIL");
    refused(changed, 422, "SIGNATURE_WRONG").await;
    let mut changed = signed(&key, one());
    changed["report"]["turns"] = json!(4);
    refused(changed, 422, "SIGNATURE_WRONG").await;
    refused(signed(&stranger, one()), 422, "RUNNER_KEY_UNKNOWN").await;
    let mut short = signed(&key, one());
    short["signed"]["signature"] = json!("ab");
    refused(short, 422, "INVALID_FIELD").await;
    for run in runs(&first, 3, |_| {}) {
        let kept = test.post(admin, "/ghost/results", signed(&key, run)).await;
        assert_eq!((kept.status, &kept.body["signed_by"]), (201, &json!("ci")), "{}", kept.text);
    }
    assert_eq!(asked(&test).await["standing"], "verified");
    let once = test.post(admin, "/ghost/results", signed(&key, one())).await;
    let again = test.post(admin, "/ghost/results", signed(&key, one())).await;
    assert_eq!(once.body["id"], again.body["id"], "taken once");

    let body = |name: &str, key: &RunnerKey| json!({"name": name, "public_key": hex::encode(key.public())});
    for (body, status, code) in [
        (body("ci", &stranger), 409, "NAME_TAKEN"),
        (body("other", &key), 409, "RUNNER_KEY_KNOWN"),
        (body("two words", &stranger), 422, "INVALID_FIELD"),
        (json!({"name": "short", "public_key": "ab"}), 422, "INVALID_FIELD"),
        (json!({"name": "weak", "public_key": "0".repeat(64)}), 422, "INVALID_FIELD"),
    ] {
        let answer = test.post(admin, "/ghost/keys", body).await;
        assert_eq!(
            (answer.status, &answer.body["code"]),
            (status, &json!(code)),
            "{}",
            answer.text
        );
    }
    let keys = test.get(admin, "/ghost/keys").await;
    let id = keys.body["items"][0]["id"].as_str().unwrap().to_owned();
    let revoke = || TestRequest::new("DELETE", &format!("/ghost/keys/{id}")).by(&admin.token);
    assert_eq!(test.status(revoke()).await, 200);
    assert_eq!(test.status(revoke()).await, 409);
    assert_eq!(asked(&test).await["standing"], "no_record", "from the revocation on");
    let page = test.get(admin, "/ghost/results?limit=1").await;
    assert_eq!(page.body["items"][0]["word"], "revoked");
    assert_eq!(page.body["items"][0]["signed_by"], "ci");
    refused(signed(&key, one()), 409, "RUNNER_KEY_REVOKED").await;
}
