//! A person's own conversations: by activity, by what was said.

use crate::{
    call::TestRequest,
    test_server::{Person, TestServer},
};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::StateName;
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_governor::{Incoming, SubmitError};
use wiiiv_net::Origin;
use wiiiv_store::Role;

async fn list(test: &TestServer, who: &Person, query: &str) -> (Vec<String>, Value) {
    let path = format!("/projects/{}/sessions{query}", test.project);
    let page = test.get(who, &path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let items = page.body["items"].as_array().unwrap().clone();
    let ids = items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    (ids, page.body)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_last_comes_first() {
    let test = TestServer::new().await;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(test.session(&test.owner, test.project).await);
    }
    let long = format!("안녕하세요 {}", "길".repeat(300));
    test.say(&test.owner, &sessions[0], &long).await;
    test.say(&test.owner, &sessions[0], "a second one").await;
    let (ids, body) = list(&test, &test.owner, "").await;
    assert_eq!(ids, [sessions[0].clone(), sessions[2].clone(), sessions[1].clone()]);
    let first = body["items"][0]["first_message"].as_str().unwrap();
    assert!(first.starts_with("안녕하세요 길") && first.chars().count() == 200, "{first}");
    assert_eq!(body["items"][1]["first_message"], Value::Null);
    let moved = body["items"][0]["updated_at"].as_str().unwrap();
    assert!(moved > body["items"][0]["created_at"].as_str().unwrap());
    let one = test.get(&test.owner, &format!("/sessions/{}", sessions[0])).await;
    assert_eq!(one.body["first_message"], first);

    let mut walked = Vec::new();
    let mut query = "?limit=1".to_owned();
    loop {
        let (ids, body) = list(&test, &test.owner, &query).await;
        walked.extend(ids);
        match body["next_cursor"].as_str() {
            Some(cursor) => query = format!("?limit=1&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(walked, ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_looks_at_titles_and_at_the_persons_own_words() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/sessions", test.project);
    let titled = test.post(&test.owner, &path, json!({"title": "Über 창고"})).await;
    let titled = titled.body["id"].as_str().unwrap().to_owned();
    let spoken = test.session(&test.owner, test.project).await;
    test.say(&test.owner, &spoken, "hello").await;
    test.say(&test.owner, &spoken, "write 'Ünique words' to the file w.txt").await;
    let find = async |who: &Person, q: &str| list(&test, who, &format!("?q={q}")).await.0;
    assert_eq!(find(&test.owner, "%C3%BCber").await, [titled.as_str()], "in any case");
    assert_eq!(find(&test.owner, "%EC%B0%BD%EA%B3%A0").await, [titled.as_str()]);
    assert_eq!(find(&test.owner, "%C3%BCNIQUE%20WORDS").await, [spoken.as_str()]);
    assert_eq!(find(&test.owner, "HELLO&limit=1").await, [spoken.as_str()]);
    assert!(find(&test.owner, "turn_accepted").await.is_empty(), "our words are not searched");
    assert!(find(&test.owner, "%25").await.is_empty(), "no pattern");
    let editor = test.member("editor", Role::Editor).await;
    assert!(find(&editor, "hello").await.is_empty(), "somebody else's are not");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_and_a_place_are_checked() {
    let test = TestServer::new().await;
    let path = format!("/projects/{}/sessions", test.project);
    for (query, parameter) in [
        (format!("q={}", "x".repeat(201)), "q"),
        ("cursor=7".to_owned(), "cursor"),
        ("cursor=7.x".to_owned(), "cursor"),
        ("order=id".to_owned(), "order"),
    ] {
        let refused = test.get(&test.owner, &format!("{path}?{query}")).await;
        assert_eq!((refused.status, refused.code()), (400, "INVALID_QUERY"), "{query}");
        assert_eq!(refused.body["params"]["parameter"], parameter);
    }
    let stranger = test.person("stranger").await;
    assert_eq!(test.get(&stranger, &format!("{path}?q=x")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_named_pinned_marked_and_deleted() {
    let test = TestServer::new().await;
    let owner = &test.owner;
    let first = test.session(owner, test.project).await;
    let second = test.session(owner, test.project).await;
    test.question(owner, &first, "w.txt").await;
    let patch = async |id: &str, body: Value| {
        let asked = TestRequest::new("PATCH", &format!("/sessions/{id}")).by(&owner.token);
        test.send(asked.json(&body)).await
    };
    let named = patch(&first, json!({"title": "Prices", "pinned": true})).await;
    assert_eq!((named.status, &named.body["title"]), (200, &json!("Prices")), "{}", named.text);
    assert_eq!((&named.body["pinned"], &named.body["waiting"]), (&json!(true), &json!(true)));
    assert_eq!(list(&test, owner, "?pinned=true").await.0, [first.as_str()]);
    assert_eq!(list(&test, owner, "?pinned=false").await.0, [second.as_str()]);
    let long = patch(&first, json!({"title": "x".repeat(201)})).await;
    assert_eq!((long.status, long.code()), (422, "INVALID_FIELD"));

    let delete = async |id: &str| {
        let asked = TestRequest::new("DELETE", &format!("/sessions/{id}")).by(&owner.token);
        test.send(asked).await.status
    };
    let stranger = test.member("editor", Role::Editor).await;
    let theirs = TestRequest::new("DELETE", &format!("/sessions/{first}")).by(&stranger.token);
    assert_eq!(test.send(theirs).await.status, 404, "somebody else's is not there");
    assert_eq!(delete(&first).await, 204);
    assert_eq!(delete(&first).await, 404, "it is gone");
    assert_eq!(list(&test, owner, "").await.0, [second.as_str()]);
    assert_eq!(test.get(owner, &format!("/sessions/{first}/history")).await.status, 404);
    let open = test.get(owner, "/approvals?state=pending").await;
    assert_eq!(open.body["items"], json!([]), "what waited in it is given up");
}

/// Of every proposal: long enough for a second request, short enough for a test.
const ANSWERS_AFTER: Duration = Duration::from_millis(1_500);

/// Where a model proposes a file, and takes its time for it.
async fn with_slow_model() -> (TestServer, FakeModel) {
    let slots = json!({"targetPath": "late.txt", "content": "late"});
    let proposal =
        json!({"action": "EXECUTE", "taskType": "FILE_WRITE", "message": "", "slots": slots});
    let mode = ModelMode::Slow(ANSWERS_AFTER, proposal.to_string());
    let model = FakeModel::spawn(mode).await.unwrap();
    let origin = Origin::parse(&model.origin()).unwrap();
    let test = TestServer::approving(&[origin]).await;
    let at = format!("/projects/{}/policy", test.project);
    let now = test.get(&test.owner, &at).await;
    let mut policy = now.body["policy"].clone();
    policy["llmProvider"] = json!("CUSTOM");
    policy["llmBaseUrl"] = json!(model.base_url());
    policy["governorModel"] = json!("m");
    let put =
        TestRequest::new("PUT", &at).by(&test.owner.token).header("if-match", now.header("etag"));
    let put = test.send(put.json(&json!({"policy": policy, "reason": "test"}))).await;
    assert_eq!(put.status, 201, "{}", put.text);
    (test, model)
}

async fn until(test: &TestServer, session: &str, due: impl Fn(StateName, usize) -> bool) {
    let id = session.parse().unwrap();
    for _ in 0..500 {
        let now = test.governor.state(id).await.unwrap();
        if due(now.state, now.queued) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the session never came to it");
}

fn say(test: &TestServer, session: &str) -> tokio::task::JoinHandle<u16> {
    let asked = TestRequest::new("POST", &format!("/sessions/{session}/messages"));
    let asked = asked.by(&test.owner.token).json(&json!({"text": "please put something down"}));
    let router = test.router.clone();
    tokio::spawn(async move { asked.send(&router).await.status })
}

async fn delete(test: &TestServer, session: &str) -> (u16, String) {
    let asked = TestRequest::new("DELETE", &format!("/sessions/{session}")).by(&test.owner.token);
    let answer = test.send(asked).await;
    (answer.status, answer.code().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_is_at_work_is_not_deleted_behind_its_back() {
    let (test, _model) = with_slow_model().await;
    let asked = test.session(&test.owner, test.project).await;
    assert_eq!(say(&test, &asked).await.unwrap(), 202);
    until(&test, &asked, |state, _| state == StateName::Proposing).await;
    assert_eq!(delete(&test, &asked).await.0, 204, "the question to the model is given up");
    tokio::time::sleep(2 * ANSWERS_AFTER).await;
    until(&test, &asked, |state, _| state == StateName::Listening).await;
    let open = test.get(&test.owner, "/approvals?state=pending").await;
    assert_eq!(open.body["items"], json!([]), "no question of a conversation that is gone");

    let queued = test.session(&test.owner, test.project).await;
    let turns = [say(&test, &queued), say(&test, &queued)];
    until(&test, &queued, |_, waiting| waiting == 1).await;
    assert_eq!(delete(&test, &queued).await, (409, "SESSION_BUSY".to_owned()));
    for turn in turns {
        assert_eq!(turn.await.unwrap(), 202, "what was said is answered");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_said_in_a_conversation_that_is_gone() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    assert_eq!(delete(&test, &session).await.0, 204);
    let (token, now) = (test.owner.token.as_str(), crate::test_server::now());
    let who = test.store().authenticate(token, Some(test.project), now).await.unwrap();
    let message = Incoming::words("hello".to_owned(), None);
    let refused = test.governor.submit(&who, session.parse().unwrap(), message).await;
    assert!(matches!(refused, Err(SubmitError::NotFound)), "{refused:?}");
}
