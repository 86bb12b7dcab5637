//! A successful answer of the REST API.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct ApiReply {
    pub status: u16,
    pub etag: Option<String>,
    pub location: Option<String>,
    /// `null` where there is no body.
    pub body: Value,
}
