//! The interface's files beside the API.

use crate::{
    call::{Answer, TestRequest},
    test_server::TestServer,
};

async fn get(test: &TestServer, path: &str) -> Answer {
    test.send(TestRequest::at("GET", path)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_outside_the_api_is_the_page() {
    let test = TestServer::new().await;
    for path in ["/", "/sign-in", "/p/7/chat?x=1", "/index.html"] {
        let page = get(&test, path).await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        assert!(page.text.contains("<title>wiiiv</title>"), "{path}");
        assert_eq!(page.header("cache-control"), "no-cache");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
    for path in ["/api", "/api/v1/health", "/api/v2/nowhere", "/assets/gone-2.js"] {
        let missing = get(&test, path).await;
        assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND"), "{path}");
        assert_eq!(missing.header("cache-control"), "no-store");
        assert!(missing.header("content-security-policy").ends_with("sandbox"), "{path}");
    }
    let posted = test.send(TestRequest::at("POST", "/sign-in")).await;
    assert_eq!((posted.status, posted.code()), (404, "NOT_FOUND"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asset_is_kept_for_ever_and_travels_small() {
    let test = TestServer::new().await;
    let plain = get(&test, "/assets/app-1.js").await;
    assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(plain.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!((plain.text.len(), plain.header("content-encoding")), (2048, ""));
    let asked = |header, value: &str| {
        test.send(TestRequest::at("GET", "/assets/app-1.js").header(header, value))
    };
    let small = asked("accept-encoding", "gzip, br").await;
    assert_eq!(small.header("content-encoding"), "gzip");
    assert_eq!(small.header("vary"), "Accept-Encoding");
    assert!(small.text.len() < 200 && small.header("etag") != plain.header("etag"));
    let known = asked("if-none-match", plain.header("etag")).await;
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    assert_eq!(known.header("etag"), plain.header("etag"));
    assert_eq!(asked("if-none-match", "\"other\"").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_built_without_it_says_so_as_any_missing_thing() {
    let test = TestServer::with(|config| wiiiv_server::ServerConfig {
        ui: wiiiv_server::Ui::default(),
        ..config
    })
    .await;
    let missing = get(&test, "/").await;
    assert_eq!((missing.status, missing.code()), (404, "NOT_FOUND"));
}
