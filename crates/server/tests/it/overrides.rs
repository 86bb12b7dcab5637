//! Overrides over HTTP: proposed by one person, approved by another, shown to all, ended by an owner.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_store::Role;

impl TestServer {
    fn of_project(&self, what: &str) -> String {
        format!("/projects/{}/{what}", self.project)
    }

    /// Over the version that is current now, with a change of its body.
    async fn propose(&self, who: &Person, change: impl FnOnce(&mut Value)) -> Answer {
        let current = self.get(&self.owner, &self.of_project("policy")).await;
        let mut policy = current.body["policy"].clone();
        policy["allowedPaths"] = json!(["", "etc"]);
        let mut body = json!({
            "policy": policy, "scope": "window", "ttl_seconds": 3600, "reason": "the night shift",
        });
        change(&mut body);
        let asked = TestRequest::new("POST", &self.of_project("overrides")).by(&who.token);
        self.send(asked.header("if-match", current.header("etag")).json(&body)).await
    }

    async fn act(&self, who: &Person, id: &str, verb: &str, body: Value) -> Answer {
        self.post(who, &self.of_project(&format!("overrides/{id}/{verb}")), body).await
    }
}

/// The version says what it is, and no edit and no switch of the stage goes past it.
async fn nothing_else_changes_it(test: &TestServer, eve: &Person, id: &str) {
    let current = test.get(eve, &test.of_project("policy")).await;
    assert_eq!(current.body["override"]["temporary"], json!(true));
    assert_eq!(current.body["override"]["id"], json!(id));
    assert_eq!(current.body["policy"]["allowedPaths"], json!(["", "etc"]));
    let body = json!({"policy": current.body["policy"], "reason": "x"});
    let edit = TestRequest::new("PUT", &test.of_project("policy")).by(&test.owner.token);
    let edit = test.send(edit.header("if-match", current.header("etag")).json(&body)).await;
    assert_eq!((edit.status, edit.code()), (409, "OVERRIDE_RUNS"), "{}", edit.text);
    let demote = TestRequest::new("POST", &test.of_project("promote")).by(&test.owner.token);
    let demote = demote.header("if-match", current.header("etag")).json(&json!({"reason": "x"}));
    assert_eq!(test.send(demote).await.code(), "OVERRIDE_RUNS");
    let second = test.propose(&test.owner, |_| {}).await;
    assert_eq!((second.status, second.code()), (409, "OVERRIDE_RUNS"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_put_another_policy_in_force_for_a_while() {
    let test = TestServer::new().await;
    let (min, eve) =
        (test.member("min", Role::Approver).await, test.member("eve", Role::Viewer).await);
    let made = test.propose(&test.owner, |_| {}).await;
    assert_eq!((made.status, &made.body["state"]), (201, &json!("waiting")), "{}", made.text);
    let id = made.body["id"].as_str().unwrap().to_owned();
    let paths: Vec<&str> = made.body["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["allowedPaths"]);
    let seen = test.get(&eve, &test.of_project("overrides?open=true")).await;
    assert_eq!(seen.body["items"][0]["id"], json!(id), "everybody in the project sees it");

    // What it would have changed is asked before anybody approves it.
    let impact = json!({"policy": made.body["policy"], "days": 1, "task_type": "FILE_WRITE"});
    let impact = test.post(&min, &test.of_project("policy/impact"), impact).await;
    assert_eq!((impact.status, &impact.body["judged"]), (200, &json!(0)), "{}", impact.text);

    for (who, status, code) in [
        (&test.owner, 409, "OVERRIDE_SAME_PERSON"),
        (&eve, 403, "FORBIDDEN"),
        (&test.person("stranger").await, 404, "NOT_FOUND"),
    ] {
        let refused = test.act(who, &id, "approve", json!({})).await;
        assert_eq!((refused.status, refused.code()), (status, code), "{}", refused.text);
    }
    let nowhere = test.act(&min, &Uuid::now_v7().to_string(), "approve", json!({})).await;
    assert_eq!(nowhere.status, 404);
    let approved = test.act(&min, &id, "approve", json!({})).await;
    assert_eq!((approved.status, &approved.body["state"]), (200, &json!("running")));
    let left = approved.body["seconds_left"].as_u64().unwrap();
    assert!((3_590..=3_600).contains(&left), "{left}");
    let again = test.act(&min, &id, "approve", json!({})).await;
    assert_eq!((again.status, again.code()), (409, "OVERRIDE_GONE"));

    nothing_else_changes_it(&test, &eve, &id).await;

    let reason = json!({"reason": "the shop is back"});
    let no = test.act(&min, &id, "end", reason.clone()).await;
    assert_eq!((no.status, no.code()), (403, "FORBIDDEN"));
    let ended = test.act(&test.owner, &id, "end", reason.clone()).await;
    assert_eq!((ended.status, &ended.body["ended"]), (200, &json!("ended")), "{}", ended.text);
    assert_eq!(ended.body["ended_reason"], json!("the shop is back"));
    let twice = test.act(&test.owner, &id, "end", reason).await;
    assert_eq!((twice.status, twice.code()), (409, "OVERRIDE_GONE"));
    let versions = test.get(&eve, &test.of_project("policy/versions")).await;
    let marks: Vec<Value> = versions.body["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|version| version["override"]["temporary"].clone())
        .collect();
    assert_eq!(marks, [json!(false), json!(true), json!(null)]);
    let [after, before] = [0, 2].map(|nth: usize| versions.body["items"][nth]["policy"].clone());
    assert_eq!(after, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_override_is_refused_by_name() {
    let test = TestServer::new().await;
    let field = async |change: &dyn Fn(&mut Value)| {
        let refused = test.propose(&test.owner, |body| change(body)).await;
        assert_eq!((refused.status, refused.code()), (422, "INVALID_FIELD"), "{}", refused.text);
        refused.body["params"]["field"].clone()
    };
    assert_eq!(field(&|body| body["ttl_seconds"] = json!(59)).await, "ttl_seconds");
    assert_eq!(field(&|body| body["ttl_seconds"] = json!(259_201)).await, "ttl_seconds");
    assert_eq!(field(&|body| body["scope"] = json!("type")).await, "task_type");
    assert_eq!(field(&|body| body["task_type"] = json!("FILE_READ")).await, "task_type");
    assert_eq!(field(&|body| body["reason"] = json!(" ")).await, "reason");
    let odd = |body: &mut Value| body["policy"]["allowedPaths"] = json!(["../outside"]);
    assert_eq!(field(&odd).await, "policy");
    let stage = test.propose(&test.owner, |body| body["policy"]["dacsStage"] = json!("enforce"));
    let stage = stage.await;
    assert_eq!((stage.status, stage.code()), (422, "STAGE_NOT_EDITED"), "{}", stage.text);
    let blind = TestRequest::new("POST", &test.of_project("overrides")).by(&test.owner.token);
    let policy = test.get(&test.owner, &test.of_project("policy")).await.body["policy"].clone();
    let body = json!({"policy": policy, "scope": "window", "ttl_seconds": 60, "reason": "x"});
    assert_eq!(test.send(blind.json(&body)).await.status, 428);
    let same = test.propose(&test.owner, |body| body["policy"] = policy).await;
    assert_eq!((same.status, same.code()), (422, "OVERRIDE_UNCHANGED"), "{}", same.text);
    let min = test.member("min", Role::Approver).await;
    assert_eq!(test.propose(&min, |_| {}).await.status, 403);
    let none = test.get(&test.owner, &test.of_project("overrides")).await;
    assert_eq!(none.body["items"], json!([]));

    // An administrator may propose and end one; a proposal over an older policy has lapsed.
    let made = test.propose(&test.owner, |_| {}).await;
    let id = made.body["id"].as_str().unwrap();
    let current = test.get(&test.owner, &test.of_project("policy")).await;
    let edit = TestRequest::new("PUT", &test.of_project("policy")).by(&test.owner.token);
    let edit = edit.header("if-match", current.header("etag"));
    let edit = edit.json(&json!({"policy": current.body["policy"], "reason": "x"}));
    assert_eq!(test.status(edit).await, 201);
    let late = test.act(&min, id, "approve", json!({})).await;
    assert_eq!((late.status, late.code()), (409, "OVERRIDE_OUTDATED"), "{}", late.text);
    let shown = test.get(&test.admin, &test.of_project("overrides")).await;
    assert_eq!(shown.body["items"][0]["state"], json!("lapsed"), "{}", shown.text);
    let back = test.act(&test.admin, id, "end", json!({"reason": "too late"})).await;
    assert_eq!((back.status, &back.body["ended"]), (200, &json!("withdrawn")), "{}", back.text);
}
