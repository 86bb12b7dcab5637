//! What one person may have of the server, and what is said where there is no more.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer, now, token},
};
use futures::future::join_all;
use secrecy::ExposeSecret as _;
use serde_json::json;
use wiiiv_governor::WAITING_PER_PERSON_MAX;
use wiiiv_store::{CONVERSATIONS_MAX, Carried, LOG_INS_MAX, Role, TOKENS_MAX, TokenScope};

const AT_ONCE: u64 = 20;

fn refused(answer: &Answer, code: &str, limit: u64) {
    assert_eq!((answer.status, answer.code()), (409, code), "{}", answer.text);
    assert_eq!(answer.body["params"]["limit"], limit);
    let suggestion = answer.body["suggestion"].as_str().unwrap();
    assert!(suggestion.contains(&format!("`{limit}`")), "{suggestion}");
}

async fn say(test: &TestServer, who: &Person, session: &str, language: &'static str) -> Answer {
    let asked = TestRequest::new("POST", &format!("/sessions/{session}/messages")).by(&who.token);
    let asked = asked.header("accept-language", language);
    test.send(asked.json(&json!({"text": "write 'x' to the file more.txt"}))).await
}

/// The attack: one person has thousands of questions put, and every list and look for them is long.
#[tokio::test(flavor = "multi_thread")]
async fn so_many_questions_of_one_person_wait_and_no_more() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let mut waiting = Vec::new();
    for _ in 0..WAITING_PER_PERSON_MAX / AT_ONCE {
        let asked = join_all((0..AT_ONCE).map(async |nth| {
            let session = test.session(&lee, test.project).await;
            test.question(&lee, &session, &format!("{nth}.txt")).await
        }));
        waiting.extend(asked.await);
    }
    let session = test.session(&lee, test.project).await;
    refused(&say(&test, &lee, &session, "en").await, "TOO_MANY_WAITING", WAITING_PER_PERSON_MAX);
    let korean = say(&test, &lee, &session, "ko").await;
    refused(&korean, "TOO_MANY_WAITING", WAITING_PER_PERSON_MAX);
    assert!(korean.text.contains("승인하거나 거절한 뒤"), "{}", korean.text);
    let own = test.session(&test.owner, test.project).await;
    assert_eq!(say(&test, &test.owner, &own, "en").await.status, 202, "nobody else waits");

    let (approval, digest) = waiting.pop().unwrap();
    let path = format!("/approvals/{approval}/reject");
    let reject = test.post(&lee, &path, json!({"digest": digest, "reason": "enough"})).await;
    assert_eq!(reject.status, 200, "{}", reject.text);
    assert_eq!(say(&test, &lee, &session, "en").await.status, 202);
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_conversations_of_one_person_are_kept_and_no_more() {
    let test = TestServer::new().await;
    let lee = test.member("lee", Role::Editor).await;
    let mut last = None;
    for _ in 0..CONVERSATIONS_MAX {
        let made = test.store().create_session(test.project, lee.user, "t", now()).await;
        last = Some(made.unwrap().id);
    }
    let path = format!("/projects/{}/sessions", test.project);
    let more = test.post(&lee, &path, json!({})).await;
    refused(&more, "TOO_MANY_CONVERSATIONS", CONVERSATIONS_MAX);
    let gone = TestRequest::new("DELETE", &format!("/sessions/{}", last.unwrap())).by(&lee.token);
    let gone = test.send(gone).await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    assert_eq!(test.post(&lee, &path, json!({})).await.status, 201);
    assert_eq!(test.post(&test.owner, &path, json!({})).await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_tokens_of_one_person_let_in_and_the_oldest_log_in_ends() {
    let test = TestServer::new().await;
    let lee = test.person("lee").await;
    for _ in 1..TOKENS_MAX {
        token(test.store(), lee.user, TokenScope::Read).await;
    }
    let more = test.post(&lee, "/auth/tokens", json!({})).await;
    refused(&more, "TOO_MANY_TOKENS", TOKENS_MAX);
    let list = test.get(&lee, "/auth/tokens").await;
    let id = list.body["items"][0]["id"].as_str().unwrap();
    let ended = TestRequest::new("DELETE", &format!("/auth/tokens/{id}")).by(&lee.token);
    assert_eq!(test.send(ended).await.status, 204);
    assert_eq!(test.post(&lee, "/auth/tokens", json!({})).await.status, 201);

    let mut log_ins = Vec::new();
    for _ in 0..=LOG_INS_MAX {
        let until = now().plus_seconds(600);
        let made = test.store().issue_first_login(lee.user, until, Carried::Bearer).await;
        log_ins.push(made.unwrap().text.expose_secret().to_owned());
    }
    let looks =
        async |text: &str| test.send(TestRequest::new("GET", "/auth/me").by(text)).await.status;
    assert_eq!(looks(&log_ins[0]).await, 401, "the oldest made room");
    assert_eq!(looks(&log_ins[1]).await, 200);
    assert_eq!(looks(log_ins.last().unwrap()).await, 200);
    assert_eq!(looks(&lee.token).await, 200, "a token is no log-in");
}
