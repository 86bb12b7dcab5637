//! Whether a request comes from our page in a browser on this machine.

use axum::http::{HeaderMap, HeaderName, header};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The peer is this machine; the host asked for is a loopback address and no name that somebody
/// else could have pointed at one; and no other site made the browser ask.
pub(crate) fn is_own_page(peer: SocketAddr, headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| match headers.get(name) {
        Some(value) => value.to_str().map(Some).map_err(drop),
        None => Ok(None),
    };
    let asked = text(&header::HOST).ok().flatten();
    let own_origin = match (text(&header::ORIGIN), asked) {
        (Ok(None), Some(_)) => true,
        (Ok(Some(origin)), Some(host)) => origin == format!("http://{host}"),
        (Err(()), _) | (_, None) => false,
    };
    let own_site = matches!(text(&FETCH_SITE), Ok(None | Some("same-origin" | "none")));
    peer.ip().is_loopback() && asked.is_some_and(is_loopback_host) && own_origin && own_site
}

fn is_loopback_host(host: &str) -> bool {
    let Ok(url) = Url::parse(&format!("http://{host}/")) else { return false };
    // Nothing but a host and a port: what else there is would be read as something else.
    if host.contains(['@', '/', '\\', '?', '#']) {
        return false;
    }
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(peer: &str, headers: &[(HeaderName, &str)]) -> bool {
        let read =
            |(name, value): &(HeaderName, &str)| (name.clone(), value.parse().expect("a header"));
        is_own_page(peer.parse().expect("an address"), &headers.iter().map(read).collect())
    }

    #[test]
    fn a_page_of_this_machine_is_told_from_every_other() {
        let (host, origin) = (header::HOST, header::ORIGIN);
        for name in ["127.0.0.1:7717", "localhost:7717", "[::1]:7717", "127.0.0.1"] {
            assert!(own("127.0.0.1:9", &[(host.clone(), name)]), "{name}");
            let mine = format!("http://{name}");
            assert!(own("[::1]:9", &[(host.clone(), name), (origin.clone(), &mine)]), "{name}");
        }
        let here = (host.clone(), "127.0.0.1:7717");
        for (peer, headers) in [
            ("192.0.2.1:9", vec![here.clone()]),
            ("127.0.0.1:9", vec![]),
            ("127.0.0.1:9", vec![(host.clone(), "rebound.example:7717")]),
            ("127.0.0.1:9", vec![(host.clone(), "localhost.example:7717")]),
            ("127.0.0.1:9", vec![(host, "a@b@127.0.0.1/x")]),
            ("127.0.0.1:9", vec![here.clone(), (origin.clone(), "http://127.0.0.1:80")]),
            ("127.0.0.1:9", vec![here.clone(), (origin, "null")]),
            ("127.0.0.1:9", vec![here.clone(), (FETCH_SITE, "cross-site")]),
            ("127.0.0.1:9", vec![here, (FETCH_SITE, "same-site")]),
        ] {
            assert!(!own(peer, &headers), "{peer} {headers:?}");
        }
    }
}
