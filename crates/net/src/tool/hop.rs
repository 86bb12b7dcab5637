//! One request, or its repetition after a redirect.

use bytes::Bytes;
use reqwest::header::HeaderMap;
use url::Url;
use wiiiv_domain::HttpMethod;

/// One request on its way, or its repetition where a redirect pointed.
pub(crate) struct Hop {
    pub(crate) method: HttpMethod,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Bytes>,
}
