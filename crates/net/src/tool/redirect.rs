//! What a redirect may do: repeat a bare GET or HEAD elsewhere, with less in its hands.

use reqwest::Response;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HeaderMap, HeaderName, LOCATION, USER_AGENT,
};

use crate::origin::scheme_of;
use crate::tool::client::Hop;
use crate::tool::error::RedirectFault;

const REDIRECTING: [u16; 5] = [301, 302, 303, 307, 308];
/// What goes along to another origin. Anything else may be a credential, whatever its name.
const CARRIED: [HeaderName; 4] = [ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, USER_AGENT];

/// The next hop; `None` if the response is an answer.
pub(crate) fn next(hop: &Hop, response: &Response) -> Result<Option<Hop>, RedirectFault> {
    let status = response.status().as_u16();
    let Some(location) = response.headers().get(LOCATION) else { return Ok(None) };
    if !REDIRECTING.contains(&status) {
        return Ok(None);
    }
    if !hop.method.is_safe() || hop.body.is_some() {
        return Err(RedirectFault::NotRepeatable { status });
    }
    let location = location.to_str().map_err(|_| RedirectFault::Location)?;
    let url = hop.url.join(location).map_err(|_| RedirectFault::Location)?;
    if hop.url.scheme() == "https" && scheme_of(&url).is_some() && url.scheme() != "https" {
        return Err(RedirectFault::Downgrade);
    }
    let headers =
        if url.origin() == hop.url.origin() { hop.headers.clone() } else { carried(&hop.headers) };
    Ok(Some(Hop { method: hop.method, url, headers, body: None }))
}

fn carried(headers: &HeaderMap) -> HeaderMap {
    let kept = headers.iter().filter(|(name, _)| CARRIED.contains(name));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
    use url::Url;
    use wiiiv_domain::HttpMethod;

    use super::{Hop, next};
    use crate::tool::error::RedirectFault;

    fn hop(method: HttpMethod, url: &str) -> Hop {
        let headers = ["accept", "authorization", "cookie", "x-api-key", "idempotency-key"];
        let headers: HeaderMap = headers
            .map(|name| (HeaderName::from_static(name), HeaderValue::from_static("v")))
            .into_iter()
            .collect();
        Hop { method, url: Url::parse(url).unwrap(), headers, body: None }
    }

    fn follow(hop: &Hop, status: u16, location: &str) -> Result<Option<Hop>, RedirectFault> {
        let response = http::Response::builder().status(status).header("location", location);
        next(hop, &response.body("").unwrap().into())
    }

    #[test]
    fn a_get_goes_on_and_keeps_its_headers_at_home_only() {
        let here = hop(HttpMethod::Get, "https://a.test/x/y");
        let there = follow(&here, 302, "../z?q").unwrap().unwrap();
        assert_eq!(there.url.as_str(), "https://a.test/z?q");
        assert_eq!(there.headers.len(), 5);
        for location in ["//b.test/", "https://a.test:8443/", "https://a.test.evil.test/"] {
            let there = follow(&here, 308, location).unwrap().unwrap();
            assert_eq!(there.headers.keys().collect::<Vec<_>>(), [ACCEPT], "{location}");
        }
    }

    #[test]
    fn only_redirecting_statuses_with_a_location_redirect() {
        let here = hop(HttpMethod::Head, "https://a.test/");
        for status in [200, 201, 300, 304, 404] {
            assert!(follow(&here, status, "/z").unwrap().is_none(), "{status}");
        }
        for status in [301, 302, 303, 307, 308] {
            let there = follow(&here, status, "/z").unwrap().unwrap();
            assert_eq!(there.method, HttpMethod::Head);
        }
    }

    #[test]
    fn what_may_not_be_repeated_is_not() {
        let methods = [HttpMethod::Post, HttpMethod::Put, HttpMethod::Patch, HttpMethod::Delete];
        for method in methods {
            let refused = follow(&hop(method, "https://a.test/"), 303, "/z").err();
            assert_eq!(refused, Some(RedirectFault::NotRepeatable { status: 303 }));
        }
        let mut with_body = hop(HttpMethod::Get, "https://a.test/");
        with_body.body = Some(Bytes::from_static(b"{}"));
        let refused = follow(&with_body, 307, "/z").err();
        assert_eq!(refused, Some(RedirectFault::NotRepeatable { status: 307 }));
    }

    #[test]
    fn encryption_is_not_given_up() {
        let here = hop(HttpMethod::Get, "https://a.test/");
        assert_eq!(follow(&here, 302, "http://a.test/").err(), Some(RedirectFault::Downgrade));
        let here = hop(HttpMethod::Get, "http://a.test/");
        assert!(follow(&here, 302, "https://a.test/").unwrap().is_some());
        assert_eq!(follow(&here, 302, "http://[").err(), Some(RedirectFault::Location));
    }
}
