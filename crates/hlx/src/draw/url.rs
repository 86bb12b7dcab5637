//! Splits a URL into a template; its parts are encoded again when they are joined.

use super::reason;
use percent_encoding::percent_decode_str;
use url::{Host, Url};
use wiiiv_domain::{Arg, NotDrawn, ProjectPolicy, Scheme, SlotName, Spec, UrlTemplate};

/// The slot `url`, else `domain` read as one.
pub(super) fn template(spec: &Spec, policy: &ProjectPolicy) -> Result<UrlTemplate, NotDrawn> {
    let named = spec.slots.get(SlotName::URL).map(|text| (SlotName::URL, text));
    let domain = spec.slots.get(SlotName::DOMAIN).map(|text| (SlotName::DOMAIN, text));
    let Some((slot, text)) = named.or(domain) else {
        return Err(reason::slot(SlotName::URL, "MISSING"));
    };
    parsed(text.trim(), policy).map_err(|code| reason::slot(slot, code))
}

fn parsed(text: &str, policy: &ProjectPolicy) -> Result<UrlTemplate, &'static str> {
    let url = if has_scheme(text) { Url::parse(text) } else { bare(text, policy) };
    let url = url.map_err(|_| "URL_INVALID")?;
    let scheme = scheme_of(&url)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("URL_CREDENTIALS");
    }
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or("URL_INVALID")?.to_owned();
    let (segments, query) = parts(&url)?;
    let segments = segments.into_iter().map(Arg::Literal).collect();
    let query = query.into_iter().map(|(name, value)| (name, Arg::Literal(value))).collect();
    Ok(UrlTemplate { system: None, scheme, host, port: url.port(), segments, query })
}

/// One in the query is of another address.
fn has_scheme(text: &str) -> bool {
    let word = text.split_once("://").map_or("", |(word, _)| word);
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

type Parts = (Vec<String>, Vec<(String, String)>);

/// Segments and query, decoded; the root has no segment.
pub(super) fn parts(url: &Url) -> Result<Parts, &'static str> {
    let mut segments = Vec::new();
    for segment in url.path_segments().into_iter().flatten() {
        let text = percent_decode_str(segment).decode_utf8().map_err(|_| "URL_NOT_UTF8")?;
        segments.push(text.into_owned());
    }
    if matches!(segments.as_slice(), [only] if only.is_empty()) {
        segments.clear();
    }
    let pairs = url.query_pairs();
    let query = pairs.map(|(k, v)| (k.into_owned(), v.into_owned())).collect();
    Ok((segments, query))
}

/// A place without a scheme: HTTPS, unless the policy lists it for plain HTTP alone.
fn bare(text: &str, policy: &ProjectPolicy) -> Result<Url, url::ParseError> {
    let secure = Url::parse(&format!("https://{text}"))?;
    let plain = Url::parse(&format!("http://{text}"))?;
    let covered = |scheme, url: &Url| {
        let host = url.host_str().unwrap_or_default();
        policy.allowed_hosts.iter().any(|rule| rule.covers(scheme, host, url.port()))
    };
    let only_plain = !covered(Scheme::Https, &secure) && covered(Scheme::Http, &plain);
    Ok(if only_plain { plain } else { secure })
}

fn scheme_of(url: &Url) -> Result<Scheme, &'static str> {
    match url.scheme() {
        "http" => Ok(Scheme::Http),
        "https" => Ok(Scheme::Https),
        _ => Err("URL_SCHEME"),
    }
}

/// Whether an envelope's `host[:port]` names this place, both read by the same parser.
pub(super) fn is_place(envelope: &str, url: &UrlTemplate) -> bool {
    let Ok(place) = Url::parse(&format!("{}://{envelope}", url.scheme.as_str())) else {
        return false;
    };
    let port = url.port.unwrap_or(url.scheme.default_port());
    place.host().map(|host: Host<&str>| host.to_string()).as_deref() == Some(url.host.as_str())
        && place.port_or_known_default() == Some(port)
}
