//! Pages of a real site on loopback. HTML is read by a child process, which the program's own tests
//! start; here is everything before and beside it.

use crate::test_steps::{Bench, bench, bench_for, failure, literal, node, output};
use axum::{
    Router,
    extract::Query,
    http::{
        HeaderMap, StatusCode,
        header::{CONTENT_ENCODING, CONTENT_TYPE, LOCATION},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, net::SocketAddr};
use tokio::net::TcpListener;
use wiiiv_domain::{FailureCategory, Node, Scheme, StepParams, UrlTemplate};
use wiiiv_exec::StepReport;

/// A server that packs although nobody asked for it.
const GZIP: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00";

async fn site() -> SocketAddr {
    let typed = |kind: &'static str, body: &'static [u8]| {
        get(move || async move { ([("content-type", kind)], body).into_response() })
    };
    let moved =
        |to: &'static str| get(move || async move { (StatusCode::FOUND, [(LOCATION, to)]) });
    let app = Router::new()
        .route("/notes.txt", typed("text/plain; charset=euc-kr", b"\xb0\xa1\xb3\xaa"))
        .route("/data", typed("application/json", b"{\"a\":1}"))
        .route("/page", typed("text/html", b"<p>words"))
        .route("/picture", typed("image/png", b"\x89PNG"))
        .route("/gone", get(|| async { StatusCode::GONE }))
        .route("/here", moved("/notes.txt"))
        .route(
            "/to",
            get(|Query(to): Query<BTreeMap<String, String>>| async move {
                (StatusCode::FOUND, [(LOCATION, to["to"].clone())])
            }),
        )
        .route("/away", moved("http://169.254.169.254/latest/meta-data"))
        .route(
            "/packed",
            get(|| async { ([(CONTENT_ENCODING, "gzip"), (CONTENT_TYPE, "text/plain")], GZIP) }),
        )
        .route("/seen", get(seen));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    at
}

/// What came along with the request.
async fn seen(headers: HeaderMap) -> Response {
    let names: Vec<String> = headers.keys().map(ToString::to_string).collect();
    ([("content-type", "text/plain")], names.join(" ")).into_response()
}

fn page(at: SocketAddr, path: &str) -> Node {
    node(StepParams::WebFetch {
        url: UrlTemplate {
            system: None,
            scheme: Scheme::Http,
            host: "127.0.0.1".to_owned(),
            port: Some(at.port()),
            segments: vec![literal(path)],
            query: Vec::new(),
        },
    })
}

async fn fetched(bench: &Bench, at: SocketAddr, path: &str) -> StepReport {
    bench.run(page(at, path), &[]).await
}

#[tokio::test]
async fn a_text_is_handed_on_as_data_from_outside() {
    let at = site().await;
    let bench = bench_for(at);
    let report = fetched(&bench, at, "notes.txt").await;
    let told = output(&report);
    assert!(told.foreign && told.media_type == "application/json" && told.status == Some(200));
    let document: Value = serde_json::from_slice(&report.bytes).expect("JSON");
    let url = format!("http://{at}/notes.txt");
    assert_eq!(document, json!({"url": url, "title": "", "text": "가나"}));
    let report = fetched(&bench, at, "here").await;
    let document: Value = serde_json::from_slice(&report.bytes).expect("JSON");
    assert_eq!(document["url"], url, "a redirect within the origin is followed, and told");
    let report = fetched(&bench, at, "data").await;
    let document: Value = serde_json::from_slice(&report.bytes).expect("JSON");
    assert_eq!(document["text"], "{\"a\":1}");
}

#[tokio::test]
async fn what_is_no_page_is_refused() {
    let at = site().await;
    let bench = bench_for(at);
    assert_eq!(failure(&fetched(&bench, at, "picture").await).code, "NOT_A_PAGE");
    assert_eq!(failure(&fetched(&bench, at, "packed").await).code, "ANSWER_ENCODED");
    let gone = fetched(&bench, at, "gone").await;
    assert_eq!(failure(&gone).category, FailureCategory::ResourceNotFound);
    assert_eq!(failure(&fetched(&bench, at, "page").await).code, "SANDBOX_UNAVAILABLE");
}

/// A host that is not listed gets no permit at all; what leads there is not followed. Nor is what
/// leads to another one that is listed: to read page A is no plan to read host B.
#[tokio::test]
async fn nothing_but_the_origin_of_the_plan_is_fetched() {
    let at = site().await;
    let report = fetched(&bench_for(at), at, "away").await;
    assert_eq!(failure(&report).code, "REDIRECT_REFUSED");
    assert_eq!(failure(&report).redirected_to.as_deref(), Some("http://169.254.169.254"));
    let other = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let private = other.local_addr().expect("an address");
    let rule = |port: u16| json!({ "host": "127.0.0.1", "port": port, "private": true });
    let bench = bench(json!([rule(at.port()), rule(private.port())]));
    let mut node = page(at, "to");
    if let StepParams::WebFetch { url } = &mut node.params {
        url.query = vec![("to".to_owned(), literal(&format!("http://{private}/secret")))];
    }
    let report = bench.run(node, &[]).await;
    assert_eq!(failure(&report).code, "REDIRECT_REFUSED");
    assert_eq!(failure(&report).redirected_to, Some(format!("http://{private}")));
    let connected = tokio::time::timeout(std::time::Duration::from_millis(50), other.accept());
    assert!(connected.await.is_err(), "nobody connects to it");
}

#[tokio::test]
async fn it_carries_nothing_along() {
    let at = site().await;
    let report = fetched(&bench_for(at), at, "seen").await;
    let document: Value = serde_json::from_slice(&report.bytes).expect("JSON");
    let names = document["text"].as_str().expect("text");
    for name in ["authorization", "cookie", "idempotency-key", "referer"] {
        assert!(!names.contains(name), "{names}");
    }
}
