//! The kill switch over HTTP: who halts what, what everybody concerned is shown, and what is refused.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use futures::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_net::ApiCall;
use wiiiv_store::Role;

async fn halt(test: &TestServer, who: &Person, what: &str) -> Answer {
    test.post(who, &format!("{what}/halt"), json!({ "reason": "smoke" })).await
}

async fn resume(test: &TestServer, who: &Person, what: &str) -> Answer {
    test.post(who, &format!("{what}/resume"), json!({ "reason": "toast" })).await
}

async fn concerning(test: &TestServer, who: &Person) -> Vec<(String, bool)> {
    let list = test.get(who, "/halts").await.body;
    let item = |item: &Value| {
        (item["scope"].as_str().unwrap().to_owned(), item["may_resume"] == json!(true))
    };
    list["items"].as_array().unwrap().iter().map(item).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_when_and_why_are_shown_to_whom_it_concerns() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let kim = test.member("kim", Role::Editor).await;
    let outsider = test.person("outsider").await;
    let session = format!("/sessions/{}", test.session(&lee, test.project).await);
    let project = format!("/projects/{}", test.project);
    let made = halt(&test, &test.owner, &session).await;
    assert_eq!(made.status, 200, "{}", made.text);
    assert_eq!((&made.body["by_name"], &made.body["reason"]), (&json!("owner"), &json!("smoke")));
    halt(&test, &test.owner, &project).await;
    let of_server = halt(&test, &test.admin, "/server").await;
    assert_eq!(of_server.body["scope"], "server", "{}", of_server.text);
    let scope = |name: &str, may| (name.to_owned(), may);
    let all = |may| vec![scope("server", may), scope("project", true), scope("session", true)];
    assert_eq!(concerning(&test, &test.admin).await, all(true));
    assert_eq!(concerning(&test, &test.owner).await, all(false));
    let members = [scope("server", false), scope("project", false), scope("session", false)];
    assert_eq!(concerning(&test, &lee).await, members);
    assert_eq!(concerning(&test, &kim).await, members[..2]);
    assert_eq!(concerning(&test, &outsider).await, members[..1]);
    let seen = test.get(&lee, &session).await.body;
    assert_eq!(seen["halts"].as_array().unwrap().len(), 3, "{seen}");
    let seen = test.get(&lee, &project).await.body;
    assert_eq!(seen["halts"].as_array().unwrap().len(), 2, "{seen}");
    let info = test.send(TestRequest::new("GET", "/info")).await;
    assert_eq!(info.body["halted"], true);
    assert!(!info.text.contains("smoke"), "why is for whoever signed in");
    for (who, what) in [(&test.owner, &session), (&test.owner, &project)] {
        assert_eq!(resume(&test, who, what).await.status, 204);
    }
    assert_eq!(resume(&test, &test.admin, "/server").await.status, 204);
    assert_eq!(concerning(&test, &test.admin).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_refused_with_its_code() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let session = format!("/sessions/{}", test.session(&lee, test.project).await);
    assert_eq!(resume(&test, &lee, &session).await.code(), "NOT_HALTED");
    assert_eq!(halt(&test, &test.owner, &session).await.status, 200);
    assert_eq!(halt(&test, &lee, &session).await.code(), "ALREADY_HALTED");
    let foreign = resume(&test, &lee, &session).await;
    assert_eq!((foreign.status, foreign.code()), (403, "FORBIDDEN"), "{}", foreign.text);
    for reason in ["", "  ", "two\nlines", &"x".repeat(501)] {
        let told = test.post(&lee, &format!("{session}/halt"), json!({ "reason": reason })).await;
        assert_eq!((told.status, told.code()), (422, "INVALID_FIELD"), "{reason:?}");
    }
    // Somebody else's looks like a missing one, to the byte.
    let kim = test.member("kim", Role::Editor).await;
    let missing = format!("/sessions/{}", uuid::Uuid::now_v7());
    let (there, nowhere) = (halt(&test, &kim, &session).await, halt(&test, &kim, &missing).await);
    assert_eq!((there.status, there.told()), (404, nowhere.told()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_record_of_a_halt_says_by_name_which_project_was_halted() {
    let test = TestServer::new().await;
    let project = format!("/projects/{}", test.project);
    let name = test.get(&test.owner, &project).await.body["name"].clone();
    halt(&test, &test.owner, &project).await;
    let told = test.get(&test.owner, &format!("{project}/audit?kind=project.halted")).await;
    let row = &told.body["items"][0];
    assert_eq!(row["body"]["project"], json!(test.project), "{}", told.text);
    assert_eq!((&row["project_name"], name.is_string()), (&name, true), "{}", told.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deceptive_reason_is_shown_as_what_it_is() {
    let test = TestServer::new().await;
    let session = format!("/sessions/{}", test.session(&test.owner, test.project).await);
    let reason = json!({ "reason": "ok \u{202e}txet" });
    let made = test.post(&test.owner, &format!("{session}/halt"), reason).await;
    assert_eq!(made.body["reason"], "ok ⟨U+202E⟩txet", "{}", made.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halt_that_is_sent_twice_is_one() {
    let test = TestServer::new().await;
    let session = format!("/sessions/{}/halt", test.session(&test.owner, test.project).await);
    let send = || async {
        let asked = TestRequest::new("POST", &session).by(&test.owner.token);
        let asked = asked.header("idempotency-key", "k1").json(&json!({ "reason": "smoke" }));
        test.send(asked).await
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((first.status, &first.body), (200, &again.body));
    assert_eq!(again.header("idempotency-replayed"), "true");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_stays_and_is_approved_behind_the_halt() {
    let test = TestServer::new().await;
    let id = test.session(&test.owner, test.project).await;
    let session = format!("/sessions/{id}");
    let (approval, digest) = test.question(&test.owner, &id, "h.txt").await;
    halt(&test, &test.owner, &session).await;
    let refused = test.approve(&test.owner, &approval, &digest).await;
    assert_eq!((refused.status, refused.code()), (409, "HALTED"), "{}", refused.text);
    let asked = test.get(&test.owner, &format!("/approvals/{approval}")).await;
    assert_eq!(asked.body["state"], "pending");
    resume(&test, &test.owner, &session).await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_the_conversation_is_told_at_once() {
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let id = test.session(&test.owner, test.project).await;
    let api = TestServer::client(&address, &test.owner);
    let mut events =
        api.events(ApiCall::get(format!("/sessions/{id}/events")), None).await.unwrap();
    let project = format!("/projects/{}", test.project);
    for (count, what) in [(1, "halt"), (0, "resume")] {
        match what {
            "halt" => halt(&test, &test.owner, &project).await,
            _ => resume(&test, &test.owner, &project).await,
        };
        let told = tokio::time::timeout(Duration::from_secs(30), events.next()).await;
        let told = told.unwrap().unwrap().unwrap();
        assert_eq!(told.event, "halts", "{what}");
        let data: Value = serde_json::from_str(&told.data).unwrap();
        assert_eq!(data["halts"].as_array().unwrap().len(), count, "{data}");
    }
}
