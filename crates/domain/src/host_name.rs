//! The host that a text names.

/// `host[:port]` of a URL or a bare domain; `None` where there is none to be seen.
pub(crate) fn host_of(text: &str) -> Option<String> {
    // One that stands behind a path or a query is of another address.
    let scheme = text.split_once("://").filter(|(word, _)| !word.contains(['/', '?', '#']));
    let rest = scheme.map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default().to_lowercase();
    (!host.is_empty() && !host.contains(char::is_whitespace)).then_some(host)
}
