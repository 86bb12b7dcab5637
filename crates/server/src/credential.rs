//! The token of a request: a bearer's, or a browser's cookie with its CSRF token.

use crate::problem::{Problem, ProblemCode};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};

pub(crate) const CSRF_HEADER: HeaderName = HeaderName::from_static("x-csrf-token");
const COOKIE: &str = "wiiiv_session";
/// Bound to this host by the browser; needs TLS.
const SECURE_COOKIE: &str = "__Host-wiiiv_session";

/// Never shown: `SecretString` keeps it out of `Debug`.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    /// What the store knows the hash of.
    pub token: SecretString,
    pub from_cookie: bool,
}

impl Credential {
    /// A bearer token goes before a cookie. A cookie alone may change nothing: another site could
    /// have made the browser send it. `secure`: only the cookie that the browser has bound to this
    /// host counts; the other name could have been set by a neighbouring one.
    pub(crate) fn of(method: &Method, headers: &HeaderMap, secure: bool) -> Result<Self, Problem> {
        if let Some(text) = bearer(headers) {
            return Ok(Self::read(text, false));
        }
        let read = Self::read(cookie(headers, secure).ok_or(ProblemCode::Unauthenticated)?, true);
        if !method.is_safe() && !has_csrf(headers, &read.token) {
            return Err(ProblemCode::CsrfRequired.into());
        }
        Ok(read)
    }

    fn read(text: &str, from_cookie: bool) -> Self {
        Self { token: SecretString::from(text), from_cookie }
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie(headers: &HeaderMap, secure: bool) -> Option<&str> {
    let wanted = if secure { SECURE_COOKIE } else { COOKIE };
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|p| p.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == wanted)?;
    (!value.is_empty()).then_some(value)
}

/// Known to whoever knows the session's token, so to our own pages alone.
pub(crate) fn csrf_of(token: &SecretString) -> String {
    let mut hash = Sha256::new();
    hash.update(b"wiiiv csrf\0");
    hash.update(token.expose_secret().as_bytes());
    hex::encode(hash.finalize())
}

fn has_csrf(headers: &HeaderMap, token: &SecretString) -> bool {
    let given = headers.get(CSRF_HEADER).map(HeaderValue::as_bytes).unwrap_or_default();
    // Hashes are compared, so that the time tells nothing about the token.
    Sha256::digest(given) == Sha256::digest(csrf_of(token).as_bytes())
}

/// `None` takes the cookie away.
pub(crate) fn set_cookie(
    token: Option<&SecretString>,
    seconds: i64,
    secure: bool,
) -> Option<(HeaderName, HeaderValue)> {
    let (name, tls) = if secure { (SECURE_COOKIE, "; Secure") } else { (COOKIE, "") };
    let (value, age) = token.map_or(("", 0), |token| (token.expose_secret(), seconds));
    let text = format!("{name}={value}; Max-Age={age}; Path=/; HttpOnly; SameSite=Strict{tls}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some((header::SET_COOKIE, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(method: Method, headers: &[(HeaderName, &str)]) -> Result<(String, bool), ProblemCode> {
        read_where(false, method, headers)
    }

    fn read_where(
        secure: bool,
        method: Method,
        headers: &[(HeaderName, &str)],
    ) -> Result<(String, bool), ProblemCode> {
        let headers = headers.iter().map(|(n, v)| (n.clone(), v.parse().expect("a header")));
        let credential = Credential::of(&method, &headers.collect(), secure);
        credential
            .map(|c| (c.token.expose_secret().to_owned(), c.from_cookie))
            .map_err(|problem| problem.code())
    }

    #[test]
    fn a_cookie_alone_changes_nothing() {
        let cookie = (header::COOKIE, "a=b; wiiiv_session=wiiiv_t");
        let csrf = csrf_of(&SecretString::from("wiiiv_t"));
        let other = csrf_of(&SecretString::from("wiiiv_u"));
        let mine = Ok(("wiiiv_t".to_owned(), true));
        assert_eq!(read(Method::GET, std::slice::from_ref(&cookie)), mine);
        let refused = Err(ProblemCode::CsrfRequired);
        assert_eq!(read(Method::POST, std::slice::from_ref(&cookie)), refused);
        assert_eq!(read(Method::DELETE, &[cookie.clone(), (CSRF_HEADER, &other)]), refused);
        assert_eq!(read(Method::POST, &[cookie, (CSRF_HEADER, &csrf)]), mine);
    }

    #[test]
    fn over_tls_only_the_cookie_that_is_bound_to_this_host_counts() {
        let nobody = Err(ProblemCode::Unauthenticated);
        let plain = (header::COOKIE, "wiiiv_session=wiiiv_planted");
        assert_eq!(read_where(true, Method::GET, std::slice::from_ref(&plain)), nobody);
        let bound = (header::COOKIE, "wiiiv_session=wiiiv_planted; __Host-wiiiv_session=wiiiv_t");
        let mine = Ok(("wiiiv_t".to_owned(), true));
        assert_eq!(read_where(true, Method::GET, std::slice::from_ref(&bound)), mine);
        let planted = Ok(("wiiiv_planted".to_owned(), true));
        assert_eq!(read_where(false, Method::GET, &[bound]), planted);
    }

    #[test]
    fn a_bearer_needs_no_csrf_and_nobody_is_nobody() {
        let bearer = (header::AUTHORIZATION, "bearer wiiiv_b");
        assert_eq!(read(Method::POST, &[bearer]), Ok(("wiiiv_b".to_owned(), false)));
        assert_eq!(read(Method::GET, &[]), Err(ProblemCode::Unauthenticated));
        let basic = (header::AUTHORIZATION, "Basic eA==");
        assert_eq!(read(Method::GET, &[basic]), Err(ProblemCode::Unauthenticated));
    }

    #[test]
    fn a_token_is_never_shown() {
        let read = Credential::read("wiiiv_t", false);
        assert_eq!(read.token.expose_secret(), "wiiiv_t");
        assert!(!format!("{read:?}").contains("wiiiv_t"));
    }

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let token = SecretString::from("wiiiv_t");
        let (_, value) = set_cookie(Some(&token), 60, true).expect("a header");
        let text = value.to_str().expect("text");
        assert_eq!(
            text,
            "__Host-wiiiv_session=wiiiv_t; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure"
        );
        assert!(!format!("{value:?}").contains("wiiiv_t"));
    }
}
