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
async fn a_redirect_keeps_its_headers_within_its_origin() {
    let home = Service::start(router()).await;
    let client = ToolClient::new(Resolver::System);
    let request = with_headers(request(HttpMethod::Get, to(&home, "/names")), &SECRETS);
    let same = client.send(request, &[home.rule()]).await.unwrap();
    assert_eq!(same.body, "accept authorization cookie host x-anything x-api-key");
    assert_eq!((same.address, same.redirects), (Some(home.address), 1));
}

/// The other one is on the list, private addresses and all: a plan names one origin.
#[tokio::test]
async fn another_origin_is_not_asked_even_where_the_list_allows_it() {
    let (home, away) = (Service::start(router()).await, Service::start(router()).await);
    let port = away.address.port();
    let (by_name, by_address) = (rule("localhost", port, true), away.rule());
    let rules = [home.rule(), by_name, by_address];
    for (target, origin) in [
        (away.url("/names").to_string(), format!("http://{}", away.address)),
        (format!("http://0x7f000001:{port}/"), format!("http://{}", away.address)),
        (format!("//localhost:{port}/"), format!("http://localhost:{port}")),
        (
            format!("http://{}@{}/", home.address.ip(), away.address),
            format!("http://{}", away.address),
        ),
        (format!("https://{}/names", home.address), format!("https://{}", home.address)),
        (
            format!("http://localhost:{}/", home.address.port()),
            format!("http://localhost:{}", home.address.port()),
        ),
        ("http://169.254.169.254/latest/".to_owned(), "http://169.254.169.254".to_owned()),
    ] {
        for method in [HttpMethod::Get, HttpMethod::Head] {
            let request = with_headers(request(method, to(&home, &target)), &SECRETS);
            let refused = ToolClient::new(Resolver::System).send(request, &rules).await;
            let refused = refused.unwrap_err();
            let EgressError::Redirect { hop: 1, reason } = &refused else {
                panic!("{target}: {refused:?}");
            };
            assert!(matches!(reason, RedirectFault::OtherOrigin { .. }), "{target}: {reason:?}");
            let named = refused.redirected_to().map(ToString::to_string);
            assert_eq!(named, Some(origin.clone()), "{target}");
        }
    }
    assert_eq!((away.connections(), home.requests()), (0, 14));
}

#[tokio::test]
async fn what_is_no_address_is_not_followed() {
    let home = Service::start(router()).await;
    for (target, expected) in [
        ("file:///etc/passwd".to_owned(), "Location"),
        ("http://[".to_owned(), "Location"),
        (format!("http://user@{}/names", home.address), "Refused(UrlRefused"),
    ] {
        let refused = fetch(to(&home, &target), &[home.rule()]).await.unwrap_err();
        assert!(refused.may_have_been_sent() && refused.redirected_to().is_none());
        let EgressError::Redirect { hop: 1, reason } = refused else {
            panic!("{target}: {refused:?}");
        };
        assert!(format!("{reason:?}").starts_with(expected), "{target}: {reason:?}");
    }
    assert_eq!(home.requests(), 3);
}

/// The caller knows which paths of the origin a credential may go to.
#[tokio::test]
async fn a_path_that_the_caller_does_not_take_is_not_asked() {
    let home = Service::start(router()).await;
    let (client, rules) = (ToolClient::new(Resolver::System), [home.rule()]);
    let ask = |path: &'static str| {
        let request = request(HttpMethod::Get, to(&home, "/names"));
        client.send_within(request, &rules, move |url| url.path() == path)
    };
    let refused = ask("/other").await.unwrap_err();
    assert_eq!(refused, EgressError::Redirect { hop: 1, reason: RedirectFault::OtherPath });
    assert_eq!(home.requests(), 1);
    assert_eq!(ask("/names").await.unwrap().status, 200);
}

#[tokio::test]
async fn what_may_act_is_sent_once() {
    let service = Service::start(router()).await;
    let client = ToolClient::new(Resolver::System);
    for method in [HttpMethod::Post, HttpMethod::Put, HttpMethod::Patch, HttpMethod::Delete] {
        let before = service.requests();
        let request = with_body(request(method, to(&service, "/names")), "{}");
        let refused = client.send(request, &[service.rule()]).await.unwrap_err();
        let reason = RedirectFault::NotRepeatable { status: 302, target: None };
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
