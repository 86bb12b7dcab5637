//! Finds the host in a text.

/// `host[:port]` of a URL or a bare domain; `None` if there is none.
pub(crate) fn host_of(text: &str) -> Option<String> {
    // A `://` after a path or a query belongs to another address.
    let scheme = text.split_once("://").filter(|(word, _)| !word.contains(['/', '?', '#']));
    let rest = scheme.map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default().to_lowercase();
    (!host.is_empty() && !host.contains(char::is_whitespace)).then_some(host)
}
