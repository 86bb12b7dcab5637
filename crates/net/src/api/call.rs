//! One call of the REST API.

use bytes::Bytes;
use serde_json::Value;
use wiiiv_domain::HttpMethod;

/// What a call sends.
#[derive(Debug, Clone)]
pub(crate) enum CallBody {
    Json(Value),
    /// The bytes of a file, with its media type.
    File {
        media_type: String,
        bytes: Bytes,
    },
}

/// A method, a path below the server's address, and what goes with it.
#[derive(Debug, Clone)]
pub struct ApiCall {
    pub(crate) method: HttpMethod,
    pub(crate) path: String,
    pub(crate) body: Option<CallBody>,
    pub(crate) if_match: Option<String>,
    pub(crate) idempotency_key: Option<String>,
}

impl ApiCall {
    /// The path starts with `/` and may have a query; ids in it are already percent-encoded.
    #[must_use]
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(HttpMethod::Get, path.into())
    }

    #[must_use]
    pub fn post(path: impl Into<String>) -> Self {
        Self::new(HttpMethod::Post, path.into())
    }

    #[must_use]
    pub fn put(path: impl Into<String>) -> Self {
        Self::new(HttpMethod::Put, path.into())
    }

    #[must_use]
    pub fn patch(path: impl Into<String>) -> Self {
        Self::new(HttpMethod::Patch, path.into())
    }

    #[must_use]
    pub fn delete(path: impl Into<String>) -> Self {
        Self::new(HttpMethod::Delete, path.into())
    }

    #[must_use]
    pub fn json(self, body: Value) -> Self {
        Self { body: Some(CallBody::Json(body)), ..self }
    }

    /// The bytes of a file in place of a document. Such a call may take longer than others.
    #[must_use]
    pub fn file(self, media_type: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        let (media_type, bytes) = (media_type.into(), bytes.into());
        Self { body: Some(CallBody::File { media_type, bytes }), ..self }
    }

    #[must_use]
    pub fn if_match(self, etag: impl Into<String>) -> Self {
        Self { if_match: Some(etag.into()), ..self }
    }

    #[must_use]
    pub fn idempotency_key(self, key: impl Into<String>) -> Self {
        Self { idempotency_key: Some(key.into()), ..self }
    }

    fn new(method: HttpMethod, path: String) -> Self {
        Self { method, path, body: None, if_match: None, idempotency_key: None }
    }
}
