//! A service that breaks off: what was sent may have had its effect.

use crate::test_steps::{bench_for, call, failure};
use std::net::SocketAddr;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use wiiiv_domain::{FailureCategory, HttpMethod, StepFailure};

/// Reads the whole request, says `then`, and hangs up.
async fn service_that_says(then: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            let whole = |request: &[u8]| {
                let text = String::from_utf8_lossy(request);
                text.contains("\r\n\r\n") && (text.starts_with("GET") || text.ends_with('}'))
            };
            while !whole(&request) && stream.read_buf(&mut request).await.unwrap_or(0) > 0 {}
            let _ = stream.write_all(then).await;
        }
    });
    at
}

async fn failed(at: SocketAddr, method: HttpMethod) -> StepFailure {
    let report = bench_for(at).run(call(at, method, "x"), &[]).await;
    failure(&report).clone()
}

#[tokio::test]
async fn a_request_that_was_sent_and_not_answered_is_in_doubt() {
    let cut = service_that_says(b"").await;
    let post = failed(cut, HttpMethod::Post).await;
    assert!(post.effect_unknown);
    assert_eq!(post.category, FailureCategory::ExternalServiceError);
    let get = failed(cut, HttpMethod::Get).await;
    assert!(!get.effect_unknown, "reading has no effect");
    assert!(get.category.may_retry());
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_in_doubt_too() {
    let half = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf";
    let post = failed(service_that_says(half).await, HttpMethod::Post).await;
    assert!(post.effect_unknown);
    assert_eq!(post.code, "ANSWER_INTERRUPTED");
}

#[tokio::test]
async fn a_request_that_found_nobody_is_not_in_doubt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    drop(listener);
    let post = failed(at, HttpMethod::Post).await;
    assert!(!post.effect_unknown);
    assert_eq!(
        (post.category, post.code.as_str()),
        (FailureCategory::ExternalServiceError, "UNREACHABLE")
    );
}
