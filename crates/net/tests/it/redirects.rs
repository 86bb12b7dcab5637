use axum::Router;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{any, get};
use wiiiv_domain::HttpMethod;
use wiiiv_net::{EgressError, REDIRECTS_MAX, RedirectFault, Resolver, ToolClient, UrlFault};

use crate::service::{Service, get as fetch, request, rule, with_body, with_headers};

fn router() -> Router {
    let to = |Query(query): Query<Vec<(String, String)>>| async move {
        (StatusCode::FOUND, [("location", query[0].1.clone())]).into_response()
    };
    let count = |Path(left): Path<usize>| async move {
        match left {
            0 => "there".into_response(),
            _ => Redirect::temporary(&format!("/count/{}", left - 1)).into_response(),
        }
    };
    let names = |headers: HeaderMap| async move {
        let mut names: Vec<_> = headers.keys().map(|name| name.as_str().to_owned()).collect();
        names.sort();
        names.join(" ")
    };
    Router::new()
        .route("/to", any(to))
        .route("/count/{left}", get(count))
        .route("/names", get(names))
}

fn to(service: &Service, target: &str) -> wiiiv_net::Url {
    let mut url = service.url("/to");
    url.query_pairs_mut().append_pair("to", target);
    url
}

const SECRETS: [(&str, &str); 5] = [
    ("accept", "text/plain"),
    ("authorization", "Bearer canary"),
    ("cookie", "session=canary"),
    ("x-api-key", "canary"),
    ("x-anything", "canary"),
];

#[tokio::test]
async fn redirects_are_followed_up_to_the_cap() {
    let service = Service::start(router()).await;
    let path = format!("/count/{REDIRECTS_MAX}");
    let response = fetch(service.url(&path), &[service.rule()]).await.unwrap();
    assert_eq!((response.status, response.redirects), (200, REDIRECTS_MAX));
    assert_eq!(response.body, "there");
    assert_eq!(response.url.path(), "/count/0");

    let before = service.requests();
    let path = format!("/count/{}", REDIRECTS_MAX + 1);
    let refused = fetch(service.url(&path), &[service.rule()]).await.unwrap_err();
    let reason = RedirectFault::TooMany { max: REDIRECTS_MAX };
    assert_eq!(refused, EgressError::Redirect { hop: REDIRECTS_MAX + 1, reason });
    assert_eq!(service.requests() - before, REDIRECTS_MAX + 1);
}

#[tokio::test]
async fn credentials_stay_at_their_origin() {
    let (home, away) = (Service::start(router()).await, Service::start(router()).await);
    let rules = [home.rule(), away.rule()];
    let client = ToolClient::new(Resolver::System);
    let ask = |target: &str| {
        client.send(with_headers(request(HttpMethod::Get, to(&home, target)), &SECRETS), &rules)
    };
    let same = ask("/names").await.unwrap();
    assert_eq!(same.body, "accept authorization cookie host x-anything x-api-key");
    let other = ask(away.url("/names").as_str()).await.unwrap();
    assert_eq!(other.body, "accept host");
    assert_eq!(other.address, Some(away.address));
}

#[tokio::test]
async fn every_hop_is_checked() {
    let (home, away) = (Service::start(router()).await, Service::start(router()).await);
    let public_only = rule("127.0.0.1", away.address.port(), false);
    let refused = fetch(to(&home, away.url("/names").as_str()), &[home.rule(), public_only]).await;
    let refused = refused.unwrap_err();
    assert!(refused.may_have_been_sent());
    let EgressError::Redirect { hop: 1, reason: RedirectFault::Refused(reason) } = refused else {
        panic!("{refused:?}");
    };
    assert!(matches!(*reason, EgressError::ForbiddenAddress { .. }));

    for (target, expected) in [
        (away.url("/names").to_string(), "HostNotAllowed"),
        (format!("http://0x7f000001:{}/", away.address.port()), "HostNotAllowed"),
        (format!("//localhost:{}/", away.address.port()), "HostNotAllowed"),
        ("http://169.254.169.254/latest/".to_owned(), "HostNotAllowed"),
        ("file:///etc/passwd".to_owned(), "UrlRefused"),
        (format!("http://user@{}/names", home.address), "UrlRefused"),
    ] {
        let refused = fetch(to(&home, &target), &[home.rule()]).await.unwrap_err();
        let EgressError::Redirect { hop: 1, reason: RedirectFault::Refused(reason) } = refused
        else {
            panic!("{target}: {refused:?}");
        };
        assert!(format!("{reason:?}").starts_with(expected), "{target}: {reason:?}");
    }
    assert_eq!(away.connections(), 0);
}

#[tokio::test]
async fn what_may_act_is_sent_once() {
    let service = Service::start(router()).await;
    let client = ToolClient::new(Resolver::System);
    for method in [HttpMethod::Post, HttpMethod::Put, HttpMethod::Patch, HttpMethod::Delete] {
        let before = service.requests();
        let request = with_body(request(method, to(&service, "/names")), "{}");
        let refused = client.send(request, &[service.rule()]).await.unwrap_err();
        let reason = RedirectFault::NotRepeatable { status: 302 };
        assert_eq!(refused, EgressError::Redirect { hop: 1, reason });
        assert!(refused.may_have_been_sent());
        assert_eq!(service.requests() - before, 1);
    }
}

#[tokio::test]
async fn a_user_in_the_first_url_is_refused_unsent() {
    let service = Service::start(router()).await;
    let mut url = service.url("/names");
    url.set_username("root").unwrap();
    let refused = fetch(url, &[service.rule()]).await.unwrap_err();
    assert_eq!(refused, EgressError::UrlRefused { reason: UrlFault::UserInfo });
    assert_eq!(service.connections(), 0);
}
