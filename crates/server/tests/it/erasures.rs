//! Texts and salts go, and the audit verifies as before.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};

async fn erase(test: &TestServer, who: &Person, body: Value) -> Answer {
    test.send(TestRequest::new("POST", "/erasures").by(&who.token).json(&body)).await
}

async fn written(test: &TestServer, file: &str) -> (String, Value) {
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, file).await;
    let plan =
        test.get(&test.owner, &format!("/approvals/{approval}")).await.body["blueprint"].clone();
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    test.executed(&test.owner).await;
    (session, plan)
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_texts_are_gone_and_what_they_were_decided_by_is_not() {
    let test = TestServer::new().await;
    let (session, plan) = written(&test, "a.txt").await;
    let plan = plan.as_str().unwrap();
    let why = format!("/blueprints/{plan}/why");
    let before = test.get(&test.owner, &why).await.body;
    let busy = test.session(&test.owner, test.project).await;
    test.question(&test.owner, &busy, "waits.txt").await;

    let project = test.project.to_string();
    let done = erase(&test, &test.admin, json!({"project": project, "reason": "asked for"})).await;
    assert_eq!(done.status, 200, "{}", done.text);
    let counts = ["sessions", "plans", "busy"].map(|name| done.body[name].as_u64().unwrap());
    assert_eq!((counts, &done.body["more"]), ([1, 1, 1], &json!(false)), "{}", done.text);

    let after = test.get(&test.owner, &why).await;
    assert_eq!(after.status, 200, "{}", after.text);
    let after = after.body;
    assert_eq!((&before["erased"], &after["erased"]), (&json!(false), &json!(true)));
    for kept in ["digest", "spec", "decisions", "task_type", "effect", "requester", "request"] {
        assert_eq!(before[kept], after[kept], "{kept}");
    }
    // The review is told as its record has it: votes and codes, and nobody's words.
    assert_eq!(before["dacs"]["consensus"], after["dacs"]["consensus"]);
    assert_eq!(after["dacs"]["opinions"].as_array().unwrap().len(), 3);
    let detail = test.get(&test.owner, &format!("/blueprints/{plan}")).await;
    assert_eq!((detail.status, &detail.body["document"]), (200, &Value::Null));
    assert_eq!(test.get(&test.owner, &format!("/blueprints/{plan}/graph")).await.status, 404);
    assert_eq!(test.get(&test.owner, &format!("/sessions/{session}")).await.status, 404);
    assert_eq!(test.get(&test.owner, &format!("/sessions/{busy}")).await.status, 200);

    // Nothing of it is a fault: neither of the chain nor of the rows beside it.
    let verified = test.get(&test.owner, &format!("/projects/{project}/audit/verify")).await;
    assert_ne!(verified.body["state"], "broken", "{}", verified.text);
    let told =
        test.get(&test.owner, &format!("/projects/{project}/audit?kind=session.erased")).await;
    let record = &told.body["items"][0]["body"];
    assert_eq!((&record["session"], &record["plans"]), (&json!(session), &json!(1)));
    assert!(!told.text.contains("asked for"), "a person's words are not in the audit");
    let run = after["decisions"][0]["subject"]["execution"].as_str().unwrap().to_owned();
    let receipt = test.get(&test.owner, &format!("/executions/{run}/receipt")).await;
    assert_eq!(receipt.status, 200, "{}", receipt.text);
    // What waits goes on, and is erased when it has come to rest.
    let again = erase(&test, &test.admin, json!({"project": project, "reason": "again"})).await;
    assert_eq!((&again.body["sessions"], &again.body["busy"]), (&json!(0), &json!(1)));
    let list = test.get(&test.admin, "/erasures").await.body;
    let reasons: Vec<_> =
        list["items"].as_array().unwrap().iter().map(|one| &one["reason"]).collect();
    assert_eq!(reasons, ["again", "asked for"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_s_texts_are_erased_in_every_project_and_nobody_else_s() {
    let test = TestServer::new().await;
    written(&test, "a.txt").await;
    let user = test.owner.user.to_string();
    let later = json!({"user": user, "before": "2000-01-01", "reason": "old ones"});
    let none = erase(&test, &test.admin, later).await;
    assert_eq!((none.status, &none.body["sessions"]), (200, &json!(0)), "{}", none.text);
    let other = json!({"user": test.admin.user.to_string(), "reason": "mine"});
    assert_eq!(erase(&test, &test.admin, other).await.body["sessions"], 0);
    let all = erase(&test, &test.admin, json!({"user": user, "reason": "has left"})).await;
    assert_eq!((&all.body["sessions"], &all.body["plans"]), (&json!(1), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_administrator_erases_and_says_whose_and_why() {
    let test = TestServer::new().await;
    let project = test.project.to_string();
    let body = json!({"project": project, "reason": "x"});
    assert_eq!(erase(&test, &test.owner, body).await.status, 403);
    let nowhere = json!({"project": uuid::Uuid::now_v7(), "reason": "x"});
    assert_eq!(erase(&test, &test.admin, nowhere).await.status, 404);
    for odd in [
        json!({"reason": "x"}),
        json!({"project": project, "user": project, "reason": "x"}),
        json!({"project": project, "reason": " "}),
        json!({"project": project, "reason": "x", "before": "yesterday"}),
    ] {
        let refused = erase(&test, &test.admin, odd.clone()).await;
        assert_eq!(refused.code(), "INVALID_FIELD", "{odd}: {}", refused.text);
    }
}
