//! Calls of a real service on loopback.

use crate::test_steps::{bench, bench_for, call, failure, literal, output};
use axum::{
    Router,
    extract::Query,
    http::{HeaderMap, Method, StatusCode, Uri, header::LOCATION},
    response::{IntoResponse as _, Redirect, Response},
    routing::{any, get},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, net::SocketAddr, time::Duration};
use tokio::{net::TcpListener, time::sleep};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{FailureCategory, HttpMethod, StepOutcome, StepParams};

/// What was asked, as the service saw it.
async fn echo(method: Method, uri: Uri, headers: HeaderMap, body: String) -> Response {
    let seen = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let seen = json!({
        "method": method.as_str(),
        "uri": uri.to_string(),
        "type": seen("content-type"),
        "key": seen("idempotency-key"),
        "body": body,
    });
    ([("content-type", "application/json")], seen.to_string()).into_response()
}

async fn status(uri: Uri) -> Response {
    let code = uri.path().rsplit('/').next().unwrap_or_default();
    let code = StatusCode::from_bytes(code.as_bytes()).expect("a status");
    (code, [("retry-after", "7")], "a text of the service").into_response()
}

async fn service() -> SocketAddr {
    let app = Router::new()
        .route("/echo/{*rest}", any(echo))
        .route("/status/{code}", any(status))
        .route("/long", get(|| async { "x".repeat(4 * 1024 * 1024 + 1) }))
        .route("/slow", any(|| async { sleep(Duration::from_secs(60)).await }))
        .route("/plain", get(|| async { Vec::from(*b"\xff") }))
        .route(
            "/to",
            get(|Query(to): Query<BTreeMap<String, String>>| async move {
                (StatusCode::FOUND, [(LOCATION, to["to"].clone())])
            }),
        )
        .route("/here", any(|| async { Redirect::temporary("/echo/there") }))
        .route("/away", any(|| async { moved("http://169.254.169.254/latest/meta-data") }))
        .route("/port", any(|| async { moved("http://127.0.0.1:9/") }));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    at
}

fn moved(to: &'static str) -> Response {
    (StatusCode::FOUND, [(LOCATION, to)]).into_response()
}

fn json_of(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

#[tokio::test]
async fn values_are_sent_as_values() {
    let at = service().await;
    let bench = bench_for(at);
    let mut get = call(at, HttpMethod::Get, "echo/x");
    if let StepParams::ApiCall { url, .. } = &mut get.params {
        url.segments[1] = literal("a/b?c#d 가");
        url.query = vec![("q&".to_owned(), literal("1=2&x"))];
    }
    let report = bench.run(get, &[]).await;
    let seen = json_of(&report.bytes);
    assert_eq!(seen["uri"], "/echo/a%2Fb%3Fc%23d%20%EA%B0%80?q%26=1%3D2%26x");
    assert_eq!(seen["key"], Value::Null);
    let output = output(&report);
    assert_eq!((output.status, output.media_type.as_str()), (Some(200), "application/json"));
    assert!(output.foreign);
    assert_eq!(output.size_bytes, report.bytes.len() as u64);
}

#[tokio::test]
async fn a_request_that_acts_carries_its_body_and_its_key() {
    let at = service().await;
    let report = bench_for(at).run(call(at, HttpMethod::Post, "echo/orders"), &[]).await;
    let seen = json_of(&report.bytes);
    assert_eq!((&seen["method"], &seen["body"]), (&json!("POST"), &json!("{\"n\":1}")));
    assert_eq!(seen["type"], "application/json");
    let key = seen["key"].as_str().expect("a key");
    assert!(key.ends_with(":s"), "{key}");
}

#[tokio::test]
async fn an_error_status_is_a_failure_of_its_category() {
    let at = service().await;
    let bench = bench_for(at);
    let table = [
        (400, FailureCategory::ContractViolation),
        (401, FailureCategory::PermissionDenied),
        (404, FailureCategory::ResourceNotFound),
        (429, FailureCategory::ExternalServiceError),
        (500, FailureCategory::ExternalServiceError),
        (503, FailureCategory::ExternalServiceError),
        (304, FailureCategory::ContractViolation),
    ];
    for (code, category) in table {
        let report = bench.run(call(at, HttpMethod::Post, &format!("status/{code}")), &[]).await;
        let failure = failure(&report);
        assert_eq!((failure.category, failure.code.as_str()), (category, "HTTP_STATUS"), "{code}");
        assert_eq!(failure.message, format!("the service answered with status `{code}`"));
        assert_eq!(failure.retry_after_ms, Some(7000));
        assert!(!failure.effect_unknown, "{code}: the service has answered");
    }
}

#[tokio::test]
async fn a_redirect_is_followed_within_its_origin_alone() {
    let at = service().await;
    let bench = bench_for(at);
    let followed = bench.run(call(at, HttpMethod::Get, "here"), &[]).await;
    assert_eq!(json_of(&followed.bytes)["uri"], "/echo/there");
    for (path, origin) in [("away", "http://169.254.169.254"), ("port", "http://127.0.0.1:9")] {
        let report = bench.run(call(at, HttpMethod::Get, path), &[]).await;
        let failure = failure(&report);
        assert_eq!(failure.category, FailureCategory::PermissionDenied);
        assert_eq!(failure.code, "REDIRECT_REFUSED");
        assert_eq!(failure.redirected_to.as_deref(), Some(origin));
        assert!(failure.message.contains(&format!("`{origin}`")) && !failure.effect_unknown);
        assert!(!failure.message.contains("latest"), "a path is the service's own text");
    }
    let posted = bench.run(call(at, HttpMethod::Post, "here"), &[]).await;
    let posted = failure(&posted);
    assert_eq!((posted.code.as_str(), posted.effect_unknown), ("HTTP_STATUS", false));
    assert!(posted.message.contains("`307`"), "the service has answered: {}", posted.message);
    assert_eq!(posted.redirected_to, None);
    let moved = bench.run(call(at, HttpMethod::Post, "away"), &[]).await;
    let moved = failure(&moved);
    assert!(!moved.effect_unknown && moved.message.contains("`302`"));
    assert_eq!(moved.redirected_to.as_deref(), Some("http://169.254.169.254"));
}

/// A plan to read one place stays a plan to read that place, whatever else the project allows.
#[tokio::test]
async fn no_redirect_makes_a_request_of_another_allowed_place() {
    let (here, there) = (service().await, service().await);
    let rule = |at: SocketAddr| json!({ "host": "127.0.0.1", "port": at.port(), "private": true });
    let bench = bench(json!([rule(here), rule(there)]));
    let mut node = call(here, HttpMethod::Get, "to");
    if let StepParams::ApiCall { url, .. } = &mut node.params {
        url.query = vec![("to".to_owned(), literal(&format!("http://{there}/echo/secret")))];
    }
    let report = bench.run(node, &[]).await;
    assert_eq!(failure(&report).code, "REDIRECT_REFUSED");
    assert_eq!(failure(&report).redirected_to, Some(format!("http://{there}")));
    let plain = bench.run(call(there, HttpMethod::Get, "echo/secret"), &[]).await;
    assert_eq!(output(&plain).status, Some(200), "asked for by its own address it is read");
}

#[tokio::test]
async fn a_private_address_needs_a_rule_that_says_so() {
    let at = service().await;
    let public = bench(json!([{ "host": "127.0.0.1", "port": at.port() }]));
    let report = public.run(call(at, HttpMethod::Post, "echo/x"), &[]).await;
    assert_eq!(failure(&report).category, FailureCategory::PermissionDenied);
    assert_eq!(failure(&report).code, "ADDRESS_NOT_ALLOWED");
    assert!(!failure(&report).effect_unknown, "nothing was sent");
}

#[tokio::test]
async fn an_answer_has_a_bound_and_a_type() {
    let at = service().await;
    let bench = bench_for(at);
    let long = bench.run(call(at, HttpMethod::Get, "long"), &[]).await;
    assert_eq!(failure(&long).code, "ANSWER_TOO_LARGE");
    let plain = bench.run(call(at, HttpMethod::Get, "plain"), &[]).await;
    assert_eq!(output(&plain).media_type, "application/octet-stream");
    assert_eq!(plain.bytes, b"\xff");
}

#[tokio::test]
async fn a_cancel_says_whether_anything_may_have_happened() {
    let at = service().await;
    let bench = bench_for(at);
    for (method, in_doubt) in [(HttpMethod::Get, false), (HttpMethod::Post, true)] {
        let permit = bench.gate.permit(call(at, method, "slow"), &[], None);
        let cancel = CancellationToken::new();
        let soon = async {
            sleep(Duration::from_millis(200)).await;
            cancel.cancel();
        };
        let (report, ()) = tokio::join!(bench.executors.execute(permit, None, &cancel), soon);
        match &report.outcome {
            StepOutcome::Cancelled { .. } => assert!(!in_doubt),
            StepOutcome::Failure { failure } => {
                assert!(in_doubt && failure.effect_unknown);
                assert_eq!(failure.code, "CANCELLED_IN_FLIGHT");
            }
            StepOutcome::Success { .. } => panic!("{report:?}"),
        }
    }
}
