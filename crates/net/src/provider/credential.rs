//! A key for one request.

use std::fmt;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName};
use secrecy::{ExposeSecret as _, SecretString};

use crate::header::{HeaderRefused, parse_value};
use crate::origin::Origin;

/// How a provider wants its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Travels {
    Bearer,
    Header(&'static str),
}

/// A secret and the one origin that it may be sent to.
#[derive(Clone)]
pub struct Credential {
    secret: SecretString,
    origin: Origin,
    travels: Travels,
}

impl Credential {
    /// `Authorization: Bearer <secret>`.
    #[must_use]
    pub fn bearer(origin: Origin, secret: SecretString) -> Self {
        Self { secret, origin, travels: Travels::Bearer }
    }

    /// `<name>: <secret>`, such as `x-api-key`. The name is in lower case.
    #[must_use]
    pub fn header(name: &'static str, origin: Origin, secret: SecretString) -> Self {
        Self { secret, origin, travels: Travels::Header(name) }
    }

    pub(crate) fn is_for(&self, origin: &Origin) -> bool {
        self.origin == *origin
    }

    // INVARIANT: the value is marked sensitive, as every header's is.
    pub(crate) fn add_to(&self, headers: &mut HeaderMap) -> Result<(), HeaderRefused> {
        let (name, value) = match self.travels {
            Travels::Bearer => {
                let text = SecretString::from(format!("Bearer {}", self.secret.expose_secret()));
                (AUTHORIZATION, parse_value(AUTHORIZATION.as_str(), text.expose_secret())?)
            }
            Travels::Header(name) => {
                let refused = |_| HeaderRefused::Name { name: name.to_owned() };
                let header = HeaderName::from_lowercase(name.as_bytes()).map_err(refused)?;
                (header, parse_value(name, self.secret.expose_secret())?)
            }
        };
        headers.insert(name, value);
        Ok(())
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential")
            .field("origin", &self.origin)
            .field("travels", &self.travels)
            .finish_non_exhaustive()
    }
}
