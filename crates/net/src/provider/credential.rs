//! A key on its way into a request.

use std::fmt;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use secrecy::{ExposeSecret as _, SecretString};

use crate::header::{HeaderRefused, parse_value};

/// A secret that travels as `Authorization`.
#[derive(Clone)]
pub struct Credential {
    secret: SecretString,
}

impl Credential {
    /// `Authorization: Bearer <secret>`.
    #[must_use]
    pub fn bearer(secret: SecretString) -> Self {
        Self { secret }
    }

    pub(crate) fn add_to(&self, headers: &mut HeaderMap) -> Result<(), HeaderRefused> {
        let text = SecretString::from(format!("Bearer {}", self.secret.expose_secret()));
        let value = parse_value(AUTHORIZATION.as_str(), text.expose_secret())?;
        headers.insert(AUTHORIZATION, value);
        Ok(())
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential").finish_non_exhaustive()
    }
}
