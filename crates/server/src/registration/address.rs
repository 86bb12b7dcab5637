//! The normal form of a base address, as plans, policies and credentials name it.

use percent_encoding::percent_decode_str;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};
use wiiiv_domain::{BaseUrl, Scheme};

/// Endings of names that lead into somebody's own network.
const PRIVATE_ENDINGS: [&str; 5] = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];

/// `https://host:8443/base`.
pub(super) fn parsed(text: &str) -> Result<BaseUrl, &'static str> {
    let url = Url::parse(text.trim()).map_err(|_| "not a URL, such as `https://host:8443/base`")?;
    let scheme = match url.scheme() {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => return Err("the scheme is `http` or `https`"),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a credential is set apart, never in the address");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("a base address has no query and no fragment");
    }
    let decoded = |segment: &str| percent_decode_str(segment).decode_utf8().map(Into::into);
    let segments = url.path_segments().into_iter().flatten();
    let segments: Result<Vec<String>, _> =
        segments.filter(|segment| !segment.is_empty()).map(decoded).collect();
    let host = url.host_str().unwrap_or_default().to_owned();
    let segments = segments.map_err(|_| "its path is not UTF-8")?;
    tidied(BaseUrl { scheme, host, port: url.port(), segments })
}

/// `127.1` becomes `127.0.0.1`, a name its lower case or its Punycode, the scheme's own port none.
pub(super) fn tidied(base: BaseUrl) -> Result<BaseUrl, &'static str> {
    let host = Host::parse(&base.host).map_err(|_| "not a host")?.to_string();
    if host.ends_with('.') {
        return Err("a host does not end in a dot");
    }
    let port = base.port.filter(|port| *port != base.scheme.default_port());
    if port == Some(0) {
        return Err("a port is `1` to `65535`");
    }
    Ok(BaseUrl { host, port, ..base })
}

/// Whether a rule for it has to say `private`, as far as its name tells.
pub(crate) fn is_private(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Ipv4(address)) => is_private_v4(address),
        Ok(Host::Ipv6(address)) => is_private_v6(address),
        Ok(Host::Domain(name)) => {
            !name.contains('.') || PRIVATE_ENDINGS.iter().any(|ending| name.ends_with(ending))
        }
        Err(_) => false,
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let carriers = first == 100 && (64..128).contains(&second);
    address.is_private() || address.is_loopback() || address.is_link_local() || carriers
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_private, parsed, tidied};
    use wiiiv_domain::{BaseUrl, Scheme};

    #[test]
    fn an_address_has_one_form() {
        for (text, origin, segments) in [
            ("http://127.1:8081", "http://127.0.0.1:8081", vec![]),
            ("HTTPS://Shop.Example:443/Api/v1/", "https://shop.example:443", vec!["Api", "v1"]),
            ("http://몰.example/%EA%B0%80", "http://xn--352b.example:80", vec!["가"]),
            ("http://[0:0::1]:80/", "http://[::1]:80", vec![]),
        ] {
            let base = parsed(text).unwrap();
            assert_eq!(
                (base.origin().as_str(), base.segments),
                (origin, segments.iter().map(|s| (*s).to_owned()).collect()),
                "{text}"
            );
        }
        let parts = BaseUrl {
            scheme: Scheme::Https,
            host: "Shop.Example".into(),
            port: Some(443),
            segments: vec![],
        };
        let tidy = tidied(parts).unwrap();
        assert_eq!((tidy.host.as_str(), tidy.port), ("shop.example", None));
    }

    #[test]
    fn what_is_no_base_address_is_refused() {
        for text in [
            "shop.example",
            "ftp://shop.example",
            "file:///etc/passwd",
            "http://user:pass@shop.example",
            "http://user@shop.example",
            "http://shop.example/?key=1",
            "http://shop.example/#x",
            "http://shop.example.",
            "http://shop.example:0",
            "http://shop.example/%FF",
            "http://",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_and_addresses_of_ones_own_network_are_private() {
        for host in [
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "169.254.1.1",
            "100.64.0.1",
            "[::1]",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
            "localhost",
            "stock",
            "a.internal",
            "b.local",
        ] {
            assert!(is_private(host), "{host}");
        }
        for host in ["shop.example", "8.8.8.8", "100.128.0.1", "[2606:4700::1]", "local.example"] {
            assert!(!is_private(host), "{host}");
        }
    }
}
