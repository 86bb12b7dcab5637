use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::stream::StreamExt as _;
use secrecy::SecretString;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use wiiiv_net::{ApiCall, ApiClient, ApiError, SseEvent};

use crate::service::Service;

fn router() -> Router {
    let echo = |headers: HeaderMap, Query(query): Query<Value>, body: String| async move {
        let header = |name| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        let seen = json!({
            "authorization": header("authorization"),
            "if_match": header("if-match"),
            "idempotency_key": header("idempotency-key"),
            "accept": header("accept"),
            "content_type": header("content-type"),
            "query": query,
            "body": body,
        });
        (StatusCode::CREATED, [("etag", "\"2\""), ("location", "/api/v2/things/1")], Json(seen))
    };
    let problem = || async {
        let body = json!({
            "code": "PATH_NOT_ALLOWED",
            "title": "the path is not allowed",
            "suggestion": "name a workspace path",
            "params": {"path": "/etc/passwd"},
            "trace_id": "t-1",
        });
        (StatusCode::FORBIDDEN, [("content-type", "application/problem+json")], body.to_string())
    };
    let events = |headers: HeaderMap| async move {
        let after = headers.get("last-event-id").map_or("start", |id| id.to_str().unwrap());
        let text = format!(
            ": heartbeat\n\nid: 1:2\nevent: token\ndata: {after}\n\nevent: done\ndata: {{}}\n\n"
        );
        ([("content-type", "text/event-stream")], text).into_response()
    };
    Router::new()
        .route("/mounted/echo", post(echo).put(echo).delete(echo))
        .route("/mounted/problem", get(problem))
        .route("/mounted/empty", get(|| async { StatusCode::NO_CONTENT }))
        .route("/mounted/page", get(|| async { "<html>" }))
        .route("/mounted/events", get(events).post(events))
        .route("/mounted/export", get(|| async { "line\n".repeat(100_000) }))
}

async fn client() -> (Service, ApiClient) {
    let service = Service::start(router()).await;
    let token = SecretString::from("canary-token");
    let client = ApiClient::new(service.url("/mounted/").as_str(), Some(token)).unwrap();
    (service, client)
}

#[tokio::test]
async fn a_call_carries_what_it_is_given() {
    let (_service, client) = client().await;
    let call = ApiCall::put("/echo?after=1%202")
        .json(json!({"name": "노트"}))
        .if_match("\"1\"")
        .idempotency_key("k-1");
    let reply = client.send(call).await.unwrap();
    assert_eq!((reply.status, reply.etag.as_deref()), (201, Some("\"2\"")));
    assert_eq!(reply.location.as_deref(), Some("/api/v2/things/1"));
    assert_eq!(
        reply.body,
        json!({
            "authorization": "Bearer canary-token",
            "if_match": "\"1\"",
            "idempotency_key": "k-1",
            "accept": "application/json",
            "content_type": "application/json",
            "query": {"after": "1 2"},
            "body": "{\"name\":\"노트\"}",
        })
    );
    let other = client.with_token(SecretString::from("other"));
    let reply = other.send(ApiCall::delete("/echo")).await.unwrap();
    assert_eq!(reply.body["authorization"], "Bearer other");
}

#[tokio::test]
async fn a_file_is_sent_as_it_is() {
    let (_service, client) = client().await;
    let call = ApiCall::post("/echo?name=a.md").file("text/markdown", "# 노트\n".as_bytes());
    let reply = client.send(call).await.unwrap();
    let sent = [&reply.body["content_type"], &reply.body["body"], &reply.body["query"]["name"]];
    assert_eq!(sent, ["text/markdown", "# 노트\n", "a.md"], "{}", reply.body);
    let odd =
        client.send(ApiCall::post("/echo").file("text/plain\r\nx: y", Vec::<u8>::new())).await;
    assert!(matches!(odd, Err(ApiError::Header(_))), "{odd:?}");
}

#[tokio::test]
async fn a_problem_is_read_whole() {
    let (_service, client) = client().await;
    let ApiError::Problem(problem) = client.send(ApiCall::get("/problem")).await.unwrap_err()
    else {
        panic!("no problem");
    };
    assert_eq!((problem.status, problem.code.as_str()), (403, "PATH_NOT_ALLOWED"));
    assert_eq!(problem.params["path"], "/etc/passwd");
    assert_eq!(problem.trace_id.as_deref(), Some("t-1"));
    let ApiError::Problem(problem) = client.send(ApiCall::get("/nothing")).await.unwrap_err()
    else {
        panic!("no problem");
    };
    assert_eq!((problem.status, problem.code.as_str()), (404, "UNKNOWN"));
}

#[tokio::test]
async fn an_empty_body_is_null_and_another_format_an_error() {
    let (_service, client) = client().await;
    assert_eq!(client.send(ApiCall::get("/empty")).await.unwrap().body, Value::Null);
    let failed = client.send(ApiCall::get("/page")).await.unwrap_err();
    assert!(matches!(failed, ApiError::NotJson { .. }), "{failed:?}");
}

#[tokio::test]
async fn events_come_from_a_get_and_from_a_post() {
    let (_service, client) = client().await;
    for (call, last, first) in [
        (ApiCall::get("/events"), None, "start"),
        (ApiCall::get("/events"), Some("1:1"), "1:1"),
        (ApiCall::post("/events").json(json!({"message": "hi"})), None, "start"),
    ] {
        let events: Vec<_> =
            client.events(call, last).await.unwrap().map(Result::unwrap).collect().await;
        let event = |event: &str, data: &str| SseEvent {
            id: "1:2".to_owned(),
            event: event.to_owned(),
            data: data.to_owned(),
        };
        assert_eq!(events, [event("token", first), event("done", "{}")]);
    }
    let refused = client.events(ApiCall::get("/problem"), None).await.err();
    assert!(matches!(refused, Some(ApiError::Problem(_))));
}

#[tokio::test]
async fn a_download_is_handed_on_in_chunks() {
    let (_service, client) = client().await;
    let mut chunks = client.download(ApiCall::get("/export")).await.unwrap();
    let mut bytes = 0;
    while let Some(chunk) = chunks.next().await {
        bytes += chunk.unwrap().len();
    }
    assert_eq!(bytes, 500_000);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_so() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let client = ApiClient::new(&format!("http://127.0.0.1:{port}"), None).unwrap();
    let failed = client.send(ApiCall::get("/api/v2/health")).await.unwrap_err();
    assert!(matches!(failed, ApiError::Unreachable { .. }), "{failed:?}");
    assert!(failed.to_string().contains(&format!("http://127.0.0.1:{port}")));
}

#[tokio::test]
async fn a_path_cannot_change_the_host() {
    let (service, client) = client().await;
    for path in ["@127.0.0.2/", ".evil.test/", ""] {
        let refused = client.send(ApiCall::get(path)).await.unwrap_err();
        assert_eq!(refused, ApiError::Path { path: path.to_owned() });
    }
    assert_eq!(service.connections(), 0);
    for base in ["ftp://a.test", "http://user@a.test", "a.test", "http://a.test?x"] {
        assert!(matches!(ApiClient::new(base, None), Err(ApiError::Address(_))), "{base}");
    }
    assert!(!format!("{client:?}").contains("canary"));
}
