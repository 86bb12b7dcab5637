//! A key on its way into a request.

use std::fmt;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName};
use secrecy::{ExposeSecret as _, SecretString};

use crate::header::{HeaderRefused, parse_value};

/// A header whose value is secret.
#[derive(Clone)]
pub struct Credential {
    header: HeaderName,
    prefix: &'static str,
    secret: SecretString,
}

impl Credential {
    /// `Authorization: Bearer <secret>`.
    #[must_use]
    pub fn bearer(secret: SecretString) -> Self {
        Self { header: AUTHORIZATION, prefix: "Bearer ", secret }
    }

    /// `x-api-key: <secret>`, as Anthropic has it.
    #[must_use]
    pub fn x_api_key(secret: SecretString) -> Self {
        Self { header: HeaderName::from_static("x-api-key"), prefix: "", secret }
    }

    /// `x-goog-api-key: <secret>`, as Google has it.
    #[must_use]
    pub fn x_goog_api_key(secret: SecretString) -> Self {
        Self { header: HeaderName::from_static("x-goog-api-key"), prefix: "", secret }
    }

    pub(crate) fn add_to(&self, headers: &mut HeaderMap) -> Result<(), HeaderRefused> {
        let text = SecretString::from(format!("{}{}", self.prefix, self.secret.expose_secret()));
        let value = parse_value(self.header.as_str(), text.expose_secret())?;
        headers.insert(self.header.clone(), value);
        Ok(())
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential").field("header", &self.header).finish_non_exhaustive()
    }
}
