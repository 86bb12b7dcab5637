//! A request to a service, and its answer.

use std::fmt;
use std::net::SocketAddr;

use bytes::Bytes;
use url::Url;
use wiiiv_domain::HttpMethod;

/// A longer timeout is cut to this.
pub const TOOL_TIMEOUT_MS_MAX: u64 = 600_000;
/// A larger cap is cut to this.
pub const TOOL_BYTES_MAX: usize = 64 * 1_048_576;

#[derive(Clone)]
pub struct ToolRequest {
    pub method: HttpMethod,
    pub url: Url,
    /// Credentials among them: no value is ever shown.
    pub headers: Vec<(String, String)>,
    pub body: Option<Bytes>,
    /// For the whole call, redirects and body included.
    pub timeout_ms: u64,
    /// Of the answer's body.
    pub max_bytes: usize,
    /// Sent as `Idempotency-Key`.
    pub idempotency_key: Option<String>,
}

/// Neither query, header values nor body: each may hold a secret.
impl fmt::Debug for ToolRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("ToolRequest")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("headers", &names)
            .field("body_bytes", &self.body.as_ref().map(Bytes::len))
            .finish_non_exhaustive()
    }
}

/// Any status, an error's too.
#[derive(Clone, PartialEq, Eq)]
pub struct ToolResponse {
    pub status: u16,
    /// Those that say what the body is and where it came from; no cookies.
    pub headers: Vec<(String, String)>,
    pub body: Bytes,
    /// Where the answer came from in the end.
    pub url: Url,
    /// The address that was dialled for it.
    pub address: Option<SocketAddr>,
    pub redirects: usize,
}

impl ToolResponse {
    /// By lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for ToolResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolResponse")
            .field("status", &self.status)
            .field("address", &self.address)
            .field("redirects", &self.redirects)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
