//! Allowed redirects: a bare GET or HEAD is repeated within the origin that the plan names.

use crate::{
    origin::Origin,
    tool::{error::RedirectFault, hop::Hop},
};
use reqwest::{Response, header::LOCATION};
use url::Url;

const REDIRECTING: [u16; 5] = [301, 302, 303, 307, 308];

/// The next hop; `None` if the response is an answer.
// INVARIANT: it stays at the origin of the hop before it. Scheme, host and port are what a plan
// names and a policy allows: another one, `https` of the same host included, is another request.
pub(crate) fn next(hop: &Hop, response: &Response) -> Result<Option<Hop>, RedirectFault> {
    let status = response.status().as_u16();
    let Some(location) = response.headers().get(LOCATION) else { return Ok(None) };
    if !REDIRECTING.contains(&status) {
        return Ok(None);
    }
    let url = location.to_str().ok().and_then(|location| hop.url.join(location).ok());
    let target = url.as_ref().and_then(origin_of);
    let elsewhere = target.clone().filter(|target| origin_of(&hop.url).as_ref() != Some(target));
    if !hop.method.is_safe() || hop.body.is_some() {
        return Err(RedirectFault::NotRepeatable { status, target: elsewhere });
    }
    if let Some(target) = elsewhere {
        return Err(RedirectFault::OtherOrigin { target });
    }
    let (Some(url), Some(_)) = (url, target) else { return Err(RedirectFault::Location) };
    Ok(Some(Hop { method: hop.method, url, headers: hop.headers.clone(), body: None }))
}

/// A user in the URL does not hide where it leads.
fn origin_of(url: &Url) -> Option<Origin> {
    let mut bare = url.clone();
    bare.set_username("").ok()?;
    bare.set_password(None).ok()?;
    Origin::of(&bare).ok()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
    use url::Url;
    use wiiiv_domain::HttpMethod;

    use super::{Hop, next};
    use crate::origin::Origin;
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

    fn other(origin: &str) -> Option<RedirectFault> {
        Some(RedirectFault::OtherOrigin { target: Origin::parse(origin).unwrap() })
    }

    #[test]
    fn a_get_goes_on_within_its_origin() {
        let here = hop(HttpMethod::Get, "https://a.test/x/y");
        for (location, target) in [
            ("../z?q", "https://a.test/z?q"),
            ("//a.test/z", "https://a.test/z"),
            ("https://A.TEST:443/z", "https://a.test/z"),
            ("https://%61.test/z", "https://a.test/z"),
        ] {
            let there = follow(&here, 302, location).unwrap().unwrap();
            assert_eq!(there.url.as_str(), target);
            assert_eq!(there.headers.len(), 5);
        }
    }

    #[test]
    fn another_origin_is_named_and_not_followed() {
        let here = hop(HttpMethod::Get, "https://a.test/x/y");
        for (location, origin) in [
            ("//b.test/", "https://b.test"),
            ("https://a.test:8443/", "https://a.test:8443"),
            ("https://a.test.evil.test/?secret", "https://a.test.evil.test"),
            ("https://a.test@b.test/", "https://b.test"),
            ("https://a.test./", "https://a.test."),
            ("http://a.test/", "http://a.test"),
            ("http://0x7f000001:81/", "http://127.0.0.1:81"),
        ] {
            assert_eq!(follow(&here, 308, location).err(), other(origin), "{location}");
        }
        // Also where it would be encrypted from there on: the plan names the other scheme.
        let plain = hop(HttpMethod::Head, "http://a.test/");
        assert_eq!(follow(&plain, 301, "https://a.test/").err(), other("https://a.test"));
    }

    #[test]
    fn only_redirecting_statuses_with_a_location_redirect() {
        let here = hop(HttpMethod::Head, "https://a.test/");
        for status in [200, 201, 300, 304, 404] {
            assert!(follow(&here, status, "//b.test/").unwrap().is_none(), "{status}");
        }
        for status in [301, 302, 303, 307, 308] {
            let there = follow(&here, status, "/z").unwrap().unwrap();
            assert_eq!(there.method, HttpMethod::Head);
        }
        for location in ["http://[", "file:///etc/passwd", "javascript:1", "a:b"] {
            let refused = follow(&here, 302, location).err();
            assert_eq!(refused, Some(RedirectFault::Location), "{location}");
        }
    }

    #[test]
    fn what_may_not_be_repeated_is_not() {
        let methods = [HttpMethod::Post, HttpMethod::Put, HttpMethod::Patch, HttpMethod::Delete];
        for method in methods {
            let refused = follow(&hop(method, "https://a.test/"), 303, "/z").err();
            let reason = RedirectFault::NotRepeatable { status: 303, target: None };
            assert_eq!(refused, Some(reason));
        }
        let mut with_body = hop(HttpMethod::Get, "https://a.test/");
        with_body.body = Some(Bytes::from_static(b"{}"));
        let refused = follow(&with_body, 307, "https://b.test/z").err();
        let target = Some(Origin::parse("https://b.test").unwrap());
        assert_eq!(refused, Some(RedirectFault::NotRepeatable { status: 307, target }));
    }
}
