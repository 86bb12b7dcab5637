//! The way of one task over HTTP: a message, one question, a yes, the file, its proof.

use crate::{call::TestRequest, test_server::TestServer};
use futures::StreamExt as _;
use serde_json::json;
use wiiiv_net::{ApiCall, ApiError};
use wiiiv_store::Role;

#[tokio::test(flavor = "multi_thread")]
async fn a_note_is_previewed_approved_written_and_receipted() {
    let test = TestServer::new().await;
    let (address, _stop) = test.listen().await;
    let api = TestServer::client(&address, &test.owner);
    let path = format!("/projects/{}/sessions", test.project);
    let made = api.send(ApiCall::post(path).json(json!({}))).await.unwrap();
    let session = made.body["id"].as_str().unwrap().to_owned();
    assert_eq!(made.location.unwrap(), format!("/api/v2/sessions/{session}"));

    let message = ApiCall::post(format!("/sessions/{session}/messages"))
        .json(json!({"text": "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘"}));
    let stream = api.events(message, None).await.unwrap();
    let events: Vec<_> = stream.map(|event| event.unwrap()).collect().await;
    let names: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!(names.first(), Some(&"accepted"), "{names:?}");
    assert_eq!(names.last(), Some(&"pending"), "{names:?}");

    let inbox = api.send(ApiCall::get("/approvals?state=pending")).await.unwrap().body;
    let id = inbox["items"][0]["id"].as_str().unwrap().to_owned();
    let asked = api.send(ApiCall::get(format!("/approvals/{id}"))).await.unwrap().body;
    let step = &asked["preview"]["steps"][0];
    assert_eq!(step["path"], "notes/오늘.md");
    assert_eq!(step["value"]["text"], "회의 3시");
    assert_eq!(test.file("notes/오늘.md"), None, "nothing happens before the yes");

    let digest = asked["digest"].as_str().unwrap();
    let yes = ApiCall::post(format!("/approvals/{id}/approve")).json(json!({"digest": digest}));
    let decided = api.send(yes.clone()).await.unwrap();
    assert_eq!(decided.body["state"], "approved");
    let execution = test.executed(&test.owner).await;
    assert_eq!(execution["state"], "succeeded");
    assert_eq!(test.file("notes/오늘.md").as_deref(), Some("회의 3시"));
    let again = api.send(yes).await;
    let Err(ApiError::Problem(problem)) = again else { panic!("{again:?}") };
    assert_eq!((problem.status, problem.code.as_str()), (409, "APPROVAL_DECIDED"));

    let id = execution["id"].as_str().unwrap();
    let detail = api.send(ApiCall::get(format!("/executions/{id}"))).await.unwrap().body;
    assert_eq!(detail["attempts"][0]["state"], "succeeded");
    assert_eq!(detail["attempts"][0]["in_doubt"], false);
    let plan = detail["blueprint"].as_str().unwrap();
    let plan = api.send(ApiCall::get(format!("/blueprints/{plan}"))).await.unwrap();
    assert_eq!(plan.body["digest"], digest);
    assert_eq!(plan.etag.unwrap(), format!("\"{digest}\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_explained_in_both_languages_and_its_run_is_told_without_the_talk() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "a.txt").await;
    assert_eq!(test.approve(&test.owner, &approval, &digest).await.status, 200);
    let execution = test.executed(&test.owner).await;
    let viewer = test.member("viewer", Role::Viewer).await;
    let plan = execution["blueprint"].as_str().unwrap();
    for (language, word) in [("ko", "단계"), ("en", "1 step, including write")] {
        let path = format!("/blueprints/{plan}/explain?language={language}");
        let told = test.get(&viewer, &path).await;
        assert!(told.body["text"].as_str().unwrap().contains(word), "{}", told.text);
    }
    let id = execution["id"].as_str().unwrap();
    let events = test.get(&viewer, &format!("/executions/{id}/events")).await;
    let items = events.body["items"].as_array().unwrap();
    let names: Vec<_> = items.iter().map(|item| item["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["flow", "step_started", "step_finished", "flow"], "{}", events.text);
    assert_eq!(test.get(&viewer, &format!("/sessions/{session}/history")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_binds_to_the_digest_and_a_no_ends_it() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "b.txt").await;
    let stale = test.approve(&test.owner, &approval, &"0".repeat(64)).await;
    assert_eq!((stale.status, stale.code()), (409, "APPROVAL_STALE"));
    assert_eq!(stale.body["params"]["digest"], digest);
    let malformed = test.approve(&test.owner, &approval, "12").await;
    assert_eq!((malformed.status, malformed.code()), (422, "INVALID_FIELD"));
    let path = format!("/approvals/{approval}/reject");
    let body = json!({"digest": digest, "reason": "not today"});
    let no = test.post(&test.owner, &path, body).await;
    assert_eq!((no.status, &no.body["state"]), (200, &json!("rejected")), "{}", no.text);
    let late = test.approve(&test.owner, &approval, &digest).await;
    assert_eq!((late.status, late.code()), (409, "APPROVAL_DECIDED"));
    assert_eq!(test.file("b.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn history_and_state_tell_what_a_reload_needs() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "c.txt").await;
    let state = test.get(&test.owner, &format!("/sessions/{session}/state")).await;
    assert_eq!(state.body["pending"], json!({"approval": approval, "digest": digest}));
    assert_eq!(state.body["active"]["task_type"], "FILE_WRITE");
    let history = test.get(&test.owner, &format!("/sessions/{session}/history")).await;
    let items = history.body["items"].as_array().unwrap();
    let names: Vec<_> = items.iter().map(|item| item["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["accepted", "preview", "ended"], "{}", history.text);
    let first = test.get(&test.owner, &format!("/sessions/{session}/history?limit=1")).await;
    let next = first.header("link");
    assert!(next.contains("cursor=1") && next.ends_with("rel=\"next\""), "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn buttons_cancel_and_reset_and_say_what_they_need() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let (approval, digest) = test.question(&test.owner, &session, "d.txt").await;
    let path = format!("/sessions/{session}/control");
    let control = |body| test.post(&test.owner, &path, body);
    assert_eq!(control(json!({"action": "switch"})).await.body["params"]["field"], "task");
    assert_eq!(control(json!({"action": "stop"})).await.code(), "INVALID_FIELD");
    let cancelled = control(json!({"action": "cancel"})).await;
    assert_eq!(cancelled.status, 202, "{}", cancelled.text);
    let late = test.approve(&test.owner, &approval, &digest).await;
    assert_eq!((late.status, late.code()), (409, "APPROVAL_DECIDED"), "{}", late.text);
    assert_eq!(test.file("d.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_is_a_download_and_never_a_page() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let text = format!("GET {}/items", test.shop.url());
    test.say(&test.owner, &session, &text).await;
    let execution = test.executed(&test.owner).await;
    assert_eq!(execution["state"], "succeeded", "{execution}");
    let id = execution["id"].as_str().unwrap();
    let detail = test.get(&test.owner, &format!("/executions/{id}")).await;
    let step = detail.body["attempts"][0]["step"].as_str().unwrap();
    let output = test.get(&test.owner, &format!("/executions/{id}/output/{step}")).await;
    assert_eq!(output.header("content-type"), "application/octet-stream");
    assert!(output.header("content-disposition").starts_with("attachment"));
    assert!(output.header("x-media-type").starts_with("application/json"));
    assert!(output.text.contains("Notebook"), "{}", output.text);
    let none =
        TestRequest::new("GET", &format!("/executions/{id}/output/..")).by(&test.owner.token);
    assert_eq!(test.send(none).await.status, 404);
    let over = test.post(&test.owner, &format!("/executions/{id}/cancel"), json!({})).await;
    assert_eq!((over.status, over.code()), (409, "EXECUTION_OVER"));
    let path = format!("/executions/{id}/steps/{step}/resolve");
    let body = json!({"as": "happened"});
    let sure = test.post(&test.owner, &path, body).await;
    assert_eq!((sure.status, sure.code()), (409, "NOT_IN_DOUBT"), "{}", sure.text);
}
