//! A POST that is sent again with the same key is not done again.

use crate::{
    call::{Answer, Asked},
    house::{House, token},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_store::{Role, TokenScope};

async fn post(house: &House, path: &str, key: &str, body: Value) -> Answer {
    let asked = Asked::new("POST", path).by(&house.owner.token).header("idempotency-key", key);
    house.send(asked.json(&body)).await
}

async fn sessions(house: &House) -> usize {
    let path = format!("/projects/{}/sessions", house.project);
    house.get(&house.owner, &path).await.body["items"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_answer_is_given_again() {
    let house = House::new().await;
    let path = format!("/projects/{}/sessions", house.project);
    let first = post(&house, &path, "k1", json!({"title": "a"})).await;
    let again = post(&house, &path, "k1", json!({"title": "a"})).await;
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(
        (first.header("idempotency-replayed"), again.header("idempotency-replayed")),
        ("", "true")
    );
    let other = post(&house, &path, "k1", json!({"title": "b"})).await;
    assert_eq!((other.status, other.code()), (422, "IDEMPOTENCY_MISMATCH"));
    let elsewhere = post(&house, "/projects", "k1", json!({"title": "a"})).await;
    assert_eq!(elsewhere.code(), "IDEMPOTENCY_MISMATCH");
    assert_eq!(sessions(&house).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_leaves_its_key_free() {
    let house = House::new().await;
    let path = format!("/projects/{}/sessions", house.project);
    assert_eq!(post(&house, &path, "k", json!({"name": 1})).await.status, 422);
    assert_eq!(post(&house, &path, "k", json!({})).await.status, 201);
    let long = post(&house, &path, &"k".repeat(256), json!({})).await;
    assert_eq!((long.status, long.code()), (400, "INVALID_HEADER"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_is_done() {
    let house = House::new().await;
    let path = format!("/projects/{}/sessions", house.project);
    let all = (0..16).map(|_| post(&house, &path, "same", json!({})));
    let answers = futures::future::join_all(all).await;
    for answer in &answers {
        let told = answer.status == 201 || answer.code() == "IDEMPOTENCY_IN_FLIGHT";
        assert!(told, "{} {}", answer.status, answer.text);
    }
    assert!(answers.iter().any(|answer| answer.status == 201));
    assert_eq!(sessions(&house).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_one_turn_and_a_tokens_text_is_not_kept() {
    let house = House::new().await;
    let session = house.session(&house.owner, house.project).await;
    let path = format!("/sessions/{session}/messages");
    let text = json!({"text": "hello"});
    let stream = Asked::new("POST", &path)
        .by(&house.owner.token)
        .header("idempotency-key", "m")
        .header("accept", "text/event-stream");
    let events = house.send(stream.json(&text)).await.events();
    let turn = events[0].1["turn"].clone();
    let again = post(&house, &path, "m", text).await;
    assert_eq!((again.status, &again.body["turn"]), (202, &turn), "{}", again.text);

    let made = post(&house, "/auth/tokens", "t", json!({})).await;
    assert!(made.body["token"].is_string());
    let again = post(&house, "/auth/tokens", "t", json!({})).await;
    assert_eq!(again.body["id"], made.body["id"]);
    assert!(again.body["token"].is_null(), "a secret is shown once");
}

async fn again(house: &House, token: &str, path: &str, body: &Value) -> Answer {
    let asked = Asked::new("POST", path).by(token).header("idempotency-key", "k");
    house.send(asked.json(body)).await
}

/// The attack: whoever was put out of a project reads its kept answers for another day.
#[tokio::test(flavor = "multi_thread")]
async fn a_kept_answer_is_given_only_to_who_would_be_let_in_now() {
    let house = House::new().await;
    let lee = house.member("lee", Role::Editor).await;
    let path = format!("/projects/{}/sessions", house.project);
    let body = json!({"title": "plans of the merger"});
    assert_eq!(again(&house, &lee.token, &path, &body).await.status, 201);
    assert_eq!(
        again(&house, &lee.token, &path, &body).await.header("idempotency-replayed"),
        "true"
    );

    let reader = token(house.store(), lee.user, TokenScope::Read).await;
    let narrow = again(&house, &reader, &path, &body).await;
    assert_eq!((narrow.status, narrow.code()), (403, "FORBIDDEN"), "{}", narrow.text);
    let out = house.store().set_roles(house.project, lee.user, BTreeSet::new(), house.owner.user);
    out.await.unwrap();
    let gone = again(&house, &lee.token, &path, &body).await;
    assert_eq!((gone.status, gone.code()), (404, "NOT_FOUND"), "{}", gone.text);
    assert!(!gone.text.contains("merger"));
    house.store().disable_user(lee.user, house.admin.user).await.unwrap();
    assert_eq!(again(&house, &lee.token, &path, &body).await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_who_is_none_any_more_gets_no_kept_decision() {
    let house = House::new().await;
    let min = house.member("min", Role::Owner).await;
    let session = house.session(&house.owner, house.project).await;
    let (approval, digest) = house.question(&house.owner, &session, "e.txt").await;
    let path = format!("/approvals/{approval}/reject");
    let body = json!({"digest": digest, "reason": "no"});
    let first = again(&house, &min.token, &path, &body).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(again(&house, &min.token, &path, &body).await.status, 200);
    let out = house.store().set_roles(house.project, min.user, BTreeSet::new(), house.owner.user);
    out.await.unwrap();
    assert_eq!(again(&house, &min.token, &path, &body).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_no_part_of_what_is_compared() {
    let house = House::new().await;
    let user = |password: &str| json!({"name": "lee", "password": password});
    let made = again(&house, &house.admin.token, "/users", &user("a long password one")).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let same = again(&house, &house.admin.token, "/users", &user("a long password two")).await;
    assert_eq!((same.status, same.header("idempotency-replayed")), (201, "true"));
    for (password, due) in [("a long password one", 200), ("a long password two", 401)] {
        let login = Asked::new("POST", "/auth/login").json(&user(password));
        assert_eq!(house.send(login).await.status, due, "the first request counts");
    }
}
