//! An origin: scheme, host and port. A key is bound to one.

pub(crate) mod models;

use std::fmt;

use url::Url;
use wiiiv_domain::Scheme;

/// Normalised: lower case, punycode, decimal addresses, the port always there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    scheme: Scheme,
    host: String,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OriginFormat {
    #[error("the origin is not a URL: write it as `https://host` or `http://host:port`")]
    NotAUrl,
    #[error("the scheme `{scheme}` is not `http` or `https`")]
    Scheme { scheme: String },
    #[error("the origin names a user or password: write it as `https://host`")]
    UserInfo,
    #[error("the origin has a path, query or fragment: write it as `https://host`")]
    NotBare,
}

impl Origin {
    /// A bare origin, such as `https://api.openai.com` or `http://localhost:11434`.
    pub fn parse(text: &str) -> Result<Self, OriginFormat> {
        let url = Url::parse(text.trim()).map_err(|_| OriginFormat::NotAUrl)?;
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let origin = Self::of(&url)?;
        if bare { Ok(origin) } else { Err(OriginFormat::NotBare) }
    }

    pub fn of(url: &Url) -> Result<Self, OriginFormat> {
        let scheme = scheme_of(url)
            .ok_or_else(|| OriginFormat::Scheme { scheme: url.scheme().to_owned() })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(OriginFormat::UserInfo);
        }
        let host = url.host_str().ok_or(OriginFormat::NotAUrl)?.to_owned();
        let port = url.port().unwrap_or(scheme.default_port());
        Ok(Self { scheme, host, port })
    }
}

pub(crate) fn scheme_of(url: &Url) -> Option<Scheme> {
    Scheme::ALL.into_iter().find(|scheme| scheme.as_str() == url.scheme())
}

/// As browsers write it: the scheme's own port is left out.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host)?;
        if self.port == self.scheme.default_port() { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, OriginFormat};

    #[test]
    fn spellings_of_one_origin_are_equal() {
        let origin = Origin::parse("https://api.openai.com").unwrap();
        for text in
            ["https://API.OpenAI.com/", "https://api.openai.com:443", " https://api.openai.com\n"]
        {
            assert_eq!(Origin::parse(text).as_ref(), Ok(&origin));
        }
        assert_eq!(origin.to_string(), "https://api.openai.com");
        let local = Origin::parse("http://0x7f.1:11434").unwrap();
        assert_eq!(local.to_string(), "http://127.0.0.1:11434");
    }

    #[test]
    fn another_scheme_host_or_port_is_another_origin() {
        let origin = Origin::parse("https://a.test").unwrap();
        for text in
            ["http://a.test", "https://b.test", "https://a.test:8443", "https://a.test.evil.test"]
        {
            assert_ne!(Origin::parse(text).unwrap(), origin);
        }
    }

    #[test]
    fn what_is_no_bare_origin_is_refused() {
        for (text, expected) in [
            ("a.test", OriginFormat::NotAUrl),
            ("https://a.test/v1", OriginFormat::NotBare),
            ("https://a.test?x", OriginFormat::NotBare),
            ("https://a.test@b.test", OriginFormat::UserInfo),
            ("ftp://a.test", OriginFormat::Scheme { scheme: "ftp".to_owned() }),
        ] {
            assert_eq!(Origin::parse(text), Err(expected), "{text}");
        }
    }
}
