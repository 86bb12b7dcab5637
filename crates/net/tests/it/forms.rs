use std::net::IpAddr;

use axum::Router;
use axum::routing::get;
use wiiiv_domain::HttpMethod;
use wiiiv_net::{EgressError, EgressRule, Reach, Resolver, ToolClient, Url};

use crate::service::{Service, request, rule};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// An address that no rule opens.
    Forbidden,
    NotAllowed,
    /// A URL whose place readers may disagree on.
    Refused,
    NotAUrl,
}

use Answer::{Forbidden, NotAUrl, NotAllowed, Refused};

/// `PORT` is the listening server's. Every host of the list below is on the egress list, without
/// `private`, and every name leads to 127.0.0.1.
const FORMS: [(&str, Answer); 74] = [
    ("http://127.0.0.1:PORT/", Forbidden),
    ("http://2130706433:PORT/", Forbidden),
    ("http://0x7f000001:PORT/", Forbidden),
    ("http://0x7F.0x0.0x0.0x1:PORT/", Forbidden),
    ("http://0x7f.1:PORT/", Forbidden),
    ("http://017700000001:PORT/", Forbidden),
    ("http://0177.0.0.1:PORT/", Forbidden),
    ("http://0177.0x0.0.01:PORT/", Forbidden),
    ("http://00000177.1:PORT/", Forbidden),
    ("http://127.1:PORT/", Forbidden),
    ("http://127.0.1:PORT/", Forbidden),
    ("http://127.000.000.001:PORT/", Forbidden),
    ("http://127.0.0.1.:PORT/", Forbidden),
    ("http://%31%32%37.0.0.1:PORT/", Forbidden),
    ("http://127%2e0%2e0%2e1:PORT/", Forbidden),
    ("http://127。0。0。1:PORT/", Forbidden),
    ("http://127．0．0．1:PORT/", Forbidden),
    ("http://127｡0｡0｡1:PORT/", Forbidden),
    ("http://１２７.０.０.１:PORT/", Forbidden),
    ("http://①②⑦.⓪.⓪.①:PORT/", Forbidden),
    ("http://0\u{ad}x7f000001:PORT/", Forbidden),
    ("http://127.0.0\t.1:PORT/", Forbidden),
    ("ht\ntp://127.0.0.1:PORT/", Forbidden),
    (" http://127.0.0.1:PORT/", Forbidden),
    ("HTTP://127.0.0.1:PORT/", Forbidden),
    ("http:127.0.0.1:PORT/", Forbidden),
    ("http:///127.0.0.1:PORT/", Forbidden),
    ("http:\\\\127.0.0.1:PORT/", Forbidden),
    ("http://127.0.0.1:PORT#@allowed.test/", Forbidden),
    ("http://127.0.0.1:PORT?@allowed.test/", Forbidden),
    ("http://127.0.0.1:PORT\\@allowed.test/", Forbidden),
    ("http://127.0.0.1:0PORT/", Forbidden),
    ("http://127.0.0.2:PORT/", NotAllowed),
    ("http://[::1]:PORT/", Forbidden),
    ("http://[0:0:0:0:0:0:0:1]:PORT/", Forbidden),
    ("http://[::0.0.0.1]:PORT/", Forbidden),
    ("http://[::ffff:127.0.0.1]:PORT/", Forbidden),
    ("http://[::ffff:7f00:1]:PORT/", Forbidden),
    ("http://[0:0:0:0:0:FFFF:7F00:0001]:PORT/", Forbidden),
    ("http://[::127.0.0.1]:PORT/", Forbidden),
    ("http://[64:ff9b::7f00:1]:PORT/", Forbidden),
    ("http://[2002:7f00:1::]:PORT/", Forbidden),
    ("http://[::]:PORT/", Forbidden),
    ("http://[fe80::1%25eth0]:PORT/", NotAUrl),
    ("http://[::1:PORT/", NotAUrl),
    ("http://0.0.0.0:PORT/", Forbidden),
    ("http://0:PORT/", Forbidden),
    ("http://0x:PORT/", Forbidden),
    ("http://localhost:PORT/", Forbidden),
    ("http://LOCALHOST:PORT/", Forbidden),
    ("http://loc%61lhost:PORT/", Forbidden),
    ("http://ｌｏｃａｌｈｏｓｔ:PORT/", Forbidden),
    ("http://localhost.:PORT/", Refused),
    ("http://localhost。:PORT/", Refused),
    ("http://allowed.test:PORT/", Forbidden),
    ("http://allowed.test:PORT\\@10.0.0.1/", Forbidden),
    ("http://sub.allowed.test:PORT/", Forbidden),
    ("http://127.0.0.1.allowed.test:PORT/", Forbidden),
    ("http://allowed.test.evil.test:PORT/", NotAllowed),
    ("http://notallowed.test:PORT/", NotAllowed),
    ("http://user@127.0.0.1:PORT/", Refused),
    ("http://user:pass@allowed.test:PORT/", Refused),
    ("http://allowed.test:80@127.0.0.1:PORT/", Refused),
    ("http://allowed.test%2f@127.0.0.1:PORT/", Refused),
    ("http://:@127.0.0.1:PORT/", Forbidden),
    ("http://169.254.169.254:PORT/latest/meta-data/", Forbidden),
    ("http://2852039166:PORT/", Forbidden),
    ("http://[::ffff:a9fe:a9fe]:PORT/", Forbidden),
    ("http://10.0.0.1:PORT/", Forbidden),
    ("http://256.256.256.256:PORT/", NotAUrl),
    ("http://1.2.3.4.5:PORT/", NotAUrl),
    ("file:///etc/passwd", Refused),
    ("ftp://127.0.0.1:PORT/", Refused),
    ("gopher://127.0.0.1:PORT/_GET", Refused),
];

const NAMED: [&str; 15] = [
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "::ffff:169.254.169.254",
    "localhost",
    "allowed.test",
    "*.allowed.test",
    "*.sub.test",
];

fn rules(port: u16, private: bool) -> Vec<EgressRule> {
    NAMED.iter().map(|host| rule(host, port, private)).collect()
}

fn to_loopback() -> Resolver {
    Resolver::given(|_| vec![IpAddr::from([127, 0, 0, 1])])
}

async fn ask(text: &str, rules: &[EgressRule]) -> Result<(), Answer> {
    let url = Url::parse(text).map_err(|_| NotAUrl)?;
    let answer = ToolClient::new(to_loopback()).send(request(HttpMethod::Get, url), rules).await;
    match answer {
        Ok(response) => {
            assert_eq!(response.status, 200);
            Ok(())
        }
        Err(EgressError::ForbiddenAddress { reach, .. }) => {
            assert_ne!(reach, Reach::Public);
            Err(Forbidden)
        }
        Err(EgressError::HostNotAllowed { .. }) => Err(NotAllowed),
        Err(EgressError::UrlRefused { .. }) => Err(Refused),
        Err(other) => panic!("{text}: {other:?}"),
    }
}

#[tokio::test]
async fn no_spelling_of_an_address_gets_past_the_guard() {
    let service = Service::start(Router::new().fallback(get(|| async { "secret" }))).await;
    let port = service.address.port();
    let rules = rules(port, false);
    for (form, expected) in FORMS {
        let text = form.replace("PORT", &port.to_string());
        assert_eq!(ask(&text, &rules).await, Err(expected), "{text}");
    }
    assert_eq!(service.connections(), 0);
}

#[tokio::test]
async fn the_same_spellings_of_loopback_pass_where_the_rule_is_private() {
    let service = Service::start(Router::new().fallback(get(|| async { "open" }))).await;
    let port = service.address.port();
    let rules = rules(port, true);
    let mut passed = 0;
    for (form, _) in FORMS.iter().filter(|(_, answer)| *answer == Forbidden) {
        let text = form.replace("PORT", &port.to_string());
        let url = Url::parse(&text).unwrap();
        if url.domain().is_some() || url.host_str() == Some("127.0.0.1") {
            assert_eq!(ask(&text, &rules).await, Ok(()), "{text}");
            passed += 1;
        }
    }
    assert!(passed > 35, "only {passed} of the forms mean loopback");
    assert_eq!(service.connections(), passed);
}

#[tokio::test]
async fn metadata_takes_a_private_rule_that_names_the_address() {
    let service = Service::start(Router::new().fallback(get(|| async { "token" }))).await;
    let port = service.address.port();
    let by_name = [rule("metadata.test", port, true)];
    let resolver = Resolver::given(|_| vec![IpAddr::from([169, 254, 169, 254])]);
    let url = Url::parse(&format!("http://metadata.test:{port}/")).unwrap();
    let refused = ToolClient::new(resolver).send(request(HttpMethod::Get, url), &by_name).await;
    let refused = refused.unwrap_err();
    assert!(
        matches!(refused, EgressError::ForbiddenAddress { reach: Reach::Metadata, .. }),
        "{refused:?}"
    );
}

#[tokio::test]
async fn one_bad_address_among_many_refuses_the_name() {
    let service = Service::start(Router::new().fallback(get(|| async { "secret" }))).await;
    let port = service.address.port();
    let resolver = Resolver::given(|_| {
        let mut addresses = vec![IpAddr::from([8, 8, 8, 8]); 40];
        addresses.push(IpAddr::from([127, 0, 0, 1]));
        addresses
    });
    let url = Url::parse(&format!("http://allowed.test:{port}/")).unwrap();
    let refused = ToolClient::new(resolver)
        .send(request(HttpMethod::Get, url), &[rule("allowed.test", port, false)])
        .await
        .unwrap_err();
    assert!(matches!(refused, EgressError::ForbiddenAddress { reach: Reach::Private, .. }));
    assert_eq!(service.connections(), 0);
}

#[tokio::test]
async fn an_empty_list_allows_nothing() {
    let service = Service::start(Router::new().fallback(get(|| async { "secret" }))).await;
    let refused = crate::service::get(service.url("/"), &[]).await.unwrap_err();
    assert!(matches!(refused, EgressError::HostNotAllowed { .. }));
    assert!(!refused.may_have_been_sent());
    assert_eq!(service.connections(), 0);
}
