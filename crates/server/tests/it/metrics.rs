//! Who reads the figures.

use crate::{
    call::Asked,
    house::{House, token},
};
use wiiiv_server::{Figures, ServerConfig};
use wiiiv_store::TokenScope;

const PATHS: [&str; 2] = ["/metrics", "/api/v2/metrics"];

#[tokio::test(flavor = "multi_thread")]
async fn closed_they_are_for_administrators() {
    let house = House::new().await;
    let reads = token(house.store(), house.admin.user, TokenScope::Read).await;
    for path in PATHS {
        for (asked, status) in [
            (Asked::at("GET", path).here(), 401),
            (Asked::at("GET", path).by(&house.owner.token).here(), 403),
            (Asked::at("GET", path).by(&house.admin.token), 200),
            (Asked::at("GET", path).by(&reads), 200),
        ] {
            assert_eq!(house.send(asked).await.status, status, "{path}");
        }
    }
    let answer = house.send(Asked::at("GET", "/metrics").by(&reads)).await;
    assert_eq!(answer.text, "wiiiv_up 1\n");
    assert_eq!(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_they_are_for_this_machine_alone() {
    let open = |config| ServerConfig { figures: Figures::new(String::new, true), ..config };
    let house = House::with(open).await;
    for path in PATHS {
        let here = || Asked::at("GET", path).here();
        for (asked, status) in [
            (here(), 200),
            (Asked::at("GET", path), 401),
            (here().header("x-forwarded-for", "192.0.2.1"), 401),
            (here().header("forwarded", "for=192.0.2.1"), 401),
            (here().header("sec-fetch-site", "cross-site"), 401),
            (Asked::at("GET", path).by(&house.admin.token), 200),
        ] {
            assert_eq!(house.send(asked).await.status, status, "{path}");
        }
    }
}
