//! The token of a request: a bearer token, or a browser's cookie with its page key.
//!
//! Another site can make a browser send the cookie, and other ports of the host receive it too;
//! neither has the page key, so neither can read or change anything.

use crate::problem::{Problem, ProblemCode};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_store::Presented;

/// With every request of a browser.
pub(crate) const PAGE_KEY_HEADER: HeaderName = HeaderName::from_static("x-page-key");
/// A port follows where the address has one: servers of one host have their cookies apart.
const COOKIE: &str = "wiiiv_session";
/// Bound to this host by the browser; needs TLS.
const SECURE_COOKIE: &str = "__Host-wiiiv_session";

/// Never shown: `SecretString` keeps it out of `Debug`.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    /// What the store knows the hash of.
    pub token: SecretString,
    /// Where the token came as a cookie.
    page_key: Option<SecretString>,
}

impl Credential {
    /// A bearer token goes before a cookie. `secure`: only the cookie that the browser has bound to
    /// this host counts; the other name could have been set by a neighbouring one.
    pub(crate) fn of(headers: &HeaderMap, secure: bool) -> Result<Self, Problem> {
        if let Some(text) = bearer(headers) {
            return Ok(Self { token: SecretString::from(text), page_key: None });
        }
        let token = cookie(headers, secure).ok_or(ProblemCode::Unauthenticated)?;
        let page_key = headers.get(PAGE_KEY_HEADER).and_then(|value| value.to_str().ok());
        let page_key = page_key.ok_or(ProblemCode::Unauthenticated)?;
        let page_key = Some(SecretString::from(page_key));
        Ok(Self { token: SecretString::from(token), page_key })
    }

    pub(crate) fn presented(&self) -> Presented<'_> {
        let token = self.token.expose_secret();
        match &self.page_key {
            Some(key) => Presented::Cookie { token, page_key: key.expose_secret() },
            None => Presented::Bearer(token),
        }
    }

    pub(crate) const fn is_from_cookie(&self) -> bool {
        self.page_key.is_some()
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie_name(headers: &HeaderMap, secure: bool) -> String {
    if secure {
        return SECURE_COOKIE.to_owned();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let port = host.and_then(|host| host.rsplit_once(':')?.1.parse::<u16>().ok());
    port.map_or_else(|| COOKIE.to_owned(), |port| format!("{COOKIE}_{port}"))
}

fn cookie(headers: &HeaderMap, secure: bool) -> Option<&str> {
    let wanted = cookie_name(headers, secure);
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|p| p.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == wanted)?;
    (!value.is_empty()).then_some(value)
}

/// `None` takes the cookie away. `asked`: the headers of the request.
pub(crate) fn set_cookie(
    token: Option<&SecretString>,
    seconds: i64,
    (asked, secure): (&HeaderMap, bool),
) -> Option<(HeaderName, HeaderValue)> {
    let (name, tls) = (cookie_name(asked, secure), if secure { "; Secure" } else { "" });
    let (value, age) = token.map_or(("", 0), |token| (token.expose_secret(), seconds));
    let text = format!("{name}={value}; Max-Age={age}; Path=/; HttpOnly; SameSite=Strict{tls}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some((header::SET_COOKIE, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(headers: &[(HeaderName, &str)]) -> Result<(String, bool), ProblemCode> {
        read_where(false, headers)
    }

    fn read_where(
        secure: bool,
        headers: &[(HeaderName, &str)],
    ) -> Result<(String, bool), ProblemCode> {
        let headers = headers.iter().map(|(n, v)| (n.clone(), v.parse().expect("a header")));
        let credential = Credential::of(&headers.collect(), secure);
        credential
            .map(|c| (c.token.expose_secret().to_owned(), c.is_from_cookie()))
            .map_err(|problem| problem.code())
    }

    #[test]
    fn a_cookie_alone_is_nobody() {
        let cookie = (header::COOKIE, "a=b; wiiiv_session=wiiiv_t");
        let key = (PAGE_KEY_HEADER, "wiiivp_k");
        assert_eq!(read(std::slice::from_ref(&cookie)), Err(ProblemCode::Unauthenticated));
        assert_eq!(read(std::slice::from_ref(&key)), Err(ProblemCode::Unauthenticated));
        assert_eq!(read(&[cookie, key]), Ok(("wiiiv_t".to_owned(), true)));
    }

    #[test]
    fn over_tls_only_the_cookie_that_is_bound_to_this_host_counts() {
        let key = (PAGE_KEY_HEADER, "wiiivp_k");
        let plain = (header::COOKIE, "wiiiv_session=wiiiv_planted");
        let nobody = Err(ProblemCode::Unauthenticated);
        assert_eq!(read_where(true, &[plain, key.clone()]), nobody);
        let bound = (header::COOKIE, "wiiiv_session=wiiiv_planted; __Host-wiiiv_session=wiiiv_t");
        let mine = Ok(("wiiiv_t".to_owned(), true));
        assert_eq!(read_where(true, &[bound.clone(), key.clone()]), mine);
        let planted = Ok(("wiiiv_planted".to_owned(), true));
        assert_eq!(read_where(false, &[bound, key]), planted);
    }

    #[test]
    fn each_port_of_a_host_has_a_cookie_of_its_own() {
        for (host, due) in [
            ("127.0.0.1:7717", "wiiiv_session_7717"),
            ("[::1]:80", "wiiiv_session_80"),
            ("[::1]", "wiiiv_session"),
            ("wiiiv.example", "wiiiv_session"),
            ("a:b;c", "wiiiv_session"),
        ] {
            let asked = [(header::HOST, host.parse().expect("a host"))].into_iter().collect();
            assert_eq!(cookie_name(&asked, false), due, "{host}");
        }
    }

    #[test]
    fn a_bearer_needs_no_page_key_and_nobody_is_nobody() {
        let bearer = (header::AUTHORIZATION, "bearer wiiiv_b");
        assert_eq!(read(&[bearer]), Ok(("wiiiv_b".to_owned(), false)));
        assert_eq!(read(&[]), Err(ProblemCode::Unauthenticated));
        let basic = (header::AUTHORIZATION, "Basic eA==");
        assert_eq!(read(&[basic]), Err(ProblemCode::Unauthenticated));
    }

    #[test]
    fn a_token_is_never_shown() {
        let headers = [(header::COOKIE, "wiiiv_session=wiiiv_t"), (PAGE_KEY_HEADER, "wiiivp_k")];
        let headers = headers.into_iter().map(|(n, v)| (n, HeaderValue::from_static(v)));
        let read = Credential::of(&headers.collect(), false).expect("a credential");
        assert_eq!(read.token.expose_secret(), "wiiiv_t");
        let shown = format!("{read:?}");
        assert!(!shown.contains("wiiiv_t") && !shown.contains("wiiivp_k"), "{shown}");
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let token = SecretString::from("wiiiv_t");
        let nothing = HeaderMap::new();
        let (_, value) = set_cookie(Some(&token), 60, (&nothing, true)).expect("a header");
        let text = value.to_str().expect("text");
        assert_eq!(
            text,
            "__Host-wiiiv_session=wiiiv_t; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure"
        );
        assert!(!format!("{value:?}").contains("wiiiv_t"));
    }
}
