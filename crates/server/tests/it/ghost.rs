//! Results of GHOST runs over HTTP.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};

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

/// Every scenario of the suite, `repeats` times, for the case that the server asks about.
pub async fn report(test: &TestServer, asked: &Value, repeats: u32, change: impl Fn(&mut Value)) {
    for repeat in 1..=repeats {
        for scenario in wiiiv_store::SUITE.scenarios {
            let mut run = result(scenario, "PASS");
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
            let kept = test.post(&test.admin, "/ghost/results", run).await;
            assert_eq!(kept.status, 201, "{}", kept.text);
        }
    }
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

    let partial = |run: &mut Value| {
        run["seed"] = json!(10);
        if run["scenario"] == "Z02" {
            run["verdict"] = json!("PARTIAL");
        }
    };
    report(&test, &first, 3, partial).await;
    let smoke = asked(&test).await;
    assert_eq!(
        (&smoke["standing"], &smoke["verdict"]),
        (&json!("smoke_not_passed"), &json!("PARTIAL"))
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
