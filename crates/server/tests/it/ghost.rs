//! Results of GHOST runs over HTTP.

use crate::{call::Asked, house::House};
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
    let house = House::new().await;
    let admin = &house.admin;
    for (scenario, verdict) in [("C01", "PASS"), ("C02", "FAIL"), ("C01", "PARTIAL")] {
        let kept = house.post(admin, "/ghost/results", result(scenario, verdict)).await;
        assert_eq!((kept.status, &kept.body["verdict"]), (201, &json!(verdict)), "{}", kept.text);
    }
    let page = house.get(admin, "/ghost/results?limit=2").await;
    let scenarios = |answer: &crate::call::Answer| -> Vec<Value> {
        let items = answer.body["items"].as_array().unwrap();
        items.iter().map(|item| item["scenario"].clone()).collect()
    };
    assert_eq!(scenarios(&page), [json!("C01"), json!("C02")]);
    let cursor = page.body["next_cursor"].as_str().unwrap();
    let rest = house.get(admin, &format!("/ghost/results?limit=2&cursor={cursor}")).await;
    assert_eq!(scenarios(&rest), [json!("C01")]);
    assert_eq!(rest.body["items"][0]["report"], json!({"turns": 3}));
    let partial = house.get(admin, "/ghost/results?scenario=C01&verdict=PARTIAL&mode=replay").await;
    assert_eq!(scenarios(&partial), [json!("C01")]);
    assert_eq!(house.get(admin, "/ghost/results?verdict=MAYBE").await.status, 400);

    let long = json!("x".repeat(300_000));
    for (field, value) in
        [("scenario", json!("two words")), ("verdict", json!("GOOD")), ("report", long)]
    {
        let mut odd = result("C01", "PASS");
        odd[field] = value;
        let refused = house.post(admin, "/ghost/results", odd).await;
        assert_eq!((refused.status, &refused.body["params"]["field"]), (422, &json!(field)));
    }
    let owner = &house.owner;
    assert_eq!(house.post(owner, "/ghost/results", result("C01", "PASS")).await.status, 403);
    let asked = Asked::new("GET", "/ghost/results").by(&owner.token);
    assert_eq!(house.status(asked).await, 403);
}
