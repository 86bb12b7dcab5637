//! A URL as it will be sent; unknown parts are in braces.

use crate::{bound_text::bound, language::Lang};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use wiiiv_domain::{Arg, Node, UrlTemplate};

/// RFC 3986 unreserved characters stay.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(crate) fn url_text(nodes: &[Node], url: &UrlTemplate, lang: Lang) -> String {
    let part = |value: &Arg| match value {
        Arg::Literal(text) => utf8_percent_encode(text, ENCODED).to_string(),
        Arg::Bound(binding) => format!("{{{}}}", bound(nodes, binding, lang)),
    };
    let port = url.port.map(|port| format!(":{port}")).unwrap_or_default();
    let segments: Vec<_> = url.segments.iter().map(part).collect();
    let pairs: Vec<_> = url
        .query
        .iter()
        .map(|(key, value)| format!("{}={}", utf8_percent_encode(key, ENCODED), part(value)))
        .collect();
    let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
    format!("{}://{}{port}/{}{query}", url.scheme.as_str(), url.host, segments.join("/"))
}
