//! What models have used and what budgets have left, over HTTP.

use crate::test_server::{Person, TestServer, now};
use serde_json::{Value, json};
use wiiiv_store::Role;

async fn spoken(test: &TestServer, who: &Person) {
    let session = test.session(who, test.project).await;
    test.say(who, &session, "안녕하세요").await;
}

async fn usage(test: &TestServer, who: &Person, query: &str) -> Value {
    let answer = test.get(who, &format!("/projects/{}/usage{query}", test.project)).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_counted_by_day_model_and_person_and_others_see_their_own() {
    let test = TestServer::new().await;
    let editor = test.member("park", Role::Editor).await;
    spoken(&test, &test.owner).await;
    spoken(&test, &editor).await;
    spoken(&test, &editor).await;

    let all = usage(&test, &test.owner, "?by=user,model").await;
    assert_eq!((&all["scope"], &all["currency"]), (&json!("project"), &json!("USD")));
    assert_eq!(all["by"], json!(["user", "model"]));
    let rows = all["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["user"]["name"] == name).unwrap();
    assert_eq!(row("park")["sums"]["calls"], 2, "{rows:?}");
    assert_eq!(row("park")["model"], "offline");
    let calls: u64 = rows.iter().filter_map(|row| row["sums"]["calls"].as_u64()).sum();
    assert_eq!((rows.len(), json!(calls)), (2, all["total"]["calls"].clone()));
    // The built-in model uses no tokens, and nobody has priced it in this house.
    assert_eq!((&all["total"]["tokens"], &all["total"]["unpriced"]), (&json!(0), &json!(3)));
    assert_eq!(all["truncated"], false);

    let own = usage(&test, &editor, "").await;
    assert_eq!((&own["scope"], &own["total"]["calls"]), (&json!("own"), &json!(2)));
    assert_eq!(own["by"], json!(["day"]));
    assert_eq!(own["rows"][0]["user"], Value::Null);
    let day = own["rows"][0]["day"].as_str().unwrap();
    assert!(day == now().utc_day() || own["rows"].as_array().unwrap().len() == 2, "{own}");

    let long_ago = usage(&test, &test.owner, "?from=2020-01-01&until=2020-02-01").await;
    assert_eq!((&long_ago["rows"], &long_ago["total"]["calls"]), (&json!([]), &json!(0)));
    assert_eq!(
        (&long_ago["from"], &long_ago["until"]),
        (&json!("2020-01-01"), &json!("2020-02-01"))
    );
    let stranger = test.person("lee").await;
    let path = format!("/projects/{}/usage", test.project);
    assert_eq!(test.get(&stranger, &path).await.status, 404);
    for odd in [
        "?by=",
        "?by=day,day",
        "?by=hour",
        "?from=today",
        "?until=2026-02-30",
        "?week=1",
        "?from=2026-02-01&until=2026-01-01",
        "?from=2020-01-01&until=2021-01-02",
    ] {
        let answer = test.get(&test.owner, &format!("{path}{odd}")).await;
        assert_eq!((answer.status, answer.code()), (400, "INVALID_QUERY"), "{odd} {}", answer.text);
        let is_known = !odd.contains("week");
        assert_eq!(answer.body["params"]["reason"].is_string(), is_known, "{}", answer.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn budgets_show_their_caps_and_how_near_they_are() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/budgets", test.project);
    let before = test.get(&test.owner, &path).await.body;
    let names: Vec<&Value> =
        before["items"].as_array().unwrap().iter().map(|item| &item["window"]).collect();
    assert_eq!(names, ["day", "month", "user_day", "user_month"]);
    let open = before["items"].as_array().unwrap().iter().all(|item| item["state"] == "open");
    assert!(open, "{before}");

    let current = test.get(&test.owner, &format!("/projects/{}/policy", test.project)).await;
    let mut policy = current.body["policy"].clone();
    policy["tokenBudget"]["perUserMonth"] = json!(5);
    policy["costLimit"]["perMonthMicros"] = json!(0);
    let put = crate::call::TestRequest::new("PUT", &format!("/projects/{}/policy", test.project))
        .by(&test.owner.token)
        .header("if-match", current.header("etag"))
        .json(&json!({ "policy": policy, "reason": "a month is enough" }));
    let put = test.send(put).await;
    assert_eq!(put.status, 201, "{}", put.text);
    let after = test.get(&test.owner, &path).await.body;
    let items = after["items"].as_array().unwrap();
    assert_eq!((&items[1]["state"], &items[3]["state"]), (&json!("spent"), &json!("open")));
    assert_eq!((&items[3]["tokens"]["cap"], &items[1]["micros"]["cap"]), (&json!(5), &json!(0)));

    // The built-in model costs nothing: it answers under a spent cap.
    let session = test.session(&test.owner, test.project).await;
    let told = test.say(&test.owner, &session, "안녕하세요").await;
    assert_eq!(told.last().map(|(name, _)| name.as_str()), Some("done"), "{told:#?}");
    assert!(told.iter().any(|(_, data)| data["reply"] == "model"), "{told:#?}");
    let stranger = test.person("lee").await;
    assert_eq!(test.get(&stranger, &path).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_stand_side_by_side_each_as_far_as_its_caller_may_see() {
    let test = TestServer::new().await;
    let editor = test.member("park", Role::Editor).await;
    spoken(&test, &test.owner).await;
    spoken(&test, &editor).await;
    let by_project = async |who: &Person, query: &str| {
        let answer = test.get(who, &format!("/usage{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.body
    };
    let here = json!(test.project);
    let of = |view: &Value| {
        let items = view["items"].as_array().unwrap().iter();
        items.filter(|item| item["project"] == here).cloned().collect::<Vec<_>>()
    };
    let all = by_project(&test.owner, "").await;
    assert_eq!(of(&all)[0]["scope"], "project");
    assert_eq!(
        (&of(&all)[0]["sums"]["calls"], &of(&all)[0]["currency"]),
        (&json!(2), &json!("USD"))
    );
    let own = by_project(&editor, "").await;
    assert_eq!((&of(&own)[0]["scope"], &of(&own)[0]["sums"]["calls"]), (&json!("own"), &json!(1)));
    // Her personal project has used nothing, and stands there as well.
    assert_eq!(own["items"].as_array().unwrap().len(), 2, "{own}");
    let stranger = test.person("lee").await;
    assert!(of(&by_project(&stranger, "").await).is_empty());

    let first = by_project(&editor, "?limit=1").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = by_project(&editor, &format!("?limit=1&cursor={cursor}")).await;
    assert_ne!(first["items"][0]["project"], second["items"][0]["project"]);
    assert_eq!(second["next_cursor"], Value::Null);
    let long_ago = by_project(&editor, "?from=2020-01-01&until=2020-02-01").await;
    assert_eq!(of(&long_ago)[0]["sums"]["calls"], 0);
    for odd in ["?by=project", "?limit=0", "?cursor=x", "?from=today"] {
        assert_eq!(test.get(&editor, &format!("/usage{odd}")).await.status, 400, "{odd}");
    }
}
