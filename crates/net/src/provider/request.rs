//! A request to a provider, and its whole answer.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use url::Url;

use crate::provider::credential::Credential;

/// How much of an answer is read where the request does not say less.
const RESPONSE_BYTES_MAX: usize = 32 * 1_048_576;

#[derive(Clone)]
pub struct ProviderRequest {
    pub url: Url,
    pub credential: Option<Credential>,
    pub headers: Vec<(String, String)>,
    /// JSON.
    pub body: Bytes,
    /// Less than the client's own total, or `None` for that.
    pub total: Option<Duration>,
    pub max_bytes: usize,
}

impl ProviderRequest {
    #[must_use]
    pub fn new(url: Url, credential: Option<Credential>, body: Bytes) -> Self {
        Self {
            url,
            credential,
            headers: Vec::new(),
            body,
            total: None,
            max_bytes: RESPONSE_BYTES_MAX,
        }
    }
}

impl fmt::Debug for ProviderRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRequest")
            .field("host", &self.url.host_str())
            .field("path", &self.url.path())
            .field("credential", &self.credential)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

/// An answer with a status from 200 to 299.
#[derive(Debug, Clone)]
pub struct ProviderResponse {
    pub status: u16,
    pub body: Bytes,
}
