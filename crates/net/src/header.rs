//! Headers of requests, checked.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// Those that say how the message is framed, where it goes, or belong to a proxy: set by the
/// client alone, or one request could be made to look like two.
const RESERVED: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "proxy-connection",
];
const PROXY_PREFIX: &str = "proxy-";
const HEADERS_MAX: usize = 64;
const HEADER_BYTES_MAX: usize = 16 * 1024;

/// The value is not shown: it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderRefused {
    #[error("the header `{name}` is set by the client itself: leave it out")]
    Reserved { name: String },
    #[error("`{name}` is not a header name")]
    Name { name: String },
    #[error(
        "the value of the header `{name}` holds characters that a header cannot, \
         or is longer than `16384` bytes"
    )]
    Value { name: String },
    #[error("there are more than `64` headers")]
    TooMany,
}

// INVARIANT: every value is marked sensitive, so that no debug output of the transport shows it.
pub(crate) fn parse(pairs: &[(String, String)]) -> Result<HeaderMap, HeaderRefused> {
    if pairs.len() > HEADERS_MAX {
        return Err(HeaderRefused::TooMany);
    }
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let header = parse_name(name)?;
        headers.append(header, parse_value(name, value)?);
    }
    Ok(headers)
}

fn parse_name(name: &str) -> Result<HeaderName, HeaderRefused> {
    let header: HeaderName =
        name.parse().map_err(|_| HeaderRefused::Name { name: name.to_owned() })?;
    if RESERVED.contains(&header.as_str()) || header.as_str().starts_with(PROXY_PREFIX) {
        return Err(HeaderRefused::Reserved { name: name.to_owned() });
    }
    Ok(header)
}

pub(crate) fn parse_value(name: &str, value: &str) -> Result<HeaderValue, HeaderRefused> {
    let refused = || HeaderRefused::Value { name: name.to_owned() };
    if value.len() > HEADER_BYTES_MAX {
        return Err(refused());
    }
    let mut value = HeaderValue::from_str(value).map_err(|_| refused())?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::{HeaderRefused, parse};

    fn pair(name: &str, value: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), value.to_owned())]
    }

    #[test]
    fn framing_and_smuggling_are_refused() {
        for name in ["Host", "content-length", "Transfer-Encoding", "Proxy-Authorization", "TE"] {
            let refused = parse(&pair(name, "x")).unwrap_err();
            assert_eq!(refused, HeaderRefused::Reserved { name: name.to_owned() });
        }
        assert!(matches!(parse(&pair("a b", "x")), Err(HeaderRefused::Name { .. })));
        for value in ["a\r\nHost: b", "a\nb", "\0"] {
            let refused = parse(&pair("x-note", value)).unwrap_err();
            assert_eq!(refused, HeaderRefused::Value { name: "x-note".to_owned() });
        }
        assert_eq!(parse(&vec![("a".to_owned(), String::new()); 65]), Err(HeaderRefused::TooMany));
    }

    #[test]
    fn values_are_hidden() {
        let headers = parse(&pair("Authorization", "Bearer canary-secret")).unwrap();
        assert!(!format!("{headers:?}").contains("canary"));
    }
}
