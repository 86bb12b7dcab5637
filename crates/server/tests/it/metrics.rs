//! Who reads the figures.

use crate::{
    call::TestRequest,
    test_server::{TestServer, token},
};
use wiiiv_server::{MetricsSource, ServerConfig};
use wiiiv_store::TokenScope;

const PATHS: [&str; 2] = ["/metrics", "/api/v2/metrics"];

#[tokio::test(flavor = "multi_thread")]
async fn closed_they_are_for_administrators() {
    let test = TestServer::new().await;
    let reads = token(test.store(), test.admin.user, TokenScope::Read).await;
    for path in PATHS {
        for (asked, status) in [
            (TestRequest::at("GET", path).here(), 401),
            (TestRequest::at("GET", path).by(&test.owner.token).here(), 403),
            (TestRequest::at("GET", path).by(&test.admin.token), 200),
            (TestRequest::at("GET", path).by(&reads), 200),
        ] {
            assert_eq!(test.send(asked).await.status, status, "{path}");
        }
    }
    let answer = test.send(TestRequest::at("GET", "/metrics").by(&reads)).await;
    assert_eq!(answer.text, "wiiiv_up 1\n");
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_they_are_for_this_machine_alone() {
    let open = |config| ServerConfig { figures: MetricsSource::new(String::new, true), ..config };
    let test = TestServer::with(open).await;
    for path in PATHS {
        let here = || TestRequest::at("GET", path).here();
        for (asked, status) in [
            (here(), 200),
            (TestRequest::at("GET", path), 401),
            (here().header("x-forwarded-for", "192.0.2.1"), 401),
            (here().header("forwarded", "for=192.0.2.1"), 401),
            (here().header("sec-fetch-site", "cross-site"), 401),
            (TestRequest::at("GET", path).by(&test.admin.token), 200),
        ] {
            assert_eq!(test.send(asked).await.status, status, "{path}");
        }
    }
}
