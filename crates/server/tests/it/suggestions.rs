//! What is suggested is of this project: registered in it, and allowed by its policy.

use crate::{call::TestRequest, test_server::TestServer};
use serde_json::{Value, json};

async fn suggested(test: &TestServer) -> Vec<(String, String)> {
    let path = format!("/projects/{}/suggestions", test.project);
    let told = test.get(&test.owner, &path).await;
    assert_eq!(told.status, 200, "{}", told.text);
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    let items = told.body["items"].as_array().expect("items").clone();
    items.iter().map(|item| (text(item, "kind"), text(&item["text"], "en"))).collect()
}

async fn register(test: &TestServer, name: &str, base: &str) {
    let operation = json!({"id": "allStaff", "method": "GET", "path": "/v1/employees",
        "labels": ["employees", "직원"]});
    let needy = json!({"id": "one", "method": "GET", "path": "/v1/employees/{id}"});
    let system = json!({"baseUrl": base, "operations": [needy, operation]});
    let path = format!("/projects/{}/systems/{name}", test.project);
    let put = TestRequest::new("PUT", &path).by(&test.owner.token).json(&system);
    let put = test.send(put).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn suggestions_name_what_is_registered_and_allowed_and_nothing_else() {
    let test = TestServer::new().await;
    let kinds = |items: &[(String, String)]| -> Vec<String> {
        items.iter().map(|(kind, _)| kind.clone()).collect()
    };
    let none = suggested(&test).await;
    assert_eq!(kinds(&none), ["write", "denied"], "no system is made up");
    register(&test, "elsewhere", "https://hr.example.com").await;
    assert_eq!(kinds(&suggested(&test).await), ["write", "denied"], "policy reaches no such host");
    register(&test, "hr", &format!("http://{}", test.shop.address())).await;
    let told = suggested(&test).await;
    assert_eq!(kinds(&told), ["show", "save", "write", "denied"]);
    assert_eq!(told[0].1, "Show me the employees of hr");
    assert_eq!(told[1].1, "Get the employees from hr and save it to employees.json");
    // What is suggested is understood.
    for (kind, text) in &told {
        let session = test.session(&test.owner, test.project).await;
        let events = test.say(&test.owner, &session, text).await;
        let last = events.last().map(|(name, _)| name.as_str());
        let due = match kind.as_str() {
            // There is no such path at the shop of this test: it was called.
            "show" => "error",
            "denied" => "denied",
            _ => "pending",
        };
        assert_eq!(last, Some(due), "{text}: {events:#?}");
    }
    // The built-in model speaks of them too.
    let session = test.session(&test.owner, test.project).await;
    let events = test.say(&test.owner, &session, "what can you do?").await;
    let text = serde_json::to_string(&events).unwrap();
    assert!(text.contains(" of hr") && !text.contains(" of elsewhere"), "{text}");
    assert!(!text.contains("skymall"), "{text}");
}

/// The policy in force, with that change.
async fn amend(test: &TestServer, change: impl FnOnce(&mut Value)) {
    let path = format!("/projects/{}/policy", test.project);
    let now = test.get(&test.owner, &path).await;
    let mut policy = now.body["policy"].clone();
    change(&mut policy);
    let put = TestRequest::new("PUT", &path).by(&test.owner.token);
    let put = put.header("if-match", now.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "test"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
}

async fn kinds(test: &TestServer) -> Vec<String> {
    suggested(test).await.into_iter().map(|(kind, _)| kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_policy_allows_is_not_suggested_as_refused() {
    let test = TestServer::new().await;
    let rule = json!({"host": "example.com", "scheme": "https"});
    amend(&test, |policy| policy["allowedHosts"].as_array_mut().unwrap().push(rule)).await;
    assert_eq!(kinds(&test).await, ["write"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_policy_refuses_by_its_paths_hosts_or_steps_is_not_suggested() {
    let test = TestServer::new().await;
    register(&test, "hr", &format!("http://{}", test.shop.address())).await;
    for (paths, due) in [
        (json!(["notes"]), &["show", "write", "denied"][..]),
        // The note of the other language is another file.
        (json!(["employees.json", "notes/today.md"]), &["show", "save", "denied"]),
        (json!(["reports"]), &["show", "denied"]),
    ] {
        amend(&test, |policy| policy["allowedPaths"] = paths).await;
        assert_eq!(kinds(&test).await, due);
    }
    amend(&test, |policy| policy["allowedPaths"] = json!([""])).await;
    amend(&test, |policy| policy["allowedStepTypes"] = json!(["API_CALL"])).await;
    assert_eq!(kinds(&test).await, ["show", "denied"]);
    amend(&test, |policy| policy["allowedHosts"] = json!([])).await;
    assert_eq!(kinds(&test).await, ["denied"]);
}
