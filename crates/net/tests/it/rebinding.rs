use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::http::HeaderMap;
use axum::response::Redirect;
use axum::routing::get;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use wiiiv_domain::HttpMethod;
use wiiiv_net::{EgressError, Reach, RedirectFault, Resolver, ToolClient, ToolRequest, Url};

use crate::service::{Service, request, rule};

/// Answers with one address after the other, and counts how often it is asked.
fn rebinding(addresses: &'static [&'static str]) -> (Resolver, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let resolver = Resolver::given(move |_| {
        let turn = counted.fetch_add(1, Ordering::SeqCst);
        let address: IpAddr = addresses[turn.min(addresses.len() - 1)].parse().unwrap();
        vec![address]
    });
    (resolver, asked)
}

fn rebinding_request(service: &Service) -> ToolRequest {
    let url = format!("http://rebind.test:{}/", service.address.port());
    let request = request(HttpMethod::Get, Url::parse(&url).unwrap());
    ToolRequest { timeout_ms: 1_000, ..request }
}

async fn host() -> Service {
    let host = |headers: HeaderMap| async move { headers["host"].to_str().unwrap().to_owned() };
    Service::start(Router::new().route("/", get(host))).await
}

#[tokio::test]
async fn a_name_that_turns_to_loopback_after_the_check_is_dialled_where_it_was_checked() {
    let service = host().await;
    // Public in form, and routed nowhere since the 6bone ended.
    let (resolver, asked) = rebinding(&["3ffe::1", "127.0.0.1"]);
    let rules = [rule("rebind.test", service.address.port(), false)];
    let failed = ToolClient::new(resolver).send(rebinding_request(&service), &rules).await;
    let failed = failed.unwrap_err();
    assert!(
        matches!(
            failed,
            EgressError::Unreachable { sent: false, .. } | EgressError::Timeout { sent: false }
        ),
        "{failed:?}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert_eq!(service.connections(), 0);
}

#[tokio::test]
async fn the_checked_address_is_the_one_dialled_under_the_name() {
    let service = host().await;
    let (resolver, asked) = rebinding(&["127.0.0.1", "127.0.0.2"]);
    let rules = [rule("rebind.test", service.address.port(), true)];
    let response =
        ToolClient::new(resolver).send(rebinding_request(&service), &rules).await.unwrap();
    assert_eq!(response.address, Some(service.address));
    let expected = format!("rebind.test:{}", service.address.port());
    assert_eq!(response.body, expected.as_bytes());
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_name_that_is_private_when_checked_is_refused_whatever_it_becomes() {
    let service = host().await;
    let (resolver, asked) = rebinding(&["127.0.0.1", "8.8.8.8"]);
    let rules = [rule("rebind.test", service.address.port(), false)];
    let refused =
        ToolClient::new(resolver).send(rebinding_request(&service), &rules).await.unwrap_err();
    assert!(matches!(refused, EgressError::ForbiddenAddress { reach: Reach::Private, .. }));
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    assert_eq!(service.connections(), 0);
}

/// A redirect to the same name is a request like the first: looked up and checked again.
#[tokio::test]
async fn a_name_that_turns_between_two_hops_is_checked_at_each() {
    let moved = || async { Redirect::temporary("/there") };
    let service = Service::start(Router::new().route("/", get(moved))).await;
    let (resolver, asked) = rebinding(&["127.0.0.1", "169.254.169.254"]);
    let rules = [rule("rebind.test", service.address.port(), true)];
    let refused = ToolClient::new(resolver).send(rebinding_request(&service), &rules).await;
    let refused = refused.unwrap_err();
    let EgressError::Redirect { hop: 1, reason: RedirectFault::Refused(reason) } = refused else {
        panic!("{refused:?}");
    };
    assert!(matches!(*reason, EgressError::ForbiddenAddress { reach: Reach::Metadata, .. }));
    assert_eq!((asked.load(Ordering::SeqCst), service.requests()), (2, 1));
}

#[tokio::test]
async fn a_connection_is_not_kept_for_a_later_rule() {
    let service = host().await;
    let client = ToolClient::new(Resolver::given(|_| vec![IpAddr::from([127, 0, 0, 1])]));
    let port = service.address.port();
    client.send(rebinding_request(&service), &[rule("rebind.test", port, true)]).await.unwrap();
    let refused =
        client.send(rebinding_request(&service), &[rule("rebind.test", port, false)]).await;
    assert!(matches!(refused, Err(EgressError::ForbiddenAddress { .. })));
    assert_eq!(service.connections(), 1);
}

#[tokio::test]
async fn an_unknown_name_is_a_clear_error() {
    let client = ToolClient::new(Resolver::given(|_| Vec::new()));
    let url = Url::parse("http://nowhere.test/").unwrap();
    let rules = [rule("nowhere.test", 80, true)];
    let failed = client.send(request(HttpMethod::Post, url), &rules).await.unwrap_err();
    assert!(matches!(&failed, EgressError::Resolve { host, .. } if host == "nowhere.test"));
    assert!(!failed.may_have_been_sent());
}

#[tokio::test]
async fn tls_is_asked_for_the_name_not_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let hello = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 4_096];
        let read = stream.read(&mut bytes).await.unwrap();
        bytes.truncate(read);
        bytes
    });
    let client = ToolClient::new(Resolver::given(|_| vec![IpAddr::from([127, 0, 0, 1])]));
    let url = Url::parse(&format!("https://rebind.test:{port}/")).unwrap();
    let failed = client
        .send(request(HttpMethod::Post, url), &[rule("rebind.test", port, true)])
        .await
        .unwrap_err();
    assert!(!failed.may_have_been_sent(), "{failed:?}");
    let hello = hello.await.unwrap();
    for expected in [b"rebind.test".as_slice(), b"http/1.1"] {
        assert!(hello.windows(expected.len()).any(|bytes| bytes == expected));
    }
}
