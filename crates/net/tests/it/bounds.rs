use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::routing::{any, get};
use futures::stream::{StreamExt as _, iter, pending, repeat};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use wiiiv_domain::HttpMethod;
use wiiiv_net::{Bytes, EgressError, HeaderRefused, Resolver, ToolClient, ToolRequest, Url};

use crate::service::{Service, get as fetch, request, rule, with_body, with_headers};

type Chunk = Result<Bytes, std::io::Error>;

fn chunk(size: usize) -> Chunk {
    Ok(vec![b'a'; size].into())
}

fn router() -> Router {
    let stated = |Path(bytes): Path<usize>| async move { vec![b'a'; bytes] };
    let endless = || async { Body::from_stream(repeat(()).map(|()| chunk(10_000))) };
    let stalls = || async { Body::from_stream(iter([chunk(10)]).chain(pending())) };
    let silent = || async { std::future::pending::<&str>().await };
    let echo = |headers: HeaderMap, body: Bytes| async move {
        let key = headers.get("idempotency-key").map(|key| key.to_str().unwrap().to_owned());
        format!("{} {}", key.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
    };
    let missing =
        || async { (axum::http::StatusCode::NOT_FOUND, [("set-cookie", "a=b")], "no such thing") };
    Router::new()
        .route("/stated/{bytes}", get(stated))
        .route("/endless", get(endless))
        .route("/stalls", get(stalls))
        .route("/silent", any(silent))
        .route("/echo", any(echo))
        .route("/missing", get(missing))
}

async fn within(request: ToolRequest, service: &Service) -> EgressError {
    let client = ToolClient::new(Resolver::System);
    client.send(request, &[service.rule()]).await.unwrap_err()
}

#[tokio::test]
async fn a_body_and_a_key_arrive() {
    let service = Service::start(router()).await;
    let mut request = with_body(request(HttpMethod::Post, service.url("/echo")), "회의");
    request.idempotency_key = Some("step-1".to_owned());
    let client = ToolClient::new(Resolver::System);
    let response = client.send(request, &[service.rule()]).await.unwrap();
    assert_eq!(response.body, "step-1 회의");
    assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"));
}

#[tokio::test]
async fn an_error_status_is_an_answer_and_cookies_are_left_out() {
    let service = Service::start(router()).await;
    let response = fetch(service.url("/missing"), &[service.rule()]).await.unwrap();
    assert_eq!((response.status, response.body.as_ref()), (404, b"no such thing".as_slice()));
    assert_eq!(response.header("set-cookie"), None);
}

#[tokio::test]
async fn the_size_is_capped_stated_or_not() {
    let service = Service::start(router()).await;
    let mut request = request(HttpMethod::Get, service.url("/stated/1000"));
    request.max_bytes = 1_000;
    let client = ToolClient::new(Resolver::System);
    let response = client.send(request.clone(), &[service.rule()]).await.unwrap();
    assert_eq!(response.body.len(), 1_000);
    for path in ["/stated/1001", "/endless"] {
        request.url = service.url(path);
        let refused = within(request.clone(), &service).await;
        assert_eq!(refused, EgressError::TooLarge { max_bytes: 1_000 });
        assert!(refused.may_have_been_sent());
    }
}

#[tokio::test]
async fn the_time_is_capped_before_and_within_the_body() {
    let service = Service::start(router()).await;
    for path in ["/silent", "/stalls"] {
        let mut request = request(HttpMethod::Get, service.url(path));
        request.timeout_ms = 200;
        let started = Instant::now();
        let failed = within(request, &service).await;
        assert_eq!(failed, EgressError::Timeout { sent: true }, "{path}");
        assert!(started.elapsed() < Duration::from_secs(3));
    }
}

#[tokio::test]
async fn a_refused_connection_was_not_sent() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let url = Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
    let failed = fetch(url, &[rule("127.0.0.1", port, true)]).await.unwrap_err();
    assert!(matches!(failed, EgressError::Unreachable { sent: false, .. }), "{failed:?}");
    assert!(!failed.may_have_been_sent());
}

#[tokio::test]
async fn a_handshake_that_never_ends_was_not_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = Url::parse(&format!("https://127.0.0.1:{port}/")).unwrap();
    let mut request = request(HttpMethod::Post, url);
    request.timeout_ms = 400;
    let client = ToolClient::new(Resolver::System);
    let failed = client.send(request, &[rule("127.0.0.1", port, true)]).await.unwrap_err();
    assert_eq!(failed, EgressError::Timeout { sent: false });
}

#[tokio::test]
async fn a_connection_that_closes_after_the_request_may_have_been_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let mut requests = 0;
        while let Ok(Ok((mut stream, _))) =
            tokio::time::timeout(Duration::from_millis(500), listener.accept()).await
        {
            let mut buffer = [0; 1_000];
            assert!(stream.read(&mut buffer).await.unwrap() > 0);
            requests += 1;
        }
        requests
    });
    let url = Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
    let client = ToolClient::new(Resolver::System);
    let request = with_body(request(HttpMethod::Post, url), "{}");
    let failed = client.send(request, &[rule("127.0.0.1", port, true)]).await.unwrap_err();
    assert!(matches!(failed, EgressError::Unreachable { sent: true, .. }), "{failed:?}");
    assert_eq!(server.await.unwrap(), 1, "the request was repeated");
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").await.unwrap();
    });
    let url = Url::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
    let failed = fetch(url, &[rule("127.0.0.1", port, true)]).await.unwrap_err();
    assert!(failed.may_have_been_sent());
    assert!(
        matches!(
            failed,
            EgressError::Interrupted { .. } | EgressError::Unreachable { sent: true, .. }
        ),
        "{failed:?}"
    );
}

#[tokio::test]
async fn framing_headers_are_refused_unsent() {
    let service = Service::start(router()).await;
    let headers = [("transfer-encoding", "chunked")];
    let request = with_headers(request(HttpMethod::Post, service.url("/echo")), &headers);
    let refused = within(request, &service).await;
    assert!(matches!(refused, EgressError::Header(HeaderRefused::Reserved { .. })));
    assert_eq!(service.connections(), 0);
}

#[test]
fn debug_output_holds_no_secret() {
    let url = Url::parse("https://a.test/path?token=canary").unwrap();
    let headers = [("authorization", "Bearer canary")];
    let request = with_body(with_headers(request(HttpMethod::Post, url), &headers), "canary");
    assert!(!format!("{request:?}").contains("canary"));
}
