//! A POST that is sent again with the same key is not done again.

use crate::{
    call::{Answer, TestRequest},
    test_server::{TestServer, token},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_store::{Role, TokenScope};

async fn post(test: &TestServer, path: &str, key: &str, body: Value) -> Answer {
    let asked = TestRequest::new("POST", path).by(&test.owner.token).header("idempotency-key", key);
    test.send(asked.json(&body)).await
}

async fn sessions(test: &TestServer) -> usize {
    let path = format!("/projects/{}/sessions", test.project);
    test.get(&test.owner, &path).await.body["items"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_is_given_again() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/sessions", test.project);
    let first = post(&test, &path, "k1", json!({"title": "a"})).await;
    let again = post(&test, &path, "k1", json!({"title": "a"})).await;
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(
        (first.header("idempotency-replayed"), again.header("idempotency-replayed")),
        ("", "true")
    );
    let other = post(&test, &path, "k1", json!({"title": "b"})).await;
    assert_eq!((other.status, other.code()), (422, "IDEMPOTENCY_MISMATCH"));
    let elsewhere = post(&test, "/projects", "k1", json!({"title": "a"})).await;
    assert_eq!(elsewhere.code(), "IDEMPOTENCY_MISMATCH");
    assert_eq!(sessions(&test).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_leaves_its_key_free() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/sessions", test.project);
    assert_eq!(post(&test, &path, "k", json!({"name": 1})).await.status, 422);
    assert_eq!(post(&test, &path, "k", json!({})).await.status, 201);
    let long = post(&test, &path, &"k".repeat(256), json!({})).await;
    assert_eq!((long.status, long.code()), (400, "INVALID_HEADER"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_is_done() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/sessions", test.project);
    let all = (0..16).map(|_| post(&test, &path, "same", json!({})));
    let answers = futures::future::join_all(all).await;
    for answer in &answers {
        let told = answer.status == 201 || answer.code() == "IDEMPOTENCY_IN_FLIGHT";
        assert!(told, "{} {}", answer.status, answer.text);
    }
    assert!(answers.iter().any(|answer| answer.status == 201));
    assert_eq!(sessions(&test).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_one_turn_and_a_tokens_text_is_not_kept() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let path = format!("/sessions/{session}/messages");
    let text = json!({"text": "hello"});
    let stream = TestRequest::new("POST", &path)
        .by(&test.owner.token)
        .header("idempotency-key", "m")
        .header("accept", "text/event-stream");
    let events = test.send(stream.json(&text)).await.events();
    let turn = events[0].1["turn"].clone();
    let again = post(&test, &path, "m", text).await;
    assert_eq!((again.status, &again.body["turn"]), (202, &turn), "{}", again.text);

    let made = post(&test, "/auth/tokens", "t", json!({})).await;
    assert!(made.body["token"].is_string());
    let again = post(&test, "/auth/tokens", "t", json!({})).await;
    assert_eq!(again.body["id"], made.body["id"]);
    assert!(again.body["token"].is_null(), "a secret is shown once");
}

async fn again(test: &TestServer, token: &str, path: &str, body: &Value) -> Answer {
    let asked = TestRequest::new("POST", path).by(token).header("idempotency-key", "k");
    test.send(asked.json(body)).await
}

/// The attack: whoever was put out of a project reads its kept answers for another day.
#[tokio::test(flavor = "multi_thread")]
async fn a_kept_answer_is_given_only_to_who_would_be_let_in_now() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let path = format!("/projects/{}/sessions", test.project);
    let body = json!({"title": "plans of the merger"});
    assert_eq!(again(&test, &lee.token, &path, &body).await.status, 201);
    assert_eq!(again(&test, &lee.token, &path, &body).await.header("idempotency-replayed"), "true");

    let reader = token(test.store(), lee.user, TokenScope::Read).await;
    let narrow = again(&test, &reader, &path, &body).await;
    assert_eq!((narrow.status, narrow.code()), (403, "FORBIDDEN"), "{}", narrow.text);
    let out = test.store().set_roles(test.project, lee.user, BTreeSet::new(), test.owner.user);
    out.await.unwrap();
    let gone = again(&test, &lee.token, &path, &body).await;
    assert_eq!((gone.status, gone.code()), (404, "NOT_FOUND"), "{}", gone.text);
    assert!(!gone.text.contains("merger"));
    test.store().disable_user(lee.user, test.admin.user).await.unwrap();
    assert_eq!(again(&test, &lee.token, &path, &body).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_who_is_none_any_more_gets_no_kept_decision() {
    let test = TestServer::new().await;
    let min = test.member("min", Role::Owner).await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "e.txt").await;
    let path = format!("/approvals/{approval}/reject");
    let body = json!({"digest": digest, "reason": "no"});
    let first = again(&test, &min.token, &path, &body).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(again(&test, &min.token, &path, &body).await.status, 200);
    let out = test.store().set_roles(test.project, min.user, BTreeSet::new(), test.owner.user);
    out.await.unwrap();
    assert_eq!(again(&test, &min.token, &path, &body).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_no_part_of_what_is_compared() {
    let test = TestServer::new().await;
    let user = |password: &str| json!({"name": "lee", "password": password});
    let made = again(&test, &test.admin.token, "/users", &user("a long password one")).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let same = again(&test, &test.admin.token, "/users", &user("a long password two")).await;
    assert_eq!((same.status, same.header("idempotency-replayed")), (201, "true"));
    for (password, due) in [("a long password one", 200), ("a long password two", 401)] {
        let login = TestRequest::new("POST", "/auth/login").json(&user(password));
        assert_eq!(test.send(login).await.status, due, "the first request counts");
    }
}

/// As the description says: whoever sends it twice is told that the password is another one by now.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_password_reads_no_key() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    let body = json!({"old": "a long password of lee", "new": "another long password"});
    let change = || again(&test, &lee.token, "/auth/password", &body);
    let changed = change().await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    let retried = change().await;
    assert_eq!((retried.status, retried.code()), (403, "WRONG_PASSWORD"), "{}", retried.text);
}
