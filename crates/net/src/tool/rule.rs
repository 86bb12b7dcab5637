//! One line of an egress list, parsed.

use std::net::Ipv6Addr;

use url::{Host, Url};
use wiiiv_domain::{HostRule, Scheme};

use crate::origin::scheme_of;
use crate::tool::address::Reach;

/// Where a request may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressRule {
    scheme: Option<Scheme>,
    host: HostPattern,
    port: Option<u16>,
    private: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostPattern {
    Exact(Host<String>),
    /// Any name below this one, but not the name itself.
    Below(String),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleFormat {
    #[error(
        "`{host}` is not a host: write a name, an address or `*.name`, without scheme, port or path"
    )]
    NotAHost { host: String },
    #[error("`{host}` allows too much: a `*` may only stand before a name of two parts or more")]
    TooWide { host: String },
}

impl EgressRule {
    /// `scheme: None` allows both, `port: None` the scheme's own.
    pub fn new(
        scheme: Option<Scheme>,
        host: &str,
        port: Option<u16>,
        private: bool,
    ) -> Result<Self, RuleFormat> {
        Ok(Self { scheme, host: HostPattern::parse(host)?, port, private })
    }

    #[must_use]
    pub(crate) fn names(&self, url: &Url) -> bool {
        let (Some(scheme), Some(host)) = (scheme_of(url), url.host()) else { return false };
        self.scheme.is_none_or(|own| own == scheme)
            && self.port.unwrap_or(scheme.default_port())
                == url.port().unwrap_or(scheme.default_port())
            && self.host.names(&host)
    }

    /// Whether an address of that reach may be dialled for a host that this rule names.
    pub(crate) fn allows(&self, reach: Reach) -> bool {
        match reach {
            Reach::Public => true,
            Reach::Private => self.private,
            Reach::Metadata => self.private && self.host.is_address(),
            Reach::Never => false,
        }
    }
}

impl TryFrom<&HostRule> for EgressRule {
    type Error = RuleFormat;

    fn try_from(rule: &HostRule) -> Result<Self, RuleFormat> {
        Self::new(rule.scheme, &rule.host, rule.port, rule.private)
    }
}

impl HostPattern {
    fn parse(text: &str) -> Result<Self, RuleFormat> {
        let not_a_host = || RuleFormat::NotAHost { host: text.to_owned() };
        if let Some(parent) = text.strip_prefix("*.") {
            let Host::Domain(parent) = parse_host(parent).ok_or_else(not_a_host)? else {
                return Err(not_a_host());
            };
            if !parent.contains('.') || parent.contains('*') {
                return Err(RuleFormat::TooWide { host: text.to_owned() });
            }
            return Ok(Self::Below(parent));
        }
        if text.contains('*') {
            return Err(RuleFormat::TooWide { host: text.to_owned() });
        }
        parse_host(text).map(Self::Exact).ok_or_else(not_a_host)
    }

    fn names(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::Exact(own), host) => own.clone() == host.to_owned(),
            (Self::Below(parent), Host::Domain(name)) => name
                .strip_suffix(parent.as_str())
                .and_then(|sub| sub.strip_suffix('.'))
                .is_some_and(|sub| !sub.is_empty()),
            (Self::Below(_), Host::Ipv4(_) | Host::Ipv6(_)) => false,
        }
    }

    fn is_address(&self) -> bool {
        match self {
            Self::Exact(Host::Ipv4(_) | Host::Ipv6(_)) => true,
            Self::Exact(Host::Domain(_)) | Self::Below(_) => false,
        }
    }
}

/// As the URL parser reads hosts, so that both sides of a comparison were read alike.
fn parse_host(text: &str) -> Option<Host<String>> {
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some(Host::Ipv6(address));
    }
    let host = Host::parse(text).ok()?;
    match &host {
        Host::Domain(name) if name.ends_with('.') || name.is_empty() => None,
        Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_) => Some(host),
    }
}

#[cfg(test)]
mod tests {
    use url::Url;
    use wiiiv_domain::Scheme;

    use super::{EgressRule, RuleFormat};
    use crate::tool::address::Reach;

    #[track_caller]
    fn names(scheme: Option<Scheme>, host: &str, port: Option<u16>, urls: &[(&str, bool)]) {
        let rule = EgressRule::new(scheme, host, port, false).unwrap();
        for (url, expected) in urls {
            assert_eq!(rule.names(&Url::parse(url).unwrap()), *expected, "{host}: {url}");
        }
    }

    #[test]
    fn exact_names_and_addresses() {
        names(
            None,
            "API.Test",
            None,
            &[
                ("https://api.test/x", true),
                ("http://API.TEST:80", true),
                ("https://api.test:8443", false),
                ("https://x.api.test", false),
                ("https://api.test.evil.test", false),
                ("https://xapi.test", false),
            ],
        );
        names(
            None,
            "127.0.0.1",
            Some(8080),
            &[
                ("http://127.0.0.1:8080", true),
                ("http://0x7f000001:8080", true),
                ("http://[::ffff:127.0.0.1]:8080", false),
                ("http://127.0.0.1", false),
            ],
        );
        names(None, "::1", None, &[("http://[::1]/", true), ("http://[0:0::1]/", true)]);
        names(None, "한국.test", None, &[("https://xn--3e0b707e.test/", true)]);
    }

    #[test]
    fn names_below_a_name() {
        names(
            Some(Scheme::Https),
            "*.example.com",
            None,
            &[
                ("https://a.example.com", true),
                ("https://a.b.example.com", true),
                ("https://example.com", false),
                ("https://.example.com", false),
                ("https://aexample.com", false),
                ("http://a.example.com", false),
                ("https://a.example.com.evil.test", false),
            ],
        );
    }

    #[test]
    fn what_is_no_host_or_too_wide_is_refused() {
        for host in [
            "",
            "a b",
            "https://a.test",
            "a.test:80",
            "a.test/x",
            "a.test.",
            "*.127.0.0.1",
            "u@a.test",
        ] {
            let refused = EgressRule::new(None, host, None, false);
            assert_eq!(refused, Err(RuleFormat::NotAHost { host: host.to_owned() }));
        }
        for host in ["*", "*.com", "a.*.test", "*a.test", "*.*.test"] {
            let refused = EgressRule::new(None, host, None, false).unwrap_err();
            assert!(
                matches!(refused, RuleFormat::TooWide { .. } | RuleFormat::NotAHost { .. }),
                "{host}"
            );
        }
    }

    #[test]
    fn private_opens_private_ranges_and_no_more() {
        let rule = |host, private| EgressRule::new(None, host, None, private).unwrap();
        let by_rule = [
            (rule("a.test", false), [true, false, false, false]),
            (rule("a.test", true), [true, true, false, false]),
            (rule("*.a.test", true), [true, true, false, false]),
            (rule("169.254.169.254", false), [true, false, false, false]),
            (rule("169.254.169.254", true), [true, true, true, false]),
        ];
        for (rule, expected) in by_rule {
            let reaches = [Reach::Public, Reach::Private, Reach::Metadata, Reach::Never];
            assert_eq!(reaches.map(|reach| rule.allows(reach)), expected, "{rule:?}");
        }
    }
}
